"""The latency and the rate that an engine predicts between two nodes.

A design that names no parts says nothing about the machines: a cable then has the speed that both
ends have negotiated, and nothing else is predicted. A measured number is normal up to limits that
leave room for the measuring program; far above the prediction, the machines have other parts.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import linkwright
from linkwright.errors import LinkwrightError
from linkwright.workloads import PingPong

if TYPE_CHECKING:
    from collections.abc import Mapping

    from linkwright.doctor.measuring import Stream
    from linkwright.doctor.transfers import Course
    from linkwright.network import Network

__all__ = ["Expectation", "is_normal_latency", "is_normal_rate"]

ENGINE = "analytic"
LARGE_BYTES = 1 << 22
LEAST_SHARE, MOST_SHARE = 0.7, 3.0
"""Shares of the predicted rate between which one stream of TCP is normal."""
MOST_TIMES, EXTRA_S = 3.0, 100e-6
"""Multiple of the predicted latency that is normal, and the cost of the measuring program."""


class Expectation:
    """Predictions for a network, each made once.

    Parameters
    ----------
    network : Network
        The compiled network.
    speeds_bps : mapping of (str, str) to float
        Negotiated speed of ports by node and interface.
    has_parts : bool
        Whether the design names the parts that the machines have.
    """

    def __init__(
        self,
        network: Network,
        speeds_bps: Mapping[tuple[str, str], float] | None = None,
        *,
        has_parts: bool = True,
    ) -> None:
        self.network, self.has_parts = network, has_parts
        self.speeds_bps = speeds_bps or {}
        self._latency_s: dict[tuple[str, str], float | None] = {}
        self._rate_bps: dict[tuple[str, str], float | None] = {}

    def latency_s(self, course: Course) -> float | None:
        """Return half the round trip of a small message; None without a prediction."""
        key = (course.source, course.target)
        if key not in self._latency_s:
            self._latency_s[key] = self._figure(*key, 1, "latency") if self.has_parts else None
        return self._latency_s[key]

    def rate_bps(self, course: Course) -> float | None:
        """Return the rate of a large message; None without a prediction."""
        if not self.has_parts:
            return self._speed_bps(course)
        key = (course.source, course.target)
        if key not in self._rate_bps:
            found = self._figure(*key, LARGE_BYTES, "throughput")
            self._rate_bps[key] = None if found is None else found * 8
        return self._rate_bps[key]

    def is_slow(self, one: Stream) -> bool:
        """Return whether a stream has less than the predicted rate."""
        predicted_bps = self.rate_bps(one.course)
        if one.rate_bps is None or predicted_bps is None:
            return False
        return one.rate_bps < LEAST_SHARE * predicted_bps

    def _speed_bps(self, course: Course) -> float | None:
        """Return the speed of the link below a course over one cable; None if an end has none."""
        ends = ((course.source, course.nic), (course.target, course.target_nic))
        found = [self.speeds_bps.get(one) for one in ends]
        return min(one for one in found if one) if all(found) else None

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


def is_normal_latency(measured_s: float, predicted_s: float | None) -> bool | None:
    """Return whether a latency is about as predicted; None without a prediction."""
    return None if predicted_s is None else measured_s <= MOST_TIMES * predicted_s + EXTRA_S


def is_normal_rate(measured_bps: float, predicted_bps: float | None) -> bool | None:
    """Return whether a rate is about as predicted; None without a prediction."""
    if predicted_bps is None:
        return None
    return LEAST_SHARE * predicted_bps <= measured_bps <= MOST_SHARE * predicted_bps
