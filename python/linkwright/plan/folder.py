"""Reads the tables of a plan folder; files/folder.py writes it."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from linkwright.errors import UsageError, shown_path
from linkwright.files import MEBIBYTE, read_text

__all__ = ["read_tables"]

_MOST_BYTES = 1024 * MEBIBYTE
_REMEDY = "name a folder that `linkwright plan DESIGN -o DIR` wrote"


def read_tables(directory: Path, columns: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return the texts of some tables of a plan folder.

    Parameters
    ----------
    directory : Path
        The folder.
    columns : mapping of str to sequence of str
        Required columns by file.

    Raises
    ------
    UsageError
        If the folder, a file or a column is missing, or a file cannot be read.
    """
    return {name: _table_text(directory, name, needed) for name, needed in columns.items()}


def _table_text(directory: Path, name: str, needed: Sequence[str]) -> str:
    path = directory / name
    with contextlib.suppress(OSError):  # reading gives the reason
        if not path.exists():
            what = f"it has no {name}" if directory.is_dir() else "there is no such folder"
            raise UsageError(f"{shown_path(directory)} is not a plan folder: {what}", _REMEDY)
    text = read_text(path, "", most_bytes=_MOST_BYTES, hint=_REMEDY)
    header = text.partition("\n")[0].strip().split(",")
    missing = [column for column in needed if column not in header]
    if missing:
        raise UsageError(
            f"{shown_path(directory)} is not a plan folder: {name} has no column '{missing[0]}'",
            _REMEDY,
        )
    return text
