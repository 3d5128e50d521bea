"""A format of graphs: its reader, the suffixes of its files, and the way to recognise a text.

The formats are registered in `__init__.py`, one per file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from linkwright.design.importers.drawing import Drawing

__all__ = ["GraphFile", "Importer"]


@dataclass(frozen=True)
class GraphFile:
    """The text of a file.

    Attributes
    ----------
    text : str
    where : str
        Its name in messages.
    stem : str
        Its name without folder and suffix.
    suffix : str
        Its suffix in lower case, without the dot.
    """

    text: str
    where: str
    stem: str
    suffix: str = ""

    @classmethod
    def named(cls, name: str, text: str, where: str) -> GraphFile:
        """Return the file of a name without folder."""
        return cls(text, where, name.partition(".")[0], Path(name).suffix.lower()[1:])


@dataclass(frozen=True)
class Importer:
    """A format of graphs."""

    source: str
    """The programs that write it, for the list of formats."""
    read: Callable[[str, str], Drawing]
    """Returns the drawing of a text; the second argument names the file in messages."""
    suffixes: tuple[str, ...]
    """Suffixes of its files, without the dot."""
    recognises: Callable[[str], bool]
    """Returns whether a text is probably of the format, where the suffix leaves that open."""
    read_many: Callable[[Sequence[GraphFile]], Drawing] | None = None
    """Returns the drawing of several files, each of which is of one machine."""
