"""The cost of a busy file server on the front end for BT and LU of class A; not in the paper.

The front end serves every node over UDP, block after block, at rates that its disk sustains.
"""

from __future__ import annotations

from linkwright.papers.npb_runs import BRIEF_PASSES
from linkwright.papers.reading import Results, mean_of
from linkwright.papers.run_table import Experiment, RunTable
from linkwright.views.chart import Axis, Chart, Series
from linkwright.views.plots import Plot
from linkwright.workloads import FileServer, Workload, parse

__all__ = ["front_end"]

_CLUSTERS = {"hub": "hub-16", "torus": "torus-4x4"}
_BENCHMARKS = ("bt", "lu")
_NODES = 16
_RATES = (0.0, 1e6, 3e6)
"""Bytes of files per second, of all nodes together."""


def front_end() -> RunTable:
    """Return the runs of the front end."""
    experiments = tuple(
        Experiment(
            name=_name(benchmark, network, rate),
            package=__package__,
            cluster=cluster,
            workload=_benchmark(benchmark),
            brief=_benchmark(benchmark, iterations=BRIEF_PASSES),
            seeds=_benchmark(benchmark).n_seeds,
            background=_server(rate) if rate else None,
        )
        for benchmark in _BENCHMARKS
        for network, cluster in _CLUSTERS.items()
        for rate in _RATES
    )
    return RunTable(experiments=experiments, plots=_plots)


def _name(benchmark: str, network: str, rate: float) -> str:
    return f"{benchmark}.A.{_NODES}-{network}-files-{rate / 1e6:g}MB"


def _benchmark(name: str, **settings: str) -> Workload:
    return parse(f"npb.{name}", {"class": "A", "ranks": str(_NODES), **settings})


def _server(rate: float) -> FileServer:
    alone = FileServer()
    return FileServer(spacing_s=_NODES * alone.block_bytes / rate)


def _plots(results: Results) -> list[Plot]:
    panels = tuple(
        Chart(
            f"{benchmark.upper()}, class A, {_NODES} nodes",
            Axis("files of the front end (MB/s)"),
            Axis("time over that without files"),
            tuple(_curve(results, benchmark, network) for network in _CLUSTERS),
        )
        for benchmark in _BENCHMARKS
    )
    return [Plot("front-end", "Cost of files served by the front end during a run", panels)]


def _curve(results: Results, benchmark: str, network: str) -> Series:
    times = [mean_of(results[_name(benchmark, network, rate)], "time") for rate in _RATES]
    return Series(network, [rate / 1e6 for rate in _RATES], [time / times[0] for time in times])
