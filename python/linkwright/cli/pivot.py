"""`linkwright pivot`: a metric of a study by the values of some columns."""

from __future__ import annotations

from typing import Annotated

import typer

from linkwright.cli.options import FormatOption, MeasuredOption, OutputOption, QuietOption
from linkwright.cli.output import destination
from linkwright.cli.study_options import (
    FolderArgument,
    MetricOption,
    WhereOption,
    names_of,
)

__all__ = ["pivot"]


def pivot(
    folder: FolderArgument,
    rows: Annotated[
        list[str],
        typer.Option("--rows", "-r", metavar="COLUMN", help="Columns whose values are downwards."),
    ],
    columns: Annotated[
        list[str] | None,
        typer.Option("--columns", "-c", metavar="COLUMN", help="Columns whose values are across."),
    ] = None,
    metric: MetricOption = "time",
    of: Annotated[
        str,
        typer.Option("--of", help="mean, median, min, max, deviation or count."),
    ] = "mean",
    where: WhereOption = "true",
    measured: MeasuredOption = None,
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Show a metric of a study as a table of two groups of columns.

    Without --columns there is one value per row. Values are in base units.
    """
    from linkwright.cli.tables import forms_of
    from linkwright.study import Database
    from linkwright.study import pivot as make

    target = destination(shown, output, quiet=quiet)
    with Database(folder, measured or ()) as database:
        found = make(database, metric, names_of(rows), names_of(columns), of=of, where=where)
    target.deliver(forms_of(found.headings(), found.table()))
