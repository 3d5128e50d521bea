"""What pydantic finds wrong in a calibration, as a message and a remedy of its own.

Rules that join constants, in ``host.py``, ``links.py`` and ``tcp.py``, read "rule; remedy".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from linkwright.errors import shown, unknown_name
from linkwright.mistakes import each_mistake

__all__ = ["complaints"]

_PAGE = "docs/reference/calibrations.md says what it means"
_REMEDIES = {
    "missing": f"add it: {_PAGE}",
    "bool_type": "give true or false",
    "bool_parsing": "give true or false",
    "int_type": "give a whole number",
    "int_parsing": "give a whole number",
    "int_from_float": "give a whole number",
    "float_type": "give a number",
    "float_parsing": "give a number",
    "string_type": "give a text in quotes",
    "model_type": "give { value = ..., origin = ... }, a cost as { us = ..., origin = ... }",
    "greater_than": "give more than {gt}",
    "greater_than_equal": "give {ge} or more",
    "less_than_equal": "give {le} or less",
    "less_than": "give less than {lt}",
}
"""By pydantic's kinds of error, with what they put in."""


def complaints(error: ValidationError) -> Iterator[tuple[str, str]]:
    """Yield each thing that is wrong, with its place in the file, and its remedy."""
    for details in each_mistake(error):
        yield _complaint(details)


def _complaint(details: ErrorDetails) -> tuple[str, str]:
    place = ".".join(str(part) for part in details["loc"]) or "the file"
    kind, context = details["type"], details.get("ctx", {})
    if kind == "value_error":
        rule, _, remedy = str(context["error"]).partition("; ")
        return f"{place}: {rule}", remedy
    if kind == "extra_forbidden":
        return f"{place} is no constant", f"leave it out: {_PAGE.replace('it means', 'there is')}"
    if kind == "missing":
        return f"{place} is missing", _REMEDIES[kind]
    given = f"{place} cannot be {shown(details['input'])}"
    if kind == "literal_error":
        return given, _known(context)
    return given, _REMEDIES.get(kind, details["msg"]).format_map(context)


def _known(context: dict[str, Any]) -> str:
    """Return the remedy for a word that is none of those that are known."""
    known = str(context["expected"]).replace(" or ", ", ").replace("'", "").split(", ")
    return unknown_name("", known).replace("known: ", "give one of ")
