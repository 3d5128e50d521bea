"""A chart of a few curves as SVG for pages, which needs neither a script nor Matplotlib: the style
sheet of the page has its colours.

Each curve has its name at its end. A point can lead to another place of the page, for instance to
the run that it stands for.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from linkwright.views.curve_plots import Curve
from linkwright.views.quantities import quantity, rounded

__all__ = ["Chart", "line_chart", "table_of"]

WIDTH, HEIGHT = 520, 330
LEFT, RIGHT, TOP, BOTTOM = 74, 122, 14, 48
LINE_HEIGHT = 17
"""Distance of two names at the ends of curves."""
MOST_POINTS = 32
"""Values of a curve up to which each is a point."""
MOST_PLACES = 8
"""Places of the points up to which the horizontal axis shows each."""
FEWEST_DECADES = 2.5
"""Length of a logarithmic axis from which on it shows powers of ten alone."""


@dataclass(frozen=True, kw_only=True)
class Chart:
    """Some curves over one pair of axes; values in base units."""

    title: str
    x_label: str
    y_label: str
    curves: Sequence[Curve]
    x_unit: str = "1"
    y_unit: str = "1"
    is_log_x: bool = False
    is_log_y: bool = False
    scenes: Mapping[tuple[str, float], str] = field(default_factory=dict)
    """Key of the scene that a point stands for, by the label of the curve and the place."""


@dataclass(frozen=True)
class Axis:
    """Where values are between two pixels."""

    least: float
    most: float
    begin: float
    end: float
    is_log: bool

    def at(self, value: float) -> float:
        """Return the pixel of a value."""
        low, high, here = (
            math.log(v) if self.is_log else v for v in (self.least, self.most, value)
        )
        share = (here - low) / (high - low) if high > low else 0.5
        return round(self.begin + share * (self.end - self.begin), 1)


def line_chart(chart: Chart) -> Markup:
    """Return a chart as one `<svg>` element."""
    xs = [x for curve in chart.curves for x in curve.x]
    ys = [y for curve in chart.curves for y in curve.y]
    x_ticks = sorted(set(xs)) if len(set(xs)) <= MOST_PLACES else ticks(0, max(xs), is_log=False)
    y_ticks = ticks(min(ys) if chart.is_log_y else 0, max(ys), is_log=chart.is_log_y)
    x_axis = Axis(min(x_ticks), max(*x_ticks, *xs), LEFT, WIDTH - RIGHT, chart.is_log_x)
    y_axis = Axis(y_ticks[0], max(*y_ticks, *ys), HEIGHT - BOTTOM, TOP, chart.is_log_y)
    parts = [*_frame(chart, x_axis, x_ticks, y_axis, y_ticks)]
    for is_linked in (False, True):  # links lie on top
        parts += [_curve(chart, i, x_axis, y_axis, is_linked) for i in range(len(chart.curves))]
    parts += _names(chart, y_axis)
    label = f"{chart.title}: {chart.y_label} against {chart.x_label}"
    return Markup(
        '<svg class="chart" viewBox="0 0 {} {}" role="group" aria-label="{}">{}</svg>'
    ).format(WIDTH, HEIGHT, label, Markup("").join(parts))


def ticks(least: float, most: float, *, is_log: bool) -> list[float]:
    """Return round values from below the least to about the most.

    Examples
    --------
    >>> ticks(0, 0.042, is_log=False), ticks(0.015, 3.2, is_log=True)
    ([0.0, 0.01, 0.02, 0.03, 0.04], [0.01, 0.1, 1.0, 10.0])
    """
    if not is_log:
        step = _step(most / 4)
        return [float(f"{step * i:.6g}") for i in range(math.floor(most / step + 1e-9) + 1)]
    first, last = math.floor(math.log10(least) + 1e-9), math.ceil(math.log10(most) - 1e-9)
    factors = (1,) if math.log10(most / least) >= FEWEST_DECADES - 0.5 else (1, 2, 5)
    every = [float(f"{f * 10.0**p:.6g}") for p in range(first, last + 1) for f in factors]
    above = next((i for i, tick in enumerate(every) if tick >= most), len(every) - 1)
    below = max(i for i, tick in enumerate(every) if tick <= least)
    return every[below : above + 1]


def _step(length: float) -> float:
    """Return 1, 2 or 5 times a power of ten, the nearest that is not shorter by much."""
    power = 10.0 ** math.floor(math.log10(length))
    return power * min((1, 2, 5, 10), key=lambda factor: abs(factor - length / power))


def _frame(
    chart: Chart, x_axis: Axis, x_ticks: Sequence[float], y_axis: Axis, y_ticks: Sequence[float]
) -> list[Markup]:
    line = (
        '<path class="grid" d="M{} {}H{}"/>'
        '<text class="tick" x="{}" y="{}" text-anchor="end">{}</text>'
    )
    under = '<text class="tick" x="{}" y="{}" text-anchor="middle">{}</text>'
    name = '<text class="axis" x="{}" y="{}" text-anchor="{}">{}</text>'
    foot = HEIGHT - BOTTOM
    return [
        *(
            Markup(line).format(
                LEFT, y_axis.at(tick), WIDTH - RIGHT, LEFT - 8, y_axis.at(tick) + 5, text
            )
            for tick, text in ((tick, quantity(tick, chart.y_unit)) for tick in y_ticks)
        ),
        *(
            Markup(under).format(x_axis.at(tick), foot + 19, quantity(tick, chart.x_unit))
            for tick in x_ticks
        ),
        Markup(name).format((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, "middle", chart.x_label),
    ]


def _curve(chart: Chart, index: int, x_axis: Axis, y_axis: Axis, is_linked: bool) -> Markup:
    """Return a curve with its plain points, or only the points that lead to a scene."""
    curve = chart.curves[index]
    places = [(x_axis.at(x), y_axis.at(y)) for x, y in zip(curve.x, curve.y, strict=True)]
    has_points = len(places) <= MOST_POINTS
    points = [
        _point(chart, curve, i, place)
        for i, place in enumerate(places)
        if has_points and ((curve.label, curve.x[i]) in chart.scenes) == is_linked
    ]
    line = Markup('<path d="M{}"/>').format("L".join(f"{x} {y}" for x, y in places))
    group = Markup('<g class="series s{}">{}{}</g>')
    return group.format(index + 1, "" if is_linked else line, Markup("").join(points))


def _point(chart: Chart, curve: Curve, index: int, place: tuple[float, float]) -> Markup:
    x, y = curve.x[index], curve.y[index]
    value = f"{curve.label}, {quantity(x, chart.x_unit)}: {quantity(y, chart.y_unit)}"
    scene = chart.scenes.get((curve.label, x))
    if scene is None:
        dot = Markup('<circle cx="{}" cy="{}" r="3.5"><title>{}</title></circle>')
        return dot.format(*place, value)
    ring = (
        '<a href="#{}" aria-label="Play {}"><circle cx="{}" cy="{}" r="7"><title>{}</title>'
        "</circle></a>"
    )
    return Markup(ring).format(scene, value, *place, f"{value} - press to play it")


def _names(chart: Chart, y_axis: Axis) -> list[Markup]:
    """Return the names at the ends of the curves, moved apart where they would meet."""
    ends = [(y_axis.at(curve.y[-1]) + 5, index) for index, curve in enumerate(chart.curves)]
    found, last = [], -math.inf
    for y, index in sorted(ends):
        last = max(y, last + LINE_HEIGHT)
        found.append((last, index))
    beyond = max(0.0, last - (HEIGHT - BOTTOM + 5))
    name = Markup('<text class="name s{}" x="{}" y="{}">{}</text>')
    x = WIDTH - RIGHT + 12
    return [name.format(i + 1, x, y - beyond, chart.curves[i].label) for y, i in found]


def table_of(chart: Chart) -> tuple[list[str], list[list[str]]]:
    """Return the heads and the rows of a chart's values: a row per place, a column per curve."""
    places = sorted({x for curve in chart.curves for x in curve.x})
    found = [dict(zip(curve.x, curve.y, strict=True)) for curve in chart.curves]
    rows = [
        [quantity(x, chart.x_unit)]
        + [quantity(one[x], chart.y_unit) if x in one else rounded(None) for one in found]
        for x in places
    ]
    return [chart.x_label, *(curve.label for curve in chart.curves)], rows
