"""Options of a run, which `linkwright simulate` takes besides those of other commands.

They become one value, `linkwright.results.Run`, in the library.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from linkwright.cli import completion

__all__ = [
    "BackgroundOption",
    "BackgroundSettingsOption",
    "FaultFileOption",
    "FaultOption",
    "PlacementOption",
    "PrecisionOption",
    "RepeatOption",
    "SeedOption",
    "TraceOption",
    "WorkloadOption",
]

BackgroundOption = Annotated[
    str | None,
    typer.Option(
        "--background",
        metavar="NAME",
        autocompletion=completion.backgrounds,
        help="What the front end sends meanwhile: keep-alive or file-server.",
    ),
]
BackgroundSettingsOption = Annotated[
    list[str] | None,
    typer.Option("--background-set", metavar="KEY=VALUE", help="Setting of that; repeatable."),
]
FaultOption = Annotated[
    list[str] | None,
    typer.Option(
        "--fault",
        metavar="FAULT",
        help='What goes wrong, as "cable:12 down at 1.5s up at 2s"; repeatable.',
    ),
]
FaultFileOption = Annotated[
    Path | None,
    typer.Option("--fault-file", help="File of faults, one per line.", show_default=False),
]
WorkloadOption = Annotated[
    str,
    typer.Option(
        "--workload",
        "-w",
        autocompletion=completion.workloads,
        help="What runs.",
        show_default=False,
    ),
]
RepeatOption = Annotated[int, typer.Option("--repeat", min=1, help="Independent runs.")]
SeedOption = Annotated[
    int, typer.Option("--seed", min=0, max=2**32 - 1, help="Seed of the first run.")
]
PlacementOption = Annotated[
    str,
    typer.Option(
        metavar="NODES",
        autocompletion=completion.placements,
        help="Which node each rank runs on: row, random, 2x2, local-pairs, remote-pairs, "
        "0,1,4,5 or @FILE.",
    ),
]
PrecisionOption = Annotated[
    float | None,
    typer.Option(
        help="Flow engine: how late shares may be, as a part of a transfer's time; 0 is exact. "
        "It bounds what stands idle, not the result of messages that wait for each other."
    ),
]
TraceOption = Annotated[
    Path | None,
    typer.Option("--trace", help="Packet capture to write (pcapng).", show_default=False),
]
