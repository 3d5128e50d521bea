"""The numbering of a shape's nodes that gives it the routes and NICs of the machines.

A ring of four can be numbered in eight ways. All have the same cables, but the ties of routes, and
with them the routes, follow the numbers. One numbering is planned; all others are compared with it
by names alone, since addresses stay at their machines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from ipaddress import ip_interface

from linkwright.adoption.kept import Kept
from linkwright.adoption.shapes import Shape
from linkwright.adoption.sighted import Port, Sighted, metric_of
from linkwright.network import Network
from linkwright.plan.exporters.network_plan import NetworkPlan

__all__ = ["best_numbered", "natural_order", "routes_of_machines"]

MOST_COMPARED = 2000
"""Routes that are compared by each numbering; of more, every second, third, ... is."""
Target = str | Port
"""Destination of a route: a machine, or the segment of a port."""
Hop = tuple[str, Target, str, int]
"""Machine, destination, port, and the rank among the routes to the destination."""


def natural_order(fabric: Sighted, kept: Kept) -> list[str]:
    """Return the machines in the order of their addresses, else of the facts."""

    def key(name: str) -> tuple[int, int]:
        own = [*kept.identities.get(name, ())]
        own += [
            text for port in fabric.ports[name] for text in kept.addresses.get((name, port), ())
        ]
        ips = [ip_interface(text) for text in own]
        return min(((ip.version, int(ip.ip)) for ip in ips), default=(9, 0))

    return sorted(fabric.machines, key=key)


def best_numbered(
    fabric: Sighted, kept: Kept, shapes: Sequence[Shape], planned: Network
) -> list[Shape]:
    """Return numberings, the most alike first.

    Parameters
    ----------
    fabric, kept
        The machines, and their addresses that designs keep.
    shapes : sequence of Shape
        Numberings of one shape.
    planned : Network
        The network of the first one.
    """
    places = _places(fabric, kept)
    wanted = list(_hops(_routes_of_plan(planned, shapes[0]), fabric, places))
    of_plan = frozenset(_numbered(wanted, shapes[0], fabric))
    there = list(_hops(routes_of_machines(fabric), fabric, places))
    sample = there[:: 1 + len(there) // MOST_COMPARED]

    def unlike(shape: Shape) -> tuple[int, int]:
        n_equal = sum(hop in of_plan for hop in _numbered(sample, shape, fabric))
        n_named = sum(nic == port for (_, port), nic in shape.nic_of.items())
        return -n_equal, -n_named

    return sorted(shapes, key=unlike)


def routes_of_machines(fabric: Sighted) -> Iterator[tuple[str, str, str, int]]:
    """Yield machine, destination, interface and metric of the routes of machines on the fabric."""
    for name in fabric.machines:
        for route in fabric.routes(name):
            yield name, route.dst, route.dev or "", metric_of(route)


def _routes_of_plan(network: Network, shape: Shape) -> Iterator[tuple[str, str, str, int]]:
    machine_of = {node: machine for machine, node in shape.node_of.items()}
    for node in NetworkPlan(network).nodes():
        for one in node.routes:
            if not one.table:
                yield machine_of[node.node], one.destination, one.interface, one.metric


def _places(fabric: Sighted, kept: Kept) -> Mapping[str, Target]:
    """Return the machine or the first port of the segment of each prefix that is kept."""
    found: dict[str, Target] = {}
    for name, own in kept.identities.items():
        found |= dict.fromkeys(own, name)
    for port, addresses in kept.addresses.items():
        first = fabric.segments[fabric.segment_of[port]][0]
        found |= {str(ip_interface(text).network): first for text in addresses}
    return found


def _hops(
    routes: Iterable[tuple[str, str, str, int]], fabric: Sighted, places: Mapping[str, Target]
) -> Iterator[Hop]:
    """Yield the routes to machines and segments by a port, the best first."""
    rank: Counter[tuple[str, Target]] = Counter()
    for machine, destination, interface, _ in sorted(routes, key=lambda one: (one[0], one[3])):
        target = places.get(destination.removesuffix("/32").removesuffix("/128"))
        if target is not None and (machine, interface) in fabric.segment_of:
            rank[machine, target] += 1
            yield machine, target, interface, rank[machine, target]


def _numbered(hops: Iterable[Hop], shape: Shape, fabric: Sighted) -> Iterator[object]:
    """Yield hops in the names of a shape."""
    ends = {port: (shape.node_of[port[0]], nic) for port, nic in shape.nic_of.items()}
    segments = [min(ends[port] for port in ports) for ports in fabric.segments]
    for machine, target, port, rank in hops:
        place = (
            shape.node_of[target]
            if isinstance(target, str)
            else segments[fabric.segment_of[target]]
        )
        yield shape.node_of[machine], place, shape.nic_of[machine, port], rank
