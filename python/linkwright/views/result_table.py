"""Rows of results for the terminal: the answer in a sentence, then a table of all figures.

What all rows share is said once above the table; metrics are named in words, and files have the raw
names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from linkwright.views.fitting_table import FittingTable, Heading
from linkwright.views.metric_words import figure, metric_words
from linkwright.views.quantities import size

if TYPE_CHECKING:
    from linkwright.results import Result, Row

__all__ = ["memory_remark", "result_table"]

_OPTIONAL = ("library", "algorithm", "fault", "bottleneck")
"""Parameters that have a column in a table of results where any row has them."""
_SHARED = ("workload", "size", "origin", "library", "algorithm", "bottleneck")
"""Columns that are left out where all rows agree."""


@dataclass(frozen=True)
class _Column:
    """A column of the table: its heading, and its cell in each row."""

    heading: Heading
    cells: list[str]

    @property
    def values(self) -> list[str]:
        """The different cells that are not empty."""
        return list(dict.fromkeys(filter(None, self.cells)))

    @property
    def differs(self) -> bool:
        """Whether rows have different values."""
        return len(self.values) > 1


def result_table(result: Result) -> RenderableType:
    """Return the answer of a run and its rows, with the size of message or file, fault and
    bottleneck, if any, and with design and engine if there are several.

    Runs with several seeds are one row, with the mean and the range of their values; runs that draw
    constants of the hosts too, with the mean and the interval of further runs.
    """
    rows = [*_by_repeat(result)]
    columns = _columns(result, rows)
    answer = [*_answer(result, rows, columns)]
    shown = [one for one in columns if not answer or one.heading.text not in _SHARED or one.differs]
    cells = [list(row) for row in zip(*(one.cells for one in shown), strict=True)]
    return Group(*answer, FittingTable([one.heading for one in shown], cells))


def _columns(result: Result, rows: Sequence[Sequence[Row]]) -> list[_Column]:
    """Return all columns of a result, those that its rows share among them."""
    first = [alike[0] for alike in rows]
    apart = [name for name in ("design", "engine") if len(set(result.column(name))) > 1]
    optional = [name for name in _OPTIONAL if any(result.parameter(name))]

    def column(name: str, cells: Iterable[object], *, wraps: bool = True) -> _Column:
        return _Column(Heading(name, wraps=wraps), [str(one) for one in cells])

    found = [column(name, (getattr(row, name) for row in first)) for name in apart]
    found.append(column("workload", (row.workload for row in first)))
    found.append(_Column(Heading("size", "right"), [_size(row) for row in first]))
    found.append(column("figure", (metric_words(row.metric) for row in first)))
    found += _values(result, rows)
    found.append(column("origin", (row.origin for row in first), wraps=False))
    found += [column(name, (row.parameters.get(name, "") for row in first)) for name in optional]
    if any(result.parameter("exceeds_memory")):
        found.append(column("remark", map(memory_remark, first)))
    return found


def _values(result: Result, rows: Sequence[Sequence[Row]]) -> Iterator[_Column]:
    """Yield the column of values, and that of their range or interval if there are several."""
    from linkwright.results import interval_of  # NumPy, which other tables do not need

    n_runs = len(set(result.column("repeat")))
    is_drawn = any(result.parameter("draw"))
    found = [(alike[0].unit, [row.value for row in alike]) for alike in rows]
    means = [figure(interval_of(values).mean, unit) for unit, values in found]
    heading = "value" if n_runs == 1 else f"mean of\n{n_runs} {'draws' if is_drawn else 'runs'}"
    yield _Column(Heading(heading, "right"), means)
    if n_runs == 1:
        return
    spans = []
    for unit, values in found:
        one = interval_of(values)
        ends = (one.low, one.high) if is_drawn else (min(values), max(values))
        spans.append(_range(*ends, unit))
    yield _Column(Heading("90% interval" if is_drawn else "min..max", "right"), spans)


def _size(row: Row) -> str:
    sizes = row.parameters.get("size_bytes", row.parameters.get("file_bytes"))
    return "" if sizes is None or isinstance(sizes, list | tuple) else size(sizes)


def _answer(
    result: Result, rows: Sequence[Sequence[Row]], columns: Sequence[_Column]
) -> Iterator[Text]:
    """Yield the answer of a run of one workload on one design, and what all its rows share."""
    if any(len(set(result.column(name))) != 1 for name in ("design", "engine", "workload")):
        return
    cells = {one.heading.text: one for one in columns}
    row = rows[0][0]
    sizes = cells["size"].values
    of = f" of {sizes[0]}" if len(sizes) == 1 else ""
    on = f" on {row.design}" if row.design else ""
    yield Text(f"{row.workload}{of}{on}: {', '.join(_sentence(rows))}", "bold")
    by = f" by the {row.engine} engine" if row.engine else ""
    seeds = {one.seed for alike in rows for one in alike} - {None}
    about = [
        f"{row.origin}{by}",
        *([f"hosts {row.calibration}"] if row.calibration else []),
        *([f"seed {next(iter(seeds))}"] if len(seeds) == 1 else []),
        *(
            f"{name} {cells[name].values[0]}"
            for name in ("library", "algorithm", "bottleneck")
            if name in cells and len(cells[name].values) == 1
        ),
        *_repeats(row),
    ]
    yield Text("; ".join(about))


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
            texts.append(f"{value} at {_size(alike[0])}" if len(ends) > 1 else value)
        yield f"{metric_words(metric)} {' to '.join(texts)}"


def _repeats(row: Row) -> Iterator[str]:
    repeats, warm_up = (row.parameters.get(name) for name in ("repeats", "warm_up"))
    if isinstance(repeats, int) and repeats > 1:
        yield f"mean of {repeats} repeats" + (f" after {warm_up} that warm up" if warm_up else "")


def _by_repeat(result: Result) -> Iterable[list[Row]]:
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
    return found.values()


def _range(low: float, high: float, unit: str) -> str:
    """Return two values as a range, or nothing if they are alike."""
    least, most = figure(low, unit), figure(high, unit)
    return "" if least == most else f"{least}..{most}"


def memory_remark(row: Row) -> str:
    """Return the words for a run whose ranks exceed the memory of a node; empty for any other."""
    return "exceeds a node's memory" if row.parameters.get("exceeds_memory") else ""
