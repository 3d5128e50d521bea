"""Processes of one node: the optional section ``[local]`` of a calibration.

Runs with several ranks on a node need it. ``crates/simulation`` models it (``messaging.rs``,
``shared_nodes.rs``), and docs/design/ranks-per-node.md describes it.
"""

from __future__ import annotations

from linkwright.calibrations.kinds import Cost, Frozen, Threshold, without_costs

__all__ = ["Local"]


class Local(Frozen):
    """Messages between processes of one node, and the processors that they share."""

    send: Cost
    """Entering a send, without the copy."""
    latency: Cost
    """From the end of a send to the time at which the other process can see the message."""
    take: Cost
    """Matching, for each transfer received."""
    copy_data: Cost
    """One copy of a message: two for a short one, into memory that both processes share and out of
    it; one for a rendezvous."""
    rendezvous_from: Threshold
    """Smallest message, in bytes, that is copied only when its receive has begun."""
    slice: Cost
    """The time for which a process has a processor while others of its node wait for one."""

    def without_costs(self) -> Local:
        """Return the same with messages that take no time."""
        return without_costs(self).model_copy(update={"slice": self.slice})
