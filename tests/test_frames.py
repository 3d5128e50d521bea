"""Data frames of pandas, Polars and PyArrow.

All three have the same names, types and cells, in the same order.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.views.sample import comparison, network

import linkwright
from linkwright.frames import FrameColumn, Tabular
from linkwright.results import COLUMNS, Result, Row
from linkwright.study import Database, Study, StudyFolder
from linkwright.study import run as run_study

pandas = pytest.importorskip("pandas", reason="compares frames of pandas")
polars = pytest.importorskip("polars", reason="compares frames of Polars")
arrow = pytest.importorskip("pyarrow", reason="compares tables of PyArrow")

ALIKE = {
    "category": ("category", "Categorical", "dictionary<values=string, indices=int32, ordered=0>"),
    "text": ("string", "String", "string"),
    "bool": ("boolean", "Boolean", "bool"),
    "int": ("Int64", "Int64", "int64"),
    "uint": ("UInt64", "UInt64", "uint64"),
    "float": ("float64", "Float64", "double"),
    "date": ("datetime64[s]", "Date", "date32[day]"),
}
"""Type of a column in pandas, Polars and PyArrow, by its kind."""


class Made(Tabular):
    """A table with a column of every kind, and cells without a value."""

    def frame_columns(self) -> list[FrameColumn]:
        return [
            FrameColumn("category", "category", ["z", None, "a", "z"]),
            FrameColumn("text", "text", ["x", "", None, "y"]),
            FrameColumn("bool", "bool", [True, None, False, True]),
            FrameColumn("int", "int", [1, None, -3, 2**62]),
            FrameColumn("uint", "uint", [1, None, 0, 2**64 - 1]),
            FrameColumn("float", "float", [0.5, None, 3.0, -1e300]),
            FrameColumn(
                "date", "date", [date(1998, 4, 1), None, date(2026, 1, 2), date(1970, 1, 1)]
            ),
        ]


def folder_of_a_study(path: Path) -> StudyFolder:
    study = Study.parse("""
