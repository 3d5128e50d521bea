"""A folder that reading is confined to, for a process that reads the files which a text names.

A text that a program passes on was not necessarily written by the person who started that program,
so the names in it are no permission. Links are followed before a name is judged. Reading is not
confined on the command line, whose user names the files.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from linkwright.errors import LinkwrightError, shown_path

__all__ = ["check_inside", "confined"]


@dataclass
class _Fence:
    """The folder of this process, for all its threads: those of an engine have no context."""

    folder: Path | None = None


_FENCE = _Fence()


@contextmanager
def confined(folder: str | os.PathLike[str]) -> Iterator[None]:
    """Refuse to read files outside of a folder inside the block, in every thread."""
    before, _FENCE.folder = _FENCE.folder, Path(os.path.realpath(folder))
    try:
        yield
    finally:
        _FENCE.folder = before


def check_inside(path: str | os.PathLike[str], name: str, error: type[LinkwrightError]) -> None:
    """Refuse a file that reading may not leave its folder for.

    Parameters
    ----------
    path : path-like
        The file.
    name : str
        Its name in the message.
    error : type
        Class of the error that is raised.

    Raises
    ------
    LinkwrightError
        `error`, if reading is confined to a folder that does not hold the file.
    """
    folder = _FENCE.folder
    if folder is not None and not Path(os.path.realpath(path)).is_relative_to(folder):
        raise error(
            f"{name} lies outside of {shown_path(folder)}, and only files in that folder are read",
            "copy the file into the folder, or start in a folder that holds it",
        )
