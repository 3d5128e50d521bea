"""Changes of single constants by a user, as in `--host tcp.initial_window=4`.

A constant is named by its section and its key, the parts of a cost by `.us` and `.us_per_byte`. The
changed calibration has its own name, because its runs differ from those of the original.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from linkwright.calibrations.kinds import Cost
from linkwright.calibrations.stacks import merged
from linkwright.calibrations.validation_errors import validation_errors
from linkwright.errors import UsageError, nearest_name, shown
from linkwright.records.plain_numbers import plain
from linkwright.records.validation import as_one
from linkwright.text.toml_text import TomlError, read_toml

__all__ = ["ORIGIN", "changed", "keys", "parsed"]

Model = TypeVar("Model", bound=BaseModel)

ORIGIN = "set by the user"

_MOST_OF_CHANGES = 300
"""Characters of the changes in a message."""


def keys(calibration: type[BaseModel]) -> Iterator[str]:
    """Yield the names of all constants of a calibration."""
    for section, field in calibration.model_fields.items():
        for model in _models(field.annotation):
            for name, constant in model.model_fields.items():
                is_cost = Cost in _models(constant.annotation)
                parts = (".us", ".us_per_byte") if is_cost else ("",)
                yield from (f"{section}.{name}{part}" for part in parts)


def _models(annotation: Any) -> list[type[BaseModel]]:
    """Return the models that a field's type allows."""
    candidates = (annotation, *get_args(annotation))
    return [c for c in candidates if isinstance(c, type) and issubclass(c, BaseModel)]


def parsed(text: str) -> object:
    """Return a value as typed: a number, true or false, or else the text itself.

    Examples
    --------
    >>> [parsed(text) for text in ("65_536", "true", "cubic")]
    [65536, True, 'cubic']
    """
    try:
        return read_toml(f"value = {text}")["value"]
    except TomlError:
        return text


def changed(calibration: Model, values: Mapping[str, object]) -> Model:
    """Return a calibration with some constants changed.

    Parameters
    ----------
    values : mapping of str to object
        Numbers, choices, true or false, by the names that `keys` yields.

    Raises
    ------
    UsageError
        If there is no such constant, or it cannot have that value.
    """
    known = list(keys(type(calibration)))
    table = calibration.model_dump(exclude_none=True)
    values = plain(dict(values))
    for key, value in values.items():
        if key not in known:
            raise UsageError(f"there is no constant {shown(key)}", _remedy(key, known))
        table = _with(table, key, value)
    made = ",".join(f"{key}={value}" for key, value in sorted(values.items()))
    try:
        return type(calibration).model_validate(table | {"name": f"{table['name']} {made}".strip()})
    except ValidationError as error:
        where = f"calibration {shown(made, _MOST_OF_CHANGES)}"
        raise as_one(validation_errors(error, where, UsageError), where) from None


def _with(table: dict[str, Any], key: str, value: object) -> dict[str, Any]:
    section, name, *part = key.split(".")
    before = table.get(section, {}).get(name, {})
    constant = {**before, (part[0] if part else "value"): value, "origin": ORIGIN}
    return merged(table, {section: {name: constant}})


def _remedy(key: str, known: list[str]) -> str:
    near = nearest_name(key, known)
    page = "docs/reference/calibrations.md lists every constant"
    return f"did you mean '{near}'? {page}" if near else page
