"""The design whose routes are most like those of the machines, among designs with the same cables.

Several shapes can have the same segments, and a shape can be routed with or without backups; the
routes of the machines tell which one was meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from linkwright.adoption.sighted import Sighted, gateway_of, metric_of
from linkwright.adoption.writing import Written
from linkwright.design.cluster import Cluster
from linkwright.errors import DesignError
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.plan.exporters.network_plan import NetworkPlan

__all__ = ["Routed", "built", "has_rules", "hops", "most_alike", "n_different", "with_backups"]

BACKUPS = "routing: {fallback: true}\n"
BACKUPS_BY_INTERFACE = "routing: {fallback: by-interface}\n"
Hop = tuple[str, str, str, int]
"""Destination, gateway, interface and metric of a route."""


@dataclass(frozen=True)
class Routed:
    """A design beside the machines.

    Attributes
    ----------
    written : Written
        The design.
    network : Network
        Its network.
    node_of : mapping of str to str
        Node of each machine.
    n_different : int
        Routes that only the plan or only the machines have.
    """

    written: Written
    network: Network
    node_of: Mapping[str, str]
    n_different: int


def most_alike(
    fabric: Sighted, designs: Iterable[tuple[Written, Mapping[str, str]]]
) -> Routed | None:
    """Return the design whose routes differ least from those of the machines; of equal ones the
    first, and None if none can be built.

    Parameters
    ----------
    fabric : Sighted
        The machines.
    designs : iterable of tuple
        Designs, and the node of each machine.
    """
    there = hops(fabric)
    best: Routed | None = None
    for written, node_of in designs:
        for one in with_backups(fabric, written):
            network = built(one)
            if network is None:
                continue
            n = n_different(network, there, node_of)
            if best is None or n < best.n_different:
                best = Routed(one, network, node_of, n)
            if n == 0:
                return best
    return best


def with_backups(fabric: Sighted, written: Written) -> Iterator[Written]:
    """Yield a design, and the same with backup routes if machines have some."""
    yield written
    if has_rules(fabric):
        yield replace(written, text=written.text + BACKUPS_BY_INTERFACE)
    elif _has_backups(fabric):
        yield replace(written, text=written.text + BACKUPS)


def has_rules(fabric: Sighted) -> bool:
    """Return whether machines choose tables by the port that a packet comes in by."""
    return any(
        (name, rule.iif) in fabric.segment_of
        for name, machine in fabric.machines.items()
        for rule in machine.rules
    )


def _has_backups(fabric: Sighted) -> bool:
    """Return whether a machine has several routes to one destination."""
    return any(
        n > 1
        for name in fabric.machines
        for n in Counter(dst for dst, *_ in _hops(fabric, name)).values()
    )


def built(written: Written) -> Network | None:
    """Return the network of a design, None if it is not sound."""
    try:
        return compile_network(Cluster.parse(written.text))
    except DesignError:
        return None


def hops(fabric: Sighted) -> dict[str, list[Hop]]:
    """Return the routes of each machine."""
    return {name: list(_hops(fabric, name)) for name in fabric.machines}


def n_different(
    network: Network, there: Mapping[str, Iterable[Hop]], node_of: Mapping[str, str]
) -> int:
    """Return the number of routes that only a plan or only the machines have."""
    machine_of = {node: machine for machine, node in node_of.items()}
    n = 0
    for node in NetworkPlan(network).nodes():
        own = Counter(
            (one.destination.partition("/")[0], one.via, one.interface, one.metric)
            for one in node.routes
            if not one.table
        )
        found = Counter(there[machine_of[node.node]])
        n += ((own - found) + (found - own)).total()
    return n


def _hops(fabric: Sighted, machine: str) -> Iterator[Hop]:
    for route in fabric.routes(machine):
        yield route.dst.partition("/")[0], gateway_of(route), route.dev or "", metric_of(route)
