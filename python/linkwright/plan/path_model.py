"""Latency and bandwidth of a path from three constants each: the base figure, what a switch adds, what a forward adds.

This is the model of PMESH-1998: latency grows and bandwidth falls by a fixed amount with every switch and every
forwarding node on the way. It is exact where its constants were measured (up to four hops); the bandwidth of a
longer path runs into zero, and is then given as not known rather than as a negative number. The engines have
models without that limit.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PathConstants:
    """Constants of the additive path model.

    Attributes
    ----------
    latency_s : float
        Half a round trip of the smallest message between two directly connected nodes.
    switch_latency_s, forward_latency_s : float
        What each switch and each forwarding node adds.
    bandwidth_Bps : float
        Best throughput between two directly connected nodes, in bytes per second.
    switch_loss_Bps, forward_loss_Bps : float
        What each switch and each forwarding node takes away.
    """

    latency_s: float
    switch_latency_s: float
    forward_latency_s: float
    bandwidth_Bps: float  # noqa: N815  the unit is the last part of a name, spelled as units are
    switch_loss_Bps: float  # noqa: N815
    forward_loss_Bps: float  # noqa: N815

    def path_latency_s(self, *, n_switches: int, n_forwards: int) -> float:
        """Return the latency of a path with so many switches and forwarding nodes."""
        return (
            self.latency_s
            + n_switches * self.switch_latency_s
            + n_forwards * self.forward_latency_s
        )

    def path_bandwidth_Bps(self, *, n_switches: int, n_forwards: int) -> float | None:  # noqa: N802
        """Return the bandwidth of such a path in bytes per second; None where the model runs into zero."""
        left = (
            self.bandwidth_Bps
            - n_switches * self.switch_loss_Bps
            - n_forwards * self.forward_loss_Bps
        )
        return left if left > 0 else None


WHITNEY = PathConstants(
    latency_s=175e-6,
    switch_latency_s=5e-6,
    forward_latency_s=40e-6,
    bandwidth_Bps=8.5e6,
    switch_loss_Bps=0.5e6,
    forward_loss_Bps=1.5e6,
)
"""The base figures of [PMESH, sec. 4]: measured on the Whitney nodes."""
