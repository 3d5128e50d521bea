"""NumPy numbers as Python numbers: settings accept both, and hold and publish only the latter.

Published figures have a limited number of digits, which hides the last bits of binary fractions.
"""

from __future__ import annotations

from typing import Any, overload

from pydantic import BaseModel, model_validator

__all__ = ["NumpySettings", "plain", "significant"]


def plain(value: Any) -> Any:
    """Return a value with NumPy's scalars and arrays replaced, also inside lists and mappings.

    Examples
    --------
    >>> import numpy as np
    >>> plain({"shape": (np.int64(4), 4), "name": "torus"})
    {'shape': (4, 4), 'name': 'torus'}
    """
    if type(value).__module__ == "numpy":  # known without importing it
        return value.tolist()
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if type(value) in (list, tuple):
        return type(value)(plain(one) for one in value)
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


class NumpySettings(BaseModel):
    """Base of models whose fields may be given as NumPy numbers."""

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, fields: Any) -> Any:
        return plain(fields)
