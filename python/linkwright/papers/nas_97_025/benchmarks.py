"""The NAS benchmarks on the switch and on hubs behind it, with this campaign's slower nodes.

The factor is read from one row, LU class B on two nodes: printed 46.09 Mflop/s where the torus of
the other campaign has 60.47 [NAS-97-025], [NAS-97-017], and where hardly anything is sent. That row
is calibrated, all others are predicted. The same runs at full speed show what the factor does.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from linkwright.papers import npb_runs
from linkwright.papers.npb_runs import NpbRun, printed_runs
from linkwright.papers.study import Experiment, Results, Study, mean_of
from linkwright.views.figures import Curve, Figure, Panel

__all__ = ["NODE_SPEED", "benchmarks", "hub_density", "without_factor"]

NODE_SPEED = 0.762
"""Of this campaign's nodes beside those of NAS-97-017."""
_FITTED = frozenset({"lu.B.2-switch"})

_CLUSTERS = {"switch": "switch-36"}
_SQUARES = (4, 9, 16, 25, 36)
_POWERS = (2, 4, 8, 16, 32)
_NODES = {"bt": _SQUARES, "sp": _SQUARES, "lu": _POWERS, "mg": _POWERS, "is": _POWERS}
_DENSITIES = range(1, 8)
_ON_HUBS = {"bt": 36, "sp": 36, "lu": 32}


def benchmarks() -> Study:
    """Return the study of the benchmarks on the switch."""
    printed = printed_runs(__package__)
    runs = [*printed, *_unprinted(printed)]
    return Study(
        experiments=_experiments(runs, NODE_SPEED),
        claims=tuple(npb_runs.runs_as_claims("NAS-97-025", "npb", runs, fitted=_FITTED)),
        figures=lambda results: [
            figure for size in ("A", "B") for figure in npb_runs.figures(runs, results, size)
        ],
    )


def without_factor() -> Study:
    """Return the printed runs with nodes at full speed, which count nowhere."""
    runs = printed_runs(__package__)
    left_out = "nodes at full speed: this campaign's were slower, whatever the network"
    claims = npb_runs.runs_as_claims("NAS-97-025", "npb-without-factor", runs, left_out=left_out)
    return Study(experiments=_experiments(runs, 1.0), claims=tuple(claims))


def hub_density() -> Study:
    """Return the study of how many nodes may share a hub."""
    clusters = {f"density-{density}": f"density-{density}" for density in _DENSITIES}
    runs = [
        _run(benchmark, "A", nodes, network)
        for benchmark, nodes in _ON_HUBS.items()
        for network in clusters
    ]
    experiments = npb_runs.runs_as_experiments(__package__, runs, clusters, node_speed=NODE_SPEED)
    return Study(experiments=tuple(experiments), figures=partial(_density_figure, runs))


def _experiments(runs: Iterable[NpbRun], node_speed: float) -> tuple[Experiment, ...]:
    return tuple(
        npb_runs.runs_as_experiments(__package__, list(runs), _CLUSTERS, node_speed=node_speed)
    )


def _unprinted(printed: Iterable[NpbRun]) -> list[NpbRun]:
    known = {run.name for run in printed}
    runs = [
        _run(benchmark, size, n, "switch")
        for benchmark, counts in _NODES.items()
        for n in counts
        for size in ("A", "B")
    ]
    return [run for run in runs if run.name not in known]


def _run(benchmark: str, problem_class: str, nodes: int, network: str) -> NpbRun:
    return NpbRun(
        benchmark=benchmark,
        problem_class=problem_class,
        nodes=nodes,
        layout="any",
        network=network,
    )


def _density_figure(runs: list[NpbRun], results: Results) -> list[Figure]:
    curves = [
        Curve(
            f"{benchmark.upper()} A, {nodes} nodes",
            list(_DENSITIES),
            [
                mean_of("rate")(results[run.name]) / 1e6
                for run in runs
                if run.benchmark == benchmark
            ],
        )
        for benchmark, nodes in _ON_HUBS.items()
    ]
    panel = Panel("nodes on a hub", "nodes on a hub", "Mflop/s of all nodes", tuple(curves))
    return [Figure("hub-density", "Rate against the nodes that share a hub", (panel,))]
