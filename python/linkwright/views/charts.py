"""The data of the charts in a report: curves against message size and bars per workload.

Values are in base units. The page sets the look of a chart and its units
(frontend/src/charts.ts); the same numbers are below each chart as a table.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from statistics import fmean
from typing import TYPE_CHECKING, Any

from linkwright.comparison.result import FARTHEST, Architecture, ArchitectureComparison, Measured
from linkwright.results import ENGINE_FIGURES, interval_of
from linkwright.views.columns import label
from linkwright.views.quantities import quantity, size

if TYPE_CHECKING:
    from linkwright.results import Row
    from linkwright.results.interval import Interval

__all__ = ["Bar", "BarChart", "LineChart", "Series", "chart_table", "charts"]

ENGINE_OWN = frozenset(ENGINE_FIGURES)


@dataclass(frozen=True)
class Series:
    """One curve: (size in bytes, value) by size."""

    name: str
    colour: int
    """Number of the architecture, which determines the colour of all its curves and bars."""
    is_dashed: bool
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class LineChart:
    """Curves against message size, on an axis of powers of two."""

    id: str
    title: str
    note: str
    quantity: str
    """Base unit of the values: s or B/s."""
    is_log: bool
    """Whether the axis of the values is logarithmic too."""
    series: tuple[Series, ...]
    kind: str = "line"


@dataclass(frozen=True)
class Bar:
    """One bar; None if the workload did not run."""

    name: str
    colour: int
    value: float | None
    note: str = ""
    low: float | None = None
    """Ends of the interval of further draws of the hosts' constants, if they are drawn."""
    high: float | None = None

    @classmethod
    def of(cls, name: str, colour: int, found: Interval | None, note: str = "") -> Bar:
        """Return the bar of a figure."""
        if found is None or found.n == 1:
            return cls(name, colour, None if found is None else found.mean, note)
        return cls(name, colour, found.mean, note, found.low, found.high)

    @property
    def interval(self) -> tuple[float, float] | None:
        """Ends of the whisker, if it has one."""
        return None if self.low is None or self.high is None else (self.low, self.high)


@dataclass(frozen=True)
class BarChart:
    """One figure of a workload for every architecture."""

    id: str
    title: str
    note: str
    quantity: str
    bars: tuple[Bar, ...]
    kind: str = "bar"


def charts(comparison: ArchitectureComparison) -> list[LineChart | BarChart]:
    """Return the charts of a comparison: curves of the ping-pong, then bars of every workload."""
    found: list[LineChart | BarChart] = []
    if "ping-pong" in comparison.workloads:
        found += [
            _curves(comparison, "latency", "s", "Half a round trip, by message size."),
            _curves(comparison, "throughput", "B/s", "Size divided by latency, by message size."),
            *_ping_pong_bars(comparison),
        ]
    for workload in comparison.workloads:
        if workload != "ping-pong":
            found += _workload_bars(comparison, workload)
    found = [_in_order(one) if isinstance(one, BarChart) else one for one in found]
    if not comparison.draws:
        return found
    whiskers = f"Whiskers: 90 % interval of {comparison.draws} draws."
    return [
        replace(chart, note=f"{chart.note} {whiskers}".strip())
        if isinstance(chart, BarChart)
        else chart
        for chart in found
    ]


def _in_order(chart: BarChart) -> BarChart:
    """Return a chart with the best bar first: the least time, the most of anything else."""

    def key(bar: Bar) -> tuple[bool, float]:
        value = bar.value or 0.0
        return bar.value is None, value if chart.quantity == "s" else -value

    return replace(chart, bars=tuple(sorted(chart.bars, key=key)))


def as_data(chart: LineChart | BarChart) -> dict[str, Any]:
    """Return a chart as JSON values; a bar without an interval has no ends of one."""
    found = asdict(chart)
    for bar in found.get("bars", ()):
        if bar["low"] is None:
            del bar["low"], bar["high"]
    return found


