"""Rows of results for the terminal: the answer in a sentence, then a table of all figures.

What all rows share is said once above the table; metrics are named in words, and files have the raw
names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from linkwright.views.fitting_table import FittingTable, Heading
from linkwright.views.metric_words import figure, metric_words
from linkwright.views.run_answer import by_repeat, run_answer, size_of

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
    rows = by_repeat(result)
    columns = _columns(result, rows)
    found = run_answer(result)
    answer = [Text(found.sentence, "bold"), Text(found.about)] if found else []
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
    found.append(_Column(Heading("size", "right"), [size_of(row) for row in first]))
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


def _range(low: float, high: float, unit: str) -> str:
    """Return two values as a range, or nothing if they are alike."""
    least, most = figure(low, unit), figure(high, unit)
    return "" if least == most else f"{least}..{most}"


def memory_remark(row: Row) -> str:
    """Return the words for a run whose ranks exceed the memory of a node; empty for any other."""
    return "exceeds a node's memory" if row.parameters.get("exceeds_memory") else ""
