"""`linkwright plot`: a figure of a study as SVG, PNG or a page.

The figures are in views/study_plots.py.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from linkwright.cli.options import QuietOption
from linkwright.cli.study_options import FolderArgument, MetricOption, WhereOption, names_of
from linkwright.cli.terminal import say
from linkwright.errors import UsageError
from linkwright.files import check_writable, write_atomically

__all__ = ["plot"]

SUFFIXES = (".svg", ".png", ".html")


def plot(
    folder: FolderArgument,
    x: Annotated[
        str,
        typer.Option("--x", help="Column of the horizontal axis; a metric for a Pareto front."),
    ],
    kind: Annotated[
        str, typer.Option("--kind", "-k", help="lines, heat, pareto or box.")
    ] = "lines",
    metric: MetricOption = "time",
    y: Annotated[
        str, typer.Option("--y", help="Heat map: column of the vertical axis.", show_default=False)
    ] = "",
    by: Annotated[
        list[str] | None,
        typer.Option("--by", metavar="COLUMN", help="Columns that distinguish the series."),
    ] = None,
    where: WhereOption = "true",
    log: Annotated[
        str,
        typer.Option(help="Axes with a logarithmic scale: x, y or xy.", show_default=False),
    ] = "",
    output: Annotated[
        Path, typer.Option("--output", "-o", help="File to write: .svg, .png or .html.")
    ] = Path("plot.svg"),
    quiet: QuietOption = False,
) -> None:
    """Draw a figure of a study.

    lines: means over one column, with their 90 % confidence band; heat: means over two columns;
    pareto: two metrics, and the points that no other beats; box: the spread of all runs. A page has
    the numbers below the figure.
    """
    from linkwright.study import Database
    from linkwright.views.study_plots import Asked, study_figure

    if output.suffix.lower() not in SUFFIXES:
        raise UsageError(
            f"a figure is no '{output.suffix}' file", f"choose one of {', '.join(SUFFIXES)}"
        )
    if log.strip("xy"):
        raise UsageError(f"--log '{log}' names no axes", "give x, y or xy")
    check_writable(output)
    asked = Asked(x=x, metric=metric, y=y, by=names_of(by), where=where, log=log)
    with Database(folder) as database:
        figure = study_figure(kind, database, asked)
        question = database.folder.study.question
    forms: dict[str, Callable[[], str | bytes]] = {
        ".svg": figure.svg,
        ".png": figure.png,
        ".html": lambda: figure.page(question),
    }
    write_atomically(output, forms[output.suffix.lower()]())
    say(f"wrote {output}", quiet=quiet)
