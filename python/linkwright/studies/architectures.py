"""Which designs stand beside each other when somebody asks for N nodes and a catalogue.

The architectures are those of [PMESH-1998, table 2], or every kind that can be built. A torus and a
P-Mesh get the squarest two sides that multiply to N (a prime gives one side: a ring, a switch); a
P-Mesh is built from the smallest switches that hold a line, filled with as many lines as they take;
a tree of switches without extra uplink ports gives up node ports for them. A node may need more
NICs than it has slots, as in any larger full mesh: the paper prices such a network all the same, so
it is built with nodes that have room, and a finding says that this one has not.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
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


def candidates(n_nodes: int, catalogue: str, *, every_kind: bool = False) -> list[Candidate]:
    """Return the architectures for a number of nodes; `direct` always has two.

    Parameters
    ----------
    n_nodes : int
        Compute nodes of each design.
    catalogue : str
        Where parts and prices come from.
    every_kind : bool
        Whether all kinds of network are taken, not only those of [PMESH-1998].

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
    chosen = {**ARCHITECTURES, **OTHERS} if every_kind else ARCHITECTURES
    return [
        _candidate(kind, n_nodes, partial(fields, n_nodes, part), catalogue)
        for kind, fields in chosen.items()
    ]


def _candidate(
    kind: str, n_nodes: int, fields: Callable[[], dict[str, Any]], catalogue: str
) -> Candidate:
    try:
        topology = {**fields(), "kind": kind}
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


def _two_sides(n_nodes: int) -> list[int]:
    """Return the same for a kind that always has two: a prime gives one row."""
    return ([1, *squarest_sides(n_nodes)])[-2:]


def _counted(n_nodes: int, switch: SwitchPart | None) -> dict[str, Any]:
    del switch
    return {"nodes": n_nodes}


def _square(n_nodes: int, switch: SwitchPart | None) -> dict[str, Any]:
    del switch
    return {"shape": squarest_sides(n_nodes)}


def _rows_and_columns(n_nodes: int, switch: SwitchPart | None) -> dict[str, Any]:
    del switch
    return {"shape": _two_sides(n_nodes)}


def _leaves(n_nodes: int, switch: SwitchPart | None) -> dict[str, Any]:
    has_uplinks = switch is None or switch.uplink_rate_mbps is not None
    return {"nodes": n_nodes, "uplink_ports": "extra" if has_uplinks else "node"}


def _square_on_switches(n_nodes: int, switch: SwitchPart | None) -> dict[str, Any]:
    sides = squarest_sides(n_nodes)
    longest, n_lines = max(sides), n_nodes // min(sides)
    holder = (switch.size_for(longest) if switch else None) or longest
    return {"shape": sides, "lines_per_switch": min(n_lines, holder // longest)}


def _line(n_nodes: int, switch: SwitchPart | None) -> dict[str, Any]:
    del switch
    return {"shape": [n_nodes]}


def _powers(n_nodes: int, switch: SwitchPart | None) -> dict[str, Any]:
    del switch
    if n_nodes & (n_nodes - 1):
        raise DesignError(
            f"a hypercube has 2, 4, 8 ... nodes, not {n_nodes}",
            f"ask for {1 << (n_nodes.bit_length() - 1)} or {1 << n_nodes.bit_length()} nodes",
        )
    return {"dimension": n_nodes.bit_length() - 1}


def _stages(n_nodes: int, switch: SwitchPart | None) -> dict[str, Any]:
    """Return the fewest stages that make a ring."""
    del switch
    stages = next(n for n in range(min(3, n_nodes), n_nodes + 1) if n_nodes % n == 0)
    return {"stages": stages, "nodes_per_stage": n_nodes // stages}


def _groups(n_nodes: int, switch: SwitchPart | None) -> dict[str, Any]:
    """Return about as many nodes in a group as there are groups."""
    del switch
    per_group = next(n for n in range(math.isqrt(n_nodes), 0, -1) if n_nodes % n == 0)
    return {"shape": _two_sides(n_nodes // per_group), "nodes_per_group": per_group}


ARCHITECTURES: dict[str, Callable[[int, SwitchPart | None], dict[str, Any]]] = {
    "direct": lambda n_nodes, switch: {},
    "hub": _counted,
    "switch": _counted,
    "torus": _square,
    "tree": _leaves,
    "p-mesh": _square_on_switches,
    "full-mesh": _counted,
}
"""Architecture of [PMESH-1998] -> the fields of its topology, from nodes and the switch sold."""

OTHERS: dict[str, Callable[[int, SwitchPart | None], dict[str, Any]]] = {
    "single-net": _counted,
    "bonded-dual-net": _counted,
    "hub-switch": lambda n_nodes, switch: {"nodes": n_nodes, "density": 4},
    "routed-mesh": _square,
    "switched-mesh": _rows_and_columns,
    "bonded-switched-mesh": _rows_and_columns,
    "ring": _line,
    "mesh": _square,
    "hypercube": _powers,
    "hyperx": _square,
    "stack-ring": _stages,
    "stack-mesh": _groups,
    "fat-tree": _counted,
}
"""Every other kind, in the same way."""
