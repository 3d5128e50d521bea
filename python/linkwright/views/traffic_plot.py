"""A plot of throughput over time, as SVG: how a stream takes a cut, on real kernels and as
predicted.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from linkwright.views.curve_plots import COLOURS, new_figure, svg

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
    figure, (panel,) = new_figure(1, width=8, height=3.2, columns=1)
    for colour, (name, rates) in zip(COLOURS, runs.items(), strict=False):
        time_s, rate = joined(*rates)
        panel.step(
            time_s, rate * 8 / 1e6, where="post", label=name, color=colour, linewidth=1, alpha=0.8
        )
    for name, mark_s in (marks_s or {}).items():
        panel.axvline(mark_s, color="#999999", linewidth=0.8, linestyle="--")
        panel.annotate(
            name, (mark_s, 1), xycoords=("data", "axes fraction"), va="bottom", ha="center"
        )
    panel.set_xlabel("time (s)")
    panel.set_ylabel(f"{label} (Mb/s)")
    panel.set_ylim(bottom=0)
    panel.legend(loc="lower right", fontsize=8)
    return svg(figure)


def joined(time_s: NDArray[np.float64], rate: NDArray[np.float64]) -> Rates:
    """Return mean rates in steps that can be seen, of several spans each."""
    span_s = time_s[1] if len(time_s) > 1 else STEP_S
    n = max(1, round(STEP_S / span_s))
    starts = np.arange(0, len(rate), n)
    return time_s[starts], np.array([rate[start : start + n].mean() for start in starts])
