"""Options that only `linkwright emulate` has.

Those of a run are in run_options.py.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from linkwright.cli import completion

__all__ = [
    "Backend",
    "BackendOption",
    "CleanOption",
    "CommandArgument",
    "DilationOption",
    "EmulatedArgument",
    "FailuresOption",
    "FilesOption",
    "KeepOption",
    "ShellOption",
    "VerifyOption",
    "WorkloadOption",
    "end_leftovers_of_user",
]


class Backend(StrEnum):
    """The wires between nodes."""

    WIRES = "wires"
    VETH = "veth"


class Neighbours(StrEnum):
    """The way in which nodes know the hardware addresses of their neighbours."""

    PERMANENT = "permanent"
    LEARNED = "learned"


EmulatedArgument = Annotated[
    Path | None, typer.Argument(metavar="DESIGN", help="Design file.", show_default=False)
]
CommandArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[-- COMMAND...]", help="Command to run in the first node.", show_default=False
    ),
]
WorkloadOption = Annotated[
    str | None,
    typer.Option(
        "--workload",
        "-w",
        autocompletion=completion.workloads,
        help="Workload to play by a process per rank.",
        show_default=False,
    ),
]
ShellOption = Annotated[
    str | None, typer.Option("--shell", metavar="NODE", help="Open a shell in a node.")
]
VerifyOption = Annotated[
    bool, typer.Option("--verify", help="Compare the decisions of all kernels with the proofs.")
]
FailuresOption = Annotated[
    str,
    typer.Option(
        "--failures",
        metavar="WHICH",
        autocompletion=completion.failures,
        help="Failures that --verify tries: single, pairs or none, as for check.",
    ),
]
FilesOption = Annotated[
    Path | None,
    typer.Option(
        "--files",
        metavar="DIR",
        help="Files of network managers and FRR written by hand, a folder per machine, which the "
        "nodes load instead of the plan.",
        show_default=False,
    ),
]
KeepOption = Annotated[bool, typer.Option("--keep", help="Leave the cluster up until Ctrl-C.")]


def end_leftovers_of_user() -> None:
    """End the leftovers of killed runs, and say which."""
    from linkwright.emulation.leftovers import end_leftovers

    found = end_leftovers()
    for one in found:
        typer.echo(f"ended process {one.process} of the run {one.owner}, which was killed")
    if not found:
        typer.echo("nothing remains: no process of this user belongs to a killed run")


CleanOption = Annotated[
    bool,
    typer.Option(
        "--clean",
        help="End the processes that killed runs of this user have left, and nothing else.",
    ),
]
NeighboursOption = Annotated[
    Neighbours | None,
    typer.Option(
        "--neighbours",
        help="Hardware addresses of neighbours: known forever, or asked for by ARP and neighbour "
        "discovery, as --host links.arp=cold (default: permanent; with --verify, learned where "
        "several ports of a node share a segment).",
        show_default=False,
    ),
]
BackendOption = Annotated[
    Backend,
    typer.Option(
        "--backend",
        help="Wires of the packet engine, or cables of the kernel (veth, bridge, tbf): quick, "
        "with no collisions, faults or verdict.",
    ),
]
DilationOption = Annotated[
    float | None,
    typer.Option(
        "--dilation",
        min=1.0,
        max=1e6,
        help="Real seconds for one second of the network (default: as many as this machine needs).",
        show_default=False,
    ),
]
