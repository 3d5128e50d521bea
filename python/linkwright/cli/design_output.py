"""The destination of a design that a command makes: stdout, or a file with its tables beside it.

People edit designs, so that a file that exists is replaced only if they ask for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from linkwright.cli.given import refuse_unused
from linkwright.cli.output import file_of
from linkwright.cli.terminal import say, show
from linkwright.errors import OutputError, UsageError, shown_path

__all__ = ["DesignFileOption", "ForceOption", "deliver_design", "design_file"]

DesignFileOption = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="Design file to write, .yaml (default: stdout)."),
]
ForceOption = Annotated[bool, typer.Option("--force", help="Replace files that exist.")]
SUFFIXES = ("", ".yaml", ".yml")


def design_file(output: Path | None, *, force: bool) -> Path | None:
    """Return the file of a design, None for stdout; refuse it before any work is done.

    Parameters
    ----------
    output : Path or None
        The file that the user names; `-` is stdout.
    force : bool
        Whether a file that exists is replaced.

    Raises
    ------
    UsageError
        If its suffix is that of another format, or --force has no file.
    OutputError
        If it exists, or cannot be written.
    """
    from linkwright.files import check_writable

    file = file_of(output)
    if file is None:
        refuse_unused("there is no file to replace without -o", "force")
        return None
    if file.suffix.lower() not in SUFFIXES:
        raise UsageError(
            f"{shown_path(file)}: a design is YAML",
            f"name it {shown_path(file.with_suffix('.yaml'))}; `linkwright check DESIGN -o "
            "PAGE.html` draws it",
        )
    _expect_new(file, force=force)
    check_writable(file)
    return file


def deliver_design(
    text: str, output: Path | None, *, beside: Mapping[Path, str], force: bool, quiet: bool
) -> None:
    """Show a design, or write its file after the files beside it.

    Raises
    ------
    OutputError
        If a file beside it exists, or a file cannot be written.
    """
    from linkwright.files import write_atomically

    if output is None:
        show(text)
        return
    for path in beside:
        _expect_new(path, force=force)
    for path, content in {**beside, output: text}.items():
        write_atomically(path, [content])
        say(f"wrote {path}", quiet=quiet)


def _expect_new(path: Path, *, force: bool) -> None:
    if path.is_file() and not force:
        raise OutputError(
            f"{shown_path(path)} exists", "choose another file with -o, or replace it with --force"
        )
