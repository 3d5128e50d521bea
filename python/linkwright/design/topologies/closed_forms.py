"""Closed forms: values by formulas of the literature, for comparison with the built network.

Every topology fills one of these from its parameters alone; nothing here is counted on arrays. The
laws in tests/laws compare the two. Bandwidths follow from calibrations and are not here.
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
    """NICs of the node that needs the most."""
    max_nodes: int | None
    """Largest network of this kind with these parts; None without a bound."""
    diameter_hops: int
    """Subnets crossed by the worst pair; forwards are one less."""
    forwards_mean: float
    """Number of forwarding nodes, averaged over all ordered pairs of different nodes."""
    forwards_worst: int
    """Number of forwarding nodes for the worst pair."""
    switches_best: int
    """Switches on the path of the best pair."""
    switches_worst: int
    """Switches on the path of the worst pair."""
    are_path_bounds: bool = False
    """Whether distances and numbers of switches are lower bounds rather than exact."""
    bisection_links: float
    """Full-duplex links at node rate cut by the worst equal split, both directions of each counted
    as one link; a half-duplex hub counts as half a link. Shared backplanes are not considered."""
    bisection_uplinks: float | None = None
    """Uplinks cut if the halves are whole leaves; the bisection is the smaller of the two by rate.
    """
    bisection_is_exact: bool = True
    """Whether no equal split cuts less; otherwise the figure is an upper bound."""
    ports_per_node: Mapping[str, float]
    """Ports to pay per node, by part role, in a network built to the full size of its parts."""
    source: str
    """Source of the formulas, with corrections."""
