"""What pydantic finds wrong in a calibration, as a message and a remedy of its own.

Rules that join constants, in ``host.py``, ``links.py`` and ``tcp.py``, read "rule; remedy".
"""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from linkwright.errors import unknown_name

__all__ = ["first_complaint"]

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
    "greater_than_equal": "give {ge} or more",
    "less_than_equal": "give {le} or less",
    "less_than": "give less than {lt}",
}
"""By pydantic's kinds of error, with what they put in."""


def first_complaint(error: ValidationError) -> tuple[str, str]:
    """Return what is wrong, with the place in the file, and the remedy.

    A misspelt key comes before all others: what is missing is often its consequence.
    """
    details = error.errors(include_url=False)
    misspelt = [one for one in details if one["type"] == "extra_forbidden"]
    first = (misspelt or details)[0]
    place = ".".join(str(part) for part in first["loc"]) or "the file"
    kind, context = first["type"], first.get("ctx", {})
    if kind == "value_error":
        rule, _, remedy = str(context["error"]).partition("; ")
        return f"{place}: {rule}", remedy
    if kind == "extra_forbidden":
        return f"{place} is no constant", f"leave it out: {_PAGE.replace('it means', 'there is')}"
    if kind == "literal_error":
        return f"{place} cannot be {first['input']!r}", _known(context)
    if kind == "missing":
        return f"{place} is missing", _REMEDIES[kind]
    remedy = _REMEDIES.get(kind, first["msg"]).format_map(context)
    return f"{place} cannot be {first['input']!r}", remedy


def _known(context: dict[str, Any]) -> str:
    """Return the remedy for a word that is none of those that are known."""
    known = str(context["expected"]).replace(" or ", ", ").replace("'", "").split(", ")
    return unknown_name("", known).replace("known: ", "give one of ")
