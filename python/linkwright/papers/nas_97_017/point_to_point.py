"""Ping-pong on the torus, hop by hop, and on the hub: what the hosts were fitted to.

These entries say how well the fit holds; they are no predictions.
"""

from __future__ import annotations

from linkwright.papers.entry import Basis
from linkwright.papers.printed import printed_numbers
from linkwright.papers.study import Claim, Experiment, Results, Study, mean_of
from linkwright.results import Result
from linkwright.views.figures import Curve, Figure, Panel
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


def ping_pong() -> Study:
    """Return the study of messages between two nodes."""
    experiments = tuple(
        Experiment(name=name, package=__package__, cluster=cluster, workload=PingPong(dst=dst))
        for name, (cluster, dst) in _PATHS.items()
    )
    claims = tuple(
        Claim(
            printed=printed,
            of=(printed.row,),
            value=mean_of("latency", size_bytes=1) if printed.metric == "latency" else _largest,
            basis=Basis.CALIBRATED,
        )
        for printed in printed_numbers(__package__).table("ping-pong")
    )
    return Study(experiments=experiments, claims=claims, figures=_figures)


def _largest(result: Result) -> float:
    """Return the throughput of the largest message, to which all curves climb."""
    return mean_of("throughput", size_bytes=1 << 20)(result)


def _figures(results: Results) -> list[Figure]:
    panels = (
        Panel(
            title="one way",
            x_label="size of the message (bytes)",
            y_label="time (us)",
            curves=tuple(_curve(name, results[name], "latency", 1e6) for name in results),
            is_log_x=True,
            is_log_y=True,
        ),
        Panel(
            title="throughput",
            x_label="size of the message (bytes)",
            y_label="MB/s",
            curves=tuple(_curve(name, results[name], "throughput", 1e-6) for name in results),
            is_log_x=True,
        ),
    )
    return [Figure("ping-pong", "Time and throughput of one message between two nodes", panels)]


def _curve(name: str, result: Result, metric: str, scale: float) -> Curve:
    rows = result.filter(metric=metric)
    return Curve(name, rows.parameter("size_bytes"), (rows.values() * scale).tolist())
