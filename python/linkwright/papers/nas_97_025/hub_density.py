"""One to seven nodes on each hub behind the switch; density one is the switch alone.

Class A with this campaign's slower nodes. Only qualitative claims are here.
"""

from __future__ import annotations

from functools import partial

from linkwright.papers import npb_runs
from linkwright.papers.claims_file import claims_of
from linkwright.papers.curves import curve
from linkwright.papers.nas_97_025.benchmarks import NODE_SPEED
from linkwright.papers.npb_runs import NpbRun
from linkwright.papers.reading import Results, mean_of
from linkwright.papers.run_table import RunTable
from linkwright.views.chart import Axis, Chart
from linkwright.views.plots import Plot

__all__ = ["hub_density"]

_DENSITIES = range(1, 8)
_CLUSTERS = {f"density-{density}": f"density-{density}" for density in _DENSITIES}
_NODES = {"bt": 36, "sp": 36, "lu": 32, "mg": 32, "is": 32}
"""Nodes of each benchmark."""


def hub_density() -> RunTable:
    """Return the runs by the number of nodes that share a hub."""
    runs = [
        NpbRun(benchmark=benchmark, problem_class="A", nodes=n, network=network)
        for benchmark, n in _NODES.items()
        for network in _CLUSTERS
    ]
    return RunTable(
        experiments=npb_runs.experiments(__package__, runs, _CLUSTERS, node_speed=NODE_SPEED),
        claims=claims_of(__package__, "hub-density"),
        plots=_plots,
    )


def _plots(results: Results) -> list[Plot]:
    def rate(benchmark: str, density: float) -> float:
        name = f"{benchmark}.A.{_NODES[benchmark]}-density-{density}"
        return mean_of(results[name], "rate") / 1e6

    curves = tuple(
        curve(f"{benchmark.upper()} A, {n} nodes", _DENSITIES, partial(rate, benchmark))
        for benchmark, n in _NODES.items()
    )
    # IS counts keys, a hundredth of the others' operations.
    rates = Axis("Mflop/s of all nodes", log=10)
    chart = Chart("hub density", Axis("nodes on a hub"), rates, curves)
    return [Plot("hub-density", "Rate against the nodes that share a hub", (chart,))]
