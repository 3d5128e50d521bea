"""Ping-pong through the switch: what the hosts were fitted to, not a prediction.

Latency is the same for every pair, as is printed.
"""

from __future__ import annotations

from linkwright.papers.entry import Basis
from linkwright.papers.printed import printed_numbers
from linkwright.papers.study import Claim, Experiment, Study, mean_of
from linkwright.workloads import PingPong

__all__ = ["ping_pong"]


def ping_pong() -> Study:
    """Return the study of messages between two nodes."""
    experiment = Experiment(
        name="switch", package=__package__, cluster="switch-36", workload=PingPong(dst=35)
    )
    values = {
        "latency": mean_of("latency", size_bytes=1),
        "throughput": mean_of("throughput", size_bytes=1 << 20),
    }
    claims = tuple(
        Claim(
            printed=printed,
            of=("switch",),
            value=values[printed.metric],
            basis=Basis.CALIBRATED,
        )
        for printed in printed_numbers(__package__).table("ping-pong")
    )
    return Study(experiments=(experiment,), claims=claims)
