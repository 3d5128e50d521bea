"""YAML in which every text is quoted, so that no name is read as a number, a truth or an end."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

__all__ = ["flow", "quoted"]


def quoted(text: str) -> str:
    """Return a text as a YAML scalar in double quotes.

    Examples
    --------
    >>> quoted("no")
    '"no"'
    """
    return json.dumps(text)


def flow(value: object) -> str:
    """Return a value on one line.

    Examples
    --------
    >>> flow({"to": "10.0.0.0/8", "metric": 1})
    '{to: "10.0.0.0/8", metric: 1}'
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {flow(one)}" for key, one in value.items()) + "}"
    assert isinstance(value, Iterable), "YAML has no other values here"
    return "[" + ", ".join(flow(one) for one in value) + "]"
