"""The latency and the rate that an engine predicts between two nodes.

A measured number is normal up to limits that leave room for the measuring program.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import linkwright
from linkwright.errors import LinkwrightError
from linkwright.workloads import PingPong

if TYPE_CHECKING:
    from linkwright.doctor.measuring import Stream
    from linkwright.network import Network

__all__ = ["Expectation", "is_normal_latency", "is_normal_rate"]

ENGINE = "analytic"
LARGE_BYTES = 1 << 22
LEAST_SHARE = 0.7
"""Share of the predicted rate that is normal for one stream of TCP."""
MOST_TIMES, EXTRA_S = 3.0, 100e-6
"""Multiple of the predicted latency that is normal, and the cost of the measuring program."""


class Expectation:
    """Predictions for a network, each made once.

    Parameters
    ----------
    network : Network
        The compiled network.
    """

    def __init__(self, network: Network) -> None:
        self.network = network
        self._latency_s: dict[tuple[str, str], float | None] = {}
        self._rate_bps: dict[tuple[str, str], float | None] = {}

    def latency_s(self, a: str, b: str) -> float | None:
        """Return half the round trip of a small message; None without a prediction."""
        key = (a, b)
        if key not in self._latency_s:
            self._latency_s[key] = self._figure(a, b, 1, "latency")
        return self._latency_s[key]

    def rate_bps(self, a: str, b: str) -> float | None:
        """Return the rate of a large message; None without a prediction."""
        key = (a, b)
        if key not in self._rate_bps:
            found = self._figure(a, b, LARGE_BYTES, "throughput")
            self._rate_bps[key] = None if found is None else found * 8
        return self._rate_bps[key]

    def is_slow(self, one: Stream) -> bool:
        """Return whether a stream has less than the predicted rate."""
        predicted = self.rate_bps(one.course.source, one.course.target)
        return one.rate_bps is not None and not is_normal_rate(one.rate_bps, predicted)

    @cached_property
    def _ranks(self) -> dict[str, int]:
        names = self.network.device_names[: self.network.n_compute]
        return {name: rank for rank, name in enumerate(names)}

    def _figure(self, a: str, b: str, size_bytes: int, metric: str) -> float | None:
        ranks = [self._ranks.get(name) for name in (a, b)]
        if None in ranks:
            return None
        workload = PingPong(src=ranks[0], dst=ranks[1], size_bytes=(size_bytes,), repeats=1)
        try:
            result = linkwright.run(self.network, workload, engine=ENGINE)
        except LinkwrightError:
            return None
        return float(result.filter(metric=metric).values()[0])


def is_normal_latency(measured_s: float, predicted_s: float | None) -> bool:
    """Return whether a latency is about as predicted."""
    return predicted_s is None or measured_s <= MOST_TIMES * predicted_s + EXTRA_S


def is_normal_rate(measured_bps: float, predicted_bps: float | None) -> bool:
    """Return whether a rate is about as predicted."""
    return predicted_bps is None or measured_bps >= LEAST_SHARE * predicted_bps
