"""Broadcasts and barriers as the Whitney reports measured them, on the first nodes of a cluster.

Twenty broadcasts follow each other without waiting, a barrier ends them. Which size gave the best
throughput is not always printed, so that the best of all sizes is taken. On hubs the back-off after
collisions is chance, so that several seeds are played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from linkwright.papers.study import Experiment, Results, by_setting, mean_of
from linkwright.results import Result
from linkwright.views.figures import Curve, Figure, Panel
from linkwright.views.quantities import size
from linkwright.workloads import Barrier, Broadcast

__all__ = [
    "barrier_name",
    "best_throughput",
    "broadcast_name",
    "experiments",
    "figures",
    "poor_and_best",
    "throughput_at",
    "throughput_by_size",
]

SIZES = tuple(1 << power for power in range(16))
"""1 to 32,768 bytes."""
SEEDS_ON_HUBS = 10


def broadcast_name(network: str, nodes: int) -> str:
    """Return the name of the experiment that broadcasts to the first nodes."""
    return f"broadcast-{network}-{nodes}"


def barrier_name(network: str, nodes: int) -> str:
    """Return the name of the experiment in which the first nodes meet."""
    return f"barrier-{network}-{nodes}"


def experiments(
    package: str, clusters: Mapping[str, str], nodes: Sequence[int]
) -> Iterator[Experiment]:
    """Yield broadcasts and barriers for every network and number of nodes."""
    for network, cluster in clusters.items():
        seeds = SEEDS_ON_HUBS if network == "hub" else 1
        for n in nodes:
            yield Experiment(
                name=broadcast_name(network, n),
                package=package,
                cluster=cluster,
                workload=Broadcast(ranks=n, size_bytes=SIZES),
                seeds=seeds,
            )
            yield Experiment(
                name=barrier_name(network, n),
                package=package,
                cluster=cluster,
                workload=Barrier(ranks=n, repeats=200),
                brief=Barrier(ranks=n, repeats=40),
                seeds=seeds,
            )


def best_throughput(result: Result) -> float:
    """Return the largest aggregate throughput of any size."""
    return max(by_setting(result, "aggregate_throughput").values())


def throughput_at(size_bytes: int) -> Callable[[Result], float]:
    """Return what reads the aggregate throughput of one size."""
    return mean_of("aggregate_throughput", size_bytes=size_bytes)


def throughput_by_size(
    result: Result, smallest_bytes: int = 1, largest_bytes: int = SIZES[-1]
) -> dict[str, float]:
    """Return the aggregate throughput of the sizes in a range, by size as text."""
    found = by_setting(result, "aggregate_throughput")
    return {size(at): value for at, value in found.items() if smallest_bytes <= at <= largest_bytes}


def poor_and_best(result: Result) -> dict[str, float]:
    """Return the best throughput of sizes below 1024 B, and that of all sizes."""
    small = throughput_by_size(result, largest_bytes=1023)
    return {"best below 1024 B": max(small.values()), "best": best_throughput(result)}


def figures(results: Results, networks: Sequence[str], nodes: Sequence[int]) -> Iterator[Figure]:
    """Yield broadcast against size and against nodes, and the barrier against nodes."""
    most = max(nodes)
    by_size = tuple(_by_size(name, results[broadcast_name(name, most)]) for name in networks)
    by_nodes = tuple(
        Curve(
            name,
            nodes,
            [best_throughput(results[broadcast_name(name, n)]) / 1e6 for n in nodes],
        )
        for name in networks
    )
    meeting = tuple(
        Curve(name, nodes, [mean_of("time")(results[barrier_name(name, n)]) * 1e3 for n in nodes])
        for name in networks
    )
    aggregate = "MB/s at all receivers"
    yield Figure(
        "broadcast",
        "Broadcast: aggregate throughput against size and, best of all sizes, against nodes",
        (
            Panel(
                f"{most} nodes", "size of the message (bytes)", aggregate, by_size, is_log_x=True
            ),
            Panel("best size", "nodes", aggregate, by_nodes),
        ),
    )
    yield Figure(
        "barrier",
        "Barrier: time against nodes",
        (Panel("barrier", "nodes", "time (ms)", meeting, is_log_y=True),),
    )


def _by_size(name: str, result: Result) -> Curve:
    found = by_setting(result, "aggregate_throughput")
    return Curve(name, list(found), [value / 1e6 for value in found.values()])
