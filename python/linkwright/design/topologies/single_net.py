"""One shared bus that reaches every node: a single collision domain [BEOWULF-1996].

A bus of cable and taps behaves like a repeater, so it is built as a hub of the medium that the
catalogue names, stacked as far as the ports require.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from linkwright.design.topologies.closed_forms import ClosedForms
from linkwright.design.topologies.hub import Hub
from linkwright.design.topologies.topology import CountedTopology
from linkwright.design.topologies.wiring import Limits, Wiring

__all__ = ["SingleNet"]


class SingleNet(CountedTopology):
    """All nodes on one bus."""

    default_addressing = "per-segment"

    examples = (
        {"nodes": 5},
        {"nodes": 16},
    )

    kind: Literal["single-net"] = "single-net"

    def build(self, limits: Limits, *, front_end: bool = False) -> Wiring:
        """Return the arrays of devices and cables."""
        return self._as_hub.build(limits, front_end=front_end)

    def closed_forms(self, limits: Limits) -> ClosedForms:
        """Return the formulas of a hub."""
        closed = self._as_hub.closed_forms(limits)
        return replace(closed, source=f"[BEOWULF-1996]; as a hub: {closed.source}")

    @property
    def _as_hub(self) -> Hub:
        return Hub(nodes=self.nodes)
