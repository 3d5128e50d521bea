"""`linkwright compare`: architectures side by side, as a table, a page, JSON or CSV.

The study chooses the architectures for a number of nodes, and their parts.
Long because the options of the command are the parameters of its function.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwright.cli import completion
from linkwright.cli.formats import Format, json_text
from linkwright.cli.invocation import manifest_since
from linkwright.cli.options import (
    CalibrationOption,
    EngineOption,
    FormatOption,
    JobsOption,
    OutputOption,
    QuietOption,
)
from linkwright.cli.output import destination
from linkwright.cli.terminal import say, say_error, work
from linkwright.errors import DesignError, UsageError
from linkwright.text.csv_text import csv_text

if TYPE_CHECKING:
    from linkwright.studies import Comparison

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
        typer.Option("--nodes", "-n", help="Nodes of each architecture (default: 16)."),
    ] = None,
    catalogue: Annotated[
        str | None,
        typer.Option(
            "--catalogue",
            "-c",
            autocompletion=completion.catalogues,
            help="Parts and prices (default: whitney-1998).",
        ),
    ] = None,
    every_kind: Annotated[
        bool, typer.Option("--all", help="Compare every kind, not only the usual few.")
    ] = False,
    rate: Annotated[
        str | None,
        typer.Option("--rate", help="Rate of the NICs, such as 25g (default: the catalogue's)."),
    ] = None,
    ports: Annotated[
        int | None,
        typer.Option("--ports", min=1, help="Largest number of ports of a node to use."),
    ] = None,
    workload: Annotated[
        list[str] | None,
        typer.Option(
            "--workload",
            "-w",
            autocompletion=completion.workloads,
            help="Workload to run on each; repeatable.",
        ),
    ] = None,
    engine: EngineOption = "packet",
    calibration: CalibrationOption = None,
    seed: Annotated[
        int, typer.Option("--seed", min=0, max=2**32 - 1, help="Seed of every run.")
    ] = 1,
    jobs: JobsOption = None,
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Compare architectures side by side.

    Shows cost, speed, failures survived, and the result of each workload. Each architecture is
    built from the cheapest parts of the catalogue that fit; if none fit, it is left out and a note
    gives the reason. A DESIGN that cannot be built is named by its file, the others run, and the
    exit code is 2. Without --format and -o the command writes compare.html; -o takes .html, .json,
    .csv and .txt.
    """
    from linkwright import studies, workloads
    from linkwright.design.rates import mbps_of
    from linkwright.views.columns import comparison_rows
    from linkwright.views.report import comparison_page
    from linkwright.views.tables import comparison_table

    target = destination(
        shown, output, quiet=quiet, files_only=(Format.HTML,), default_file=DEFAULT_PAGE
    )
    _check_given(designs, (nodes, catalogue, every_kind, rate, ports))
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
            rate_mbps=None if rate is None else mbps_of(rate),
            ports_per_node=ports,
            designs=designs or None,
            n_jobs=jobs,
            progress=report,
        ),
        "comparing",
        quiet=quiet,
    )
    for remark in found.remarks:
        say(f"note: {remark}", quiet=quiet)
    _say_left_out(found, quiet=quiet or target.shown is Format.TABLE)
    target.deliver(
        {
            Format.TABLE: lambda: comparison_table(found),
            Format.JSON: lambda: json_text(found.to_json()),
            Format.CSV: lambda: csv_text(*comparison_rows(found)),
            Format.HTML: lambda: comparison_page(found, manifest_since(started, [seed])),
        }
    )
    if any(one.is_given for one in found.left_out):
        raise typer.Exit(DesignError.exit_code)


def _check_given(designs: list[Path] | None, others: tuple[object, ...]) -> None:
    if designs and any(others):
        raise UsageError(
            "designs have their own nodes, catalogue and parts",
            "leave out --nodes, --catalogue, --all, --rate and --ports",
        )


def _say_left_out(found: Comparison, *, quiet: bool) -> None:
    """Report missing architectures: an error for each design of the user, a note otherwise."""
    for one in found.left_out:
        if one.is_given:
            say_error(f"'{one.name}' is left out: {one.reason}", one.hint)
        else:
            say(f"note: {one.name} is left out: {one.reason}", quiet=quiet)
