"""Plots of curves, drawn by Matplotlib as SVG: the same bytes for the same numbers.

A plot is data; its author chooses the content, this file draws it. Printed numbers are drawn as
points, predictions as curves.
"""

from __future__ import annotations

import io
import os
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from linkwright.errors import CapabilityError, UsageError, shown_path
from linkwright.files import write_atomically
from linkwright.views.quantities import rounded

__all__ = ["COLOURS", "Bars", "Curve", "Panel", "Plot", "new_figure", "svg"]

COLOURS = (
    "#0d4ad0", "#a03c00", "#027351", "#570075", "#b08606", "#1b2430", "#8a5f9a", "#0b90e4",
)  # fmt: skip
"""The series' colours of the pages in light (assets/base.css), which can be told apart by readers
who are colour-blind.
"""
DASHES = ("-", "--", ":", "-.")
"""Line styles, cycled per curve so that coinciding curves stay visible."""
NAME_HEIGHT = 0.045
"""Height of the name of a curve beside its end, as a share of the axes."""
MOST_LINEAR = 20
"""Ratio of the longest to the shortest bar up to which the scale is linear."""


@dataclass(frozen=True)
class Curve:
    """One curve, or some printed points."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    is_printed: bool = False


@dataclass(frozen=True)
class Panel:
    """One pair of axes."""

    title: str
    x_label: str
    """Label of the axis, which shows whole numbers unless it is logarithmic."""
    y_label: str
    curves: tuple[Curve, ...]
    is_log_x: bool = False
    is_log_y: bool = False


@dataclass(frozen=True)
class Bars:
    """One pair of axes with a bar per name, the shortest on top."""

    title: str
    x_label: str
    values: Mapping[str, float]
    """Length by name; the scale is logarithmic if they differ by more than `MOST_LINEAR`."""


@dataclass(frozen=True, repr=False)
class Plot:
    """Panels side by side, which a notebook shows."""

    name: str
    """Name of its file, without a suffix."""
    caption: str
    panels: tuple[Panel | Bars, ...]

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
        """Return the drawing.

        Raises
        ------
        CapabilityError
            If Matplotlib is missing.
        """
        return svg(self.figure())

    def figure(self) -> Any:
        """Return the drawing as a figure of Matplotlib, whose axes can still be changed.

        Raises
        ------
        CapabilityError
            If Matplotlib is missing.
        """
        figure, axes = new_figure(len(self.panels), width=5.2, height=3.8, columns=2)
        for panel, pair in zip(self.panels, axes, strict=True):
            if isinstance(panel, Bars):
                _draw_bars(panel, pair)
            else:
                _draw(panel, pair)
        return figure


def _draw(panel: Panel, axes: Any) -> None:
    labels = list(dict.fromkeys(curve.label for curve in panel.curves))
    for curve in panel.curves:
        index = labels.index(curve.label)
        colour = COLOURS[index % len(COLOURS)]
        if curve.is_printed:
            style: dict[str, Any] = {"marker": "x", "linestyle": "", "markersize": 8}
            label = f"{curve.label}, printed"
        else:
            dashes = DASHES[index % len(DASHES)]
            style = {"marker": "o", "markersize": 3, "linestyle": dashes, "linewidth": 1.8}
            label = curve.label
        axes.plot(curve.x, curve.y, color=colour, label=label, **style)
    _scale(panel, axes)
    axes.set(title=panel.title, xlabel=panel.x_label, ylabel=panel.y_label)
    axes.grid(visible=True, linewidth=0.3)
    if len(labels) > len(COLOURS) and not any(curve.is_printed for curve in panel.curves):
        _name_ends(panel, axes)
    else:
        axes.legend(fontsize=7)


def _name_ends(panel: Panel, axes: Any) -> None:
    """Write the names of many curves beside their ends, apart from each other, with a thin line."""
    to_share = axes.transData + axes.transAxes.inverted()
    ends = {curve.label: (curve.x[-1], curve.y[-1]) for curve in panel.curves if len(curve.x)}
    shares = {label: float(to_share.transform(end)[1]) for label, end in ends.items()}
    order = sorted(ends, key=lambda label: shares[label])
    apart = min(NAME_HEIGHT, 1 / len(order))
    colours = {line.get_label(): line.get_color() for line in axes.get_lines()}
    at = -apart
    for place, label in enumerate(order):
        room_above = 1 - apart * (len(order) - 1 - place)
        at = min(max(at + apart, shares[label]), room_above)
        colour = colours.get(label, COLOURS[0])
        axes.annotate(
            label,
            xy=ends[label],
            xytext=(1.04, at),
            textcoords="axes fraction",
            verticalalignment="center",
            fontsize=6.5,
            color=colour,
            arrowprops={"arrowstyle": "-", "linewidth": 0.4, "color": colour},
        )


def _draw_bars(panel: Bars, axes: Any) -> None:
    values = dict(sorted(panel.values.items(), key=lambda entry: entry[1]))
    bars = axes.barh(list(values), list(values.values()), color=COLOURS[0], height=0.65)
    axes.bar_label(bars, [rounded(value) for value in values.values()], padding=3, fontsize=8)
    axes.invert_yaxis()
    axes.set(title=panel.title, xlabel=panel.x_label)
    least, most = min(values.values()), max(values.values())
    if least > 0 and most / least > MOST_LINEAR:
        axes.set_xscale("log")
    axes.margins(x=0.15)
    axes.grid(visible=True, axis="x", linewidth=0.3)
    axes.set_axisbelow(True)


def _scale(panel: Panel, axes: Any) -> None:
    """Set the scales of the axes, with plain numbers: counts have no halves."""
    from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter

    if panel.is_log_x:
        axes.set_xscale("log", base=2)
    else:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if panel.is_log_y:
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.10g}")
        axes.yaxis.set_minor_formatter(NullFormatter())


def new_figure(
    n_panels: int, *, width: float, height: float, columns: int
) -> tuple[Any, list[Any]]:
    """Return a Matplotlib figure and its panels in rows; sizes of a panel in inches.

    Raises
    ------
    CapabilityError
        If Matplotlib is missing.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure as Drawing
    except ImportError as error:
        raise CapabilityError(
            "plots need Matplotlib", "install it: pip install matplotlib"
        ) from error
    # Names of parts of an SVG are random unless salted.
    mpl.rcParams["svg.hashsalt"] = "linkwright"
    columns = min(columns, n_panels)
    rows = -(-n_panels // columns)
    figure = Drawing(figsize=(width * columns, height * rows), layout="constrained")
    panels = list(figure.subplots(rows, columns, squeeze=False).flatten())
    for spare in panels[n_panels:]:
        spare.set_axis_off()
    return figure, panels[:n_panels]


def svg(figure: Any) -> str:
    """Return a Matplotlib figure as SVG without a date."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines()) + "\n"
