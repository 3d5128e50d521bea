"""The forms of an answer, and the suffixes of files that stand for them.

Where an answer goes, in whichever form, is in output.py.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

from linkwright.errors import UsageError, shown_path, unknown_name
from linkwright.errors import shown as quoted

__all__ = ["FILES_ONLY", "Format", "Shown", "format_of", "json_text"]


class Format(StrEnum):
    """How an answer is written."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    HTML = "html"
    TOML = "toml"


class Shown(StrEnum):
    """What stdout can hold."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


_SUFFIXES = {
    ".json": Format.JSON,
    ".csv": Format.CSV,
    ".html": Format.HTML,
    ".htm": Format.HTML,
    ".txt": Format.TABLE,
    ".toml": Format.TOML,
}

FILES_ONLY = (Format.HTML, Format.TOML)
"""What stdout does not get, and few commands have."""


def json_text(value: Any) -> str:
    """Return JSON values as text with a line end."""
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def format_of(file: Path, files_only: Sequence[Format]) -> Format:
    """Return the form that the suffix of a file stands for.

    Raises
    ------
    UsageError
        When it stands for none that the command has.
    """
    known = {
        suffix: form
        for suffix, form in _SUFFIXES.items()
        if form in files_only or form not in FILES_ONLY
    }
    suffix = file.suffix.lower()
    if suffix not in known:
        raise UsageError(
            f"{shown_path(file)}: the suffix {quoted(suffix)} says no format",
            unknown_name(suffix, known),
        )
    return known[suffix]
