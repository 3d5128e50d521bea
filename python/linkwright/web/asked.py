"""The fields of requests: what the page sends is checked before anything works on it, since other
programs can send anything.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from linkwright.errors import UsageError
from linkwright.text.strict_json import strict_json

__all__ = ["Cell", "Design", "Work", "fields", "tab_of"]

Cell = str | int | float | bool | None
"""A cell of a table that the page has."""

MOST_TAB = 40
"""Letters of the name of a tab."""
HALF = b"\\ud"
"""The beginning of an escape that is a letter only together with a second one."""
AGAIN = "open the page again"


class Work(BaseModel):
    """A workload with its settings as texts."""

    name: str
    settings: dict[str, str] | None = None


class Design(BaseModel):
    """A design among others, or another text with its name."""

    name: str
    text: str


def fields(body: bytes, kinds: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a request.

    Parameters
    ----------
    body : bytes
        A JSON object.
    kinds : mapping
        Type of each field; a field whose type has None may be missing.

    Raises
    ------
    UsageError
        If the body is no JSON object with these fields.

    Examples
    --------
    >>> fields(b'{"name": "ring.yaml", "seed": 2}', {"name": str, "known": str | None})
    {'name': 'ring.yaml', 'seed': 2, 'known': None}
    """
    found = _object(body)
    if not isinstance(found, dict):
        raise UsageError("the request is no JSON object", AGAIN)
    for name, kind in kinds.items():
        try:
            value = _adapter(kind).validate_python(found.get(name), strict=True)
        except ValidationError as error:
            at = ".".join(map(str, (name, *error.errors()[0]["loc"])))
            raise UsageError(f"the request lacks '{at}', or it has another form", AGAIN) from None
        found[name] = _adapter(kind).dump_python(value)
    return found


def _object(body: bytes) -> Any:
    """Return the JSON value of a body; None if it is none, or has halves of letters."""
    try:
        found = strict_json(body)
        if HALF in body:
            json.dumps(found, ensure_ascii=False).encode()
    except ValueError:
        return None
    return found


def tab_of(asked: Mapping[str, Any]) -> tuple[str, int]:
    """Return the tab of a request, and the number of the request in it.

    Raises
    ------
    UsageError
        If it names none.
    """
    tab, number = asked.get("tab"), asked.get("number")
    if not isinstance(tab, str) or len(tab) > MOST_TAB or not isinstance(number, int):
        raise UsageError("the request names no tab", AGAIN)
    return tab, number


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
