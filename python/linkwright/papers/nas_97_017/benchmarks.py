"""The NAS benchmarks on hub and torus: printed runs, and shapes whose numbers are not here."""

from __future__ import annotations

from functools import partial

from linkwright.papers import npb_runs
from linkwright.papers.npb_runs import NpbRun, printed_runs
from linkwright.papers.study import Results, Study
from linkwright.views.figures import Figure

__all__ = ["benchmarks"]

_CLUSTERS = {"hub": "hub-16", "torus": "torus-4x4"}

_MORE = {16: ("bt", "sp", "lu", "ft", "mg", "is"), 8: ("ft",)}
"""Benchmarks that were run on so many nodes, and whose printed times are not here."""


def benchmarks() -> Study:
    """Return the study of the benchmarks."""
    printed = printed_runs(__package__)
    runs = [*printed, *_unprinted(printed)]
    return Study(
        experiments=tuple(npb_runs.runs_as_experiments(__package__, runs, _CLUSTERS)),
        claims=tuple(npb_runs.runs_as_claims("NAS-97-017", "npb", runs)),
        figures=partial(_figures, runs),
    )


def _unprinted(printed: list[NpbRun]) -> list[NpbRun]:
    known = {run.name for run in printed}
    runs = [
        NpbRun(benchmark=benchmark, problem_class=size, nodes=nodes, layout="any", network=network)
        for nodes, kinds in _MORE.items()
        for benchmark in kinds
        for size in ("A", "B")
        for network in _CLUSTERS
    ]
    return [run for run in runs if run.name not in known]


def _figures(runs: list[NpbRun], results: Results) -> list[Figure]:
    return [figure for size in ("S", "A", "B") for figure in npb_runs.figures(runs, results, size)]
