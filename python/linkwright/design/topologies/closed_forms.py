"""What the formulas of the literature say about a network, to be compared with what was built.

Every topology fills one of these from its parameters alone; nothing here is counted on arrays. The
laws in tests/laws hold the two against each other. Bandwidths are not here: they follow from
calibrations.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["ClosedForms"]


@dataclass(frozen=True, kw_only=True)
class ClosedForms:
    """Formula values of one topology; the front end is not counted."""

    n_nodes: int
    """Compute nodes."""
    n_cables: int
    """Cables between them, uplinks included, the cables inside a stack excluded."""
    n_switches: int
    """Switches bought: units of stacks, and chassis rather than their logical parts."""
    n_hubs: int
    """Hubs bought, units of stacks included."""
    nics_per_node: int
    """NICs of the node that needs most."""
    max_nodes: int | None
    """Largest network of this kind with these parts; None when nothing bounds it."""
    diameter_hops: int
    """Subnets crossed by the worst pair; forwards are one less."""
    forwards_mean: float
    """Nodes that relay, averaged over all ordered pairs of different nodes."""
    forwards_worst: int
    """Nodes that relay, for the worst pair."""
    switches_best: int
    """Switches on the path of the best pair."""
    switches_worst: int
    """Switches on the path of the worst pair."""
    bisection_links: float
    """Full-duplex links at node rate cut by the worst equal split, both directions of each counted
    as one link; a half-duplex hub counts as half a link. Shared backplanes are not considered."""
    bisection_uplinks: float | None = None
    """Uplinks cut when the halves are whole leaves; the bisection is the smaller of the two by
    rate.
    """
    bisection_is_exact: bool = True
    """Whether no equal split cuts less; otherwise the figure is an upper bound."""
    ports_per_node: Mapping[str, float]
    """Ports to pay per node, by part role, in a network built to the full size of its parts."""
    source: str
    """Where the formulas stand, with corrections."""
