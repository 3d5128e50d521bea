"""Sizes of messages as text: `4096`, `4K`, `1MiB`, `1,2,4`.

Suffixes are those of the GNU tools: K, M, G and KiB, MiB, GiB are powers of 1024; kB, MB, GB are
powers of 1000.
"""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

__all__ = ["MAX_SIZE_BYTES", "SizeBytes", "SizesBytes", "parse_size"]

MAX_SIZE_BYTES = 1 << 40
"""Largest message, 1 TiB; far above any single message of a library."""

_UNITS = {"": 1, "b": 1}
for _power, _letter in enumerate("kmg", start=1):
    _UNITS[_letter] = _UNITS[f"{_letter}ib"] = 1024**_power
    _UNITS[f"{_letter}b"] = 1000**_power

_SIZE = re.compile(r"(\d+)\s*([a-z]*)", re.IGNORECASE | re.ASCII)


def parse_size(text: str) -> int:
    """Return a size in bytes.

    Raises
    ------
    ValueError
        If the text is not a whole number with one of the known suffixes.

    Examples
    --------
    >>> parse_size("4K"), parse_size("1MiB"), parse_size("1 MB")
    (4096, 1048576, 1000000)
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None or match[2].lower() not in _UNITS:
        msg = "a size is a whole number of bytes, such as 4096, 4K, 1MiB (powers of 1024) or 1MB"
        raise ValueError(msg)
    return int(match[1]) * _UNITS[match[2].lower()]


def _size(value: Any) -> Any:
    return parse_size(value) if isinstance(value, str) else value


def _sizes(value: Any) -> Any:
    if isinstance(value, str):
        return value.split(",")
    return (value,) if isinstance(value, int) else value


SizeBytes = Annotated[int, BeforeValidator(_size), Field(ge=1, le=MAX_SIZE_BYTES)]
"""Size of a message; accepts text such as "4K"."""

SizesBytes = Annotated[tuple[SizeBytes, ...], BeforeValidator(_sizes), Field(min_length=1)]
"""Sizes of messages; accepts one, several, or text such as "1,4K,1MiB"."""
