"""The designs to compare for a number of nodes and a catalogue.

The architectures are those of [PMESH-1998, table 2], or every kind that can be built. A torus and a
P-Mesh get the squarest two sides with product N (a prime gives one side: a ring, a switch). A
tree of switches without extra uplink ports uses node ports for uplinks. Each architecture is built
from the cheapest parts of the catalogue that fit (fitting.py), and left out if none fit
(docs/design/comparing-designs.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from linkwright.comparison.fitting import TopologyFields, Wanted, fitting_design
from linkwright.comparison.result import LeftOut
from linkwright.design.cluster import Cluster
from linkwright.design.parts import SwitchPart
from linkwright.errors import DesignError

__all__ = ["ARCHITECTURES", "Candidate", "candidates", "given", "squarest_sides"]


@dataclass(frozen=True)
class Candidate:
    """A design to compare, named after its architecture or by its own name."""

    name: str
    design: Cluster
    chosen_parts: Mapping[str, str] = field(default_factory=dict)
    """Role -> key of the parts that are not the catalogue's usual ones."""
    given_as: str = ""
    """Name of the file or design that the user gave; empty for an architecture."""


def candidates(
    n_nodes: int, wanted: Wanted, *, every_kind: bool = False
) -> list[Candidate | LeftOut]:
    """Return the architectures for a number of nodes; `direct` always has two.

    Parameters
    ----------
    n_nodes : int
        Compute nodes of each design.
    wanted : Wanted
        Source of the parts, and limits on their choice.
    every_kind : bool
        Whether all kinds of network are included, not only those of [PMESH-1998].

    Raises
    ------
    DesignError
        If the catalogue is unknown or no network has this number of nodes.
    UsageError
        If the catalogue has no parts of the rate.

    Examples
    --------
    >>> [one.design.name for one in candidates(16, Wanted("whitney-1998"))[3:6]]
    ['torus-4x4', 'tree-16', 'p-mesh-4x4']
    """
    # A wrong number of nodes, catalogue or rate is reported once, not seven times.
    Cluster.from_fields({"topology": {"kind": "switch", "nodes": n_nodes}})
    wanted.rates_mbps()
    chosen = {**ARCHITECTURES, **OTHERS} if every_kind else ARCHITECTURES
    return [_candidate(kind, partial(fields, n_nodes), wanted) for kind, fields in chosen.items()]


def given(designs: Sequence[Cluster | str | Path]) -> list[Candidate | LeftOut]:
    """Return the designs of the user; designs whose file cannot be loaded are left out."""
    return [_given(design) for design in designs]


def _given(design: Cluster | str | Path) -> Candidate | LeftOut:
    given_as = design.name if isinstance(design, Cluster) else str(design)
    try:
        loaded = design if isinstance(design, Cluster) else Cluster.load(design)
        loaded.resolve_parts()  # a missing catalogue is reported before its hosts are needed
    except DesignError as error:
        return LeftOut.because(error, given_as, is_given=True)
    return Candidate(loaded.name, loaded, given_as=given_as)


def _candidate(kind: str, fields: TopologyFields, wanted: Wanted) -> Candidate | LeftOut:
    try:
        design, chosen = fitting_design(lambda switch: {**fields(switch), "kind": kind}, wanted)
    except DesignError as error:
        return LeftOut.because(error, kind, is_given=False)
    return Candidate(kind, design, chosen)


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
    """Return the same for a kind that always has two sides: a prime gives one row."""
    return ([1, *squarest_sides(n_nodes)])[-2:]


def _counted(n_nodes: int, switch: SwitchPart | None) -> dict[str, Any]:
    del switch
    return {"nodes": n_nodes}


def _one_switch(n_nodes: int, switch: SwitchPart | None) -> dict[str, Any]:
    """Return the fields of one switch, or of the smallest stack that the part allows."""
    if switch is None or switch.most_ports >= n_nodes:
        return {"nodes": n_nodes}
    units = -(-n_nodes // switch.most_ports)
    return {"nodes": n_nodes, "stack_units": min(units, switch.max_stack_units or 1)}


def _square(n_nodes: int, switch: SwitchPart | None) -> dict[str, Any]:
    del switch
    return {"shape": squarest_sides(n_nodes)}


def _rows_and_columns(n_nodes: int, switch: SwitchPart | None) -> dict[str, Any]:
    del switch
    return {"shape": _two_sides(n_nodes)}


def _leaves(n_nodes: int, switch: SwitchPart | None) -> dict[str, Any]:
    has_uplinks = switch is None or switch.uplink_rate_mbps is not None
    return {"nodes": n_nodes, "uplink_ports": "extra" if has_uplinks else "node"}


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
    """Return groups whose size is close to their number."""
    del switch
    per_group = next(n for n in range(math.isqrt(n_nodes), 0, -1) if n_nodes % n == 0)
    return {"shape": _two_sides(n_nodes // per_group), "nodes_per_group": per_group}


FieldsByNodes = Callable[[int, SwitchPart | None], dict[str, Any]]

ARCHITECTURES: dict[str, FieldsByNodes] = {
    "direct": lambda n_nodes, switch: {},
    "hub": _counted,
    "switch": _one_switch,
    "torus": _square,
    "tree": _leaves,
    "p-mesh": _square,
    "full-mesh": _counted,
}
"""Architecture of [PMESH-1998] -> the fields of its topology, from the nodes and the switch
part."""

OTHERS: dict[str, FieldsByNodes] = {
    "single-net": _counted,
    "bonded-dual-net": _counted,
    "bonded-switches": _one_switch,
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
