"""Any table as Parquet: whole numbers, numbers and text by column, as its cells show.

Result rows have a schema of their own (parquet.py). A table that was text, such as one of a plan
folder, has a type per column only where every cell agrees; an empty cell is null.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from linkwright.files import utf8
from linkwright.results.parquet import expect_parquet, table_bytes

__all__ = ["typed_table"]

_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def typed_table(headings: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    """Return a table as the content of a Parquet file.

    Parameters
    ----------
    headings : sequence of str
        Names of the columns, each once.
    rows : iterable of sequence
        Cells: text, numbers, truth values, or None.

    Raises
    ------
    CapabilityError
        If PyArrow is missing.
    """
    expect_parquet()
    import pyarrow as pa  # type: ignore[import-untyped]

    columns = list(zip(*rows, strict=True)) or [()] * len(headings)
    arrays = [pa.array(_typed(column)) for column in columns]
    return table_bytes(pa.Table.from_arrays(arrays, names=list(headings)))


def _typed(cells: Sequence[Any]) -> list[Any]:
    """Return the cells of a column in its one type."""
    known = [cell for cell in cells if cell is not None and cell != ""]
    for kind, is_of in ((int, _is_whole), (float, _is_number), (bool, _is_truth)):
        if known and all(map(is_of, known)):
            return [None if cell is None or cell == "" else kind(cell) for cell in cells]
    return [None if cell is None else utf8(str(cell)).decode() for cell in cells]


def _is_whole(cell: Any) -> bool:
    if isinstance(cell, str):
        return _WHOLE.fullmatch(cell) is not None
    return isinstance(cell, int) and not isinstance(cell, bool) and abs(cell) < 1 << 63


def _is_number(cell: Any) -> bool:
    if isinstance(cell, str):
        return _NUMBER.fullmatch(cell) is not None
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _is_truth(cell: Any) -> bool:
    return isinstance(cell, bool)
