"""Hub, torus, switches and P-Mesh beside each other: the same benchmarks on the same nodes.

The papers measured them in campaigns whose nodes differ in speed; here all nodes have the
calibrated speed, so that only the network differs. Messages go between the worst pair of each.
"""

from __future__ import annotations

from linkwright.papers import nas_97_017, nas_97_025, npb_runs
from linkwright.papers.claims_file import claims_of
from linkwright.papers.npb_runs import NpbRun
from linkwright.papers.run_table import Experiment, RunTable
from linkwright.workloads import PingPong

__all__ = ["networks"]

_CLUSTERS = {
    "hub": (nas_97_017.__name__, "hub-16"),
    "torus": (nas_97_017.__name__, "torus-4x4"),
    "p-mesh": (__package__, "p-mesh-4x4"),
    "switch": (__package__, "switch-16"),
    "catalyst": (nas_97_025.__name__, "switch-36"),
}
_FARTHEST = {"switch": 1, "p-mesh": 5, "torus": 10}
"""Receiver of a message from node 0, from the nearest network to the farthest."""
_BENCHMARKS = ("bt", "sp", "lu", "mg", "ft", "is")


def networks() -> RunTable:
    """Return the runs on the networks."""
    messages = (
        Experiment(
            name=f"message-{network}",
            package=_CLUSTERS[network][0],
            cluster=_CLUSTERS[network][1],
            workload=PingPong(dst=dst),
        )
        for network, dst in _FARTHEST.items()
    )
    benchmarks = (
        experiment
        for network, (package, cluster) in _CLUSTERS.items()
        for experiment in npb_runs.experiments(
            package, [_run(kind, network) for kind in _BENCHMARKS], {network: cluster}
        )
    )
    return RunTable(experiments=(*messages, *benchmarks), claims=claims_of(__package__, "networks"))


def _run(benchmark: str, network: str) -> NpbRun:
    return NpbRun(benchmark=benchmark, problem_class="A", nodes=16, network=network)
