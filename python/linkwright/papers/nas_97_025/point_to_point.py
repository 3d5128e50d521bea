"""Ping-pong through the switch: what the hosts were fitted to, not a prediction.

That latency is the same for every pair is judged by some of them.
"""

from __future__ import annotations

from linkwright.papers.entry import Basis
from linkwright.papers.printed import printed_numbers
from linkwright.papers.shapes import spread_of
from linkwright.papers.study import WORST_PAIR, Claim, Experiment, Study, WordClaim, mean_of
from linkwright.workloads import PingPong

__all__ = ["ping_pong"]

_PAIRS = ((0, 1), (0, 17), (5, 6), (12, 30), (18, 19), (34, 35))
"""Neighbours and others: the ports of a card stand beside each other."""


def ping_pong() -> Study:
    """Return the study of messages between two nodes."""
    experiment = Experiment(
        name="switch", package=__package__, cluster="switch-36", workload=PingPong(dst=35)
    )
    pairs = {
        f"{src} to {dst}": Experiment(
            name=f"pair-{src}-{dst}",
            package=__package__,
            cluster="switch-36",
            workload=PingPong(src=src, dst=dst, size_bytes=1),
        )
        for src, dst in _PAIRS
    }
    values = {
        "latency": mean_of("latency", size_bytes=1),
        "throughput": mean_of("throughput", size_bytes=1 << 20),
    }
    numbers = printed_numbers(__package__)
    claims = tuple(
        Claim(
            printed=printed,
            of=("switch",),
            value=values[printed.metric],
            basis=Basis.CALIBRATED,
            group=WORST_PAIR,
            network="Catalyst switch",
        )
        for printed in numbers.table("ping-pong")
    )
    words = tuple(
        WordClaim(
            words=words,
            of=tuple(one.name for one in pairs.values()),
            numbers=lambda *found: dict(zip(pairs, map(values["latency"], found), strict=True)),
            judged=spread_of,
            unit="s",
        )
        for words in numbers.words("ping-pong")
    )
    return Study(experiments=(experiment, *pairs.values()), claims=claims, words=words)
