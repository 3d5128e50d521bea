"""Several mistakes in one file, or in the settings of one command, reported at once.

The findings of pydantic are put in order and worded here, and consequences of another mistake are
left out. Designs, calibrations, workloads and claims give the words in which theirs differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from linkwright.errors import LinkwrightError, nearest_name, shown, unknown_name

__all__ = [
    "MOST_LISTED",
    "REMEDIES",
    "as_one",
    "each_mistake",
    "rule_and_remedy",
]

RULES = {
    "missing": "{place} is missing",
    "other": "{place} cannot be {given}",
}
"""Broken rules by pydantic's kind of error; "other" is for all kinds without one."""

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
"""Remedies by pydantic's kind of error, with the bounds that it names. The remedy of all other
kinds is pydantic's own sentence.
"""

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


def rule_and_remedy(
    details: ErrorDetails,
    place: str,
    *,
    rules: Mapping[str, str] = RULES,
    remedies: Mapping[str, str] = REMEDIES,
    keys: Sequence[str] = (),
) -> tuple[str, str]:
    """Return the rule that a mistake breaks, and the remedy.

    The message of one of our validators has both: "rule; remedy".

    Parameters
    ----------
    details : ErrorDetails
        The mistake that pydantic found.
    place : str
        The place of the mistake.
    rules, remedies : mapping of str to str
        Templates by pydantic's kind of error, with `place`, the last `key` of the location, the
        value `given`, the hint `known` for an unknown word or key, the list of accepted `words`,
        and the bounds that pydantic names.
    keys : sequence of str
        Known keys, for an unknown one.
    """
    kind, context = details["type"], details.get("ctx", {})
    if kind == "value_error" and kind not in rules:
        rule, _, remedy = str(context["error"]).partition("; ")
        return f"{place}: {rule}", remedy
    key = str(details["loc"][-1]) if details["loc"] else ""
    is_word = kind == "literal_error"
    known = _words(str(context["expected"])) if is_word else keys
    values = {
        **{name: _plain(bound) for name, bound in context.items()},
        "place": place,
        "key": shown(key),
        "given": written(details["input"]),
        "known": unknown_name(str(details["input"]) if is_word else key, known),
        "words": unknown_name("", known).removeprefix("known: "),
    }
    rule = rules.get(kind, rules["other"]).format_map(values)
    remedy = remedies[kind].format_map(values) if kind in remedies else _sentence(details["msg"])
    return rule, remedy


def _words(expected: str) -> list[str]:
    """Return the words that a field accepts, from pydantic's list of them."""
    return expected.replace(" or ", ", ").replace("'", "").split(", ")


def _plain(bound: Any) -> Any:
    """Return a bound without decimals if it is a whole number of few digits."""
    is_whole = isinstance(bound, float) and bound.is_integer() and abs(bound) < 1e15
    return int(bound) if is_whole else bound


def _sentence(message: str) -> str:
    """Return pydantic's sentence as a remedy."""
    if message.startswith("Input "):
        return f"it {message.removeprefix('Input ')}"
    return message.removeprefix("Value error, ")


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


def written(value: object, most: int = 60) -> str:
    """Return a value for a message as a YAML file has it, short and on one line.

    Examples
    --------
    >>> print(written(None), written([True, 4]), written({"a": None}), written("torus"))
    null [true, 4] {a: null} 'torus'
    """
    text = _flow(value)
    return text if len(text) <= most else f"{text[: most - 20]}... ({len(text)} characters)"


def _flow(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_flow, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {_flow(one)}' for key, one in value.items())}}}"
    return repr(value)
