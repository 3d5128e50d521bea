"""A plot of throughput over time, as SVG: how a stream takes a cut, on real kernels and as
predicted.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from linkwright.views.chart import Axis, Chart, Mark, Series
from linkwright.views.plots import Plot

__all__ = ["Rates", "joined", "traffic_plot"]

Rates = tuple[NDArray[np.float64], NDArray[np.float64]]
"""Times in seconds, and bytes per second from then on."""

STEP_S = 0.01
"""Shortest step that is drawn."""


def traffic_plot(
    runs: Mapping[str, Rates], label: str, marks_s: Mapping[str, float] | None = None
) -> str:
    """Return an SVG of rates over time, a curve per run.

    Parameters
    ----------
    runs : mapping of str to pair of ndarray
        Times in seconds and bytes per second, as `Traffic.received_by` returns them, by the name of
        the run.
    label : str
        Name of the rate.
    marks_s : mapping of str to float, optional
        Times to mark, in seconds, with their names.

    Raises
    ------
    CapabilityError
        If Matplotlib is missing.
    """
    curves = {name: joined(*rates) for name, rates in runs.items()}
    chart = Chart(
        "",
        Axis("time (s)"),
        Axis(f"{label} (Mb/s)"),
        tuple(
            Series(name, time_s.tolist(), (rate * 8 / 1e6).tolist(), look="steps")
            for name, (time_s, rate) in curves.items()
        ),
        marks=tuple(Mark(mark_s, name=name) for name, mark_s in (marks_s or {}).items()),
    )
    return Plot("traffic", label, (chart,), size=(8, 3.2)).svg()


def joined(time_s: NDArray[np.float64], rate: NDArray[np.float64]) -> Rates:
    """Return mean rates in steps that can be seen, of several spans each."""
    span_s = time_s[1] if len(time_s) > 1 else STEP_S
    n = max(1, round(STEP_S / span_s))
    starts = np.arange(0, len(rate), n)
    return time_s[starts], np.array([rate[start : start + n].mean() for start in starts])
