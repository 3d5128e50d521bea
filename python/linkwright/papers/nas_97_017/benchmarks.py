"""The NAS benchmarks on hub and torus: printed runs, and shapes whose numbers are not here."""

from __future__ import annotations

from linkwright.papers import npb_runs
from linkwright.papers.further_runs import further
from linkwright.papers.run_table import RunTable

__all__ = ["benchmarks"]

_CLUSTERS = {"hub": "hub-16", "torus": "torus-4x4"}
_UNPRINTED = (("ft", 8), ("ft", 16))
"""Benchmarks with numbers of nodes whose printed times are not all here."""


def benchmarks() -> RunTable:
    """Return the runs of the benchmarks."""
    printed = npb_runs.printed_runs(__package__)
    runs = npb_runs.class_a_and_b(_UNPRINTED, _CLUSTERS, printed)
    return RunTable(
        experiments=npb_runs.experiments(__package__, runs, _CLUSTERS),
        further=further(__package__, _CLUSTERS, runs),
        claims=npb_runs.claims("NAS-97-017", "npb", printed),
        plots=lambda results: [npb_runs.plot(runs, results, size) for size in ("S", "A", "B")],
    )
