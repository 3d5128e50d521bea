"""The base of frozen dataclasses that hold arrays: the arrays are locked against accidents.

A frozen dataclass keeps its fields, not their content. This file locks the content where such a
record is made, also from a pickle or a copy.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, dataclass_transform

import numpy as np

from linkwright.errors import UsageError

__all__ = ["ArrayRecord", "ReadOnly"]


class ReadOnly:
    """Base of dataclasses whose arrays and mappings are read-only after construction.

    An array is locked itself, not copied: the caller gives its arrays away.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True, eq=False)
    ... class Sides(ReadOnly):
    ...     lengths: np.ndarray
    >>> Sides(np.array([4, 4])).lengths.flags.writeable
    False
    """

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
            elif isinstance(value, dict):
                object.__setattr__(self, name, MappingProxyType(value))

    def __getstate__(self) -> dict[str, Any]:
        # A mapping proxy cannot be pickled; its mapping can.
        return {
            name: dict(value) if isinstance(value, MappingProxyType) else value
            for name, value in vars(self).items()
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Neither a pickle nor a copy keeps the locks of arrays.
        known = fields(self)  # type: ignore[arg-type]  # every subclass is a dataclass
        lacking = sorted({column.name for column in known} - state.keys())
        if lacking:
            raise UsageError(
                f"this pickle of a {type(self).__name__} has no '{lacking[0]}': it is of another "
                "version",
                "send pickles between processes with one version, and keep designs and results in "
                "files",
            )
        vars(self).update(state)
        self.__post_init__()


@dataclass_transform(
    eq_default=False, kw_only_default=True, frozen_default=True, field_specifiers=(field,)
)
class ArrayRecord(ReadOnly):
    """Base of records of arrays, which need no decorator: frozen dataclasses whose fields are given
    by name. Two records are the same only if they are one.

    Examples
    --------
    >>> class Sides(ArrayRecord):
    ...     lengths: np.ndarray
    >>> Sides(lengths=np.array([4, 4])).lengths.flags.writeable
    False
    """

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        dataclass(frozen=True, eq=False, kw_only=True)(cls)
