"""`linkwright lesson`: the lessons, or the page of one, written or opened in the browser.

A page without a file of its own is in a new temporary folder, since the browser needs it longer
than the command lasts.
"""

from __future__ import annotations

import tempfile
import webbrowser
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from linkwright.cli import completion
from linkwright.cli.formats import Format, json_text
from linkwright.cli.given import refuse_unused
from linkwright.cli.invocation import manifest_since
from linkwright.cli.options import FormatOption, QuietOption
from linkwright.cli.output import destination, file_of
from linkwright.cli.terminal import say
from linkwright.cli.work import Report, work
from linkwright.files import STREAM
from linkwright.text.csv_text import csv_text

__all__ = ["lesson"]


def lesson(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            autocompletion=completion.lessons,
            help="Lesson (default: list them).",
            show_default=False,
        ),
    ] = None,
    shown: FormatOption = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="File to write (.html; default: open it in the browser)."
        ),
    ] = None,
    quiet: QuietOption = False,
) -> None:
    """Open a lesson: a text beside runs that play.

    Without a name, lists the lessons. A lesson is one file that needs no network. Its runs are made
    and its figures computed when it is written; in the page another seed, size or failure can be
    tried.
    """
    if name is None:
        _list(shown, output, quiet=quiet)
    else:
        refuse_unused("a lesson is a page", "shown")
        _write(name, output, quiet=quiet)


def _list(shown: FormatOption, output: Path | None, *, quiet: bool) -> None:
    from linkwright.lessons import LESSONS
    from linkwright.views.tables import listing_table

    records = [
        {"lesson": name, "title": one.title, "question": one.question}
        for name, one in LESSONS.items()
    ]
    headings, rows = list(records[0]), [list(record.values()) for record in records]
    destination(shown, output, quiet=quiet).deliver(
        {
            Format.TABLE: lambda: listing_table(headings, rows),
            Format.JSON: lambda: json_text(records),
            Format.CSV: lambda: csv_text(headings, rows),
        }
    )


def _write(name: str, output: Path | None, *, quiet: bool) -> None:
    from linkwright.errors import UsageError, shown_path
    from linkwright.files import check_writable, write_atomically
    from linkwright.lessons.making import made_page

    if (
        file_of(output) is not None
        and output is not None
        and output.suffix.lower() not in (".html", ".htm")
    ):
        raise UsageError(f"{shown_path(output)}: a lesson is a page", "end its name in .html")
    if output is not None:
        check_writable(output)
    origin = partial(manifest_since, datetime.now(UTC))

    def make(report: Report) -> str:
        return made_page(name, origin, report)

    page = work(make, f"making {name}", quiet=quiet)
    path = output or Path(tempfile.mkdtemp(prefix="linkwright-")) / f"{name}.html"
    write_atomically(path, page)
    if path != Path(STREAM):
        say(f"wrote {path}", quiet=quiet)
    if output is None and not webbrowser.open(path.as_uri()):
        say("no browser was found: open this file in one", quiet=quiet)
