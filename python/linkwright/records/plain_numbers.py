"""NumPy numbers as Python numbers: settings accept both, and hold and publish only the latter.

Published figures have a limited number of digits, which hides the last bits of binary fractions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar, overload

from pydantic import BaseModel, model_validator

__all__ = ["NumpySettings", "plain", "significant", "takes_numpy"]

_Given = ParamSpec("_Given")
_Returned = TypeVar("_Returned")


_PLAIN = frozenset({str, int, float, bool, type(None)})
"""Types of most values."""


def plain(value: Any) -> Any:
    """Return a value with NumPy's scalars and arrays replaced, also inside lists and mappings.

    Examples
    --------
    >>> import numpy as np
    >>> plain({"shape": (np.int64(4), 4), "name": "torus"})
    {'shape': (4, 4), 'name': 'torus'}
    """
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind.__module__ == "numpy":  # known without importing it
        return value.tolist()
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if kind in (list, tuple):
        return kind(plain(one) for one in value)
    return value


@overload
def significant(value: float, digits: int) -> float: ...
@overload
def significant(value: None, digits: int) -> None: ...
@overload
def significant(value: float | None, digits: int) -> float | None: ...
def significant(value: float | None, digits: int) -> float | None:
    """Return a figure rounded to `digits` significant digits; None stays None.

    Examples
    --------
    >>> significant(0.1 + 0.2, 9), significant(None, 9)
    (0.3, None)
    """
    return None if value is None else float(f"{value:.{digits}g}")


def takes_numpy(function: Callable[_Given, _Returned]) -> Callable[_Given, _Returned]:
    """Return a function that gets NumPy's numbers among its arguments as Python's.

    Small integers of NumPy wrap around, and have no `bit_length`.

    Examples
    --------
    >>> import numpy as np
    >>> takes_numpy(lambda number: number * number)(np.uint8(200))
    40000
    """

    @wraps(function)
    def with_plain(*given: _Given.args, **named: _Given.kwargs) -> _Returned:
        return function(*map(plain, given), **{name: plain(one) for name, one in named.items()})

    return with_plain


class NumpySettings(BaseModel):
    """Base of models whose fields may be given as NumPy numbers."""

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, fields: Any) -> Any:
        return plain(fields)
