"""Values in facts, each with its bounds, and the way between records and JSON.

Facts come from machines that may be broken or hostile. Every text is short and printable, every
number has a limit and every list an end, whether a machine or a file says them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, ClassVar, TypeVar, get_args, get_origin, get_type_hints

from pydantic import AfterValidator, Field, Strict, StringConstraints, TypeAdapter, ValidationError

__all__ = [
    "FEW", "MANY", "MOST_OF_TEXT", "Content", "Count", "Few", "Flag", "Many", "Name", "Record",
    "Text", "as_json", "printable", "read_record",
]  # fmt: skip

T = TypeVar("T")
MOST_OF_TEXT = 1024
MOST_OF_CONTENT = 1 << 16
FEW, MANY = 4096, 262_144


def _expect_printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("it has characters that cannot be printed; remove them")
    return text


def _expect_printable_lines(text: str) -> str:
    _expect_printable(text.replace("\n", "").replace("\t", ""))
    return text


Text = Annotated[
    str, Strict(), StringConstraints(max_length=MOST_OF_TEXT), AfterValidator(_expect_printable)
]
"""A short text on one line."""
Name = Annotated[
    str,
    Strict(),
    StringConstraints(min_length=1, max_length=256),
    AfterValidator(_expect_printable),
]
"""A name, never empty."""
Content = Annotated[
    str,
    Strict(),
    StringConstraints(max_length=MOST_OF_CONTENT),
    AfterValidator(_expect_printable_lines),
]
"""The text of a small file."""
Count = Annotated[int, Strict(), Field(ge=0, lt=1 << 64)]
Flag = Annotated[bool, Strict()]
Few = Annotated[tuple[T, ...], Field(max_length=FEW)]
"""A list of things that a machine has few of."""
Many = Annotated[tuple[T, ...], Field(max_length=MANY)]
"""A list that grows with the network, such as routes."""


@dataclass(frozen=True)
class Record:
    """Base of the records of facts: frozen dataclasses whose fields are their keys in JSON."""

    shows_unknown: ClassVar[bool] = False
    """Whether JSON has null for an unknown value. Default: it leaves the key out."""


def as_json(value: Any) -> Any:
    """Return a record, or a value in one, as a JSON value."""
    if isinstance(value, Record):
        fields = {one.name: getattr(value, one.name) for one in dataclasses.fields(value)}
        return {
            key: as_json(one)
            for key, one in fields.items()
            if one is not None or value.shows_unknown
        }
    if isinstance(value, Mapping):
        return {key: as_json(one) for key, one in value.items()}
    if isinstance(value, tuple):
        return [as_json(one) for one in value]
    return value


def printable(value: Any) -> Any:
    """Return a JSON value whose texts have a question mark for each control character."""
    if isinstance(value, str):
        if value.isprintable():
            return value
        return "".join(one if one.isprintable() or one in "\n\t" else "?" for one in value)
    if isinstance(value, dict):
        return {printable(key): printable(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [printable(one) for one in value]
    return value


Kind = TypeVar("Kind", bound=Record)


def read_record(kind: type[Kind], given: Mapping[str, Any]) -> tuple[Kind | None, list[str]]:
    """Return a record, and the keys whose values do not fit and have their defaults.

    A value in a list that does not fit is left out, others stay. Without a key that is required,
    there is no record.
    """
    fitting: dict[str, Any] = {}
    unfit: list[str] = []
    adapters = _adapters(kind)  # type: ignore[arg-type]  # classes have hashes
    for key, (adapter, each) in adapters.items():
        if key not in given:
            continue
        value, n_unfit = _fitting(adapter, each, given[key])
        if n_unfit:
            unfit.append(key)
        if value is not None:
            fitting[key] = value
    required = {
        one.name
        for one in dataclasses.fields(kind)
        if one.default is one.default_factory is dataclasses.MISSING
    }
    return (kind(**fitting) if required <= fitting.keys() else None), unfit


def _fitting(
    adapter: TypeAdapter[Any], each: TypeAdapter[Any] | None, value: Any
) -> tuple[Any, int]:
    """Return a value as its type, or None; and the number of values that do not fit."""
    try:
        return adapter.validate_python(value), 0
    except (ValidationError, RecursionError):
        if each is None or not isinstance(value, list | tuple):
            return None, 1
    kept = tuple(_each_fitting(each, value))
    return kept[:FEW], len(value) - len(kept)


def _each_fitting(each: TypeAdapter[Any], values: Iterable[Any]) -> Iterable[Any]:
    for one in values:
        try:
            yield each.validate_python(one)
        except (ValidationError, RecursionError):
            continue


@cache
def _adapters(kind: type[Any]) -> dict[str, tuple[TypeAdapter[Any], TypeAdapter[Any] | None]]:
    """Return, for each field, what reads its value, and what reads one value of its list."""
    hints = get_type_hints(kind, include_extras=True)
    return {
        one.name: (TypeAdapter(hints[one.name]), _each(hints[one.name]))
        for one in dataclasses.fields(kind)
    }


def _each(hint: Any) -> TypeAdapter[Any] | None:
    """Return the reader of one value in a list; None if the type is no list."""
    inner = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    return TypeAdapter(get_args(inner)[0]) if get_origin(inner) is tuple else None
