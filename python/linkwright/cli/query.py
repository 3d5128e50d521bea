"""`linkwright query`: a question in SQL to the folder of a study."""

from __future__ import annotations

from typing import Annotated

import typer

from linkwright.cli.formats import Format
from linkwright.cli.options import FormatOption, MeasuredOption, OutputOption, QuietOption
from linkwright.cli.output import destination
from linkwright.cli.study_options import FolderArgument

__all__ = ["query"]


def query(
    folder: FolderArgument,
    question: Annotated[
        str,
        typer.Argument(metavar="SQL", help='As "select kind, avg(value) from rows group by 1".'),
    ],
    measured: MeasuredOption = None,
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Ask a study a question in SQL.

    The table `rows` has a row per figure, with the columns of results and of the axes; the table
    `runs` has a row per run, with its time and its error; with --measured, `beside` has each
    measured figure beside its predictions. -o takes .csv, .json, .parquet and .txt.
    """
    from linkwright.cli.tables import forms_of
    from linkwright.study import Database

    target = destination(shown, output, quiet=quiet, files_only=(Format.PARQUET,))
    with Database(folder, measured or ()) as database:
        answer = database.query(question)
    target.deliver(forms_of(answer.names, answer.rows(), answer.table))
