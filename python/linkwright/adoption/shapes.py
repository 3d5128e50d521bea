"""The known shapes that a fabric has: kinds of topologies are built in all sizes that fit, and
those whose segments are the fabric's are found, the simplest first.

Machines see no switches, only the segments behind them: a tree of switches is one switch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import isqrt
from typing import Any

from pydantic import ValidationError

from linkwright.adoption.isomorphism import Graph, Vertex, isomorphisms
from linkwright.adoption.sighted import Port, Sighted
from linkwright.design.names import device_names, nic_name
from linkwright.design.topologies import TOPOLOGIES, Limits, Wiring
from linkwright.errors import DesignError

__all__ = ["Shape", "known_shapes"]

LIMITS = Limits(
    hub_ports=4096,
    switch_ports=4096,
    leaf_ports=4096,
    root_switch_ports=4096,
    switch_stack_units=64,
)
MOST_NODES = 1000
"""Largest fabric whose shape is sought."""
MOST_AXES = 4
MOST_NUMBERINGS = 800
"""Numberings of the nodes of a shape among which the best is chosen."""


@dataclass(frozen=True, eq=False)
class Shape:
    """A known shape.

    Attributes
    ----------
    fields : mapping of str to Any
        The `topology` of the design.
    node_of : mapping of str to str
        Node of the shape for each machine.
    nic_of : mapping of Port to str
        NIC of the shape for each port of the fabric.
    """

    fields: Mapping[str, Any]
    node_of: Mapping[str, str]
    nic_of: Mapping[Port, str]


def known_shapes(fabric: Sighted, order: Sequence[str]) -> Iterator[list[Shape]]:
    """Yield the known shapes of a fabric, the simplest first, each with numberings of its nodes.

    Parameters
    ----------
    fabric : Sighted
        The fabric.
    order : sequence of str
        Its machines in the preferred order of the nodes.
    """
    n_nodes = len(fabric.machines)
    if n_nodes > MOST_NODES:
        return
    graph = _graph(fabric.ports, fabric.segments, fabric.segment_of)
    is_hub = all(map(fabric.is_hub, range(len(fabric.segments))))
    for fields in _candidates(n_nodes, has_bonds=bool(fabric.bonds), is_hub=is_hub):
        wiring = _built(fields, n_nodes)
        found = wiring and list(
            islice(_fitted(fields, wiring, fabric, graph, order), MOST_NUMBERINGS)
        )
        if found:
            yield found


def _candidates(n: int, *, has_bonds: bool, is_hub: bool) -> Iterator[dict[str, Any]]:
    """Yield topologies of `n` nodes, the simplest first."""
    if has_bonds:
        yield from ({"kind": "bonded-switches", "nodes": n, "switches": k} for k in (2, 3, 4))
        yield from ({"kind": "bonded-dual-net", "nodes": n, "buses": k} for k in (2, 3, 4))
        yield from ({"kind": "bonded-switched-mesh", "shape": list(s)} for s in _sides(n, 2))
        return
    if n == 2:
        yield {"kind": "direct"}
    yield {"kind": "ring", "shape": [n]}
    yield {"kind": "full-mesh", "nodes": n}
    shapes = [list(sides) for axes in range(2, MOST_AXES + 1) for sides in _sides(n, axes)]
    yield from ({"kind": "torus", "shape": shape} for shape in shapes)
    yield from ({"kind": "mesh", "shape": shape} for shape in ([n], *shapes))
    if n & (n - 1) == 0:
        yield {"kind": "hypercube", "dimension": n.bit_length() - 1}
    yield {"kind": "hub" if is_hub else "switch", "nodes": n}
    yield {"kind": "switch", "nodes": n, "nfs_switch": True}
    for kind in ("p-mesh", "hyperx"):
        yield from ({"kind": kind, "shape": shape} for shape in shapes)
    for kind in ("switched-mesh", "routed-mesh"):
        yield from ({"kind": kind, "shape": list(s)} for s in _sides(n, 2))
    yield from _stacks(n)


def _stacks(n: int) -> Iterator[dict[str, Any]]:
    for stages, size in _sides(n, 2):
        for more in range(size):
            yield {
                "kind": "stack-ring",
                "stages": stages,
                "nodes_per_stage": size - more,
                "extra_forwarders": more,
            }
    for rows, columns, size in (*_sides(n, 3), *((*s, 1) for s in _sides(n, 2))):
        yield {"kind": "stack-mesh", "shape": [rows, columns], "nodes_per_group": size}
    yield {"kind": "stack-ring", "stages": n, "nodes_per_stage": 1}


def _sides(n: int, axes: int) -> Iterator[tuple[int, ...]]:
    """Yield the shapes of `n` nodes whose sides have two or more, the most equal first."""

    def split(rest: int, left: int) -> Iterator[tuple[int, ...]]:
        if left == 1:
            yield from ((rest,) for _ in range(rest > 1))
            return
        for side in range(2, rest // 2 ** (left - 1) + 1):
            if rest % side == 0:
                yield from ((side, *more) for more in split(rest // side, left - 1))

    middle = isqrt(n)
    yield from sorted(split(n, axes), key=lambda s: (max(s) - min(s), [abs(x - middle) for x in s]))


def _built(fields: Mapping[str, Any], n_nodes: int) -> Wiring | None:
    try:
        topology = TOPOLOGIES[fields["kind"]].model_validate(fields)
        wiring = topology.build(LIMITS)
    except (ValidationError, DesignError):
        return None
    return wiring if wiring.n_nodes == n_nodes else None


def _fitted(
    fields: Mapping[str, Any],
    wiring: Wiring,
    fabric: Sighted,
    graph: Graph,
    order: Sequence[str],
) -> Iterator[Shape]:
    """Yield the shape with each numbering by which its nodes and segments are those of a fabric.

    A machine with the name of a node is this node: it would be taken for it everywhere.
    """
    names = device_names(wiring)[: wiring.n_nodes]
    segments = _segments(wiring)
    direct = _ends_of_cables(wiring)
    nics = [
        [nic_name(wiring, node, port) for port in range(int(wiring.n_ports[node]))]
        for node in range(wiring.n_nodes)
    ]
    drawn = _graph(
        dict(enumerate(nics)),
        segments,
        {(node, nics[node][port]): n for n, own in enumerate(segments) for node, port in own},
    )
    named = {machine.lower(): machine for machine in fabric.machines}
    fixed: dict[Vertex, Vertex] = {
        ("node", node): ("node", named[name]) for node, name in enumerate(names) if name in named
    }
    preferred: dict[Vertex, Vertex] = {
        ("node", node): ("node", name) for node, name in enumerate(order)
    }
    for found in isomorphisms(drawn, graph, preferred=preferred, fixed=fixed):
        place = [int(str(found["segment", number][1])) for number in range(len(segments))]
        if any(
            not fabric.is_cable[at] and own[0] in direct
            for at, own in zip(place, segments, strict=True)
        ):
            continue
        machine_of = [str(found["node", node][1]) for node in range(wiring.n_nodes)]
        nic_of: dict[Port, str] = {}
        for number, own in enumerate(segments):
            there = fabric.segments[place[number]]
            for node in {node for node, _ in own}:
                ports = [port for port in there if port[0] == machine_of[node]]
                of_node = [nics[node][port] for one, port in own if one == node]
                nic_of |= dict(zip(ports, of_node, strict=True))
        yield Shape(fields, dict(zip(machine_of, names, strict=True)), nic_of)


def _segments(wiring: Wiring) -> list[list[tuple[int, int]]]:
    """Return the node ports of each broadcast domain, in the order of its first one; a bond joins
    those of its members.
    """
    group: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for a, b in zip(wiring.cable_a.tolist(), wiring.cable_b.tolist(), strict=True):
        one, other = (
            group.setdefault(end, [end])
            for end in ((d, -1) if wiring.bridges[d] else (d, p) for d, p in (a, b))
        )
        _join(group, one, other)
    for node, first, n_ports in wiring.bonds.tolist():
        for port in range(first + 1, first + n_ports):
            _join(group, group[node, first], group[node, port])
    nodes = [sorted(end for end in own if end[1] >= 0) for own in
             {id(own): own for own in group.values()}.values()]  # fmt: skip
    return sorted(own for own in nodes if own)


def _ends_of_cables(wiring: Wiring) -> set[tuple[int, int]]:
    """Return the node ports, without those in bonds, whose cable leads to another node."""
    bonded = {
        (node, port)
        for node, first, n_ports in wiring.bonds.tolist()
        for port in range(first, first + n_ports)
    }
    pairs = zip(wiring.cable_a.tolist(), wiring.cable_b.tolist(), strict=True)
    return {
        (device, port)
        for ends in pairs
        if not any(wiring.bridges[device] for device, _ in ends)
        for device, port in ends
    } - bonded


def _join(
    group: dict[tuple[int, int], list[tuple[int, int]]],
    one: list[tuple[int, int]],
    other: list[tuple[int, int]],
) -> None:
    if one is not other:
        one += other
        for end in other:
            group[end] = one


def _graph(
    ports: Mapping[Any, Any], segments: Any, segment_of: Mapping[tuple[Any, str], int]
) -> Graph:
    """Return nodes and segments as vertices, and ports as edges."""
    found: dict[Any, dict[Any, int]] = {("node", node): {} for node in ports}
    found |= {("segment", number): {} for number in range(len(segments))}
    for node, own in ports.items():
        for port in own:
            if (node, port) in segment_of:
                vertex, other = ("node", node), ("segment", segment_of[node, port])
                found[vertex][other] = found[vertex].get(other, 0) + 1
    for vertex in [one for one in found if one[0] == "node"]:
        for other, n in found[vertex].items():
            found[other][vertex] = n
    return found
