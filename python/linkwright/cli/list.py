"""`linkwright list`: the registered names of one kind, such as topologies or workloads.

The columns of each list are in views/listings.py.
"""

from __future__ import annotations

from typing import Annotated

import typer

from linkwright.cli import completion
from linkwright.cli.formats import Format, json_text
from linkwright.cli.given import refuse_unused
from linkwright.cli.lists import LISTS
from linkwright.cli.options import FormatOption, OutputOption, QuietOption
from linkwright.cli.output import destination
from linkwright.text.csv_text import csv_text

__all__ = ["list_"]


def list_(
    what: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            autocompletion=completion.lists,
            help="topologies, parts, catalogues, workloads, calibrations, stacks, engines, "
            "exporters, importers, findings, papers or defaults.",
        ),
    ],
    catalogue: Annotated[
        str | None,
        typer.Option(
            "--catalogue",
            "-c",
            autocompletion=completion.catalogues,
            help="List only parts of this catalogue.",
        ),
    ] = None,
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """List the available topologies, parts, workloads and so on."""
    from linkwright.errors import UsageError, unknown_name
    from linkwright.errors import shown as quoted
    from linkwright.views.tables import listing_table

    target = destination(shown, output, quiet=quiet)
    if what not in LISTS:
        raise UsageError(f"there is no list of {quoted(what)}", unknown_name(what, LISTS))
    if what != "parts":
        refuse_unused("only parts are those of a catalogue", "catalogue")
    records = LISTS[what](*([catalogue] if what == "parts" else []))
    headings = list(records[0]) if records else []
    rows = [[str(value) for value in record.values()] for record in records]
    target.deliver(
        {
            Format.TABLE: lambda: listing_table(headings, rows),
            Format.JSON: lambda: json_text(records),
            Format.CSV: lambda: csv_text(headings, rows),
        }
    )
