"""Ping-pong on the torus, hop by hop, and on the hub.

The hosts were fitted to the torus, so its claims measure the quality of the fit; those of the hub,
and the shapes of the curves, are predictions.
"""

from __future__ import annotations

from linkwright.papers.claims_file import claims_of
from linkwright.papers.curves import curve_by_size
from linkwright.papers.reading import Results
from linkwright.papers.run_table import Experiment, RunTable
from linkwright.views.chart import Axis, Chart
from linkwright.views.plots import Plot
from linkwright.workloads import PingPong

__all__ = ["ping_pong"]

_PATHS = {
    "hub": ("hub-16", 1),
    "one-hop": ("torus-4x4", 1),
    "two-hops": ("torus-4x4", 2),
    "three-hops": ("torus-4x4", 6),
    "four-hops": ("torus-4x4", 10),
}
"""Cluster and receiver of each path from node 0."""


def ping_pong() -> RunTable:
    """Return the runs of messages between two nodes."""
    experiments = tuple(
        Experiment(name=name, package=__package__, cluster=cluster, workload=PingPong(dst=dst))
        for name, (cluster, dst) in _PATHS.items()
    )
    return RunTable(
        experiments=experiments, claims=claims_of(__package__, "ping-pong"), plots=_plots
    )


def _plots(results: Results) -> list[Plot]:
    x_label = "size of the message (bytes)"
    latency = [curve_by_size(name, results[name], "latency", 1e6) for name in _PATHS]
    throughput = [curve_by_size(name, results[name], "throughput", 1e-6) for name in _PATHS]
    panels = (
        Chart("one way", Axis(x_label, log=2), Axis("time (µs)", log=10), tuple(latency)),
        Chart("throughput", Axis(x_label, log=2), Axis("MB/s"), tuple(throughput)),
    )
    return [Plot("ping-pong", "Time and throughput of one message between two nodes", panels)]
