"""Ping-pong through a Bay switch and across the P-Mesh, to which the hosts were fitted.

These claims measure the quality of the fit; they are no predictions.
"""

from __future__ import annotations

from linkwright.papers.claims_file import claims_of
from linkwright.papers.run_table import Experiment, RunTable
from linkwright.workloads import PingPong

__all__ = ["ping_pong"]

_PATHS = {"switch": ("switch-16", 1), "p-mesh": ("p-mesh-4x4", 5)}
"""Cluster and receiver of each path from node 0: one switch; two switches and a forward."""


def ping_pong() -> RunTable:
    """Return the runs of messages between two nodes."""
    experiments = tuple(
        Experiment(name=name, package=__package__, cluster=cluster, workload=PingPong(dst=dst))
        for name, (cluster, dst) in _PATHS.items()
    )
    return RunTable(experiments=experiments, claims=claims_of(__package__, "ping-pong"))
