"""The verdict on an emulation: whether its wires kept up with real time.

The rule compares the lateness of events with the time of a full frame on the fastest link.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkwright.engines.emulation.wires import Wires

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["Verdict", "verdict"]

FULL_FRAME_BITS = 1538 * 8
"""The longest frame of a standard Ethernet with preamble and gap."""
FAITHFUL, STRETCHED = 1.0, 10.0
"""Largest 99th percentile of the lateness, in full frames of the fastest link, up to which a run is
faithful, and up to which it is stretched: right in order, late in time.
"""
IDLE = "idle"
"""Word for a run that cannot be judged."""


@dataclass(frozen=True)
class Verdict:
    """A judgement of a run by the lateness of its events.

    Attributes
    ----------
    word : str
        "faithful", "stretched" or "invalid"; "idle" if no frame moved.
    late_frames : float
        99th percentile of the lateness, in full frames of the fastest link.
    late_p99_s : float
        The same in real seconds.
    dilation : float
        Real seconds for one second of the network.
    """

    word: str
    late_frames: float
    late_p99_s: float
    dilation: float

    @property
    def text(self) -> str:
        """The verdict with its rule, in a sentence."""
        if self.word == IDLE:
            return "idle: no frame moved between the nodes"
        rule = f"up to {FAITHFUL:g} is faithful, up to {STRETCHED:g} stretched"
        advice = "" if self.word == "faithful" else "; try a larger --dilation, or a quiet machine"
        return (
            f"{self.word}: 99 % of all events were at most {self.late_p99_s * 1e6:.0f} us late, "
            f"{self.late_frames:.2f} full frames of the fastest link at dilation "
            f"{self.dilation:g} ({rule}){advice}"
        )


def verdict(network: Network, wires: Wires) -> Verdict:
    """Return the verdict on wires that have ended.

    Parameters
    ----------
    network : Network
        The network of the wires.
    wires : Wires
        The wires.
    """
    dilation, late_p99_s = wires.dilation, wires.report.late_p99_s
    frame_s = FULL_FRAME_BITS / int(network.cable_rate_bps.max()) * dilation
    late = late_p99_s / frame_s
    if not wires.report.counters["frames"]:
        return Verdict(IDLE, 0.0, 0.0, dilation)
    word = "faithful" if late <= FAITHFUL else "stretched" if late <= STRETCHED else "invalid"
    return Verdict(word, late, late_p99_s, dilation)
