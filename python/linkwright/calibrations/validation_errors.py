"""Errors for pydantic's findings in a calibration: the constant, the rule, the remedy.

Rules between constants, in ``host.py``, ``links.py`` and ``tcp.py``, read "rule; remedy".
"""

from __future__ import annotations

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from linkwright.errors import DesignError, LinkwrightError, shown, unknown_name
from linkwright.records.validation import REMEDIES, each_mistake, known_words, rule_and_remedy

__all__ = ["validation_errors"]

_PAGE = "docs/reference/calibrations.md"
_REMEDIES = REMEDIES | {
    "missing": f"add it: {_PAGE} gives its meaning",
    "bool_parsing": REMEDIES["bool_type"],
    "int_parsing": REMEDIES["int_type"],
    "float_parsing": REMEDIES["float_type"],
    "string_type": "give a text in quotes",
    "model_type": "give { value = ..., origin = ... }, a cost as { us = ..., origin = ... }",
}
"""Remedies by pydantic's kind of error."""


def validation_errors(
    error: ValidationError, where: str, kind: type[LinkwrightError] = DesignError
) -> list[LinkwrightError]:
    """Return an error for each mistake, with its place in the file."""
    found = map(_rule_and_remedy, each_mistake(error))
    return [kind(f"{where}: {rule}", remedy) for rule, remedy in found]


def _rule_and_remedy(details: ErrorDetails) -> tuple[str, str]:
    place = ".".join(str(part) for part in details["loc"]) or "the file"
    kind, context = details["type"], details.get("ctx", {})
    if kind == "value_error":
        rule, remedy = rule_and_remedy(str(context["error"]))
        return f"{place}: {rule}", remedy
    if kind == "extra_forbidden":
        return f"{place} is no constant", f"leave it out: {_PAGE} lists all"
    if kind == "missing":
        return f"{place} is missing", _REMEDIES[kind]
    given = f"{place} cannot be {shown(details['input'])}"
    if kind == "literal_error":
        return given, unknown_name("", known_words(details)).replace("known: ", "give one of ")
    return given, _REMEDIES.get(kind, details["msg"]).format_map(context)
