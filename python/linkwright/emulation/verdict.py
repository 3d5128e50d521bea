"""The verdict on an emulation: whether its wires kept up with real time, and whether its programs
had processors when they needed them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkwright.emulation.steps import least_step
from linkwright.emulation.waiting import Waited
from linkwright.emulation.wires import Wires

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["Judgement", "verdict"]

FULL_FRAME_BITS = 1538 * 8
"""The longest frame of a standard Ethernet with preamble and gap."""
RULE = (("faithful", 1.0, 0.05), ("stretched", 10.0, 0.5))
"""Words with the largest 99th percentile of the lateness, in full frames of the fastest link, and
the largest share of time for which programs wait for processors. A stretched run is right in order,
and late in time.
"""
MORE_FOR_RANKS = 2.0
"""Factor of the dilation that shrinks the waiting of programs, for a factor of the waiting: from
shifts of 1 MB by sixteen MPI ranks at dilations from 1 to 50, on two processors.
"""
LOUD = 0.1
"""Share of the processors from which on other programs are named."""
BEYOND = 10.0
"""Relative error from which on it is not given as a number."""


@dataclass(frozen=True)
class Judgement:
    """A judgement of a run by the lateness of its events, and by the time for which its programs
    waited for a processor of this machine.

    Attributes
    ----------
    late_p99_s : float
        99th percentile of the lateness in real seconds; NaN if no frame moved.
    late_frames : float
        The same in full frames of the fastest link.
    waited : float or None
        Mean share of the run for which a program waited for a processor; None if the kernel does
        not tell.
    dilation : float
        Real seconds for one second of the network.
    behind : float
        Share of the time in which the wires were in use for which a frame was overdue at a node,
        or could not be read from one.
    others : float or None
        Share of the processors that programs outside the nodes took; None if it is not known.
    starved : float or None
        Share of the run for which at least one program waited; None if the kernel does not tell.
    """

    late_p99_s: float
    late_frames: float
    waited: float | None
    dilation: float
    behind: float = 0.0
    others: float | None = None
    starved: float | None = None

    @property
    def word(self) -> str:
        """The judgement: "faithful", "stretched" or "invalid"; "idle" if no frame moved."""
        if math.isnan(self.late_p99_s):
            return "idle"
        return next(
            (
                word
                for word, frames, share in RULE
                if self.late_frames <= frames and (self.waited or 0.0) <= share
            ),
            "invalid",
        )

    @property
    def longest(self) -> float:
        """The largest part by which times are too long: all that was late was waited for."""
        lost = min(1.0, self.behind + (self.starved or 0.0))
        return lost / (1.0 - lost) if lost < 1.0 else math.inf

    @property
    def is_loud(self) -> bool:
        """Whether other programs took so much that they may be the reason of all waiting."""
        return self.others is not None and self.others >= LOUD

    @property
    def needed(self) -> float:
        """The dilation with which the run is expected to be faithful; 1 if other programs are the
        reason that it is not.
        """
        (_, frames, share), _ = RULE
        more = max(1.0, self.late_frames / frames)
        if not self.is_loud:
            more = max(more, MORE_FOR_RANKS * (self.waited or 0.0) / share)
        return least_step(self.dilation * more) if more > 1 else 1.0

    @property
    def text(self) -> str:
        """The verdict with its rule, in a sentence."""
        if self.word == "idle":
            return "idle: no frame moved between the nodes"
        (_, frames, share), (_, most_frames, most_share) = RULE
        found = (
            f"{self.word}: at dilation {self.dilation:g}, 99 % of all events were at most "
            f"{self.late_p99_s * 1e6:.0f} us late, {self.late_frames:.2f} full frames of the "
            f"fastest link (up to {frames:g} is faithful, up to {most_frames:g} stretched)"
        )
        if self.waited is not None:
            found += (
                f", and programs waited for a processor {self.waited:.1%} of the time (up to "
                f"{share:.0%} and {most_share:.0%})"
            )
        return found if self.word == "faithful" else found + self._error + self._advice

    @property
    def _error(self) -> str:
        if self.word == "invalid":
            # Wires that do not keep up leave frames in the nodes, which are not counted.
            return ""
        if self.longest > BEYOND:
            return f"; times may be more than {BEYOND:g} times too long"
        return f"; times may be up to {self.longest:.0%} too long"

    @property
    def _advice(self) -> str:
        larger = f"--dilation {self.needed:g}"
        if not self.is_loud:
            return f"; try {larger}, or a quiet machine"
        quiet = f"; try a quiet machine (other programs took {self.others:.0%} of its processors)"
        return f"{quiet} and {larger}" if self.needed > 1 else quiet


def verdict(
    network: Network, wires: Wires, *, waited: Waited | None = None, others: float | None = None
) -> Judgement:
    """Return the verdict on wires that have ended.

    Parameters
    ----------
    network : Network
        The network of the wires.
    wires : Wires
        The wires.
    waited : Waited, optional
        The shares of the run for which programs waited for a processor.
    others : float, optional
        Share of the processors that programs outside the nodes took.
    """
    report, dilation = wires.report, wires.dilation
    late_p99_s = report.late_p99_s
    frame_s = FULL_FRAME_BITS / int(network.cable_rate_bps.max()) * dilation
    if not report.counters["frames"]:
        late_p99_s = math.nan
    behind = report.behind_s / report.busy_s if report.busy_s else 0.0
    mean, some = (waited.mean, waited.some) if waited else (None, None)
    return Judgement(late_p99_s, late_p99_s / frame_s, mean, dilation, behind, others, some)