def chart_table(chart: LineChart | BarChart) -> tuple[list[str], list[list[str]]]:
    """Return headings and rows of the numbers in a chart."""
    if isinstance(chart, BarChart):
        rows = [
            [bar.name, "not run" if bar.value is None else quantity(bar.value, chart.quantity)]
            for bar in chart.bars
        ]
        if not any(bar.interval for bar in chart.bars):
            return ["architecture", chart.title], rows
        for row, bar in zip(rows, chart.bars, strict=True):
            row.append("..".join(quantity(end, chart.quantity) for end in bar.interval or ()))
        return ["architecture", f"{chart.title}, mean", "90 % interval"], rows
    sizes = sorted({x for series in chart.series for x, _ in series.points})
    values = [dict(series.points) for series in chart.series]
    rows = [
        [size(x), *(quantity(v[x], chart.quantity) if x in v else "–" for v in values)]
        for x in sizes
    ]
    return ["size", *(series.name for series in chart.series)], rows


def _curves(comparison: ArchitectureComparison, metric: str, unit: str, note: str) -> LineChart:
    series = []
    for colour, row in enumerate(comparison.architectures):
        for one in row.runs_of("ping-pong"):
            points = tuple(
                (float(alike[0].parameters["size_bytes"]), fmean(row.value for row in alike))
                for alike in zip(*one.rows_of(metric), strict=True)
                if alike[0].parameters["size_bytes"] > 0  # no place on the axis
            )
            series.append(Series(_pair_name(row, one), colour, one.pair == FARTHEST, points))
    return LineChart(
        f"curve-{metric}",
        f"{metric.capitalize()} against message size",
        f"{note} Dashed: the farthest pair, where it differs from the nearest.",
        unit,
        metric == "latency",
        tuple(series),
    )


def _pair_name(row: Architecture, one: Measured) -> str:
    return f"{label(row)}, farthest" if one.pair == FARTHEST else label(row)


def _ping_pong_bars(comparison: ArchitectureComparison) -> list[BarChart]:
    def bars(metric: str) -> tuple[Bar, ...]:
        found = []
        for colour, row in enumerate(comparison.architectures):
            for one in row.runs_of("ping-pong"):
                choose = min if metric == "latency" else max
                best = [choose(rows, key=_value) for rows in one.rows_of(metric)]
                values = interval_of([each.value for each in best])
                note = f"{size(best[0].parameters['size_bytes'])}, {_ends(row, one)}"
                found.append(Bar.of(_pair_name(row, one), colour, values, note))
        return tuple(found)

    return [
        BarChart(
            "bar-ping-pong-latency",
            "Ping-pong: latency",
            "Half a round trip of the smallest message.",
            "s",
            bars("latency"),
        ),
        BarChart(
            "bar-ping-pong-throughput",
            "Ping-pong: best throughput",
            "The highest point of each throughput curve.",
            "B/s",
            bars("throughput"),
        ),
    ]


def _ends(row: Architecture, one: Measured) -> str:
    if one.nodes is None:
        return one.pair
    return " to ".join(row.network.device_names[node] for node in one.nodes)


def _workload_bars(comparison: ArchitectureComparison, workload: str) -> list[BarChart]:
    """Return one chart per metric of a workload, the engine's own figures left out."""
    units: dict[str, str] = {}
    for row in comparison.architectures:
        for one in row.runs_of(workload):
            for result in one.result.reproducible().rows():
                units.setdefault(result.metric, result.unit)
    return [
        _bars_of(comparison, workload, metric, unit)
        for metric, unit in units.items()
        if metric not in ENGINE_OWN
    ]


def _bars_of(comparison: ArchitectureComparison, workload: str, metric: str, unit: str) -> BarChart:
    bars = tuple(
        Bar.of(label(row), colour, row.intervals_of(workload).get(metric))
        for colour, row in enumerate(comparison.architectures)
    )
    detail = _detail(comparison, workload)
    return BarChart(
        f"bar-{workload}-{metric}".replace(".", "-").replace("_", "-"),
        f"{workload.capitalize()}: {metric.replace('_', ' ')}",
        f"{detail} Direct has two nodes." if _has_smaller(comparison) else detail,
        unit,
        bars,
    )


def _has_smaller(comparison: ArchitectureComparison) -> bool:
    return any(row.name == "direct" for row in comparison.architectures)


def _detail(comparison: ArchitectureComparison, workload: str) -> str:
    for row in comparison.architectures:
        for one in row.runs_of(workload):
            for result in one.result.rows():
                sizes = result.parameters.get("size_bytes")
                return f"All nodes, {size(sizes)}." if isinstance(sizes, int) else "All nodes."
    return ""


def _value(row: Row) -> float:
    return row.value
