"""Ping-pong through the switch, to which the hosts were fitted; not a prediction.

Some pairs test that latency is the same for every pair.
"""

from __future__ import annotations

from functools import partial

from linkwright.papers.claims_file import claims_of
from linkwright.papers.run_table import Experiment, RunTable
from linkwright.workloads import PingPong

__all__ = ["ping_pong"]

_PAIRS = ((0, 1), (0, 17), (5, 6), (12, 30), (18, 19), (34, 35))
"""Neighbours and others: the ports of a card are adjacent."""


def ping_pong() -> RunTable:
    """Return the runs of messages between two nodes."""
    experiment = partial(Experiment, package=__package__, cluster="switch-36")
    pairs = (
        experiment(name=f"pair-{src}-{dst}", workload=PingPong(src=src, dst=dst, size_bytes=1))
        for src, dst in _PAIRS
    )
    return RunTable(
        experiments=(experiment(name="switch", workload=PingPong(dst=35)), *pairs),
        claims=claims_of(__package__, "ping-pong"),
    )
