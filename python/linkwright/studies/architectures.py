"""Which designs stand beside each other when somebody asks for N nodes and a catalogue.

The architectures are those of [PMESH-1998, table 2]. A torus and a P-Mesh get the squarest two
sides that multiply to N (a prime gives one side: a ring, a switch); a P-Mesh is built from the
smallest switches that hold a line, filled with as many lines as they take; a tree of switches
without extra uplink ports gives up node ports for them. A node may need more
NICs than it has slots, as in any larger full mesh: the paper prices such a network all the same, so
it is built with nodes that have room, and a finding says that this one has not.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from linkwright.design.cluster import Cluster
from linkwright.design.parts import SwitchPart
from linkwright.design.role_parts import RoleParts
from linkwright.errors import DesignError
from linkwright.plan import Finding, Severity

__all__ = ["ARCHITECTURES", "Candidate", "candidates", "squarest_sides"]


@dataclass(frozen=True)
class Candidate:
    """One architecture to compare: its design, or why there is none."""

    architecture: str
    n_nodes: int
    design: Cluster | None
    findings: tuple[Finding, ...] = ()
    """What the design has to concede to be built."""
    reason: DesignError | None = None
    is_asked_for: bool = False
    """Whether somebody gave this design, so that an error in it is theirs."""


def candidates(n_nodes: int, catalogue: str) -> list[Candidate]:
    """Return every architecture for a number of nodes; `direct` always has two.

    Parameters
    ----------
    n_nodes : int
        Compute nodes of each design.
    catalogue : str
        Where parts and prices come from.

    Raises
    ------
    DesignError
        When the catalogue is unknown or no network has so many nodes.

    Examples
    --------
    >>> [one.design.name for one in candidates(16, "whitney-1998")[3:6]]
    ['torus-4x4', 'tree-16', 'p-mesh-4x4']
    """
    # A number of nodes or a catalogue that suits none is said once, not seven times.
    switch = _design({"kind": "switch", "nodes": n_nodes}, catalogue)
    part = RoleParts.of(switch.resolve_parts()).switch
    return [
        _candidate(kind, n_nodes, {**fields(n_nodes, part), "kind": kind}, catalogue)
        for kind, fields in ARCHITECTURES.items()
    ]


def _candidate(kind: str, n_nodes: int, topology: dict[str, Any], catalogue: str) -> Candidate:
    try:
        design = _design(topology, catalogue)
        parts = RoleParts.of(design.resolve_parts())
        n_ports = design.topology.closed_forms(parts.limits).nics_per_node
    except DesignError as error:
        return Candidate(kind, n_nodes, None, reason=error)
    n_nics, n_slots = parts.nic.cards_for(n_ports), parts.node.max_nics
    if n_slots is None or n_nics <= n_slots:
        return Candidate(kind, design.topology.n_nodes, design)
    finding = Finding(
        Severity.ERROR,
        "nodes",
        "nic-slots",
        f"needs {n_nics} NICs, node has {n_slots} slots",
        "take it as a bound for comparison, or choose another node part",
    )
    roomy = _design(topology, catalogue, node={"max_nics": None})
    return Candidate(kind, design.topology.n_nodes, roomy, (finding,))


def _design(topology: dict[str, Any], catalogue: str, **parts: Any) -> Cluster:
    return Cluster.from_fields({"topology": topology, "parts": {"catalogue": catalogue, **parts}})


def squarest_sides(n_nodes: int) -> list[int]:
    """Return the two sides closest to each other that multiply to `n_nodes`; one side for a prime.

    Examples
    --------
    >>> squarest_sides(16), squarest_sides(12), squarest_sides(7)
    ([4, 4], [3, 4], [7])
    """
    side = next(side for side in range(math.isqrt(n_nodes), 0, -1) if n_nodes % side == 0)
    return [side, n_nodes // side] if side > 1 else [n_nodes]


def _counted(n_nodes: int, switch: SwitchPart | None) -> dict[str, Any]:
    del switch
    return {"nodes": n_nodes}


def _square(n_nodes: int, switch: SwitchPart | None) -> dict[str, Any]:
    del switch
    return {"shape": squarest_sides(n_nodes)}


def _leaves(n_nodes: int, switch: SwitchPart | None) -> dict[str, Any]:
    has_uplinks = switch is None or switch.uplink_rate_mbps is not None
    return {"nodes": n_nodes, "uplink_ports": "extra" if has_uplinks else "node"}


def _square_on_switches(n_nodes: int, switch: SwitchPart | None) -> dict[str, Any]:
    sides = squarest_sides(n_nodes)
    longest, n_lines = max(sides), n_nodes // min(sides)
    holder = (switch.size_for(longest) if switch else None) or longest
    return {"shape": sides, "lines_per_switch": min(n_lines, holder // longest)}


ARCHITECTURES: dict[str, Callable[[int, SwitchPart | None], dict[str, Any]]] = {
    "direct": lambda n_nodes, switch: {},
    "hub": _counted,
    "switch": _counted,
    "torus": _square,
    "tree": _leaves,
    "p-mesh": _square_on_switches,
    "full-mesh": _counted,
}
"""Architecture -> the fields of its topology, from nodes and the switch that is sold."""
