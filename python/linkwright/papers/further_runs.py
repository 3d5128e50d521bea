"""Runs of the NAS benchmarks beyond print: every class and number of nodes that a network allows.

They are listed, and run on request only (`reproduce --also`), since they take hours together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from linkwright import workloads
from linkwright.papers.clusters import network_of
from linkwright.papers.npb_runs import NpbRun, experiments
from linkwright.papers.run_table import Experiment, RunTable
from linkwright.workloads.npb.benchmark import NpbBenchmark

__all__ = ["further", "listed"]

_BENCHMARKS = ("bt", "sp", "lu", "ft", "mg", "is", "ep")
"""Those of NPB 2.2."""
_CLASSES = ("S", "A", "B", "C")
_NODES = (2, 4, 8, 9, 16, 25, 32, 36)


def further(
    package: str,
    clusters: Mapping[str, str],
    known: Iterable[NpbRun],
    *,
    node_speed: float = 1.0,
) -> tuple[Experiment, ...]:
    """Return an experiment for every run that is possible on the clusters and not known."""
    taken = {(run.group, run.network) for run in known}
    possible = (
        NpbRun(benchmark=benchmark, problem_class=size, nodes=n, network=network)
        for network, cluster in clusters.items()
        for benchmark in _BENCHMARKS
        for size in _CLASSES
        for n in _NODES
        if n <= network_of(package, cluster).n_compute and _is_possible(benchmark, size, n)
    )
    missing = [run for run in possible if (run.group, run.network) not in taken]
    return experiments(package, missing, clusters, node_speed=node_speed)


def _is_possible(benchmark: str, problem_class: str, n_nodes: int) -> bool:
    """Return whether a benchmark runs on exactly this number of nodes."""
    workload = workloads.parse(f"npb.{benchmark}", {"class": problem_class})
    assert isinstance(workload, NpbBenchmark)
    return n_nodes <= workload.ranks_limit and workload.most_ranks(n_nodes) == n_nodes


def listed(tables: Mapping[str, RunTable]) -> list[tuple[str, ...]]:
    """Return the further runs of tables as text, those that share their nodes together.

    Returns
    -------
    list of tuple of str
        Table, network, benchmark, classes and nodes.
    """
    nodes: dict[tuple[str, ...], list[str]] = {}
    for name, table in tables.items():
        for one in table.further:
            group, _, network = one.name.partition("-")
            benchmark, problem_class, n = group.split(".")
            nodes.setdefault((name, network, benchmark, problem_class), []).append(n)
    classes: dict[tuple[str, ...], list[str]] = {}
    for (name, network, benchmark, problem_class), counts in nodes.items():
        key = (name, network, benchmark, " ".join(counts))
        classes.setdefault(key, []).append(problem_class)
    return [(*key[:3], " ".join(found), key[3]) for key, found in classes.items()]
