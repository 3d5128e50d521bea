"""Latency and bandwidth of a path from constants: a base figure, and a term per switch and per
forwarding node.

This is the model of PMESH-1998: latency grows and bandwidth falls by a fixed amount with every
switch and every forwarding node of the path. Its constants come from a calibration. It holds for
the measured range: links of one rate, up to four hops. For longer paths the bandwidth would reach
zero, and is then unknown rather than negative. The engines have models without these limits.
"""

from __future__ import annotations

from dataclasses import dataclass

from linkwright import calibrations
from linkwright.calibrations import Calibration
from linkwright.errors import CapabilityError

WHITNEY = "pentium-pro-200-linux-2.0"
"""The calibration of the nodes that PMESH-1998 measured."""


@dataclass(frozen=True)
class PathModel:
    """The additive model of a path.

    Attributes
    ----------
    link_rate_bps : int
        Rate of the links that it holds for.
    latency_s : float
        Half a round trip of the smallest message between two directly connected nodes.
    switch_latency_s, forward_latency_s : float
        Latency added by each switch and each forwarding node.
    bandwidth_Bps : float
        Best throughput between two directly connected nodes, in bytes per second.
    switch_loss_Bps, forward_loss_Bps : float
        Bandwidth lost to each switch and each forwarding node.
    """

    link_rate_bps: int
    latency_s: float
    switch_latency_s: float
    forward_latency_s: float
    bandwidth_Bps: float  # noqa: N815  the unit is the last part of a name, spelled as units are
    switch_loss_Bps: float  # noqa: N815
    forward_loss_Bps: float  # noqa: N815

    def path_latency_s(self, *, n_switches: int, n_forwards: int) -> float:
        """Return the latency of a path with given numbers of switches and forwarding nodes."""
        added = n_switches * self.switch_latency_s + n_forwards * self.forward_latency_s
        return self.latency_s + added

    def path_bandwidth_Bps(self, *, n_switches: int, n_forwards: int) -> float | None:  # noqa: N802
        """Return the bandwidth of such a path; None if the model reaches zero."""
        lost = n_switches * self.switch_loss_Bps + n_forwards * self.forward_loss_Bps
        return self.bandwidth_Bps - lost if lost < self.bandwidth_Bps else None


def path_model(calibration: str | Calibration = WHITNEY) -> PathModel:
    """Return the path model of a calibration.

    Parameters
    ----------
    calibration : str or Calibration
        Its name, a TOML file, or constants.

    Raises
    ------
    DesignError
        If there is no such calibration.
    CapabilityError
        If it has no constants of a path.
    """
    hosts = calibrations.load(calibration) if isinstance(calibration, str) else calibration
    path = hosts.path
    if path is None:
        raise CapabilityError(
            f"calibration '{hosts.name}' has no constants of a path",
            f"add a table [path] to it, or use '{WHITNEY}'",
        )
    return PathModel(
        link_rate_bps=round(path.link_rate_mbps.value * 1e6),
        latency_s=path.latency_us.value / 1e6,
        switch_latency_s=path.latency_per_switch_us.value / 1e6,
        forward_latency_s=path.latency_per_forward_us.value / 1e6,
        bandwidth_Bps=path.bandwidth_bytes_per_s.value,
        switch_loss_Bps=path.bandwidth_per_switch_bytes_per_s.value,
        forward_loss_Bps=path.bandwidth_per_forward_bytes_per_s.value,
    )
