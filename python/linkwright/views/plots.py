"""Charts as files: drawn by Matplotlib as SVG or PNG, the same bytes for the same numbers.

A `Plot` is several charts side by side. Matplotlib is imported when the first one is drawn.
"""

from __future__ import annotations

import io
import os
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Literal

from linkwright.errors import CapabilityError, UsageError, shown_path
from linkwright.files import write_atomically
from linkwright.views.chart import Axis, Bars, Boxes, Cells, Chart, Mark, Series
from linkwright.views.quantities import display_unit, quantity, rounded, size

__all__ = ["COLOURS", "Plot", "expect_matplotlib", "name_axis"]

COLOURS = (
    "#0d4ad0", "#a03c00", "#027351", "#570075", "#b08606", "#1b2430", "#8a5f9a", "#0b90e4",
)  # fmt: skip
"""The series' colours of the pages in light (assets/base.css), which can be told apart by readers
who are colour-blind.
"""
QUIET = "#888888"
"""Series of colour -1, which stand back, and marks."""
DASHES = ("-", "--", ":", "-.")
"""Line styles, cycled per curve so that coinciding curves stay visible."""
NAME_HEIGHT = 0.045
"""Height of the name of a curve beside its end, as a share of the axes."""
MOST_LINEAR = 20
"""Ratio of the longest to the shortest bar up to which the scale is linear."""
BAR = 0.65
"""Width of a bar as a share of its place."""
DOT = 40
"""Area of a dot in place of a bar, in square points."""
MOST_TEXTS = 200
"""Cells up to which each shows its value."""
CELL_TEXTS = ("#fdfdfd", "#101418")
"""Texts on dark and on light cells."""
MISSING_FILL = "#dddddd"
NEAR_ZERO = 5
"""Values up to which a logarithmic scale with values on both sides of zero is linear."""
PNG_DPI = 150


