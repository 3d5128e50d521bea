"""`linkwright goal`: what a workload does, as GOAL text, and where the source of the recorder is.

Nothing is run. The text goes out piece by piece, so that a long program needs no memory.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from linkwright.cli import completion
from linkwright.cli.output import CalibrationOption, QuietOption
from linkwright.cli.simulate import settings_of
from linkwright.cli.terminal import say, show

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
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Setting of the workload; repeatable."),
    ] = None,
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
    from linkwright import calibrations, workloads
    from linkwright.design.cluster import Cluster
    from linkwright.errors import UsageError
    from linkwright.files import check_writable, write_atomically
    from linkwright.network import compile as compile_network
    from linkwright.program import compile_program, goal_text

    if recorder:
        typer.echo(Path(linkwright.__file__).parent / "recorder" / "recorder.c")
        return
    if workload is None:
        raise UsageError("nothing is written without a workload", "name one with --workload")
    if (design is None) == (ranks is None):
        raise UsageError("one thing says how many nodes there are", "give a design, or --ranks")
    if output is not None:
        check_writable(output)
    chosen = workloads.parse(workload, settings_of("--set", settings or []))
    cluster = None if design is None else Cluster.load(design)
    n_nodes = ranks if cluster is None else compile_network(cluster).n_compute
    assert n_nodes is not None, "either of them is given"
    name = calibration or (None if cluster is None else cluster.calibration)
    hosts = None if name is None else calibrations.load(name)
    pieces = goal_text(compile_program(chosen, n_nodes, hosts=hosts))
    if output is None:
        for piece in pieces:
            show(piece)
        return
    write_atomically(output, pieces)
    say(f"wrote {output}", quiet=quiet)
