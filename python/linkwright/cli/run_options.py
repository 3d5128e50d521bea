"""Options of a run, which `linkwright simulate` takes in addition to those of other commands.

The library holds them in one value, `linkwright.results.Run`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from linkwright.cli import completion

__all__ = [
    "BackgroundOption",
    "BackgroundSettingsOption",
    "DrawsOption",
    "FaultFileOption",
    "FaultOption",
    "OneSeedOption",
    "PlacementOption",
    "PrecisionOption",
    "RepeatOption",
    "SeedOption",
    "TimelineOption",
    "TraceOption",
    "TrafficOption",
    "WorkloadOption",
]

BackgroundOption = Annotated[
    str | None,
    typer.Option(
        "--background",
        metavar="NAME",
        autocompletion=completion.backgrounds,
        help="Background traffic of the front end: keep-alive or file-server.",
    ),
]
BackgroundSettingsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--background-set",
        metavar="KEY=VALUE",
        help="Setting of the background traffic; repeatable.",
    ),
]
FaultOption = Annotated[
    list[str] | None,
    typer.Option(
        "--fault",
        metavar="FAULT",
        help='Fault during the run, as "cable:12 down at 1.5s up at 2s"; repeatable.',
    ),
]
FaultFileOption = Annotated[
    Path | None,
    typer.Option("--fault-file", help="File of faults, one per line.", show_default=False),
]
DrawsOption = Annotated[
    int | None,
    typer.Option(
        "--draws",
        min=1,
        help="Uncertainty: number of runs, each with its own seed and its own draw of the hosts' "
        "fitted constants. The table shows their mean and 90 % interval.",
        show_default=False,
    ),
]
WorkloadOption = Annotated[
    str,
    typer.Option(
        "--workload",
        "-w",
        autocompletion=completion.workloads,
        help="Workload to run.",
        show_default=False,
    ),
]
RepeatOption = Annotated[
    int | None,
    typer.Option(
        "--repeat",
        min=1,
        help="Number of independent runs (default: 1 with --seed or without chance, else several).",
        show_default=False,
    ),
]
SeedOption = Annotated[
    int, typer.Option("--seed", min=0, max=2**32 - 1, help="Seed of the first run.")
]
OneSeedOption = Annotated[
    int | None,
    typer.Option(
        "--seed",
        min=0,
        max=2**32 - 1,
        help="Seed of the first run, and of the only one without --repeat (default: from 1 on).",
        show_default=False,
    ),
]
PlacementOption = Annotated[
    str,
    typer.Option(
        metavar="NODES",
        autocompletion=completion.placements,
        help="Node of each rank: row, random, 2x2, local-pairs, remote-pairs, 0,1,4,5 or @FILE.",
    ),
]
PrecisionOption = Annotated[
    float | None,
    typer.Option(
        help="Flow engine: how long a rate update may be deferred, as a fraction of the transfer's "
        "duration (0 = exact). Bounds wasted capacity, not the error of dependent messages."
    ),
]
TraceOption = Annotated[
    Path | None,
    typer.Option("--trace", help="Packet capture to write (pcapng).", show_default=False),
]
TimelineOption = Annotated[
    Path | None,
    typer.Option(
        "--timeline",
        help="Time line of ranks, messages and frames to write (JSON for Perfetto).",
        show_default=False,
    ),
]
TrafficOption = Annotated[
    Path | None,
    typer.Option(
        "--traffic",
        help="Table of the traffic of every port over time to write (CSV).",
        show_default=False,
    ),
]
