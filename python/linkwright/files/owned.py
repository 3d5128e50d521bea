"""Folders whose files belong together, so that no output of another command may replace one.

The folder of a study is such a folder: its rows, inputs and manifest fit each other.
"""

from __future__ import annotations

import os
from pathlib import Path

from linkwright.errors import UsageError, shown_path

__all__ = ["STUDY_ID", "expect_foreign"]

STUDY_ID = "study.id"
"""File by which workers know the folder of a study."""
_OF_STUDY = frozenset(("inputs", "jobs", "manifest.json", "merged", "parts", STUDY_ID))
"""Files and folders of a study."""


def expect_foreign(target: Path, path: str | os.PathLike[str]) -> None:
    """Refuse an output among the files of a study.

    Parameters
    ----------
    target : Path
        The output, without links.
    path : path-like
        Its name in the message.

    Raises
    ------
    UsageError
        If it would replace one, or stand among its rows or inputs.
    """
    inside = target
    for folder in target.parents:
        if inside.name in _OF_STUDY and (folder / STUDY_ID).is_file():
            raise UsageError(
                f"{shown_path(path)} is among the files of the study", "choose another file with -o"
            )
        inside = folder
