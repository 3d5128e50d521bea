"""The answer of a run in a sentence, for the terminal and for pages: the figures of the workload,
and what all rows share, their origin first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkwright.views.metric_words import figure, metric_words
from linkwright.views.quantities import size

if TYPE_CHECKING:
    from linkwright.results import Result, Row

__all__ = ["RunAnswer", "by_repeat", "run_answer", "size_of"]

_NAMED = ("library", "algorithm", "bottleneck")
"""Parameters that are named if all rows agree."""


@dataclass(frozen=True)
class RunAnswer:
    """The answer of a run."""

    sentence: str
    about: str
    """Origin, engine, hosts, seed and repeats."""


def run_answer(result: Result) -> RunAnswer | None:
    """Return the answer of a run of one workload on one design; None for a result of several."""
    if any(len(set(result.column(name))) != 1 for name in ("design", "engine", "workload")):
        return None
    rows = by_repeat(result)
    row = rows[0][0]
    sizes = {size_of(alike[0]) for alike in rows} - {""}
    of = f" of {next(iter(sizes))}" if len(sizes) == 1 else ""
    on = f" on {row.design}" if row.design else ""
    sentence = f"{row.workload}{of}{on}: {', '.join(_sentence(rows))}"
    return RunAnswer(sentence, "; ".join(_about(rows)))


def _about(rows: Sequence[Sequence[Row]]) -> Iterator[str]:
    row = rows[0][0]
    yield f"{row.origin} by the {row.engine} engine" if row.engine else str(row.origin)
    if row.calibration:
        yield f"hosts {row.calibration}"
    seeds = {one.seed for alike in rows for one in alike} - {None}
    if len(seeds) == 1:
        yield f"seed {next(iter(seeds))}"
    for name in _NAMED:
        values = {str(alike[0].parameters.get(name) or "") for alike in rows} - {""}
        if len(values) == 1:
            yield f"{name} {next(iter(values))}"
    yield from _repeats(row)


def _sentence(rows: Sequence[Sequence[Row]]) -> Iterator[str]:
    """Yield the figures of the workload itself: the first two, over their sizes."""
    from linkwright.results import ENGINE_FIGURES, interval_of

    of_metric: dict[str, list[Sequence[Row]]] = {}
    for alike in rows:
        if alike[0].metric not in ENGINE_FIGURES and "fault" not in alike[0].parameters:
            of_metric.setdefault(alike[0].metric, []).append(alike)
    for metric, found in [*of_metric.items()][:2]:
        ends = [found[0], found[-1]] if len(found) > 1 else [found[0]]
        texts = []
        for alike in ends:
            value = figure(interval_of([row.value for row in alike]).mean, alike[0].unit)
            texts.append(f"{value} at {size_of(alike[0])}" if len(ends) > 1 else value)
        yield f"{metric_words(metric)} {' to '.join(texts)}"


def _repeats(row: Row) -> Iterator[str]:
    repeats, warm_up = (row.parameters.get(name) for name in ("repeats", "warm_up"))
    if isinstance(repeats, int) and repeats > 1:
        yield f"mean of {repeats} repeats" + (f" after {warm_up} that warm up" if warm_up else "")


def by_repeat(result: Result) -> list[list[Row]]:
    """Return the rows of a result, those that differ in their repeat together.

    The k-th row of a metric and size in one repeat belongs to the k-th of any other.
    """
    found: dict[tuple[object, ...], list[Row]] = {}
    seen: Counter[tuple[object, ...]] = Counter()
    for row in result.rows():
        about = (row.study, row.design, row.engine, row.workload, row.metric)
        key = (*about, str(row.parameters.get("size_bytes")), row.origin)
        found.setdefault((*key, seen[*key, row.repeat]), []).append(row)
        seen[*key, row.repeat] += 1
    return [*found.values()]


def size_of(row: Row) -> str:
    """Return the size of the message or file of a row; empty without one."""
    sizes = row.parameters.get("size_bytes", row.parameters.get("file_bytes"))
    return "" if sizes is None or isinstance(sizes, list | tuple) else size(sizes)
