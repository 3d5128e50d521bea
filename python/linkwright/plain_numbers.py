"""NumPy's numbers as Python's: settings take both, and hold and publish the latter only."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, model_validator

__all__ = ["NumpySettings", "plain"]


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


class NumpySettings(BaseModel):
    """Base of models whose fields may be given as NumPy's numbers."""

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, fields: Any) -> Any:
        return plain(fields)
