"""Errors for pydantic's findings in a calibration: the constant, the rule, the remedy.

Rules between constants, in ``host.py``, ``links.py`` and ``tcp.py``, read "rule; remedy".
"""

from __future__ import annotations

from pydantic import ValidationError

from linkwright.errors import DesignError, LinkwrightError
from linkwright.records.validation import REMEDIES, RULES, each_mistake, rule_and_remedy

__all__ = ["validation_errors"]

_PAGE = "docs/reference/calibrations.md"
_RULES = RULES | {"extra_forbidden": "{place} is no constant"}
_REMEDIES = REMEDIES | {
    "extra_forbidden": f"leave it out: {_PAGE} lists all",
    "literal_error": "give one of {words}",
    "missing": f"add it: {_PAGE} gives its meaning",
    "bool_parsing": REMEDIES["bool_type"],
    "int_parsing": REMEDIES["int_type"],
    "float_parsing": REMEDIES["float_type"],
    "string_type": "give a text in quotes",
    "model_type": "give {{ value = ..., origin = ... }}, a cost as {{ us = ..., origin = ... }}",
}
"""Remedies by pydantic's kind of error."""


def validation_errors(
    error: ValidationError, where: str, kind: type[LinkwrightError] = DesignError
) -> list[LinkwrightError]:
    """Return an error for each mistake, with its place in the file."""
    found = []
    for details in each_mistake(error):
        place = ".".join(str(part) for part in details["loc"]) or "the file"
        rule, remedy = rule_and_remedy(details, place, rules=_RULES, remedies=_REMEDIES)
        found.append(kind(f"{where}: {rule}", remedy))
    return found
