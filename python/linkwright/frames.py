"""Rows as data frames of pandas, Polars and PyArrow, with the same names, types and order.

None of the three is needed for anything else: each is imported when it is asked for, and a frame is
made without the other two. Text that repeats is a category, in the order of its first appearance; a
cell without a value is null.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

from linkwright.errors import CapabilityError

__all__ = ["FrameColumn", "Kind", "Tabular", "expect_library", "kind_of"]

Kind = Literal["category", "text", "bool", "int", "uint", "float", "date"]


@dataclass(frozen=True)
class FrameColumn:
    """One column: its name, the type of its cells, and the cells, None for one without a value."""

    name: str
    kind: Kind
    cells: Sequence[Any]

    @property
    def categories(self) -> list[str]:
        """The different texts, in the order of their first appearance."""
        return list(dict.fromkeys(cell for cell in self.cells if cell is not None))


class Tabular:
    """Base of classes whose rows become data frames."""

    __slots__ = ()

    @abstractmethod
    def frame_columns(self) -> list[FrameColumn]:
        """Return the columns of the data frames, in their order."""

    def to_pandas(self) -> Any:
        """Return the rows as a data frame of pandas.

        Returns
        -------
        pandas.DataFrame
            Text that repeats as categories, whole numbers as `Int64`, dates as `datetime64`.

        Raises
        ------
        CapabilityError
            If pandas is missing.
        """
        pandas = expect_library("pandas")
        columns = self.frame_columns()
        return pandas.DataFrame({one.name: _of_pandas(pandas, one) for one in columns})

    def to_polars(self) -> Any:
        """Return the rows as a data frame of Polars.

        Returns
        -------
        polars.DataFrame
            Text that repeats as `Categorical`, dates as `Date`.

        Raises
        ------
        CapabilityError
            If Polars is missing.
        """
        polars = expect_library("polars")
        types = {name: getattr(polars, of) for name, of in _POLARS.items()}
        columns = self.frame_columns()
        return polars.DataFrame(
            [polars.Series(one.name, one.cells, dtype=types[one.kind]) for one in columns]
        )

    def to_arrow(self) -> Any:
        """Return the rows as a table of PyArrow.

        Returns
        -------
        pyarrow.Table
            Text that repeats as a dictionary of strings, dates as `date32`.

        Raises
        ------
        CapabilityError
            If PyArrow is missing.
        """
        arrow = expect_library("pyarrow")
        columns = self.frame_columns()
        return arrow.table({one.name: _of_arrow(arrow, one) for one in columns})


_POLARS: Mapping[Kind, str] = {
    "category": "Categorical",
    "text": "String",
    "bool": "Boolean",
    "int": "Int64",
    "uint": "UInt64",
    "float": "Float64",
    "date": "Date",
}
_PANDAS: Mapping[Kind, str] = {
    "text": "string",
    "bool": "boolean",
    "int": "Int64",
    "uint": "UInt64",
    "float": "float64",
    "date": "datetime64[s]",
}
_ARROW: Mapping[Kind, str] = {
    "text": "string",
    "bool": "bool_",
    "int": "int64",
    "uint": "uint64",
    "float": "float64",
    "date": "date32",
}
_SPELLED = {"pandas": "pandas", "polars": "Polars", "pyarrow": "PyArrow", "xarray": "xarray"}


def expect_library(module: str) -> Any:
    """Return a library of data frames.

    Raises
    ------
    CapabilityError
        If it is missing.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise CapabilityError(
            f"{_SPELLED[module]} is not installed", f"install it: pip install {module}"
        ) from error


def kind_of(cells: Iterable[Any]) -> Kind:
    """Return the kind of a column whose cells may be of several types.

    Examples
    --------
    >>> kind_of([1, None]), kind_of([1, 2.5]), kind_of([True]), kind_of(["a", 1])
    ('int', 'float', 'bool', 'category')
    """
    types = {type(cell) for cell in cells if cell is not None}
    if types and types <= {bool}:
        return "bool"
    if types and types <= {int, float}:
        return "float" if float in types else "int"
    return "category"


def _of_pandas(pandas: Any, one: FrameColumn) -> Any:
    if one.kind == "category":
        return pandas.Categorical(one.cells, categories=one.categories)
    return pandas.array(list(one.cells), dtype=_PANDAS[one.kind])


def _of_arrow(arrow: Any, one: FrameColumn) -> Any:
    if one.kind != "category":
        return arrow.array(one.cells, type=getattr(arrow, _ARROW[one.kind])())
    places = {text: place for place, text in enumerate(one.categories)}
    indices = arrow.array([places.get(cell) for cell in one.cells], type=arrow.int32())
    return arrow.DictionaryArray.from_arrays(indices, arrow.array(one.categories, arrow.string()))
