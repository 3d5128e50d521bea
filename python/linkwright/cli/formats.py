"""The formats of an answer, and their suffixes of files.

The destination of an answer is in output.py.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

from linkwright.errors import UsageError, shown_path, unknown_name
from linkwright.errors import shown as quoted

__all__ = ["BESIDE_A_TABLE", "FILES_ONLY", "Format", "Shown", "format_of", "json_text"]


class Format(StrEnum):
    """Format of an answer."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    HTML = "html"
    TOML = "toml"
    PARQUET = "parquet"
    SVG = "svg"
    PNG = "png"


class Shown(StrEnum):
    """Format of an answer on stdout."""

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
    ".parquet": Format.PARQUET,
    ".svg": Format.SVG,
    ".png": Format.PNG,
}

FILES_ONLY = (Format.HTML, Format.TOML, Format.PARQUET, Format.SVG, Format.PNG)
"""Formats that stdout does not get, and that few commands have."""

BESIDE_A_TABLE = (Format.HTML, Format.TOML, Format.SVG, Format.PNG)
"""Formats of files with which stdout still gets the table."""


def json_text(value: Any) -> str:
    """Return JSON values as text with a line end."""
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def format_of(file: Path, files_only: Sequence[Format]) -> Format:
    """Return the format for the suffix of a file.

    Raises
    ------
    UsageError
        If the command has no format for the suffix.
    """
    known = {
        suffix: form
        for suffix, form in _SUFFIXES.items()
        if form in files_only or form not in FILES_ONLY
    }
    suffix = file.suffix.lower()
    if suffix not in known:
        raise UsageError(
            f"{shown_path(file)}: the suffix {quoted(suffix)} names no format",
            unknown_name(suffix, known),
        )
    return known[suffix]