@dataclass(frozen=True, repr=False)
class Plot:
    """Charts side by side, which a notebook shows."""

    name: str
    """Name of its file, without a suffix."""
    caption: str
    panels: tuple[Chart, ...]
    columns: int = 2
    size: tuple[float, float] = (5.2, 3.8)
    """Width and height of a panel in inches."""
    has_common_axes: bool = False
    """Whether all panels have the ranges and the legend of the first."""

    def __repr__(self) -> str:
        return f"<Plot {self.caption}: {', '.join(panel.title for panel in self.panels)}>"

    def _repr_html_(self) -> str:
        # As an image a plot shrinks with its notebook, has words for a screen reader, and shares
        # no identifiers with other plots.
        data = b64encode(self.svg().encode()).decode()
        source = f"data:image/svg+xml;base64,{data}"
        return f'<img src="{source}" alt="{escape(repr(self)[1:-1])}" style="max-width: 100%">'

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the drawing as SVG.

        Raises
        ------
        UsageError
            If the path does not end in `.svg`.
        CapabilityError
            If Matplotlib is missing.
        OutputError
            If the file cannot be written.
        """
        if Path(path).suffix.lower() != ".svg":
            raise UsageError(f"{shown_path(path)} is no SVG file", "end its name in .svg")
        write_atomically(path, self.svg())

    def svg(self) -> str:
        """Return the drawing as SVG without a date.

        Raises
        ------
        CapabilityError
            If Matplotlib is missing.
        """
        text = self._file(format="svg", metadata={"Date": None, "Creator": None}).decode()
        return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"

    def png(self) -> bytes:
        """Return the drawing as PNG.

        Raises
        ------
        CapabilityError
            If Matplotlib is missing.
        """
        return self._file(format="png", dpi=PNG_DPI, metadata={"Software": None})

    def _file(self, **options: Any) -> bytes:
        buffer = io.BytesIO()
        self.figure().savefig(buffer, **options)
        return buffer.getvalue()

    def figure(self) -> Any:
        """Return the drawing as a figure of Matplotlib, whose axes can still be changed.

        Raises
        ------
        CapabilityError
            If Matplotlib is missing.
        """
        expect_matplotlib()
        from matplotlib.figure import Figure

        n, (width, height) = len(self.panels), self.size
        columns = min(self.columns, n)
        rows = -(-n // columns)
        figure = Figure(figsize=(width * columns, height * rows), layout="constrained")
        is_common = self.has_common_axes
        grid = figure.subplots(rows, columns, squeeze=False, sharex=is_common, sharey=is_common)
        axes = list(grid.flatten())
        for spare in axes[n:]:
            spare.set_axis_off()
        for panel, pair in zip(self.panels, axes[:n], strict=True):
            _draw(panel, pair, has_legend=not is_common)
        if is_common:
            handles = axes[0].get_legend_handles_labels()
            figure.legend(*handles, loc="outside right center", fontsize=8)
        return figure


def expect_matplotlib() -> None:
    """Prepare Matplotlib.

    Raises
    ------
    CapabilityError
        If it is missing.
    """
    try:
        import matplotlib as mpl
    except ImportError as error:
        raise CapabilityError(
            "plots need Matplotlib", "install it: pip install matplotlib"
        ) from error
    # Names of parts of an SVG are random unless salted.
    mpl.rcParams["svg.hashsalt"] = "linkwright"


def _draw(chart: Chart, axes: Any, *, has_legend: bool) -> None:
    for place, (series, colour) in enumerate(zip(chart.series, chart.colours, strict=True)):
        if isinstance(series, Series):
            _draw_series(series, colour, axes)
        elif isinstance(series, Bars):
            _draw_bars(chart, place, axes)
        elif isinstance(series, Boxes):
            _draw_boxes(series, axes)
        else:
            _draw_cells(series, axes)
    axes.set_title(chart.title)
    _scale(axes.xaxis, chart.x, [*_values(chart, "x")])
    _scale(axes.yaxis, chart.y, [*_values(chart, "y")])
    for mark in chart.marks:
        _draw_mark(mark, axes)
    if not any(isinstance(one, Cells) for one in chart.series):
        axes.grid(visible=True, axis="x" if chart.bars else "both", linewidth=0.3)
        axes.set_axisbelow(True)
    if has_legend:
        _name_series(chart, axes)


def _draw_series(series: Series, colour: int, axes: Any) -> None:
    shade = COLOURS[colour % len(COLOURS)] if colour >= 0 else QUIET
    dashes = "--" if series.is_dashed else DASHES[max(colour, 0) % len(DASHES)]
    style: dict[str, Any] = {
        "line": {"marker": "o", "markersize": 3, "linestyle": dashes, "linewidth": 1.8},
        "steps": {"drawstyle": "steps-post", "linewidth": 1, "alpha": 0.8},
        "points": {"marker": "o", "markersize": 6, "linestyle": ""},
        "printed": {"marker": "x", "markersize": 8, "linestyle": ""},
    }[series.look]
    name = f"{series.name}, printed" if series.look == "printed" else series.name
    axes.plot(series.x, series.y, color=shade, label=name or "_", **style)
    if series.low:
        axes.fill_between(series.x, series.low, series.high, color=shade, alpha=0.2, linewidth=0)
    for x, y, text in zip(series.x, series.y, series.texts, strict=False):
        axes.annotate(text, (x, y), xytext=(6, 4), textcoords="offset points", fontsize=8)
    if series.texts:
        axes.margins(x=0.15)


def _draw_bars(chart: Chart, number: int, axes: Any) -> None:
    """Draw one of the series of bars, those of several side by side."""
    bars, colour = chart.series[number], chart.colours[number]
    assert isinstance(bars, Bars)
    width = BAR / len(chart.bars)
    shift = width * (chart.bars.index(bars) - (len(chart.bars) - 1) / 2)
    starts = bars.starts or [0.0] * len(bars.values)
    known = [place for place, value in enumerate(bars.values) if value is not None]
    colours = bars.colours or [colour] * len(bars.values)
    rows = [place + shift for place in known]
    shades = [COLOURS[colours[place] % len(COLOURS)] for place in known]
    ends = [bars.values[place] or 0.0 for place in known]
    if are_dots := _are_dots(chart):
        axes.scatter(ends, rows, s=DOT, color=shades, label=bars.name or "_")
    else:
        lengths = [end - starts[place] for end, place in zip(ends, known, strict=True)]
        left = [starts[place] for place in known]
        drawn = axes.barh(rows, lengths, width, left=left, color=shades, label=bars.name or "_")
    for place in known:
        if bars.low and bars.low[place] is not None:
            span = [bars.low[place], bars.high[place]]
            axes.plot(span, [place + shift] * 2, color="black", linewidth=1, marker="|")
    if bars.ends:
        _write_ends(bars, starts, axes)
    elif not bars.low and len(chart.bars) == 1:
        texts = [_rounded(chart.x.unit, bars.values)[place] for place in known]
        if are_dots:
            _write_beside(texts, ends, rows, axes)
        else:
            axes.bar_label(drawn, texts, padding=3, fontsize=8)
    if not axes.yaxis_inverted():
        axes.invert_yaxis()
    axes.margins(x=0.15)


def _are_dots(chart: Chart) -> bool:
    """Return whether bars are dots: on a logarithmic axis the length of a bar means nothing."""
    has_ends = any(bars.starts or bars.low for bars in chart.bars)
    return not has_ends and _is_wide([*_values(chart, "x")])


def _is_wide(values: Sequence[float]) -> bool:
    """Return whether the largest value would crush the others on a linear axis."""
    return bool(values) and min(values) > 0 and max(values) > MOST_LINEAR * min(values)


def _write_beside(
    texts: Sequence[str], ends: Sequence[float], rows: Sequence[float], axes: Any
) -> None:
    for text, end, row in zip(texts, ends, rows, strict=True):
        place = {"xytext": (6, 0), "textcoords": "offset points", "va": "center"}
        axes.annotate(text, (end, row), fontsize=8, **place)


def _rounded(unit: str, values: Sequence[float | None]) -> list[str]:
    """Return values in their common display unit, without its name."""
    factor, _ = display_unit([value for value in values if value is not None], unit)
    return [rounded(None if value is None else value * factor) for value in values]


def _write_ends(bars: Bars, starts: Sequence[float], axes: Any) -> None:
    for place, (texts, begin) in enumerate(zip(bars.ends, starts, strict=True)):
        end = bars.values[place] or 0.0
        for text, x, is_right in ((texts[0], begin, begin > end), (texts[1], end, begin <= end)):
            at = {"xytext": (4 if is_right else -4, 0), "ha": "left" if is_right else "right"}
            if text:
                axes.annotate(
                    text, (x, place), textcoords="offset points", va="center", fontsize=8, **at
                )


def _draw_boxes(series: Boxes, axes: Any) -> None:
    names = ("whislo", "q1", "med", "q3", "whishi")
    beyond = [[y for at, y in series.outliers if at == place] for place in range(len(series.boxes))]
    stats = [
        dict(zip(names, box, strict=True)) | {"fliers": fliers}
        for box, fliers in zip(series.boxes, beyond, strict=True)
    ]
    axes.bxp(stats, positions=range(len(stats)), medianprops={"color": COLOURS[1]})


def _draw_cells(series: Cells, axes: Any) -> None:
    import numpy as np
    from matplotlib.colors import LogNorm

    cells = np.array(series.values, dtype=np.float64)
    norm = LogNorm() if series.axis.log else None
    image = axes.imshow(cells, aspect="auto", origin="lower", cmap="viridis", norm=norm)
    _scale(axes.figure.colorbar(image).ax.yaxis, series.axis, [])
    missing = [(row, column) for row, column in np.argwhere(np.isnan(cells))]
    _hatch(missing, series.missing, axes)
    if cells.size > MOST_TEXTS:
        return
    for (row, column), value in np.ndenumerate(cells):
        if not np.isnan(value):
            colour = CELL_TEXTS[0 if image.norm(value) < 0.6 else 1]
            text = quantity(float(value), series.axis.unit)
            axes.text(column, row, text, ha="center", va="center", color=colour, fontsize=8)


def _hatch(places: Sequence[tuple[int, int]], reason: str, axes: Any) -> None:
    """Hatch the cells without a value, and say the reason in a legend."""
    from matplotlib.patches import Rectangle

    look: dict[str, Any] = {"facecolor": MISSING_FILL, "edgecolor": QUIET, "hatch": "///"}
    for row, column in places:
        axes.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, linewidth=0, **look))
    if places:
        key = Rectangle((0, 0), 1, 1, label=reason, linewidth=0, **look)
        axes.legend(handles=[key], fontsize=8, loc="lower left", bbox_to_anchor=(0, 1))


def _draw_mark(mark: Mark, axes: Any) -> None:
    draw = axes.axvline if mark.axis == "x" else axes.axhline
    draw(mark.value, color=QUIET, linewidth=0.8, linestyle="--" if mark.name else "-")
    if mark.name:
        where = {"xycoords": ("data", "axes fraction"), "va": "bottom", "ha": "center"}
        axes.annotate(mark.name, (mark.value, 1), **where)


def _values(chart: Chart, axis: Literal["x", "y"]) -> Iterator[float]:
    """Yield the values along an axis."""
    for series in chart.series:
        if isinstance(series, Series):
            yield from getattr(series, axis)
        elif isinstance(series, Bars) and axis == "x":
            yield from (value for value in (*series.values, *series.starts) if value is not None)
        elif isinstance(series, Boxes) and axis == "y":
            yield from (value for box in series.boxes for value in box)


def _scale(axis: Any, spec: Axis, values: Sequence[float]) -> None:
    """Set the scale of an axis, and name it."""
    from matplotlib.ticker import MaxNLocator

    axes, name = axis.axes, axis.axis_name
    set_scale = {"x": axes.set_xscale, "y": axes.set_yscale}[name]
    is_of_bars = name == "x" and axes.yaxis_inverted() and not axes.get_lines()
    if spec.places:
        axis.set_ticks(range(len(spec.places)), spec.places)
        if name == "x" and len(spec.places) > 6:
            axes.tick_params(axis="x", rotation=45)
    elif spec.log and values and min(values) <= 0:
        set_scale("symlog", linthresh=NEAR_ZERO)
    elif spec.log or (is_of_bars and _is_wide(values)):
        set_scale("log", base=spec.log or 10)
    elif values and all(float(value).is_integer() for value in values) and spec.unit == "1":
        axis.set_major_locator(MaxNLocator(integer=True))  # counts have no halves
    if not spec.log and not spec.places and name == "y" and values and min(values) >= 0:
        axes.set_ylim(bottom=0)
    name_axis(axis, spec)


def name_axis(axis: Any, spec: Axis) -> None:
    """Name an axis of Matplotlib, and number it in the unit that suits its longest value.

    Parameters
    ----------
    axis : matplotlib.axis.Axis
        An axis with its scale and its limits, in base units.
    spec : Axis
        Its name, unit and scale.
    """
    from matplotlib.ticker import LogLocator, NullFormatter

    words = spec.name.replace("_", " ")
    if spec.places or spec.log == 2:
        axis.set_label_text(words)
        if spec.unit == "B":
            axis.set_major_formatter(lambda value, _: size(value))
        return
    factor, shown = display_unit(axis.get_view_interval(), spec.unit)
    axis.set_label_text(words if shown == "1" else f"{words} ({shown})" if words else shown)
    if axis.get_scale() == "log":
        least, most = axis.get_view_interval()
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if most < 1e4 * least else (1.0,)))
        axis.set_minor_formatter(NullFormatter())
    axis.set_major_formatter(lambda value, _: f"{value * factor:,.10g}")


def _name_series(chart: Chart, axes: Any) -> None:
    """Name curves in a legend; many of them beside their ends."""
    names = dict.fromkeys(one.name for one in chart.curves if one.name)
    if len(names) > len(COLOURS) and all(one.look == "line" for one in chart.curves):
        _name_ends(chart, axes)
    elif names or len(chart.bars) > 1:
        axes.legend(fontsize=7)


def _name_ends(chart: Chart, axes: Any) -> None:
    """Write the names of many curves beside their ends, apart from each other, with a thin line."""
    to_share = axes.transData + axes.transAxes.inverted()
    ends = {curve.name: (curve.x[-1], curve.y[-1]) for curve in chart.curves if len(curve.x)}
    shares = {name: float(to_share.transform(end)[1]) for name, end in ends.items()}
    order = sorted(ends, key=lambda name: shares[name])
    apart = min(NAME_HEIGHT, 1 / len(order))
    colours: Mapping[str, str] = {line.get_label(): line.get_color() for line in axes.get_lines()}
    at = -apart
    for place, name in enumerate(order):
        room_above = 1 - apart * (len(order) - 1 - place)
        at = min(max(at + apart, shares[name]), room_above)
        axes.annotate(
            name,
            xy=ends[name],
            xytext=(1.04, at),
            textcoords="axes fraction",
            verticalalignment="center",
            fontsize=6.5,
            color=colours[name],
            arrowprops={"arrowstyle": "-", "linewidth": 0.4, "color": colours[name]},
        )
