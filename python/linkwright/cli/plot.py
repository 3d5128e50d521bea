"""`linkwright plot`: a figure of a study as SVG, PNG or a page.

The figures are in views/study_plots.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from linkwright.cli.formats import Format
from linkwright.cli.given import refuse_unused
from linkwright.cli.options import FormatOption, MeasuredOption, OutputOption, QuietOption
from linkwright.cli.output import destination
from linkwright.cli.study_options import (
    FolderArgument,
    MetricOption,
    WhereOption,
    names_of,
)
from linkwright.errors import UsageError

__all__ = ["plot"]


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
    measured: MeasuredOption = None,
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Draw a figure of a study.

    lines: means over one column, with their 90 % confidence band; heat: means over two columns;
    pareto: two metrics, and the points that no other beats; box: the spread of all runs. The
    numbers of the figure are printed. Without --format and -o the command writes plot.svg; -o
    takes .svg, .png, .html, .csv, .json and .txt.
    """
    from linkwright.cli.tables import forms_of
    from linkwright.study import Database
    from linkwright.views.study_plots import Asked, study_figure

    figures = (Format.SVG, Format.PNG, Format.HTML)
    target = destination(
        shown, output, quiet=quiet, files_only=figures, default_file=Path("plot.svg")
    )
    if log.strip("xy"):
        raise UsageError(f"--log '{log}' names no axes", "give x, y or xy")
    if kind == "heat":
        refuse_unused("a heat map has two columns, --x and --y", "by")
    else:
        refuse_unused("only a heat map has a column upwards", "y")
    asked = Asked(x=x, metric=metric, y=y, by=names_of(by), where=where, log=log)
    with Database(folder, measured or ()) as database:
        figure = study_figure(kind, database, asked)
        question = database.folder.study.question
    target.deliver(
        {
            **forms_of(figure.headings, figure.rows),
            Format.SVG: figure.svg,
            Format.PNG: figure.png,
            Format.HTML: lambda: figure.page(question),
        }
    )
