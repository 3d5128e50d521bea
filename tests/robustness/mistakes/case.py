"""One mistaken command line, and the answer that it deserves."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

__all__ = ["LONG", "Case", "cases"]

LONG = "long" * 5000
"""A text that no message repeats as a whole."""


@dataclass(frozen=True)
class Case:
    """A command line as a shell takes it, and what must come back."""

    line: str
    code: int
    """Exit code; 0 where the line only looks like a mistake."""
    parts: tuple[str, ...]
    """Texts that stderr must have, such as the name of the wrong thing."""

    @property
    def arguments(self) -> list[str]:
        """The words of the line, without the program's name."""
        return shlex.split(self.line)

    @property
    def name(self) -> str:
        """A short, printable name for the test."""
        return ascii(self.line)[1:-1][:100]


def cases(common: str, code: int, *lines: tuple[str, ...]) -> list[Case]:
    """Return cases that begin alike and have one exit code.

    Parameters
    ----------
    common : str
        How each of the lines begins.
    code : int
        Exit code of each.
    *lines : tuple of str
        The rest of a line, then the texts that stderr must have.
    """
    return [Case(f"{common} {rest}".strip(), code, tuple(parts)) for rest, *parts in lines]
