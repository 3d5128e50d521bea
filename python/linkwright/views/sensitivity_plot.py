"""The figure of a sensitivity analysis: a tornado, or bars with their 90 % intervals.

One panel per analysis, the axis with the largest effect on top.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from linkwright.errors import UsageError
from linkwright.views.chart import Axis, Bars, Chart, Mark, Series
from linkwright.views.study_figure import StudyFigure

if TYPE_CHECKING:
    from linkwright.study.sensitivities import Sensitivity

__all__ = ["sensitivity_figure"]

MOST_PANELS = 24
WIDTH, HEIGHT_PER_AXIS, LEAST_HEIGHT = 6.5, 0.42, 2.6
"""Inches of a panel."""


def sensitivity_figure(found: Sensitivity) -> StudyFigure:
    """Return the figure of a sensitivity analysis.

    Raises
    ------
    UsageError
        If there are too many analyses for one figure.
    """
    if len(found.analyses) > MOST_PANELS:
        raise UsageError(
            f"{len(found.analyses)} analyses are more than a figure shows",
            "write .csv or .json, or choose fewer rows with fewer --by",
        )
    n_axes = max(len(one.effects) for one in found.analyses)
    charts = [
        Chart(
            ", ".join(str(cell) for cell in analysis.place),
            _AXES[found.method](found),
            Axis(places=tuple(analysis.effects)),
            tuple(_DRAWN[found.method](list(analysis.effects.values()))),
            marks=(Mark(analysis.base),) if found.method == "tornado" else (),
        )
        for analysis in found.analyses
    ]
    size = (WIDTH, max(LEAST_HEIGHT, 1.4 + HEIGHT_PER_AXIS * n_axes))
    title = f"sensitivity of {found.metric.replace('_', ' ')}"
    return StudyFigure(title, tuple(charts), found.headings(), found.rows(), size=size)


Effects = Sequence[Mapping[str, Any]]
"""The figures of each axis."""


def _tornado(effects: Effects) -> Iterator[Bars]:
    """Yield a bar from the metric at the lowest to that at the highest value, with these values."""
    yield Bars(
        "",
        [one["high"] for one in effects],
        starts=[one["low"] for one in effects],
        colours=[0 if one["high"] >= one["low"] else 1 for one in effects],
        ends=[(_text(one, "lowest"), _text(one, "highest")) for one in effects],
    )


def _text(figures: Mapping[str, Any], name: str) -> str:
    """Return a value of an axis; none where the axis has no effect."""
    value = figures[name] if figures["effect"] else ""
    return f"{value:g}" if isinstance(value, float) else str(value)


def _morris(effects: Effects) -> Iterator[Bars | Series]:
    """Yield mean absolute elementary effects with their intervals, and the deviations as points."""
    yield _bars(effects, "mu_star", "µ*, mean absolute effect")
    sigmas = [one["sigma"] for one in effects]
    yield Series("σ, its deviation", sigmas, [*range(len(sigmas))], look="points")


def _sobol(effects: Effects) -> Iterator[Bars]:
    """Yield first-order and total indices with their intervals."""
    yield _bars(effects, "S1", "S1, alone")
    yield _bars(effects, "ST", "ST, with interactions")


def _bars(effects: Effects, name: str, label: str) -> Bars:
    return Bars(
        label,
        [one[name] for one in effects],
        low=[one[name] - one[f"{name}_conf"] for one in effects],
        high=[one[name] + one[f"{name}_conf"] for one in effects],
    )


_DRAWN: Mapping[str, Callable[[Effects], Iterator[Bars | Series]]] = {
    "tornado": _tornado,
    "morris": _morris,
    "sobol": _sobol,
}
_AXES: Mapping[str, Callable[[Sensitivity], Axis]] = {
    "tornado": lambda found: Axis(found.metric, found.unit),
    "morris": lambda found: Axis(f"effect on {found.metric}", found.unit),
    "sobol": lambda found: Axis(f"share of the variance of {found.metric}"),
}
"""The axis of the values of each method."""
