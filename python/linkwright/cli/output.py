"""The destination of a command's answer: a table, JSON or CSV on stdout, or a file by its suffix.

A file that cannot be written, or that is also an input, is refused before the work begins. The file
is written whole at the end (linkwright.files).
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from linkwright.cli.formats import BESIDE_A_TABLE, Format, Shown, format_of
from linkwright.cli.terminal import WIDTH_OF_FILES, say, show
from linkwright.errors import UsageError
from linkwright.files import STREAM, check_writable, claimed, write_atomically

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Destination", "destination", "expect_folder", "file_of"]


@dataclass(frozen=True)
class Destination:
    """Destination of an answer."""

    shown: Format | None
    """Format on stdout; None for no output."""
    file: Path | None
    file_format: Format | None
    quiet: bool

    def deliver(self, forms: Mapping[Format, Callable[[], RenderableType | str | bytes]]) -> None:
        """Write the answer in the chosen formats.

        Parameters
        ----------
        forms : mapping of Format to callable
            Functions that make each available format of the answer.
        """
        if self.file is not None and self.file_format is not None:
            write_atomically(self.file, _content(forms[self.file_format]()))
            say(f"wrote {self.file}", quiet=self.quiet)
        if self.shown is not None:
            answer = forms[self.shown]()
            assert not isinstance(answer, bytes), "formats of bytes are for files only"
            show(answer)


def destination(
    shown: Shown | None,
    file: Path | None,
    *,
    quiet: bool,
    files_only: Sequence[Format] = (),
    default_file: Path | None = None,
    companion: Callable[[Path], Path] | None = None,
) -> Destination:
    """Return the destination of an answer, or refuse it before any work is done.

    Beside a page, a figure or a calibration, stdout still gets the table.

    Parameters
    ----------
    shown, file, quiet
        The user's options; `-` as a file is stdout.
    files_only : sequence of Format
        Formats of the answer that only a file can have, such as an HTML page.
    default_file : Path, optional
        File to write if the user names neither a format nor a file.
    companion : callable, optional
        Returns the name of a second file that is written with the first.

    Raises
    ------
    UsageError
        If the suffix of the file names no format, or if the file is an input or another output of
        the command.
    OutputError
        If the file cannot be written.
    """
    is_stdout, file = file == Path(STREAM), file_of(file)
    chosen = file if file is not None or shown is not None or is_stdout else default_file
    file_format = None if chosen is None else format_of(chosen, files_only)
    if chosen is not None:
        check_writable(chosen)
    if chosen is not None and companion is not None:
        check_writable(companion(chosen))
    if shown is not None:
        on_stdout: Format | None = Format(shown)
    else:
        on_stdout = Format.TABLE if file_format in (None, *BESIDE_A_TABLE) else None
    if on_stdout is not None:
        claimed().write(STREAM)
    return Destination(on_stdout, chosen, file_format, quiet)


def file_of(output: Path | None) -> Path | None:
    """Return the file that -o names, or None for standard output, which `-` names too."""
    return None if output == Path(STREAM) else output


def expect_folder(output: Path | None) -> None:
    """Refuse standard output where a folder is written.

    Raises
    ------
    UsageError
        If `-` is named.
    """
    if output == Path(STREAM):
        raise UsageError("a folder cannot go to standard output", "name a folder")


def _content(content: RenderableType | str | bytes) -> str | bytes:
    if isinstance(content, str | bytes):
        return content
    from rich.console import Console

    console = Console(file=io.StringIO(), width=WIDTH_OF_FILES, highlight=False, color_system=None)
    with console.capture() as capture:
        console.print(content)
    return capture.get()
