"""Result rows as the answer of a command, and the manifests of their runs next to a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkwright.cli.formats import Format
from linkwright.cli.invocation import command_line
from linkwright.cli.output import Destination
from linkwright.cli.terminal import say

if TYPE_CHECKING:
    from linkwright.results import Result

__all__ = ["show_rows"]


def show_rows(result: Result, target: Destination) -> None:
    """Show or write rows, and print the remarks about their runs."""
    from linkwright.results import save_manifests
    from linkwright.views.tables import result_table

    for remark in result.remarks:
        say(f"note: {remark}", quiet=target.quiet)
    target.deliver(
        {
            Format.TABLE: lambda: result_table(result),
            Format.JSON: result.to_json,
            Format.CSV: result.to_csv,
        }
    )
    if target.file is not None:
        save_manifests(result.with_command(command_line()), target.file)
