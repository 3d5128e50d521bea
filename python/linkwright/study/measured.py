"""Measured rows beside those of a study, as tables of its database: the same columns, and a figure
beside each of its predictions.

A measured row has the axes that its parameters name, and those of the design that it shares with
the study.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linkwright import results
from linkwright.errors import UsageError, shown_path
from linkwright.results.measured_rows import (
    OF_EXCHANGES,
    OF_PATHS,
    expect_sound,
    is_measured_figure,
)
from linkwright.results.schema import canonical_json
from linkwright.study.columns import cell
from linkwright.study.parts import pyarrow, row_schema

if TYPE_CHECKING:
    from linkwright.results import Row

__all__ = ["BESIDE", "measured_figures", "measured_rows", "measured_table"]

LARGEST = 2**63 - 1
"""Largest integer of a column."""

_NOTHING = json.dumps(dict.fromkeys((*OF_PATHS, *OF_EXCHANGES)))
_ALIKE = f"json_merge_patch(parameters, '{_NOTHING}')::text as alike"
"""Parameters without those in which a measurement and its prediction may differ: a patch of null
removes them.
"""
BESIDE = f"""
create view beside as
with predictions as (
    select design_hash, workload, metric, engine, calibration, avg(value) as predicted, {_ALIKE}
    from rows where origin = 'predicted' group by all
), figures as (select *, {_ALIKE} from measured_figures)
select design, workload, path, place, size_bytes, metric, unit, engine, calibration,
    measured, predicted, if(predicted = 0, null, measured / predicted - 1) as residual, parameters
from figures left join predictions using (design_hash, workload, metric, alike)
"""
"""The view of measured figures, each beside each of its predictions."""
_FIGURES = ("design", "design_hash", "workload", "parameters", "metric", "unit")
_TYPES: Mapping[str, tuple[type, ...]] = {
    "bool": (bool,),
    "int": (int,),
    "float": (int, float),
    "text": (object,),
}


def measured_rows(files: Sequence[Path]) -> list[Row]:
    """Return the measured rows of files.

    Raises
    ------
    UsageError
        If a file has none, or one that cannot be measured.
    """
    found: list[Row] = []
    for file in files:
        own = [row for row in results.load(file).rows() if row.origin == "measured"]
        if not own:
            raise UsageError(
                f"{shown_path(file)} has no measured rows", "give a file of linkwright measure"
            )
        expect_sound(own)
        found += own
    return found


def measured_table(
    rows: Sequence[Row], axes: Mapping[str, str], of_designs: Mapping[str, Mapping[str, Any]]
) -> Any:
    """Return measured rows as an Arrow table with the columns of a study.

    Parameters
    ----------
    rows : sequence of Row
    axes : mapping of str to str
        Type of each column of an axis.
    of_designs : mapping of str to mapping
        Values of axes that all runs of a design have, by its hash.
    """
    columns: dict[str, list[Any]] = {"point": [None] * len(rows), "key": [None] * len(rows)}
    for name, kind in axes.items():
        columns[name] = [_cell(row, name, kind, of_designs) for row in rows]
    for name in row_schema({}).names[len(columns) - len(axes) :]:
        values = [getattr(row, name) for row in rows]
        texts = name in ("parts", "parameters")
        columns[name] = [canonical_json(dict(one)) for one in values] if texts else values
    return _table(columns, row_schema(axes))


def _cell(row: Row, name: str, kind: str, of_designs: Mapping[str, Mapping[str, Any]]) -> Any:
    """Return the value of an axis of a measured row; None if it has none."""
    own = row.parameters.get(name)
    if own is None:
        return of_designs.get(row.design_hash, {}).get(name)
    fits = isinstance(own, _TYPES[kind]) and (kind == "bool" or not isinstance(own, bool))
    return cell(own, kind) if fits else None


def measured_figures(rows: Sequence[Row]) -> Any:
    """Return the measured rows that engines predict as an Arrow table, for the view `beside`."""
    arrow, _ = pyarrow()
    own = [row for row in rows if is_measured_figure(row)]
    sizes = [row.parameters.get("size_bytes") for row in own]
    types = {"size_bytes": arrow.int64(), "measured": arrow.float64()}
    columns = {
        **{name: [getattr(row, name) for row in own] for name in _FIGURES},
        "parameters": [canonical_json(dict(row.parameters)) for row in own],
        "path": [str(row.parameters.get("path", "")) for row in own],
        "place": [str(row.parameters.get("place", "")) for row in own],
        "size_bytes": [one if type(one) is int and 0 <= one <= LARGEST else None for one in sizes],
        "measured": [row.value for row in own],
    }
    schema = [(name, types.get(name, arrow.string())) for name in columns]
    return _table(columns, arrow.schema(schema))


def _table(columns: Mapping[str, Sequence[Any]], schema: Any) -> Any:
    """Return an Arrow table.

    Raises
    ------
    UsageError
        If a column cannot hold a value.
    """
    arrow, _ = pyarrow()
    try:
        return arrow.table(columns, schema=schema)
    except (arrow.ArrowException, OverflowError) as error:
        raise UsageError(
            f"the measured rows cannot be read: {error}", "give a file of linkwright measure"
        ) from None
