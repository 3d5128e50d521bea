"""`linkwright goal`: what a workload does, as GOAL text, and where the source of the recorder is.

Nothing is run. The text goes out piece by piece, so that a long program needs no memory.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwright.cli import completion
from linkwright.cli.options import CalibrationOption, QuietOption, SettingsOption, settings_of
from linkwright.cli.terminal import Report, say, show, work

if TYPE_CHECKING:
    from linkwright.calibrations import Calibration

__all__ = ["goal"]


def goal(
    design: Annotated[
        Path | None,
        typer.Argument(metavar="DESIGN", help="Design whose nodes and hosts are meant."),
    ] = None,
    ranks: Annotated[
        int | None, typer.Option("--ranks", "-n", min=1, help="Nodes, where no design is given.")
    ] = None,
    workload: Annotated[
        str | None,
        typer.Option(
            "--workload",
            "-w",
            autocompletion=completion.workloads,
            help="What is written.",
            show_default=False,
        ),
    ] = None,
    settings: SettingsOption = None,
    calibration: CalibrationOption = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="File to write; stdout unless given."),
    ] = None,
    recorder: Annotated[
        bool, typer.Option("--recorder", help="Say where the source of the MPI recorder is.")
    ] = False,
    quiet: QuietOption = False,
) -> None:
    """Write a workload as GOAL text, the trace format of LogGOPSim.

    Loops are unrolled and collectives written as their messages. With --recorder, only the file to
    compile for recording a program of your own.
    """
    import linkwright
    from linkwright import workloads
    from linkwright.errors import UsageError
    from linkwright.files import check_writable, write_atomically
    from linkwright.program import compile_program, goal_text

    if recorder:
        typer.echo(Path(linkwright.__file__).parent / "recorder" / "recorder.c")
        return
    if workload is None:
        raise UsageError("nothing is written without a workload", "name one with --workload")
    if output is not None:
        check_writable(output)
    chosen = workloads.parse(workload, settings_of("--set", settings))
    n_nodes, hosts = _nodes_and_hosts(design, ranks, calibration)

    def write(report: Report) -> None:
        pieces = goal_text(compile_program(chosen, n_nodes, hosts=hosts), report)
        if output is not None:
            write_atomically(output, pieces)
            return
        for piece in pieces:
            show(piece)

    # On a terminal the text itself shows how far it is.
    work(write, "compiling", quiet=quiet or (output is None and sys.stdout.isatty()))
    if output is not None:
        say(f"wrote {output}", quiet=quiet)


def _nodes_and_hosts(
    design: Path | None, ranks: int | None, calibration: str | None
) -> tuple[int, Calibration | None]:
    """Return how many nodes there are, and their constants if anything says them."""
    from linkwright import calibrations
    from linkwright.design.cluster import Cluster
    from linkwright.errors import UsageError
    from linkwright.network import compile as compile_network

    if design is not None and ranks is None:
        cluster = Cluster.load(design)
        hosts = calibrations.load(calibration or cluster.calibration)
        return compile_network(cluster).n_compute, hosts
    if design is None and ranks is not None:
        return ranks, None if calibration is None else calibrations.load(calibration)
    raise UsageError("one thing says how many nodes there are", "give a design, or --ranks")
