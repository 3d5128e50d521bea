"""Names of metrics in words, and their values in units that people read.

Files have the raw names.
"""

from __future__ import annotations

from linkwright.views.quantities import quantity

__all__ = ["METRIC_WORDS", "figure", "metric_words"]

METRIC_WORDS = {
    "aggregate_throughput": "throughput of all ranks",
    "simulated_s": "simulated time",
    "wall_s": "time of this computer",
    "events": "events of the engine",
    "frame_hops": "frames on wires",
    "frames_dropped": "frames dropped",
    "retransmissions": "segments sent again",
    "timeouts": "time-outs",
    "peak_rss_bytes": "memory of this computer",
    "frames_lost": "frames lost by the fault",
    "stalled_connections": "connections that stalled",
    "unrecovered_connections": "connections that did not recover",
    "recovery_s": "longest stall",
    "no_carrier": "frames lost without carrier",
    "at_dead_device": "frames lost at a dead device",
    "corrupted": "frames damaged",
    "waited_share": "share of the time that ranks waited for a processor",
    "clock_error_s": "largest difference of clocks",
    "skipped_share": "share of the run that was skipped",
    "skip_error_bound": "largest error by skipping",
}
"""Words for the metrics whose names do not read as words; those of others are their names."""
UNITS = ("_s", "_bytes", "_Bps")
"""Ends of names that say a unit."""


def metric_words(metric: str) -> str:
    """Return the name of a metric in words.

    Examples
    --------
    >>> metric_words("frame_hops"), metric_words("time"), metric_words("mean_wait_s")
    ('frames on wires', 'time', 'mean wait')
    """
    known = METRIC_WORDS.get(metric)
    if known:
        return known
    for unit in UNITS:
        metric = metric.removesuffix(unit)
    return metric.replace("_", " ")


def figure(value: float, unit: str) -> str:
    """Return a value for people: bytes in kB or MB, large counts with separators.

    Examples
    --------
    >>> figure(64888832, "B"), figure(29200, "B"), figure(12870, "1"), figure(0.000275, "s")
    ('64.9 MB', '29.2 kB', '12,870', '275 µs')
    """
    if unit == "B" and value >= 1e6:
        return quantity(value / 1e6, "MB")
    if unit == "B" and value >= 1e4:
        return quantity(value / 1e3, "kB")
    if unit == "1" and value >= 1000 and value == int(value):
        return f"{int(value):,}"
    return quantity(value, unit)
