"""DesignErrors from pydantic's errors about a description: the key, the rule, the remedy.

records/validation.py selects among pydantic's errors and joins several mistakes.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from linkwright.errors import DesignError, shown, unknown_name
from linkwright.records.validation import REMEDIES, each_mistake, rule_and_remedy

__all__ = ["validation_errors"]

_Location = tuple[int | str, ...]
_Model = type[BaseModel] | TypeAdapter[Any]

MOST_OF_PATH = 120
"""Characters of a path of keys that a message shows."""

_RULES = {
    "literal_error": "{place}{given} is not known",
    "value_error": "{place}{given} is not accepted",
    "other": "{place}{given} is not accepted",
}
_REMEDIES = REMEDIES | {
    "literal_error": "{known}",
    "string_type": "give a text; put it in quotes if it looks like a number",
    "tuple_type": "give a list, for example [4, 4]",
    "dict_type": "give keys with values",
    "model_type": "give keys with values",
    "model_attributes_type": "give keys with values",
    "too_short": "give at least {min_length}",
    "too_long": "give at most {max_length}",
    "string_too_short": "give at least {min_length} character",
    "string_too_long": "give at most {max_length} characters",
    "string_pattern_mismatch": "give a text of one line that matches {pattern}",
    "finite_number": "give a finite number",
}
"""Remedies for pydantic's error types; others use its own sentence."""


def validation_errors(
    error: ValidationError, where: str, models: Sequence[_Model]
) -> list[DesignError]:
    """Return the mistakes, one error per key.

    Parameters
    ----------
    error : ValidationError
        The error that pydantic raised.
    where : str
        Name of the description, for the messages.
    models : sequence of type or TypeAdapter
        Models that validated it, which give the known keys.
    """
    by_path: dict[str, DesignError] = {}
    for details in each_mistake(error):
        # Every branch of a union has an error; the first is enough.
        path = _dotted(details["loc"], models)
        by_path.setdefault(path, _error(details, path, where, models))
    return list(by_path.values())


def _error(details: ErrorDetails, path: str, where: str, models: Sequence[_Model]) -> DesignError:
    kind, location = details["type"], details["loc"]
    if kind == "value_error" and isinstance(details["ctx"]["error"], DesignError):
        return details["ctx"]["error"]
    if kind == "extra_forbidden":
        known = [name for name in _keys_at(location[:-1], models) if name != "key"]
        remedy = unknown_name(str(location[-1]), known)
        return DesignError(f"{where}: unknown key {shown(path, MOST_OF_PATH)}", remedy)
    if kind == "missing":
        last = location[-1]
        what = f"the key '{last}'" if isinstance(last, str) else f"value {last + 1} to the list"
        return DesignError(f"{where}: '{path}' is missing", f"add {what}")
    if kind in ("union_tag_not_found", "union_tag_invalid"):
        return _kind_error(details, path, where, models)
    rule, remedy = rule_and_remedy(details, _in(path), rules=_RULES, remedies=_REMEDIES)
    return DesignError(f"{where}: {rule}", remedy)


def _kind_error(
    details: ErrorDetails, path: str, where: str, models: Sequence[_Model]
) -> DesignError:
    """Return the mistake in the key that names the kind."""
    context = details["ctx"]
    key = str(context["discriminator"]).strip("'")
    if details["type"] == "union_tag_not_found":
        known = [str(name) for name in _tags_at(details["loc"], models)]
        return DesignError(
            f"{where}: {_in(path)}'{key}' is missing",
            f"add '{key}:' with one of {', '.join(known)}",
        )
    known = [name.strip().strip("'") for name in str(context["expected_tags"]).split(",")]
    given = str(context["tag"])
    return DesignError(
        f"{where}: unknown {key} {shown(given)}{_of(path)}", unknown_name(given, known)
    )


def _in(path: str) -> str:
    return f"'{path}': " if path else ""


def _of(path: str) -> str:
    return f" of '{path}'" if path else ""


def _dotted(location: _Location, models: Iterable[Any]) -> str:
    """Return a location without the union tags pydantic puts into it."""
    steps: list[str] = []
    at = list(models)
    for element in location:
        candidates = _unpacked(at)
        tagged = [model for model in candidates if element in _branches(model)]
        if tagged and not any(_has_field(model, element) for model in candidates):
            at = tagged
            continue
        at = _inside(at, element)
        if isinstance(element, int):
            steps[-1:] = [f"{steps[-1]}[{element}]" if steps else f"[{element}]"]
        elif at or (element == location[-1] and not _is_branch(element)):
            steps.append(element)
    return ".".join(steps)


def _is_branch(element: str) -> bool:
    """Return whether pydantic inserted the name of a branch of a union in place of a key."""
    return "[" in element or element in {"str", "bool", "int", "float", "list", "none"}


def _keys_at(location: _Location, models: Iterable[Any]) -> list[str]:
    at = list(models)
    for element in location:
        candidates = _unpacked(at)
        at = [model for model in candidates if element in _branches(model)] or _inside(at, element)
    return [name for model in _unpacked(at) for name in model.model_fields]


def _tags_at(location: _Location, models: Iterable[Any]) -> list[object]:
    at = list(models)
    for element in location:
        at = _inside(at, element)
    return [tag for model in _unpacked(at) for tag in _tags(model)]


def _unpacked(annotations: Iterable[Any]) -> list[type[BaseModel]]:
    """Return the models inside annotations: members of unions, and types inside Annotated."""
    plain = _plain_types(annotations)
    return [one for one in plain if isinstance(one, type) and issubclass(one, BaseModel)]


def _plain_types(annotations: Iterable[Any]) -> list[Any]:
    """Return the types inside annotations: members of unions, and types inside Annotated."""
    found: list[Any] = []
    for annotation in annotations:
        if isinstance(annotation, TypeAdapter):
            found += _plain_types([annotation._type])
        elif typing.get_origin(annotation) is typing.Annotated:
            found += _plain_types([typing.get_args(annotation)[0]])
        elif typing.get_origin(annotation) in (typing.Union, types.UnionType):
            found += _plain_types(typing.get_args(annotation))
        else:
            found.append(annotation)
    return found


def _inside(annotations: Iterable[Any], element: int | str) -> list[Any]:
    """Return the annotations of a field of models, of the values of tables, or of list items."""
    found: list[Any] = []
    for one in _plain_types(annotations):
        origin = typing.get_origin(one)
        if origin is dict:
            found.append(typing.get_args(one)[1])
        elif origin in (tuple, list) and isinstance(element, int):
            found.append(typing.get_args(one)[0])
        elif isinstance(one, type) and issubclass(one, BaseModel):
            found += _field(one, element)
    return found


def _has_field(model: type[BaseModel], element: int | str) -> bool:
    return element in model.model_fields


def _field(model: type[BaseModel], element: int | str) -> list[Any]:
    field = model.model_fields.get(str(element))
    return [field.annotation] if field else []


def _branches(model: type[BaseModel]) -> tuple[object, ...]:
    """Return the names of a model as a branch of a union, which pydantic puts into a location."""
    return (*_tags(model), model.__name__)


def _tags(model: type[BaseModel]) -> tuple[object, ...]:
    """Return the values of a model's discriminating literal: `kind` of topologies, `role` of
    parts, `by` of fallback routes.
    """
    for name in ("kind", "role", "by"):
        field = model.model_fields.get(name)
        if field is not None:
            return typing.get_args(field.annotation)
    return ()
