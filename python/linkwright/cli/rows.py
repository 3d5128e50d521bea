"""Result rows as the answer of a command, and the manifests of their runs next to a file.

A Parquet file holds its manifests itself.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from linkwright.cli.formats import Format, Shown, format_of
from linkwright.cli.invocation import command_line, manifest_since
from linkwright.cli.output import Destination, destination, file_of
from linkwright.cli.terminal import say

if TYPE_CHECKING:
    from datetime import datetime

    from rich.console import RenderableType

    from linkwright.network import Network
    from linkwright.results import Result

__all__ = ["deliver_rows", "page_of", "paged_rows", "row_destination", "show_rows"]


def row_destination(
    shown: Shown | None,
    file: Path | None,
    *,
    quiet: bool,
    has_manifests: bool = True,
    has_page: bool = False,
) -> Destination:
    """Return the destination of rows, or refuse it before any work is done.

    Parameters
    ----------
    shown, file, quiet
        The user's options.
    has_manifests : bool
        Whether manifests of runs are written next to the file.
    has_page : bool
        Whether the rows have a page, which holds its origin itself.

    Raises
    ------
    CapabilityError
        If the file is Parquet and the library that writes it is missing.
    """
    from linkwright.results import expect_parquet, manifest_path

    files_only = (Format.PARQUET, Format.HTML) if has_page else (Format.PARQUET,)
    named = file_of(file)
    file_format = None if named is None else format_of(named, files_only)
    if file_format is Format.PARQUET:
        expect_parquet()
    is_alone = file_format in (Format.PARQUET, Format.HTML)
    companion = manifest_path if has_manifests and not is_alone else None
    return destination(shown, file, quiet=quiet, files_only=files_only, companion=companion)


def paged_rows(shown: Shown | None, file: Path | None, *, quiet: bool) -> Destination:
    """Return the destination of rows that have a page; see `row_destination`."""
    return row_destination(shown, file, quiet=quiet, has_page=True)


def page_of(network: Network, result: Result, started: datetime) -> Callable[[], str]:
    """Return the maker of the page of a run that is not played."""

    def make() -> str:
        from linkwright.views.run_page import run_page

        return run_page(network, result, manifest_since(started))

    return make


def show_rows(result: Result, target: Destination, page: Callable[[], str] | None = None) -> None:
    """Show or write rows with their manifests, and print the remarks about their runs.

    Parameters
    ----------
    result, target
        The rows and their destination.
    page : callable, optional
        Makes the page of the rows, if they have one.
    """
    from linkwright.results import save_manifests
    from linkwright.views.result_table import result_table

    for remark in result.remarks:
        say(f"note: {remark}", quiet=target.quiet)
    made = result.with_command(command_line())
    deliver_rows(made, target, lambda: result_table(result), page)
    if target.file is not None and target.file_format not in (Format.PARQUET, Format.HTML):
        save_manifests(made, target.file)


def deliver_rows(
    result: Result,
    target: Destination,
    table: Callable[[], RenderableType],
    page: Callable[[], str] | None = None,
) -> None:
    """Show or write rows in every format that they have, or the given table or page of them."""
    from linkwright.results import to_parquet

    forms: dict[Format, Callable[[], RenderableType | str | bytes]] = {
        Format.TABLE: table,
        Format.JSON: result.to_json,
        Format.CSV: result.to_csv,
        Format.PARQUET: lambda: to_parquet(result),
    }
    target.deliver(forms | {Format.HTML: page} if page else forms)
