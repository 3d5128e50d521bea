"""Tables of PyArrow as data frames of pandas and Polars, with the types of other results.

The rows of a study are in Parquet files: they stay in columns all the way.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from linkwright.frames import expect_library
from linkwright.results.schema import MAPPINGS

__all__ = ["ArrowTabular", "with_categories"]

PLAIN = frozenset({*MAPPINGS, "run", "key"})
"""Columns of text that hardly repeats."""


class ArrowTabular:
    """Base of classes whose rows are a table of PyArrow."""

    __slots__ = ()

    @abstractmethod
    def to_arrow(self) -> Any:
        """Return the rows as a table of PyArrow, in which text that repeats is a dictionary."""

    def to_pandas(self) -> Any:
        """Return the rows as a data frame of pandas.

        Returns
        -------
        pandas.DataFrame
            Text that repeats as categories, whole numbers as `Int64`.

        Raises
        ------
        CapabilityError
            If pandas is missing.
        """
        pandas, arrow = expect_library("pandas"), expect_library("pyarrow")
        types = {
            arrow.int64(): pandas.Int64Dtype(),
            arrow.uint64(): pandas.UInt64Dtype(),
            arrow.bool_(): pandas.BooleanDtype(),
            arrow.string(): pandas.StringDtype(),
        }
        return self.to_arrow().to_pandas(types_mapper=types.get)

    def to_polars(self) -> Any:
        """Return the rows as a data frame of Polars.

        Returns
        -------
        polars.DataFrame
            Text that repeats as `Categorical`.

        Raises
        ------
        CapabilityError
            If Polars is missing.
        """
        return expect_library("polars").from_arrow(self.to_arrow())


def with_categories(table: Any) -> Any:
    """Return a table whose text that repeats is a dictionary of strings."""
    arrow = expect_library("pyarrow")
    for place, field in enumerate(table.schema):
        if field.type == arrow.string() and field.name not in PLAIN:
            column = table.column(place).combine_chunks().dictionary_encode()
            table = table.set_column(place, field.name, column)
    return table
