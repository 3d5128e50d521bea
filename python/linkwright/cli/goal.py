"""`linkwright goal`: a workload as GOAL text, and the location of the recorder's source.

Nothing is run. The text is written piece by piece, so that a long program needs no memory.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwright.cli import completion
from linkwright.cli.given import refuse_unused
from linkwright.cli.options import CalibrationOption, QuietOption, SettingsOption, settings_of
from linkwright.cli.output import file_of
from linkwright.cli.terminal import say, show
from linkwright.cli.work import Report, work

if TYPE_CHECKING:
    from linkwright.calibrations import Calibration

__all__ = ["goal"]


def goal(
    design: Annotated[
        Path | None,
        typer.Argument(metavar="DESIGN", help="Design that gives the nodes and hosts."),
    ] = None,
    ranks: Annotated[
        int | None, typer.Option("--ranks", "-n", min=1, help="Number of ranks without a design.")
    ] = None,
    workload: Annotated[
        str | None,
        typer.Option(
            "--workload",
            "-w",
            autocompletion=completion.workloads,
            help="Workload to write.",
            show_default=False,
        ),
    ] = None,
    settings: SettingsOption = None,
    calibration: CalibrationOption = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="File to write (default: stdout)."),
    ] = None,
    recorder: Annotated[
        bool, typer.Option("--recorder", help="Print the path of the MPI recorder's source.")
    ] = False,
    quiet: QuietOption = False,
) -> None:
    """Write a workload as GOAL text, the trace format of LogGOPSim.

    Loops are unrolled, and collectives are written as their messages. With --recorder, only the
    path of the file to compile for recording your own program is printed.
    """
    import linkwright
    from linkwright import workloads
    from linkwright.errors import UsageError
    from linkwright.files import check_writable, write_atomically
    from linkwright.program import compile_program, goal_text

    output = file_of(output)
    if recorder:
        refuse_unused(
            "--recorder prints a path alone",
            *("design", "ranks", "workload", "settings", "calibration", "output"),
        )
        typer.echo(Path(linkwright.__file__).parent / "recorder" / "recorder.c")
        return
    if workload is None:
        raise UsageError("no workload is named", "name one with --workload")
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

    # On a terminal the text itself shows the progress.
    work(write, "compiling", quiet=quiet or (output is None and sys.stdout.isatty()))
    if output is not None:
        say(f"wrote {output}", quiet=quiet)


def _nodes_and_hosts(
    design: Path | None, ranks: int | None, calibration: str | None
) -> tuple[int, Calibration | None]:
    """Return the number of nodes, and their constants if a design or an option gives them."""
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
    raise UsageError("one argument gives the number of nodes", "give a design or --ranks")
