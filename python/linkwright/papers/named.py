"""A function that a row of `claims.toml` names, with its parameters if it has any.

reductions.py and measures.py define the functions.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import AfterValidator, BaseModel, ConfigDict, model_validator

from linkwright.errors import shown, unknown_name

__all__ = ["Named", "known_in"]


class Named(BaseModel):
    """`"max"` in TOML, or `{ name = "rise_per_step", steps = 3 }`."""

    model_config = ConfigDict(frozen=True, extra="allow")

    name: str

    @model_validator(mode="before")
    @classmethod
    def _spelled_out(cls, given: Any) -> Any:
        return {"name": given} if isinstance(given, str) else given

    @property
    def parameters(self) -> dict[str, Any]:
        """The keyword arguments of the function."""
        return self.model_extra or {}

    def of(self, functions: Mapping[str, Callable[..., float]], *arguments: Any) -> float:
        """Return the value of the named function for some arguments."""
        return float(functions[self.name](*arguments, **self.parameters))


def known_in(functions: Mapping[str, Callable[..., float]], what: str) -> AfterValidator:
    """Return the rule that a name is that of a known function, with its own parameters."""

    def known(named: Named) -> Named:
        if named.name not in functions:
            raise ValueError(
                f"there is no {what} {shown(named.name)}; {unknown_name(named.name, functions)}"
            )
        takes = _parameters(functions[named.name])
        if set(named.parameters) != set(takes):
            given = ", ".join(named.parameters) or "no parameter"
            example = ", ".join([f'name = "{named.name}"', *(f"{one} = ..." for one in takes)])
            raise ValueError(
                f"{what} '{named.name}' takes {', '.join(takes) or 'no parameter'}, not {given}; "
                f"write {{ {example} }}"
            )
        return named

    return AfterValidator(known)


def _parameters(function: Callable[..., float]) -> list[str]:
    """Return the names of a function's keyword-only parameters."""
    if inspect.isbuiltin(function):
        return []
    parameters = inspect.signature(function).parameters.values()
    return [one.name for one in parameters if one.kind is one.KEYWORD_ONLY]
