"""Output to stdout and stderr: results go to stdout, everything else to stderr.

Text for stderr may be lost, where a disk is full, and changes no exit code.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import typer

from linkwright.cli.streams import escaped, visible

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["WIDTH_OF_FILES", "say", "say_error", "set_colours", "show"]

WIDTH_OF_FILES = 160
"""Columns of tables that do not go to a terminal."""


def show(content: RenderableType | str) -> None:
    """Write a result to stdout: text as it is, tables as wide as the terminal."""
    if isinstance(content, str):
        sys.stdout.write(escaped(content, sys.stdout.encoding))
        return
    from rich.console import Console

    is_sized = sys.stdout.isatty() or "COLUMNS" in os.environ
    console = Console(width=None if is_sized else WIDTH_OF_FILES, highlight=False)
    console.print(content)


def say(message: str, *, quiet: bool) -> None:
    """Write a remark to stderr unless the user wants none."""
    if not quiet:
        _to_stderr(visible(message))


def say_error(message: str, hint: str) -> None:
    """Write an error and its remedy to stderr."""
    is_forced = True if os.environ.get("FORCE_COLOR") else None
    _to_stderr(_styled("error: ", fg="red") + visible(message), is_forced)
    if hint:
        _to_stderr(_styled("hint: ") + visible(hint), is_forced)


def _to_stderr(text: str, is_coloured: bool | None = None) -> None:
    """Write a line to stderr.

    What a full disk behind it does not take is lost, and neither the work nor its exit code.
    """
    try:
        typer.echo(text, err=True, color=is_coloured)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def set_colours(wish: str) -> None:
    """Follow the wish for colours, "auto", "always" or "never", where the environment has none."""
    if "NO_COLOR" in os.environ or "FORCE_COLOR" in os.environ or wish == "auto":
        return
    os.environ["NO_COLOR" if wish == "never" else "FORCE_COLOR"] = "1"


def _styled(word: str, fg: str | None = None) -> str:
    """Return a word in bold and in a colour, or as it is where the user wants no colours."""
    is_plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") in ("dumb", "unknown")
    return word if is_plain else typer.style(word, fg=fg, bold=True)
