"""The reading of ours from runs: one number at each point of a claim, then reduced axis by axis.

The points are those of axes.py, the functions those of reductions.py.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from linkwright.errors import DesignError, unknown_name
from linkwright.papers.axes import Point
from linkwright.papers.claim import Claim
from linkwright.papers.named import Named
from linkwright.papers.reductions import KEEP_THE_UNIT, REDUCTIONS
from linkwright.results import Result

__all__ = ["Reading", "Results", "by_size", "exceeds_memory", "mean_of", "n_seeds", "read"]

Results = Mapping[str, Result]
"""Results of experiments by name."""


@dataclass(frozen=True)
class Reading:
    """The value of a claim from the runs of one seed."""

    value: float
    numbers: Mapping[str, float]
    """Numbers from which the value was computed, by label."""
    unit: str
    """Unit of the numbers."""


def n_seeds(result: Result) -> int:
    """Return the number of runs with different seeds in a result."""
    return len(set(result.column("repeat")))


def exceeds_memory(result: Result) -> bool:
    """Return whether ranks exceed a node's memory, so that the real run paged."""
    return True in result.parameter("exceeds_memory")


class _Row(NamedTuple):
    """The fields of a result's row that are read."""

    size_bytes: int | None
    value: float
    unit: str


def mean_of(result: Result, metric: str) -> float:
    """Return the mean of one metric."""
    return _mean(_rows(result, metric, {}))


def by_size(result: Result, metric: str) -> dict[int, float]:
    """Return the mean of one metric for each message size, in the order of the rows."""
    return _means_by_size(_rows(result, metric, {}))


def read(claim: Claim, results: Results, seed: int) -> Reading:
    """Return ours from the runs of one seed; a run with a single seed counts for every seed.

    Raises
    ------
    DesignError
        If the runs have no such rows.
    """
    points, lengths = claim.points, [len(values) for values in claim.over.values()]
    outer, within = claim.reduction[: len(lengths)], claim.reduction[len(lengths) :]
    rows = [_rows_at(claim, point, results, seed) for point in points]
    values = [_within_run(found, within) for found in rows]

    shown = claim.n_shown_axes
    stride = math.prod(lengths[shown:])
    labels = [point.label for point in points[::stride]]
    numbers = _reduced(values, lengths[shown:], outer[shown:])
    by_label = {**dict(zip(labels, numbers, strict=True)), **claim.beside}
    lengths[0:1] = [n + len(claim.beside) for n in lengths[0:1]]
    (value,) = _reduced(list(by_label.values()), lengths[:shown], outer[:shown])

    has_unit = all(one.name in KEEP_THE_UNIT for one in (*outer[shown:], *within))
    return Reading(value, by_label, rows[0][0].unit if has_unit else "1")


def _reduced(
    values: Sequence[float], lengths: Sequence[int], reductions: Sequence[Named]
) -> list[float]:
    """Return the values with some axes reduced, the innermost first."""
    for n, reduction in zip(reversed(lengths), reversed(reductions), strict=True):
        values = [
            reduction.of(REDUCTIONS, values[first : first + n])
            for first in range(0, len(values), n)
        ]
    return list(values)


def _within_run(rows: Sequence[_Row], within: Sequence[Named]) -> float:
    """Return one number for the rows of one run."""
    if not within:
        return _mean(rows)
    return within[0].of(REDUCTIONS, list(_means_by_size(rows).values()))


def _mean(rows: Sequence[_Row]) -> float:
    return float(np.mean([row.value for row in rows]))


def _means_by_size(rows: Sequence[_Row]) -> dict[Any, float]:
    found: dict[Any, list[_Row]] = {}
    for row in rows:
        found.setdefault(row.size_bytes, []).append(row)
    return {size_bytes: _mean(of_size) for size_bytes, of_size in found.items()}


def _rows_at(claim: Claim, point: Point, results: Results, seed: int) -> list[_Row]:
    """Return the rows for a claim at one point; there is at least one."""
    result, metric = results[point.experiment], claim.reads or claim.metric
    rows = _rows(result, metric, point.parameters, seed if n_seeds(result) > 1 else None)
    if not rows:
        wanted = ", ".join(f"{name} = {value}" for name, value in point.parameters.items())
        raise DesignError(
            f"{claim.place}: experiment {point.experiment} gives no {metric}"
            + (f" with {wanted}" if wanted else ""),
            f"{unknown_name(metric, sorted(set(result.column('metric'))))}; at and over must "
            "name parameters that its rows have",
        )
    return rows


def _rows(
    result: Result, metric: str, parameters: Mapping[str, Any], seed: int | None = None
) -> list[_Row]:
    """Return the rows with a metric, some parameters and a seed; with any seed for None."""
    cells = zip(*(result.column(name) for name in _COLUMNS), strict=True)
    return [
        _Row(has.get("size_bytes"), value, unit)
        for named, repeat, has, value, unit in cells
        if named == metric and seed in (None, repeat) and _fits(has, parameters)
    ]


_COLUMNS = ("metric", "repeat", "parameters", "value", "unit")


def _fits(has: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return all(
        has.get(name) in value if isinstance(value, list) else has.get(name) == value
        for name, value in wanted.items()
    )
