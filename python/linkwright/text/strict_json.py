"""JSON from machines and programs of others: only what other readers of JSON take, too."""

from __future__ import annotations

import json
import math
from typing import Any

__all__ = ["strict_json"]


def strict_json(text: str | bytes) -> Any:
    """Return the value of a JSON text.

    Raises
    ------
    ValueError
        If it is no JSON, is nested too deeply, or has a number that is not finite.

    Examples
    --------
    >>> strict_json('{"mtu": 9000}')
    {'mtu': 9000}
    >>> strict_json("[1e999]")
    Traceback (most recent call last):
        ...
    ValueError: 1e999 is not finite
    """
    try:
        return json.loads(text, parse_constant=_finite, parse_float=_finite)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _finite(text: str) -> float:
    if not math.isfinite(float(text)):
        raise ValueError(f"{text} is not finite")
    return float(text)
