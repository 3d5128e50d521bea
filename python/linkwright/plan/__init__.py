"""Answers that need no run: cost, findings, cabling and the effect of failures.

`plan` returns the files of a plan folder as text, `difference` the changes from one plan to
another; only `write_plan` touches the disk.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from linkwright.errors import UsageError, expect_kind, shown_path
from linkwright.files import Pieces
from linkwright.files.folder import write_folder
from linkwright.memory import expect_room
from linkwright.network import Network
from linkwright.plan.checks import check, findings_of
from linkwright.plan.closed_forms import FormulaCheck, compare_closed_forms
from linkwright.plan.cost import Cost, CostLine, price
from linkwright.plan.difference import (
    COMPARED_COLUMNS,
    Change,
    Difference,
    difference,
    fault_of,
)
from linkwright.plan.exporters import Exported, export
from linkwright.plan.facts import Facts
from linkwright.plan.finding import Finding, Findings, Severity
from linkwright.plan.folder import read_tables
from linkwright.plan.outcomes import Outcomes
from linkwright.plan.path_model import PathModel, path_model
from linkwright.plan.planned import Planned, planned
from linkwright.plan.properties import Properties
from linkwright.plan.resilience import (
    Connectivity,
    FailureProof,
    connectivity,
    rerouting,
    why_not_proved,
)
from linkwright.plan.routes import count_routes

__all__ = [
    "Change",
    "Connectivity",
    "Cost",
    "CostLine",
    "Difference",
    "Exported",
    "Facts",
    "FailureProof",
    "Finding",
    "Findings",
    "FormulaCheck",
    "Outcomes",
    "PathModel",
    "Planned",
    "Properties",
    "Severity",
    "check",
    "compare_closed_forms",
    "connectivity",
    "difference",
    "export",
    "findings_of",
    "path_model",
    "plan",
    "plan_without",
    "planned",
    "price",
    "properties",
    "read_plan",
    "rerouting",
    "tables",
    "why_not_proved",
    "write_plan",
]

_BYTES_PER_ROUTE = 120
"""Memory of a route while the text of all is put together."""


def plan(network: Network, model: PathModel | None = None) -> dict[str, str]:
    """Return the files of a network's plan folder.

    Parameters
    ----------
    network : Network
        The compiled network.
    model : PathModel, optional
        Gives latency and bandwidth in the summary. Default: the model of the catalogue's hosts.

    Returns
    -------
    dict of str to str
        Text per file name, the same bytes for the same network.

    Raises
    ------
    PlanError
        If the network cannot be priced, or was compiled without some parts.
    """
    return _whole(network, planned(network, model=model).files)


def plan_without(
    whole: Network, left: Network, model: PathModel | None = None
) -> tuple[dict[str, str], Difference]:
    """Return the plan files of a network without its failed parts, and the changes from the whole.

    Parameters
    ----------
    whole : Network
        The network with all its parts, which gives devices, cables, addresses, hosts and parts to
        buy.
    left : Network
        The same design compiled without some parts, which gives the routes and the figures.
    model : PathModel, optional
        Gives latency and bandwidth in the summary. Default: the model of the catalogue's hosts.

    Returns
    -------
    dict of str to str
        Text per file name; `changes.csv` lists the differences of the routes from the whole
        network's.
    Difference
        The same changes, and the number of changed routes per node.

    Raises
    ------
    PlanError
        If the network cannot be priced.
    """
    found = planned(whole, left, model)
    assert found.changes is not None, "the surviving network is compared with the whole"
    return _whole(left, found.files), found.changes


def properties(network: Network, model: PathModel | None = None) -> Properties:
    """Return the figures for comparisons of networks.

    Parameters
    ----------
    network : Network
        The compiled network.
    model : PathModel, optional
        Gives latency and bandwidth; they are unknown without it, and on links of another rate than
        the model's.
    """
    return Facts(network, model).properties


def tables(network: Network) -> dict[str, str]:
    """Return the CSV files of a network's plan folder, by name.

    Raises
    ------
    PlanError
        If the network cannot be priced.
    """
    return _whole(network, Facts(network).tables)


def _whole(network: Network, files: Mapping[str, str | Pieces]) -> dict[str, str]:
    """Return the whole texts of files, if there is room for the table of routes in memory."""
    n_bytes = _BYTES_PER_ROUTE * count_routes(network)
    expect_room(f"the plan of {network.n_nodes:,} nodes", n_bytes, "its table of routes")
    return {name: str(text) for name, text in files.items()}


def read_plan(directory: str | Path) -> dict[str, str]:
    """Return the tables of an existing plan folder, for `difference`.

    Raises
    ------
    UsageError
        If it is not a plan folder; the message names the missing or inconsistent table.
    """
    files = read_tables(Path(directory), COMPARED_COLUMNS)
    if fault := fault_of(files):
        raise UsageError(
            f"{shown_path(directory)} is not a valid plan folder: {fault}",
            "write it again with `linkwright plan DESIGN -o DIR`",
        )
    return files


def write_plan(network: Network, directory: str | Path, *, force: bool = False) -> None:
    """Write a network's plan folder, whole or not at all.

    Parameters
    ----------
    network : Network
        The compiled network.
    directory : str or Path
        The folder; made if it does not exist.
    force : bool
        Whether to replace the plan's files in a folder that holds other files.

    Raises
    ------
    UsageError
        If `network` is not a Network.
    PlanError
        If the network cannot be priced.
    OutputError
        If the folder holds other files and `force` is not given, or cannot be written.
    """
    expect_kind("write_plan", network, Network)
    write_folder(planned(network).files, Path(directory), force=force)
