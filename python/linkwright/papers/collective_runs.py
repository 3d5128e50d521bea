"""Broadcasts and barriers as the Whitney reports measured them, on the first nodes of a cluster.

Twenty broadcasts follow each other without waiting, a barrier ends them. The size with the best
throughput is not always printed, so the best of all sizes is used. On hubs the back-off after
collisions is random, so several seeds are run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from linkwright.papers.curves import curve, curve_by_size
from linkwright.papers.reading import Results, by_size, mean_of
from linkwright.papers.run_table import Experiment
from linkwright.views.chart import Axis, Chart
from linkwright.views.plots import Plot
from linkwright.workloads import Barrier, Broadcast

__all__ = ["experiments", "plots"]

SIZES = tuple(1 << power for power in range(16))
"""1 to 32,768 bytes."""
SEEDS_ON_HUBS = 10


def experiments(
    package: str, clusters: Mapping[str, str], nodes: Sequence[int]
) -> Iterator[Experiment]:
    """Yield broadcasts and barriers for every network and number of nodes."""
    for network, cluster in clusters.items():
        seeds = SEEDS_ON_HUBS if network == "hub" else 1
        for n in nodes:
            yield Experiment(
                name=f"broadcast-{network}-{n}",
                package=package,
                cluster=cluster,
                workload=Broadcast(ranks=n, size_bytes=SIZES),
                seeds=seeds,
            )
            yield Experiment(
                name=f"barrier-{network}-{n}",
                package=package,
                cluster=cluster,
                workload=Barrier(ranks=n, repeats=200),
                brief=Barrier(ranks=n, repeats=40),
                seeds=seeds,
            )


def plots(results: Results, networks: Sequence[str], nodes: Sequence[int]) -> list[Plot]:
    """Return broadcast against size and against nodes, and the barrier against nodes."""

    def best(network: str, n: float) -> float:
        return max(by_size(results[f"broadcast-{network}-{n}"], throughput).values()) / 1e6

    def barrier(network: str, n: float) -> float:
        return mean_of(results[f"barrier-{network}-{n}"], "time") * 1e3

    throughput, most = "aggregate_throughput", max(nodes)
    by_nodes = [curve(name, nodes, partial(best, name)) for name in networks]
    sizes = [
        curve_by_size(name, results[f"broadcast-{name}-{most}"], throughput, 1e-6)
        for name in networks
    ]
    times = [curve(name, nodes, partial(barrier, name)) for name in networks]
    y_label, x_label = "MB/s at all receivers", "size of the message (bytes)"
    return [
        Plot(
            "broadcast",
            "Broadcast: aggregate throughput against size and, best of all sizes, against nodes",
            (
                Chart(f"{most} nodes", Axis(x_label, log=2), Axis(y_label), tuple(sizes)),
                Chart("best size", Axis("nodes"), Axis(y_label), tuple(by_nodes)),
            ),
        ),
        Plot(
            "barrier",
            "Barrier: time against nodes",
            (Chart("barrier", Axis("nodes"), Axis("time (ms)", log=10), tuple(times)),),
        ),
    ]
