"""Several mistakes in one file, or in the settings of one command, reported at once.

The findings of pydantic are put in order here, and consequences of another mistake are left out.
The messages are in design/validation_errors.py, calibrations/validation_errors.py and
workloads/workload.py; this file holds their common parts.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from linkwright.errors import LinkwrightError, nearest_name

__all__ = [
    "MOST_LISTED",
    "REMEDIES",
    "as_one",
    "each_mistake",
    "known_words",
    "rule_and_remedy",
]

REMEDIES = {
    "bool_type": "give true or false",
    "int_type": "give a whole number",
    "int_from_float": "give a whole number",
    "float_type": "give a number",
    "greater_than": "give more than {gt}",
    "greater_than_equal": "give {ge} or more",
    "less_than": "give less than {lt}",
    "less_than_equal": "give {le} or less",
}
"""Remedies by pydantic's kind of error, with the bounds that it names."""

MOST_LISTED = 10
"""Mistakes that one error lists; further mistakes are counted."""


def each_mistake(error: ValidationError) -> list[ErrorDetails]:
    """Return pydantic's errors: misspelt keys first, without the missing keys they explain.

    A missing key next to a similar unknown one is the same mistake.
    """
    details = error.errors(include_url=False)
    misspelt = [one for one in details if one["type"] == "extra_forbidden"]
    others = [one for one in details if one["type"] != "extra_forbidden"]
    return misspelt + [one for one in others if not _is_explained(one, misspelt)]


def known_words(details: ErrorDetails) -> list[str]:
    """Return the words that a field accepts, from pydantic's error about another word."""
    expected = str(details.get("ctx", {})["expected"])
    return expected.replace(" or ", ", ").replace("'", "").split(", ")


def rule_and_remedy(sentence: str) -> tuple[str, str]:
    """Return the two halves of the message of one of our validators: "rule; remedy"."""
    rule, _, remedy = sentence.partition("; ")
    return rule, remedy


def _is_explained(missing: ErrorDetails, misspelt: Sequence[ErrorDetails]) -> bool:
    if missing["type"] != "missing":
        return False
    *table, key = missing["loc"]
    written = [str(one["loc"][-1]) for one in misspelt if [*one["loc"][:-1]] == table]
    return any(nearest_name(name, [str(key)]) for name in written)


def as_one(errors: Sequence[LinkwrightError], where: str) -> LinkwrightError:
    """Return several errors as one error with a line for each; a single error stays as it is.

    Parameters
    ----------
    errors : sequence of LinkwrightError
        At least one; the class of the first is that of the result.
    where : str
        Their common place; it is written once, at the head, and no longer before each.

    Examples
    --------
    >>> from linkwright.errors import DesignError
    >>> print(as_one([DesignError("x: 'a' is 0", "give 1"), DesignError("no 'b'", "add it")], "x"))
    x has 2 mistakes:
      'a' is 0; give 1
      no 'b'; add it
      correct each as described
    """
    if len(errors) == 1:
        return errors[0]
    each = [one for error in errors for one in error.each or (error,)]
    lines = [f"  {one.message.removeprefix(f'{where}: ')}; {one.hint}" for one in each]
    if len(each) > MOST_LISTED:
        lines[MOST_LISTED:] = [f"  and {len(each) - MOST_LISTED} more"]
    message = "\n".join([f"{where} has {len(each)} mistakes:", *lines])
    joined = type(each[0])(message, "correct each as described")
    joined.each = tuple(each)
    return joined
