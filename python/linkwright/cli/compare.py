"""`linkwright compare`: architectures side by side, as a table, a page, JSON or CSV.

Which architectures there are for a number of nodes is the study's business. Long because the
options of the command are the parameters of its function.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwright.cli.invocation import manifest_since
from linkwright.cli.output import (
    CalibrationOption,
    Format,
    FormatOption,
    OutputOption,
    QuietOption,
    destination,
    json_text,
)
from linkwright.cli.terminal import say, work
from linkwright.csv_text import csv_text

if TYPE_CHECKING:
    from linkwright.design.cluster import Cluster

__all__ = ["compare"]

DEFAULT_WORKLOADS = ["ping-pong", "broadcast", "barrier"]
DEFAULT_PAGE = Path("compare.html")


def compare(
    designs: Annotated[
        list[Path] | None,
        typer.Argument(metavar="DESIGN", help="Designs to compare instead.", show_default=False),
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option("--nodes", "-n", help="Nodes of each architecture; 16 unless given."),
    ] = None,
    catalogue: Annotated[
        str | None,
        typer.Option("--catalogue", "-c", help="Parts and prices; whitney-1998 unless given."),
    ] = None,
    every_kind: Annotated[
        bool, typer.Option("--all", help="Every kind, not the usual few.")
    ] = False,
    workload: Annotated[
        list[str] | None,
        typer.Option("--workload", "-w", help="What runs on each; may be given several times."),
    ] = None,
    engine: Annotated[str, typer.Option("--engine", "-e", help="What runs it.")] = "packet",
    calibration: CalibrationOption = None,
    seed: Annotated[
        int, typer.Option("--seed", min=0, max=2**32 - 1, help="Seed of every run.")
    ] = 1,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", min=1, help="Runs at the same time; one per core."),
    ] = None,
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Put architectures side by side.

    Cost, speed, what it survives, and how workloads run on it. Writes compare.html unless --format
    or -o says otherwise; -o takes .html, .json, .csv and .txt.
    """
    from linkwright import studies, workloads
    from linkwright.views.columns import comparison_rows
    from linkwright.views.report import comparison_page
    from linkwright.views.tables import comparison_table

    target = destination(
        shown, output, quiet=quiet, files_only=(Format.HTML,), default_file=DEFAULT_PAGE
    )
    clusters = _clusters(designs, is_exclusive=not any((nodes, catalogue, every_kind)))
    wanted = [workloads.parse(name) for name in dict.fromkeys(workload or DEFAULT_WORKLOADS)]
    started = datetime.now(UTC)
    found = work(
        lambda report: studies.compare(
            16 if nodes is None else nodes,
            catalogue or "whitney-1998",
            wanted,
            engine=engine,
            calibration=calibration,
            seed=seed,
            every_kind=every_kind,
            designs=clusters,
            n_jobs=jobs,
            progress=report,
        ),
        "comparing",
        quiet=quiet,
    )
    for remark in found.remarks:
        say(f"note: {remark}", quiet=quiet)
    target.deliver(
        {
            Format.TABLE: lambda: comparison_table(found),
            Format.JSON: lambda: json_text(found.to_json()),
            Format.CSV: lambda: csv_text(*comparison_rows(found)),
            Format.HTML: lambda: comparison_page(found, manifest_since(started, [seed])),
        }
    )


def _clusters(designs: list[Path] | None, *, is_exclusive: bool) -> list[Cluster] | None:
    """Return the designs that are compared; None when nothing but a number of nodes is given."""
    from linkwright.design.cluster import Cluster
    from linkwright.errors import UsageError

    if not designs:
        return None
    if not is_exclusive:
        raise UsageError(
            "designs say their own nodes and catalogue", "leave out --nodes, --catalogue and --all"
        )
    return [Cluster.load(path) for path in designs]
