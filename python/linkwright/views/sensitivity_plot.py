"""The figure of a sensitivity analysis: a tornado, or bars with their 90 % intervals.

One panel per analysis, the axis with the largest effect on top.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from linkwright.errors import UsageError
from linkwright.views.curve_plots import COLOURS, new_figure
from linkwright.views.study_plots import StudyFigure
from linkwright.views.unit_axes import name_axis

if TYPE_CHECKING:
    from linkwright.study.sensitivities import Analysis, Sensitivity

__all__ = ["sensitivity_figure"]

MOST_PANELS = 24
WIDTH, HEIGHT_PER_AXIS, LEAST_HEIGHT = 6.5, 0.42, 2.6
"""Inches of a panel."""
BAR = 0.6
"""Width of a bar as a share of its place."""
ROOM = 0.15
"""Room for the values beside the bars of a tornado, as a share of the widest."""
MOST_TICKS = 6


def sensitivity_figure(found: Sensitivity) -> StudyFigure:
    """Return the figure of a sensitivity analysis.

    Raises
    ------
    UsageError
        If there are too many analyses for one figure.
    CapabilityError
        If Matplotlib is missing.
    """
    if len(found.analyses) > MOST_PANELS:
        raise UsageError(
            f"{len(found.analyses)} analyses are more than a figure shows",
            "write .csv or .json, or choose fewer rows with fewer --by",
        )
    n_axes = max(len(one.effects) for one in found.analyses)
    drawing, panels = new_figure(
        len(found.analyses),
        width=WIDTH,
        height=max(LEAST_HEIGHT, 1.4 + HEIGHT_PER_AXIS * n_axes),
        columns=2,
    )
    for analysis, panel in zip(found.analyses, panels, strict=True):
        _DRAWN[found.method](panel, analysis, found)
        panel.set_yticks(range(len(analysis.effects)), list(analysis.effects))
        panel.invert_yaxis()
        panel.set_title(", ".join(str(cell) for cell in analysis.place))
        panel.grid(visible=True, axis="x", linewidth=0.3)
        panel.set_axisbelow(True)
    title = f"sensitivity of {found.metric.replace('_', ' ')}"
    return StudyFigure(title, drawing, found.headings(), found.rows())


def _tornado(panel: Any, analysis: Analysis, found: Sensitivity) -> None:
    """Draw a bar from the metric at the lowest to that at the highest value, with these values."""
    for place, figures in enumerate(analysis.effects.values()):
        low, high = figures["low"], figures["high"]
        is_rising = high >= low
        panel.barh(place, high - low, BAR, left=low, color=COLOURS[0 if is_rising else 1])
        if figures["effect"]:
            _write(panel, place, low, figures["lowest"], is_right=not is_rising)
            _write(panel, place, high, figures["highest"], is_right=is_rising)
    panel.axvline(analysis.base, color="black", linewidth=0.8)
    ends = [figures[name] for figures in analysis.effects.values() for name in ("low", "high")]
    room = ROOM * (max(ends) - min(ends)) or ROOM * abs(max(ends)) or 1.0
    panel.set_xlim(min(ends) - room, max(ends) + room)
    _label(panel, found.metric, found.unit)


def _write(panel: Any, place: int, x: float, value: Any, *, is_right: bool) -> None:
    """Write a value of an axis beside the end of its bar."""
    panel.annotate(
        f"{value:g}" if isinstance(value, float) else str(value),
        (x, place),
        xytext=(4 if is_right else -4, 0),
        textcoords="offset points",
        ha="left" if is_right else "right",
        va="center",
        fontsize=8,
    )


def _morris(panel: Any, analysis: Analysis, found: Sensitivity) -> None:
    """Draw mean absolute elementary effects with their intervals, and the deviations as points."""
    _bars(panel, analysis, "mu_star", "µ*, mean absolute effect", COLOURS[0], 0.0, BAR)
    sigmas = [figures["sigma"] for figures in analysis.effects.values()]
    panel.plot(sigmas, range(len(sigmas)), "D", ms=5, color=COLOURS[1], label="σ, its deviation")
    panel.set_xlim(left=0)
    _label(panel, f"effect on {found.metric}", found.unit)
    panel.legend(fontsize=8)


def _sobol(panel: Any, analysis: Analysis, found: Sensitivity) -> None:
    """Draw first-order and total indices with their intervals."""
    half = BAR / 2
    _bars(panel, analysis, "S1", "S1, alone", COLOURS[0], -half / 2, half)
    _bars(panel, analysis, "ST", "ST, with interactions", COLOURS[1], half / 2, half)
    _label(panel, f"share of the variance of {found.metric}", "1")
    panel.legend(fontsize=8)


_DRAWN: Mapping[str, Callable[[Any, Analysis, Sensitivity], None]] = {
    "tornado": _tornado,
    "morris": _morris,
    "sobol": _sobol,
}


def _bars(
    panel: Any, analysis: Analysis, name: str, label: str, colour: str, shift: float, width: float
) -> None:
    figures = list(analysis.effects.values())
    panel.barh(
        [place + shift for place in range(len(figures))],
        [one[name] for one in figures],
        width,
        xerr=[one[f"{name}_conf"] for one in figures],
        error_kw={"elinewidth": 1, "capsize": 3},
        color=colour,
        label=label,
    )


def _label(panel: Any, name: str, unit: str) -> None:
    """Name the axis of values, which has few ticks."""
    from matplotlib.ticker import MaxNLocator

    panel.xaxis.set_major_locator(MaxNLocator(MOST_TICKS))
    name_axis(panel.xaxis, name, unit)
