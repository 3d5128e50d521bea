"""Ping-pong through a Bay switch and across the P-Mesh: what the hosts were fitted to.

These entries say how well the fit holds; they are no predictions.
"""

from __future__ import annotations

from linkwright.papers.entry import Basis
from linkwright.papers.printed import printed_numbers
from linkwright.papers.study import WORST_PAIR, Claim, Experiment, Study, mean_of
from linkwright.workloads import PingPong

__all__ = ["ping_pong"]

_PATHS = {"switch": ("switch-16", 1), "p-mesh": ("p-mesh-4x4", 5)}
"""Cluster and receiver of each path from node 0: one switch; two switches and a forward."""


def ping_pong() -> Study:
    """Return the study of messages between two nodes."""
    experiments = tuple(
        Experiment(name=name, package=__package__, cluster=cluster, workload=PingPong(dst=dst))
        for name, (cluster, dst) in _PATHS.items()
    )
    values = {
        "latency": mean_of("latency", size_bytes=1),
        "throughput": mean_of("throughput", size_bytes=1 << 20),
    }
    claims = tuple(
        Claim(
            printed=printed,
            of=(printed.row,),
            value=values[printed.metric],
            basis=Basis.CALIBRATED,
            group=WORST_PAIR,
            network=printed.row,
        )
        for printed in printed_numbers(__package__).table("ping-pong")
    )
    return Study(experiments=experiments, claims=claims)
