"""Plots of results and comparisons: curves against the size of messages, and bars.

What is drawn follows from the rows; the charts of a comparison are those of its page (charts.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING

from linkwright.errors import UsageError, unknown_name
from linkwright.results import ENGINE_FIGURES
from linkwright.views.chart import Axis, Bars, Chart, Series
from linkwright.views.charts import SIZES, charts
from linkwright.views.plots import Plot

if TYPE_CHECKING:
    from linkwright.comparison import ArchitectureComparison
    from linkwright.results import Result, Row

__all__ = ["comparison_plot", "result_plot"]

APART = ("design", "workload", "engine", "calibration", "origin")
"""Columns that distinguish curves and bars, if they differ."""

_Points = Mapping[str, Mapping[float, float]]
"""Value by size of the messages (NaN without one), by curve."""


def result_plot(result: Result, metric: str | None = None) -> Plot:
    """Return the plot of a result: a panel for each metric.

    Raises
    ------
    UsageError
        If it has no such metric, or no rows.
    """
    units = dict(zip(result.column("metric"), result.column("unit"), strict=True))
    if metric is not None and metric not in units:
        raise UsageError(f"there is no metric '{metric}'", unknown_name(metric, units))
    shown = [metric] if metric else [name for name in units if name not in ENGINE_FIGURES]
    if not shown:
        raise UsageError("no workload has a figure in this result", "name a metric to plot")
    rows = result.rows()
    apart = [name for name in APART if len(set(result.column(name))) > 1]
    panels = [
        _panel(name, units[name], _points([row for row in rows if row.metric == name], apart))
        for name in shown
    ]
    return Plot("result", result.summary, tuple(panels))


def _points(rows: Iterable[Row], apart: Sequence[str]) -> _Points:
    """Return the mean over the repeats for each curve and size."""
    found: dict[str, dict[float, list[float]]] = {}
    for row in rows:
        label = ", ".join(str(getattr(row, name)) for name in apart) or row.workload
        given = row.parameters.get("size_bytes")
        at = float(given) if isinstance(given, int) else 0.0
        found.setdefault(label, {}).setdefault(at, []).append(row.value)
    return {
        label: {at: fmean(values) for at, values in sorted(points.items())}
        for label, points in found.items()
    }


def _panel(metric: str, unit: str, points: _Points) -> Chart:
    title = metric.replace("_", " ")
    if max(map(len, points.values())) == 1:
        values = {label: next(iter(of.values())) for label, of in points.items()}
        places = sorted(values, key=lambda label: values[label])
        bars = Bars("", [values[place] for place in places])
        return Chart(title, Axis("", unit), Axis(places=tuple(places)), (bars,))
    # A message of no bytes has no place on a logarithmic axis.
    curves = tuple(
        Series(label, tuple(x for x in of if x), tuple(y for x, y in of.items() if x))
        for label, of in points.items()
    )
    return Chart(title, SIZES, Axis(title, unit, log=10 if unit == "s" else 0), curves)


def comparison_plot(comparison: ArchitectureComparison) -> Plot:
    """Return the plot of a comparison: the charts of its page.

    Raises
    ------
    UsageError
        If no workload ran.
    """
    panels = charts(comparison)
    if not panels:
        raise UsageError("no workload ran in this comparison", "give compare workloads to run")
    return Plot("comparison", comparison.summary, tuple(panels))
