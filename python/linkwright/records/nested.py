"""Nested values as one level of names, for tables and data frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["flat"]


def flat(record: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Return nested values with names joined by dots, without lists.

    Examples
    --------
    >>> flat({"nodes": 4, "latency_us": {"best": 1.5}, "shape": [4]})
    {'nodes': 4, 'latency_us.best': 1.5}
    """
    found: dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, Mapping):
            found |= flat(value, f"{before}{name}.")
        elif not isinstance(value, list):
            found[before + name] = value
    return found
