"""A chart as data: series over two axes, in base units.

Files are drawn from it by Matplotlib (`plots.py`), pages by the charting library of their script
(frontend/src/charts.ts).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, asdict, dataclass
from typing import Any, Literal

from linkwright.views.quantities import quantity, rounded

__all__ = [
    "Axis",
    "Bars",
    "Boxes",
    "Cells",
    "Chart",
    "Mark",
    "Series",
    "chart_data",
    "chart_table",
    "linked_places",
]

Look = Literal["line", "steps", "points", "printed"]


@dataclass(frozen=True)
class Axis:
    """An axis: its name, the base unit of its values, its scale."""

    name: str = ""
    unit: str = "1"
    """Base unit; "1" has no name."""
    log: Literal[0, 2, 10] = 0
    """Base of a logarithmic scale; 0 is a linear one."""
    places: tuple[str, ...] = ()
    """Names of the places 0, 1 and so on, of an axis without numbers."""


@dataclass(frozen=True)
class Series:
    """Values along the horizontal axis."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    _: KW_ONLY
    look: Look = "line"
    """*Printed* are points from a source, beside the curve of the same name."""
    colour: int | None = None
    """Default: by the place of the name among those of the chart."""
    is_dashed: bool = False
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    """The ends of the interval of each value, if there are intervals."""
    texts: Sequence[str] = ()
    """The name of each point, if points have names."""
    links: Mapping[float, str] | None = None
    """Part of the page that a point leads to, by its place on the horizontal axis."""


@dataclass(frozen=True)
class Bars:
    """A bar for each place of the vertical axis."""

    name: str
    values: Sequence[float | None]
    """The end of each bar; None of one that was not measured."""
    _: KW_ONLY
    starts: Sequence[float] = ()
    """The begin of each bar. Default: 0."""
    colours: Sequence[int] = ()
    """Default: one colour for all, by the place of the series."""
    low: Sequence[float | None] = ()
    high: Sequence[float | None] = ()
    """The ends of the interval of each value, if there are intervals."""
    notes: Sequence[str] = ()
    """A remark on each bar."""
    ends: Sequence[tuple[str, str]] = ()
    """Texts at the begin and at the end of each bar. Default: its value at the end."""


@dataclass(frozen=True)
class Boxes:
    """The spread of several values at each place of the horizontal axis."""

    name: str
    boxes: Sequence[tuple[float, float, float, float, float]]
    """Lower whisker, lower quartile, median, upper quartile, upper whisker."""
    outliers: Sequence[tuple[int, float]] = ()
    """Place and value of all values beyond the whiskers."""


@dataclass(frozen=True)
class Cells:
    """A value for each pair of places, as a colour."""

    values: Sequence[Sequence[float | None]]
    """Rows from the bottom up; None without a value."""
    axis: Axis
    """The axis of the values."""
    missing: str = ""
    """Why cells have no value."""


@dataclass(frozen=True)
class Mark:
    """A line across the chart at a value of one axis."""

    value: float
    axis: Literal["x", "y"] = "x"
    name: str = ""


@dataclass(frozen=True)
class Chart:
    """Series over one pair of axes."""

    title: str
    x: Axis
    y: Axis
    series: tuple[Series | Bars | Boxes | Cells, ...]
    _: KW_ONLY
    id: str = ""
    note: str = ""
    marks: tuple[Mark, ...] = ()

    @property
    def curves(self) -> tuple[Series, ...]:
        """The series along the horizontal axis."""
        return tuple(one for one in self.series if isinstance(one, Series))

    @property
    def bars(self) -> tuple[Bars, ...]:
        """The series of bars."""
        return tuple(one for one in self.series if isinstance(one, Bars))

    @property
    def key(self) -> list[tuple[str, int]]:
        """Names and colours of series that are not named where they are drawn."""
        named = [
            (_name(one), colour)
            for one, colour in zip(self.series, self.colours, strict=True)
            if _name(one)
        ]
        return named if self.bars and len(named) > 1 else []

    @property
    def colours(self) -> list[int]:
        """The colour of each series: equal names have equal ones."""
        names = list(dict.fromkeys(_name(one) for one in self.series))
        given = (one.colour if isinstance(one, Series) else None for one in self.series)
        return [
            names.index(_name(one)) if colour is None else colour
            for one, colour in zip(self.series, given, strict=True)
        ]


def _name(series: Series | Bars | Boxes | Cells) -> str:
    return "" if isinstance(series, Cells) else series.name


def chart_data(chart: Chart) -> dict[str, Any]:
    """Return a chart as JSON values: `Chart` in frontend/src/charts/spec.ts."""
    found = asdict(chart)
    for data, series, colour in zip(found["series"], chart.series, chart.colours, strict=True):
        data |= {"kind": type(series).__name__.lower(), "colour": colour}
        if isinstance(series, Series) and series.links:
            data["links"] = [series.links.get(x) for x in series.x]
        for name in [name for name, value in data.items() if value is None or value == ()]:
            del data[name]
    return found


def linked_places(chart: Chart) -> dict[tuple[int, int], str]:
    """Return the part of the page that a cell of `chart_table` leads to, by row and column."""
    places = sorted({x for curve in chart.curves for x in curve.x})
    return {
        (places.index(x), column): link
        for column, curve in enumerate(chart.curves, start=1)
        for x, link in (curve.links or {}).items()
    }


def chart_table(chart: Chart) -> tuple[list[str], list[list[str]]]:
    """Return headings and rows of the numbers of curves: a row per place, a column per curve."""
    places = sorted({x for curve in chart.curves for x in curve.x})
    values = [dict(zip(curve.x, curve.y, strict=True)) for curve in chart.curves]
    rows = [
        [quantity(x, chart.x.unit)]
        + [quantity(one[x], chart.y.unit) if x in one else rounded(None) for one in values]
        for x in places
    ]
    return [chart.x.name, *(curve.name for curve in chart.curves)], rows
