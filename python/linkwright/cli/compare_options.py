"""Options of `linkwright compare` that no other command has.

Options that it shares are in options.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from linkwright.cli import completion

__all__ = [
    "CatalogueOption",
    "DesignsArgument",
    "DrawsOption",
    "EveryKindOption",
    "ManySettingsOption",
    "NodesOption",
    "PortsOption",
    "RateOption",
    "SeedOption",
    "WorkloadsOption",
]

DesignsArgument = Annotated[
    list[Path] | None,
    typer.Argument(metavar="DESIGN", help="Designs to compare instead.", show_default=False),
]
NodesOption = Annotated[
    int | None,
    typer.Option("--nodes", "-n", help="Nodes of each architecture (default: 16)."),
]
CatalogueOption = Annotated[
    str | None,
    typer.Option(
        "--catalogue",
        "-c",
        autocompletion=completion.catalogues,
        help="Parts and prices (default: whitney-1998).",
    ),
]
EveryKindOption = Annotated[
    bool, typer.Option("--all", help="Compare every kind, not only the usual few.")
]
RateOption = Annotated[
    str | None,
    typer.Option("--rate", help="Rate of the NICs, such as 25g (default: the catalogue's)."),
]
PortsOption = Annotated[
    int | None,
    typer.Option("--ports", min=1, help="Largest number of ports of a node to use."),
]
WorkloadsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--workload",
        "-w",
        autocompletion=completion.workloads,
        help="Workload to run on each; repeatable.",
    ),
]
ManySettingsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Setting of all workloads that have it, or of one, as broadcast.size_bytes=64; "
        "repeatable.",
    ),
]
DrawsOption = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Uncertainty: number of runs of each workload, each with its own seed and its own "
        "draw of the hosts' fitted constants. Figures are their means with 90 % intervals.",
        show_default=False,
    ),
]
SeedOption = Annotated[int, typer.Option("--seed", min=0, max=2**32 - 1, help="Seed of every run.")]