designs: [{design: {topology: {kind: ring}}, axes: {topology.shape: [[4], [8]]}}]
workloads: [{name: broadcast, axes: {size_bytes: [64, 4096]}}]
engines: [analytic]
""")
    return run_study(study, path / "rows", jobs=1)


def answer_of_a_study(path: Path) -> Any:
    with Database(folder_of_a_study(path)) as database:
        return database.query("from rows")


TABLES: dict[str, Callable[[Path], Any]] = {
    "every kind": lambda _: Made(),
    "comparison": lambda _: comparison(),
    "cost": lambda _: linkwright.price(network("torus", shape=(4, 4))),
    "findings": lambda _: linkwright.check(network("torus", shape=(4, 4))),
    "no findings": lambda _: linkwright.check(network("hub", nodes=2)),
    "result": lambda _: comparison().result,
    "no rows": lambda _: Result.from_rows([]),
    "study": folder_of_a_study,
    "answer": answer_of_a_study,
}


@pytest.mark.parametrize("name", TABLES)
def test_the_three_have_the_same_cells(name: str, tmp_path: Path) -> None:
    table = TABLES[name](tmp_path)
    by_pandas, by_polars, by_arrow = table.to_pandas(), table.to_polars(), table.to_arrow()
    assert list(by_pandas.columns) == by_polars.columns == by_arrow.column_names
    for column in by_arrow.column_names:
        expected = by_arrow[column].to_pylist()
        assert by_polars[column].to_list() == expected, column
        assert [_plain(cell) for cell in by_pandas[column]] == expected, column


@pytest.mark.parametrize("name", TABLES)
def test_the_three_have_the_same_types(name: str, tmp_path: Path) -> None:
    table = TABLES[name](tmp_path)
    by_pandas, by_polars, by_arrow = table.to_pandas(), table.to_polars(), table.to_arrow()
    for field in by_arrow.schema:
        types = (
            str(by_pandas[field.name].dtype),
            str(by_polars[field.name].dtype),
            str(field.type),
        )
        assert types in ALIKE.values(), field.name


def test_every_kind_has_its_type() -> None:
    table = Made().to_arrow()
    assert {name: str(table[name].type) for name in ALIKE} == {
        kind: types[2] for kind, types in ALIKE.items()
    }


def test_categories_are_in_the_order_of_their_appearance() -> None:
    made = Made()
    assert list(made.to_pandas()["category"].cat.categories) == ["z", "a"]
    assert made.to_arrow()["category"].chunk(0).dictionary.to_pylist() == ["z", "a"]


def test_a_result_has_the_columns_of_the_schema_and_of_its_parameters() -> None:
    result = Result.from_rows(
        [
            _row(size_bytes=64, receivers="others"),
            _row(size_bytes=4096, sizes=[1, 2]),
            _row(kind="odd", is_last=True),
        ]
    )
    frame = result.to_pandas()
    added = ["size_bytes", "receivers", "parameter_kind", "is_last"]
    assert list(frame.columns) == [*COLUMNS, *added]
    assert [_plain(cell) for cell in frame["size_bytes"]] == [64, 4096, None]
    assert [_plain(cell) for cell in frame["parameter_kind"]] == [None, None, "odd"]
    assert frame["parameters"][1] == '{"size_bytes": 4096, "sizes": [1, 2]}'


def test_a_parameter_of_several_types_is_text() -> None:
    result = Result.from_rows([_row(window=4), _row(window="auto")])
    assert list(result.to_polars()["window"]) == ["4", "auto"]


def test_a_comparison_has_a_row_per_architecture() -> None:
    found = comparison()
    frame = found.to_pandas()
    assert list(frame["architecture"]) == [row.name for row in found.architectures]
    cost = found.architectures[1].properties.cost
    assert frame["cost_per_node"][1] == pytest.approx(cost.ports_used_per_node)
    assert frame["workloads.broadcast.time"].dtype == "float64"


def test_the_lines_of_a_cost_add_up() -> None:
    cost = linkwright.price(network("torus", shape=(4, 4)))
    bought = cost.to_pandas().query("count == 'units bought'")
    assert bought["total"].sum() == pytest.approx(16 * cost.units_bought_per_node)


def test_rows_of_a_study_are_those_of_its_database(tmp_path: Path) -> None:
    folder = folder_of_a_study(tmp_path)
    with Database(folder) as database:
        asked = database.query("from rows").rows()
    columns = [one.to_pylist() for one in folder.to_arrow().columns]
    assert sorted(map(str, zip(*columns, strict=True))) == sorted(map(str, asked))


@pytest.mark.parametrize("name", ["every kind", "answer", "study"])
@pytest.mark.parametrize(("library", "method"), [("pandas", "to_pandas"), ("polars", "to_polars")])
def test_a_missing_library_is_named(
    name: str, library: str, method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = TABLES[name](tmp_path)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(linkwright.CapabilityError, match=f"pip install {library}"):
        getattr(table, method)()


def test_pandas_and_polars_need_no_arrow(monkeypatch: pytest.MonkeyPatch) -> None:
    result = comparison().result
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert len(result.to_pandas()) == len(result.to_polars()) == len(result)
    with pytest.raises(linkwright.CapabilityError, match="pip install pyarrow"):
        result.to_arrow()


def _row(**parameters: Any) -> Row:
    return Row(metric="time", value=1.0, unit="s", origin="predicted", parameters=parameters)


def _plain(cell: Any) -> Any:
    """Return a cell of pandas as Python has it; None for one without a value."""
    if cell is pandas.NA or cell is pandas.NaT or (isinstance(cell, float) and math.isnan(cell)):
        return None
    if isinstance(cell, datetime):
        return cell.date()
    return cell.item() if hasattr(cell, "item") else cell
