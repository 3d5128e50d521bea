"""Groups of options: a parameter of a command whose type is a dataclass stands for its fields.

The fields have the types of options, and the command receives one value.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, get_type_hints

__all__ = ["filled", "parameters_of"]


def parameters_of(command: Callable[..., None]) -> Iterator[inspect.Parameter]:
    """Yield the parameters of a command by keyword, the fields of groups among them."""
    for one in inspect.signature(command, eval_str=True).parameters.values():
        if not is_dataclass(one.annotation):
            yield one.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            continue
        hints = get_type_hints(one.annotation, include_extras=True)
        for each in fields(one.annotation):
            yield inspect.Parameter(
                each.name,
                inspect.Parameter.KEYWORD_ONLY,
                annotation=hints[each.name],
                default=each.default,
            )


def filled(command: Callable[..., None], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a command, given the values of its parameters and of their fields."""
    left, found = dict(options), {}
    for one in inspect.signature(command, eval_str=True).parameters.values():
        if is_dataclass(one.annotation) and isinstance(one.annotation, type):
            own = {each.name: left.pop(each.name) for each in fields(one.annotation)}
            found[one.name] = one.annotation(**own)
    return left | found
