"""Answers that need no run: what a network costs, whether it is sound, how it is cabled and what
survives a failure.

`plan` returns the files of a plan folder as text; only `write_plan` touches the disk.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from linkwright.plan.cabling import CABLE_COLUMNS, DEVICE_COLUMNS, cable_rows, device_rows
from linkwright.plan.checks import check
from linkwright.plan.closed_forms import Comparison, compare_closed_forms
from linkwright.plan.cost import Cost, CostLine, price
from linkwright.plan.csv_text import csv_text
from linkwright.plan.finding import Finding, Severity
from linkwright.plan.folder import write_folder
from linkwright.plan.path_model import PathModel, path_model
from linkwright.plan.properties import Properties, properties
from linkwright.plan.resilience import Resilience, resilience
from linkwright.plan.summary import summary_text
from linkwright.plan.tables import (
    BOM_COLUMNS,
    HOST_COLUMNS,
    INTERFACE_COLUMNS,
    ROUTE_COLUMNS,
    bom_rows,
    host_rows,
    interface_rows,
    route_rows,
)

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = [
    "Comparison",
    "Cost",
    "CostLine",
    "Finding",
    "PathModel",
    "Properties",
    "Resilience",
    "Severity",
    "check",
    "compare_closed_forms",
    "path_model",
    "plan",
    "price",
    "properties",
    "resilience",
    "write_plan",
]


def plan(network: Network, model: PathModel | None = None) -> dict[str, str]:
    """Return the files of a network's plan folder.

    Parameters
    ----------
    network : Network
        The compiled network.
    model : PathModel, optional
        Gives latency and bandwidth in the summary; unless given, that of the Whitney nodes.

    Returns
    -------
    dict of str to str
        Text per file name, the same bytes for the same network.

    Raises
    ------
    PlanError
        When the network cannot be priced.
    """
    found = properties(network, model or path_model())
    routes = list(route_rows(network))
    return {
        "devices.csv": csv_text(DEVICE_COLUMNS, device_rows(network)),
        "cables.csv": csv_text(CABLE_COLUMNS, cable_rows(network)),
        "interfaces.csv": csv_text(INTERFACE_COLUMNS, interface_rows(network)),
        "routes.csv": csv_text(ROUTE_COLUMNS, routes),
        "hosts.csv": csv_text(HOST_COLUMNS, host_rows(network)),
        "bom.csv": csv_text(BOM_COLUMNS, bom_rows(found.cost)),
        "summary.json": summary_text(network, found, n_routes=len(routes)),
    }


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
    PlanError
        When the network cannot be priced.
    OutputError
        When the folder holds something else and `force` is not given, or cannot be written.
    """
    write_folder(plan(network), Path(directory), force=force)
