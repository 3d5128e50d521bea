"""Where a command's answer goes: to stdout as a table, JSON or CSV, or into a file by its suffix.

A file that cannot be written, or that is an input too, is refused before the work begins; the file
itself is written whole at the end (linkwright.files).
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from linkwright.cli.formats import FILES_ONLY, Format, Shown, format_of
from linkwright.cli.terminal import WIDTH_OF_FILES, say, show
from linkwright.files import check_writable, write_atomically

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Destination", "destination"]


@dataclass(frozen=True)
class Destination:
    """Where an answer goes."""

    shown: Format | None
    """What stdout gets; None for nothing."""
    file: Path | None
    file_format: Format | None
    quiet: bool

    def deliver(self, forms: Mapping[Format, Callable[[], RenderableType | str]]) -> None:
        """Write the answer in the forms that were asked for.

        Parameters
        ----------
        forms : mapping of Format to callable
            Makes each form there is of the answer.
        """
        if self.file is not None and self.file_format is not None:
            write_atomically(self.file, _as_text(forms[self.file_format]()))
            say(f"wrote {self.file}", quiet=self.quiet)
        if self.shown is not None:
            show(forms[self.shown]())


def destination(
    shown: Shown | None,
    file: Path | None,
    *,
    quiet: bool,
    files_only: Sequence[Format] = (),
    default_file: Path | None = None,
    beside: Callable[[Path], Path] | None = None,
) -> Destination:
    """Return where an answer goes, or refuse before any work is done.

    With a form that is for files only, stdout gets the table all the same.

    Parameters
    ----------
    shown, file, quiet
        The user's options.
    files_only : sequence of Format
        Forms of the answer that only a file can have, such as an HTML page.
    default_file : Path, optional
        What is written when the user names neither a format nor a file.
    beside : callable, optional
        Names a second file that is written with the first.

    Raises
    ------
    UsageError
        When the suffix of the file says nothing, or the file is an input of the command or another
        of its outputs.
    OutputError
        When the file cannot be written.
    """
    chosen = file if file is not None or shown is not None else default_file
    file_format = None if chosen is None else format_of(chosen, files_only)
    if chosen is not None:
        check_writable(chosen)
    if chosen is not None and beside is not None:
        check_writable(beside(chosen))
    if shown is not None:
        on_stdout: Format | None = Format(shown)
    else:
        on_stdout = Format.TABLE if file_format in (None, *FILES_ONLY) else None
    return Destination(on_stdout, chosen, file_format, quiet)


def _as_text(content: RenderableType | str) -> str:
    if isinstance(content, str):
        return content
    from rich.console import Console

    console = Console(file=io.StringIO(), width=WIDTH_OF_FILES, highlight=False, color_system=None)
    with console.capture() as capture:
        console.print(content)
    return capture.get()
