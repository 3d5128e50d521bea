"""Answers that need no run: what a network costs, whether it is sound, how it is cabled and what
survives a failure.

`plan` returns the files of a plan folder as text, `difference` what changes from one plan to
another; only `write_plan` touches the disk.
"""

from __future__ import annotations

from pathlib import Path

from linkwright.errors import PlanError, UsageError, expect_kind, shown_path
from linkwright.files.folder import write_folder
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
from linkwright.plan.facts import Facts
from linkwright.plan.finding import Finding, Severity
from linkwright.plan.folder import read_tables
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

__all__ = [
    "Change",
    "Connectivity",
    "Cost",
    "CostLine",
    "Difference",
    "Facts",
    "FailureProof",
    "Finding",
    "FormulaCheck",
    "PathModel",
    "Planned",
    "Properties",
    "Severity",
    "check",
    "compare_closed_forms",
    "connectivity",
    "difference",
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


def plan(network: Network, model: PathModel | None = None) -> dict[str, str]:
    """Return the files of a network's plan folder.

    Parameters
    ----------
    network : Network
        The compiled network.
    model : PathModel, optional
        Gives latency and bandwidth in the summary; default: that of the catalogue's hosts.

    Returns
    -------
    dict of str to str
        Text per file name, the same bytes for the same network.

    Raises
    ------
    PlanError
        When the network cannot be priced, or was compiled without some parts.
    """
    if network.without:
        raise PlanError(
            f"'{network.name}' was compiled without {', '.join(network.without)}, which are owned "
            "all the same",
            "plan it with plan_without(whole, left)",
        )
    return dict(planned(network, model=model).files)


def plan_without(
    whole: Network, left: Network, model: PathModel | None = None
) -> tuple[dict[str, str], Difference]:
    """Return the files of the plan of what is left of a network, and what changes by it.

    Parameters
    ----------
    whole : Network
        The network with all its parts: devices, cables, addresses, hosts and parts to buy are its.
    left : Network
        The same design compiled without some: the routes and the figures are its.
    model : PathModel, optional
        Gives latency and bandwidth in the summary; default: that of the catalogue's hosts.

    Returns
    -------
    dict of str to str
        Text per file name; `changes.csv` says how the routes differ from those of the whole.
    Difference
        The same and how many routes change on each node.

    Raises
    ------
    PlanError
        When the network cannot be priced.
    """
    found = planned(whole, left, model)
    assert found.changes is not None, "what is left is compared with the whole"
    return dict(found.files), found.changes


def properties(network: Network, model: PathModel | None = None) -> Properties:
    """Return the figures by which networks are compared.

    Parameters
    ----------
    network : Network
        The compiled network.
    model : PathModel, optional
        Gives latency and bandwidth; without it, and on links of another rate than it holds for,
        they are not known.
    """
    return Facts(network, model).properties


def tables(network: Network) -> dict[str, str]:
    """Return the CSV files of a network's plan folder, by name.

    Raises
    ------
    PlanError
        When the network cannot be priced.
    """
    return Facts(network).tables


def read_plan(directory: str | Path) -> dict[str, str]:
    """Return the tables of a plan folder that was written earlier, for `difference`.

    Raises
    ------
    UsageError
        When it is no plan folder; the message names what is missing or does not fit together.
    """
    files = read_tables(Path(directory), COMPARED_COLUMNS)
    if fault := fault_of(files):
        raise UsageError(
            f"{shown_path(directory)} is no plan folder any more: {fault}",
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
        Whether to replace the plan's files in a folder that holds something else.

    Raises
    ------
    UsageError
        When `network` is no Network.
    PlanError
        When the network cannot be priced.
    OutputError
        When the folder holds something else and `force` is not given, or cannot be written.
    """
    expect_kind("write_plan", network, Network)
    write_folder(plan(network), Path(directory), force=force)
