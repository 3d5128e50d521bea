"""A result: rows of the one schema, and the manifests of the runs they come from.

Nothing is computed here. Reading and writing files is in storage.py, tables and plots are views.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwright.errors import UsageError
from linkwright.frames import FrameColumn, Kind, Tabular, kind_of
from linkwright.notebook import PLOTS, Shown, counted
from linkwright.records.plain_numbers import plain
from linkwright.results.figures import UNREPEATABLE_FIGURES
from linkwright.results.manifest import Manifest
from linkwright.results.schema import COLUMNS, MAPPINGS, SCHEMA_VERSION, Row, canonical_json
from linkwright.text.csv_text import csv_text
from linkwright.text.json_text import JsonError, read_json

__all__ = ["Result"]

_CELLS = attrgetter(*COLUMNS)


@dataclass(frozen=True, repr=False)
class Result(Shown, Tabular):
    """Figures of one or many runs; immutable.

    Parameters
    ----------
    columns : mapping of str to tuple
        The columns of the schema, in its order, all of one length.
    manifests : tuple of Manifest
        The origin of the runs; not part of comparisons.
    """

    columns: Mapping[str, tuple[Any, ...]]
    manifests: tuple[Manifest, ...] = ()

    @classmethod
    def from_rows(cls, rows: Iterable[Row], manifests: Iterable[Manifest] = ()) -> Result:
        """Return the result of some rows."""
        columns = tuple(zip(*map(_CELLS, rows), strict=True)) or ((),) * len(COLUMNS)
        return cls(dict(zip(COLUMNS, columns, strict=True)), tuple(manifests))

    @classmethod
    def concatenate(cls, results: Iterable[Result]) -> Result:
        """Return the rows and manifests of all results, one after the other."""
        results = tuple(results)
        joined = {
            name: tuple(chain.from_iterable(result.columns[name] for result in results))
            for name in COLUMNS
        }
        return cls(joined, tuple(chain.from_iterable(result.manifests for result in results)))

    @classmethod
    def from_json(cls, text: str) -> Result:
        """Return the result that `to_json` wrote.

        Raises
        ------
        UsageError
            If the text is not a list of rows of this schema.
        """
        try:
            entries = read_json(text)
        except JsonError as error:
            raise _no_result(f"is not JSON: {error}") from None
        if not isinstance(entries, list):
            raise _no_result("is not a list of rows")
        return cls.from_rows(_row(index, entry) for index, entry in enumerate(entries))

    def __len__(self) -> int:
        return len(self.columns["metric"])

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows())

    def rows(self) -> tuple[Row, ...]:
        """Return the rows in order."""
        return tuple(Row(**cells) for cells in self._cells())

    def column(self, name: str) -> tuple[Any, ...]:
        """Return a column by name."""
        return self.columns[name]

    def values(self) -> NDArray[np.float64]:
        """Return the values, in base units.

        Returns
        -------
        ndarray, shape (n_rows,)
        """
        return np.array(self.columns["value"], dtype=np.float64)

    @property
    def summary(self) -> str:
        """The number of rows, and the networks, workloads and engines that they are about."""
        names = ("workload", "design", "engine")
        about = [_several(self.columns[name], f"{name}s") for name in names]
        return ", ".join([f"of {counted(len(self), 'row')}", *filter(None, about)])

    @property
    def remarks(self) -> tuple[str, ...]:
        """The remarks on the runs, each once."""
        return tuple(dict.fromkeys(one for given in self.manifests for one in given.remarks))

    def with_command(self, command: Sequence[str]) -> Result:
        """Return the result with manifests that name the command line that made it."""
        return replace(self, manifests=tuple(one.made_by(command) for one in self.manifests))

    def parameter(self, name: str) -> tuple[Any, ...]:
        """Return one parameter of every row, None for rows without it."""
        return tuple(parameters.get(name) for parameters in self.columns["parameters"])

    def filter(self, parameters: Mapping[str, Any] | None = None, **wanted: Any) -> Result:
        """Return the rows with given values in given columns.

        Parameters
        ----------
        parameters : mapping, optional
            Settings of the workload that a row must have; it may have others.
        **wanted
            Value by column, as in `metric="latency"`; a set, list or tuple matches any of its
            members.
        """
        unknown = wanted.keys() - set(COLUMNS)
        if unknown:
            raise ValueError(f"no column '{min(unknown)}'")
        chosen: Iterable[int] = range(len(self))
        for name, value in plain(wanted).items():
            column = self.columns[name]
            chosen = [row for row in chosen if _is_wanted(column[row], value)]
        for name, value in plain(dict(parameters or {})).items():
            column = self.parameter(name)
            chosen = [row for row in chosen if column[row] == value]
        return Result(self._chosen(chosen), self.manifests)

    def reproducible(self) -> Result:
        """Return the rows that are the same on any machine: no wall time, no memory."""
        metrics = enumerate(self.columns["metric"])
        return Result(
            self._chosen([row for row, metric in metrics if metric not in UNREPEATABLE_FIGURES])
        )

    def to_json(self) -> str:
        """Return the rows as a JSON list of objects, one line per row."""
        lines = map(_json_line, self._cells())
        return "[\n" + ",\n".join(lines) + "\n]\n" if len(self) else "[]\n"

    def to_csv(self) -> str:
        """Return the rows as CSV with a header line; mappings are JSON, absent cells empty."""
        columns = {**self.columns, **{name: self.json_column(name) for name in MAPPINGS}}
        return csv_text(COLUMNS, zip(*columns.values(), strict=True))

    def frame_columns(self) -> list[FrameColumn]:
        """Return the columns of the schema, then one for each parameter of the workloads.

        Mappings are JSON text. The column of a parameter has those of its values that are a number
        or a text; it is named `parameter_...` if the schema has a column of its name.
        """
        columns = {**self.columns, **{name: self.json_column(name) for name in MAPPINGS}}
        found = [FrameColumn(name, _KINDS.get(name, "category"), columns[name]) for name in columns]
        parameters = self.columns["parameters"]
        for name in dict.fromkeys(name for given in parameters for name in given):
            cells = [_scalar(given.get(name)) for given in parameters]
            if any(cell is not None for cell in cells):
                kind = kind_of(cells)
                texts = cells if kind != "category" else [_text(cell) for cell in cells]
                found.append(
                    FrameColumn(f"parameter_{name}" if name in COLUMNS else name, kind, texts)
                )
        return found

    def plot(self, metric: str | None = None) -> Any:
        """Return a plot of the rows against the size of messages, or of their values as bars.

        Parameters
        ----------
        metric : str, optional
            The metric to show. Default: a panel for each metric of the workloads.

        Returns
        -------
        Plot
            A notebook shows it; `Plot.save` writes it.

        Raises
        ------
        UsageError
            If there is nothing to show.
        CapabilityError
            If Matplotlib is missing.
        """
        return PLOTS["Result"](self, metric)

    def json_column(self, name: str) -> tuple[str, ...]:
        """Return a column of mappings as JSON text."""
        return tuple(map(canonical_json, self.columns[name]))

    def _cells(self) -> Iterator[dict[str, Any]]:
        """Yield the cells of each row by column."""
        for cells in zip(*self.columns.values(), strict=True):
            yield dict(zip(self.columns, cells, strict=True))

    def _chosen(self, rows: Iterable[int]) -> dict[str, tuple[Any, ...]]:
        """Return the columns of some rows, by their numbers."""
        rows = tuple(rows)
        return {name: tuple(column[row] for row in rows) for name, column in self.columns.items()}


def _several(column: Sequence[str], plural: str) -> str:
    """Return the one value of a column, or the number of its values."""
    values = set(column) - {""}
    return values.pop() if len(values) == 1 else f"{len(values)} {plural}" * bool(values)


def _json_line(cells: Mapping[str, Any]) -> str:
    """Return one row as JSON: columns in the order of the schema, parameters sorted by name."""
    members = (f"{json.dumps(name)}: {canonical_json(cell)}" for name, cell in cells.items())
    return "{" + ", ".join(members) + "}"


def _is_wanted(cell: Any, wanted: Any) -> bool:
    if isinstance(wanted, set | frozenset | list | tuple):
        return cell in wanted
    return bool(cell == wanted)


def _row(index: int, entry: Any) -> Row:
    if not isinstance(entry, dict) or entry.keys() != set(COLUMNS):
        raise _no_result(f"entry {index} does not have the columns {', '.join(COLUMNS)}")
    for column in fields(Row):
        if not isinstance(entry[column.name], _TYPES[column.name]):
            given = type(entry[column.name]).__name__
            raise _no_result(f"entry {index}: column '{column.name}' cannot be a {given}")
    try:
        return Row(**entry | {"value": float(entry["value"])})
    except ValueError as error:
        raise _no_result(f"entry {index}: {error}") from None


def _scalar(value: Any) -> Any:
    """Return a number or a text; None for anything else."""
    return value if isinstance(value, bool | int | float | str) else None


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


_KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(MAPPINGS, "text"),
    "run": "text",
    "value": "float",
    "nodes": "int",
    "repeat": "int",
    "seed": "uint",
}
"""Kinds of the columns that are no categories."""

_TYPES: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(COLUMNS, (str,)),
    **dict.fromkeys(MAPPINGS, (dict,)),
    "nodes": (int, type(None)),
    "value": (int, float),
    "repeat": (int, type(None)),
    "seed": (int, type(None)),
}


def _no_result(rule: str) -> UsageError:
    return UsageError(
        f"the result {rule}", f"give rows of schema version {SCHEMA_VERSION}, as `-o FILE.json` has"
    )
