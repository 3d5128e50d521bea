"""Columns of integers small enough for a page: base64 of the smallest type that holds them."""

from __future__ import annotations

from base64 import b64encode

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["Packed", "packed"]

Packed = dict[str, int | str]


def packed(values: ArrayLike) -> Packed:
    """Return integers as JSON values.

    Parameters
    ----------
    values : array_like of int
        Any shape; written row by row.

    Returns
    -------
    dict
        `least`, which is to be added to each value; `bytes` of a value, 1, 2 or 4; and `data`, the
        values as unsigned little-endian integers in base64.
    """
    numbers = np.asarray(values, dtype=np.int64).ravel()
    least = int(numbers.min(initial=0))
    span = int(numbers.max(initial=0)) - least
    size = next(size for size in (1, 2, 4) if span < 256**size)
    data = (numbers - least).astype(f"<u{size}").tobytes()
    return {"least": least, "bytes": size, "data": b64encode(data).decode("ascii")}
