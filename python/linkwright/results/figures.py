"""The figures that every engine reports about its own run, besides those of the workload."""

from __future__ import annotations

from collections.abc import Mapping

from linkwright.workloads import Measurement, Workload

__all__ = ["ENGINE_FIGURES", "UNREPEATABLE_FIGURES", "engine_figures"]

ENGINE_FIGURES: Mapping[str, str] = {
    "simulated_s": "s",
    "wall_s": "s",
    "events": "1",
    "frame_hops": "1",
    "frames_dropped": "1",
    "retransmissions": "1",
    "timeouts": "1",
    "collisions": "1",
    "peak_rss_bytes": "B",
    "waited_share": "1",
    "clock_error_s": "s",
}
"""Unit of each figure. A frame hop is one frame, data or ACK, put on one wire. The waited share is
the part of a measured run for which its ranks waited for a processor, the clock error the largest
between two machines."""

UNREPEATABLE_FIGURES: frozenset[str] = frozenset({"wall_s", "peak_rss_bytes"})
"""Figures of the machine that ran the engine; two runs with the same inputs differ in them."""


def engine_figures(workload: Workload, figures: Mapping[str, float]) -> list[Measurement]:
    """Return the figures that an engine reported, in the order of ENGINE_FIGURES.

    Raises
    ------
    ValueError
        If a figure is unknown.
    """
    unknown = sorted(figures.keys() - ENGINE_FIGURES.keys())
    if unknown:
        raise ValueError(f"unknown engine figures: {', '.join(unknown)}")
    return [
        Measurement(metric, float(figures[metric]), unit, workload.parameters)
        for metric, unit in ENGINE_FIGURES.items()
        if metric in figures
    ]
