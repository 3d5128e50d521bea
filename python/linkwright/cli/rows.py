"""Result rows as the answer of a command, and the manifests of their runs next to a file.

A Parquet file holds its manifests itself.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from linkwright.cli.formats import Format, Shown
from linkwright.cli.invocation import command_line
from linkwright.cli.output import Destination, destination
from linkwright.cli.terminal import say

if TYPE_CHECKING:
    from rich.console import RenderableType

    from linkwright.results import Result

__all__ = ["deliver_rows", "row_destination", "show_rows"]


def row_destination(
    shown: Shown | None, file: Path | None, *, quiet: bool, has_manifests: bool = True
) -> Destination:
    """Return the destination of rows, or refuse it before any work is done.

    Parameters
    ----------
    shown, file, quiet
        The user's options.
    has_manifests : bool
        Whether manifests of runs are written next to the file.

    Raises
    ------
    CapabilityError
        If the file is Parquet and the library that writes it is missing.
    """
    from linkwright.results import expect_parquet, manifest_path

    is_parquet = file is not None and file.suffix.lower() == ".parquet"
    if is_parquet:
        expect_parquet()
    companion = manifest_path if has_manifests and not is_parquet else None
    return destination(shown, file, quiet=quiet, files_only=(Format.PARQUET,), companion=companion)


def show_rows(result: Result, target: Destination) -> None:
    """Show or write rows with their manifests, and print the remarks about their runs."""
    from linkwright.results import save_manifests
    from linkwright.views.tables import result_table

    for remark in result.remarks:
        say(f"note: {remark}", quiet=target.quiet)
    made = result.with_command(command_line())
    deliver_rows(made, target, lambda: result_table(result))
    if target.file is not None and target.file_format is not Format.PARQUET:
        save_manifests(made, target.file)


def deliver_rows(result: Result, target: Destination, table: Callable[[], RenderableType]) -> None:
    """Show or write rows in every format that they have, or the given table of them."""
    from linkwright.results import to_parquet

    target.deliver(
        {
            Format.TABLE: table,
            Format.JSON: result.to_json,
            Format.CSV: result.to_csv,
            Format.PARQUET: lambda: to_parquet(result),
        }
    )
