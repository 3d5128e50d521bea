"""The charts of a comparison: curves against message size and bars per workload.

The same numbers are below each chart of a page as a table.
"""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from linkwright.comparison.result import FARTHEST, Architecture, ArchitectureComparison, Measured
from linkwright.results import ENGINE_FIGURES, interval_of
from linkwright.views.chart import Axis, Bars, Chart, Series, chart_table
from linkwright.views.columns import is_smaller, label
from linkwright.views.quantities import quantity, size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linkwright.results import Row
    from linkwright.results.interval import Interval

__all__ = ["SIZES", "charts", "values_of"]

ENGINE_OWN = frozenset(ENGINE_FIGURES)
SIZES = Axis("message size", "B", log=2)


class _Bar(NamedTuple):
    """One bar of a chart: the name of the architecture, its number, the figure and a remark;
    a network with fewer nodes than the others has no rank.
    """

    name: str
    colour: int
    figure: Interval | None
    note: str = ""
    is_ranked: bool = True


def charts(comparison: ArchitectureComparison) -> list[Chart]:
    """Return the charts of a comparison: curves of the ping-pong, then bars of every workload."""
    found: list[Chart] = []
    if "ping-pong" in comparison.workloads:
        found += [
            _curves(comparison, "latency", "s", "Half a round trip, by message size."),
            _curves(comparison, "throughput", "B/s", "Size divided by latency, by message size."),
            *_ping_pong_bars(comparison),
        ]
    for workload in comparison.workloads:
        if workload != "ping-pong":
            found += _workload_bars(comparison, workload)
    if not comparison.draws:
        return found
    whiskers = f"Whiskers: 90 % interval of {comparison.draws} draws."
    return [
        replace(chart, note=f"{chart.note} {whiskers}".strip()) if chart.bars else chart
        for chart in found
    ]


def _bar_chart(place: str, title: str, note: str, unit: str, bars: Sequence[_Bar]) -> Chart:
    """Return a chart with the best bar first: the least time, the most of anything else.

    Networks that have no rank are below all others.
    """

    def key(bar: _Bar) -> tuple[bool, bool, float]:
        mean = bar.figure.mean if bar.figure else 0.0
        return not bar.is_ranked, bar.figure is None, mean if unit == "s" else -mean

    bars = sorted(bars, key=key)
    if smaller := [bar.name for bar in bars if not bar.is_ranked]:
        note = f"{note} Not ranked, with fewer nodes: {', '.join(smaller)}.".strip()
    figures = [bar.figure for bar in bars]
    drawn = [one if one and one.n > 1 else None for one in figures]
    series = Bars(
        "",
        [None if one is None else one.mean for one in figures],
        colours=[bar.colour for bar in bars],
        low=[None if one is None else one.low for one in drawn] if any(drawn) else (),
        high=[None if one is None else one.high for one in drawn] if any(drawn) else (),
        notes=[bar.note for bar in bars],
    )
    places = tuple(bar.name for bar in bars)
    return Chart(title, Axis("", unit), Axis(places=places), (series,), id=place, note=note)


def values_of(chart: Chart) -> tuple[list[str], list[list[str]]]:
    """Return headings and rows of the numbers in a chart."""
    if not chart.bars:
        return chart_table(chart)
    (bars,), unit = chart.bars, chart.x.unit
    rows = [
        [name, "not run" if value is None else quantity(value, unit)]
        for name, value in zip(chart.y.places, bars.values, strict=True)
    ]
    if not bars.low:
        return ["architecture", chart.title], rows
    for row, low, high in zip(rows, bars.low, bars.high, strict=True):
        row.append("..".join(quantity(end, unit) for end in (low, high) if end is not None))
    return ["architecture", f"{chart.title}, mean", "90 % interval"], rows


def _curves(comparison: ArchitectureComparison, metric: str, unit: str, note: str) -> Chart:
    series = []
    for colour, row in enumerate(comparison.architectures):
        for one in row.runs_of("ping-pong"):
            points = {
                float(alike[0].parameters["size_bytes"]): fmean(row.value for row in alike)
                for alike in zip(*one.rows_of(metric), strict=True)
                if alike[0].parameters["size_bytes"] > 0  # no place on the axis
            }
            series.append(
                Series(
                    _pair_name(row, one),
                    tuple(points),
                    tuple(points.values()),
                    colour=colour,
                    is_dashed=one.pair == FARTHEST,
                )
            )
    return Chart(
        f"{metric.capitalize()} against message size",
        SIZES,
        Axis("", unit, log=10 if metric == "latency" else 0),
        tuple(series),
        id=f"curve-{metric}",
        note=f"{note} Dashed: the farthest pair, where it differs from the nearest.",
    )


def _pair_name(row: Architecture, one: Measured) -> str:
    return f"{label(row)}, farthest" if one.pair == FARTHEST else label(row)


def _ping_pong_bars(comparison: ArchitectureComparison) -> list[Chart]:
    def bars(metric: str) -> list[_Bar]:
        found = []
        for colour, row in enumerate(comparison.architectures):
            for one in row.runs_of("ping-pong"):
                choose = _smallest if metric == "latency" else _largest_value
                best = [choose(rows) for rows in one.rows_of(metric)]
                values = interval_of([each.value for each in best])
                note = f"{size(best[0].parameters['size_bytes'])}, {_ends(row, one)}"
                is_ranked = not is_smaller(row, comparison)
                found.append(_Bar(_pair_name(row, one), colour, values, note, is_ranked))
        return found

    return [
        _bar_chart(
            "bar-ping-pong-latency",
            "Ping-pong: latency",
            "Half a round trip of the smallest message.",
            "s",
            bars("latency"),
        ),
        _bar_chart(
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


def _workload_bars(comparison: ArchitectureComparison, workload: str) -> list[Chart]:
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


def _bars_of(comparison: ArchitectureComparison, workload: str, metric: str, unit: str) -> Chart:
    bars = [
        _Bar(
            label(row),
            colour,
            row.intervals_of(workload).get(metric),
            is_ranked=not is_smaller(row, comparison),
        )
        for colour, row in enumerate(comparison.architectures)
    ]
    return _bar_chart(
        f"bar-{workload}-{metric}".replace(".", "-").replace("_", "-"),
        f"{workload.capitalize()}: {metric.replace('_', ' ')}",
        _detail(comparison, workload),
        unit,
        bars,
    )


def _detail(comparison: ArchitectureComparison, workload: str) -> str:
    for row in comparison.architectures:
        for one in row.runs_of(workload):
            for result in one.result.rows():
                sizes = result.parameters.get("size_bytes")
                return f"All nodes, {size(sizes)}." if isinstance(sizes, int) else "All nodes."
    return ""


def _smallest(rows: Sequence[Row]) -> Row:
    """Return the row of the smallest message, whose latency is that of a pair."""
    return min(rows, key=lambda row: row.parameters["size_bytes"])


def _largest_value(rows: Sequence[Row]) -> Row:
    return max(rows, key=lambda row: row.value)
