"""The axes of a study as columns of its rows: a name and a type for each.

A column is named by the last word of its axis, `size_bytes`, by the whole path, `topology_shape`,
where that word is taken, and with `axis_` before it, `axis_parts`, where the path is taken too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from linkwright.results.schema import COLUMNS, canonical_json
from linkwright.study.study_file import Axes, Span, Study, Values

__all__ = ["RUN_COLUMNS", "axis_columns", "cell"]

RUN_COLUMNS = ("point", "key")
"""Columns before those of the axes: number of the combination, and key of the run."""
BOOL, INT, FLOAT, TEXT = "bool", "int", "float", "text"
_TAKEN = {*COLUMNS, *RUN_COLUMNS}


def axis_columns(study: Study) -> dict[str, tuple[str, str]]:
    """Return the name and the type of the column of each axis.

    Axes of the same path in several designs share a column.

    Examples
    --------
    >>> axis_columns(Study.parse('''
    ... designs: [{design: {topology: {kind: ring}}, axes: {topology.shape: [[4], [8]]}}]
    ... workloads: [{name: broadcast, axes: {size_bytes: [64, 4096]}}]
    ... '''))
    {'topology.shape': ('topology_shape', 'text'), 'size_bytes': ('size_bytes', 'int')}
    """
    values: dict[str, list[Any]] = {}
    for axes in _all_axes(study):
        for path, given in axes.items():
            values.setdefault(path, []).extend(_examples(given))
    last = Counter(path.rpartition(".")[2] for path in values)
    return {path: (_name(path, last), _type(given)) for path, given in values.items()}


def cell(value: Any, kind: str) -> Any:
    """Return the value of an axis as its column has it.

    Examples
    --------
    >>> cell([4, 4], "text"), cell(4, "float"), cell({"a": 1}, "text"), cell(None, "int")
    ('4x4', 4.0, '{"a": 1}', None)
    """
    if value is None:
        return None
    if kind == FLOAT:
        return float(value)
    if kind != TEXT or isinstance(value, str):
        return value
    if isinstance(value, list | tuple) and value and all(type(one) is int for one in value):
        return "x".join(map(str, value))
    return canonical_json(value)


def _all_axes(study: Study) -> Iterator[Axes]:
    entries: Sequence[Any] = (*study.designs, *study.workloads, *study.hosts)
    return (entry.axes for entry in entries)


def _examples(values: Values) -> list[Any]:
    """Return values of the types that an axis takes."""
    if isinstance(values, Span):
        return [0 if values.whole else 0.0]
    return values


def _name(path: str, last: Mapping[str, int]) -> str:
    word = path.rpartition(".")[2]
    if last[word] == 1 and word not in _TAKEN:
        return word
    whole = path.replace(".", "_").replace("-", "_")
    return f"axis_{whole}" if whole in _TAKEN else whole


def _type(values: Sequence[Any]) -> str:
    types = {type(value) for value in values if value is not None}
    if types == {bool}:
        return BOOL
    if types == {int}:
        return INT
    return FLOAT if types and types <= {int, float} else TEXT
