"""Columns of integers in a small form for a page: the smallest types that hold them, deflated, in
base64.
"""

from __future__ import annotations

import zlib
from base64 import b64encode
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["packed"]


def packed(columns: Iterable[ArrayLike]) -> str:
    """Return columns of integers as text.

    Each column follows a head of three little-endian 32-bit integers: the number of values, their
    minimum, which is to be added to each, and the bytes of a value, 1, 2 or 4. The values are
    unsigned, and zeros fill the last word. The whole is deflated (zlib) and written in base64.

    Parameters
    ----------
    columns : iterable of array_like of int
        Any shapes; written row by row.
    """
    data = b"".join(map(_column, columns))
    return b64encode(zlib.compress(data, level=9)).decode("ascii")


def _column(values: ArrayLike) -> bytes:
    numbers = np.asarray(values, dtype=np.int64).ravel()
    least = int(numbers.min(initial=0))
    span = int(numbers.max(initial=0)) - least
    size = next(size for size in (1, 2, 4) if span < 256**size)
    head = np.array([len(numbers), least, size], dtype="<i4").tobytes()
    data = (numbers - least).astype(f"<u{size}").tobytes()
    return head + data + bytes(-len(data) % 4)
