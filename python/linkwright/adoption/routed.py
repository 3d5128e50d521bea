"""The design whose routes are most like those of the machines, among designs with the same cables.

Several shapes can have the same segments, and a shape can be routed with or without backups; the
routes of the machines tell which one was meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from linkwright.adoption.sighted import Sighted
from linkwright.adoption.writing import Written
from linkwright.design.cluster import Cluster
from linkwright.errors import DesignError
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.plan.exporters.network_plan import NetworkPlan

__all__ = ["most_alike"]

BACKUPS = ("routing: {fallback: true}", "routing: {fallback: by-interface}")
Hop = tuple[str, str, str]
"""Destination, gateway and interface of a route."""


def most_alike(
    fabric: Sighted, designs: Sequence[tuple[Written, Mapping[str, str]]]
) -> Written | None:
    """Return the design whose routes differ least from those of the machines; of equal ones the
    first, and None if none can be built.

    Parameters
    ----------
    fabric : Sighted
        The machines.
    designs : sequence of tuple
        Designs, and the node of each machine.
    """
    there = {name: list(_hops(fabric, name)) for name in fabric.machines}
    has_backups = any(
        n > 1 for hops in there.values() for n in Counter(dst for dst, _, _ in hops).values()
    )
    best: tuple[int, Written] | None = None
    for written, node_of in designs:
        for ending in ("", *BACKUPS) if has_backups else ("",):
            one = replace(written, text=f"{written.text}{ending}\n" if ending else written.text)
            network = _built(one)
            n_different = _n_different(network, there, node_of) if network else 0
            if network and (best is None or n_different < best[0]):
                best = n_different, one
    return best[1] if best else None


def _built(written: Written) -> Network | None:
    try:
        return compile_network(Cluster.parse(written.text))
    except DesignError:
        return None


def _n_different(
    network: Network, there: Mapping[str, Sequence[Hop]], node_of: Mapping[str, str]
) -> int:
    """Return the number of routes that only a plan or only the machines have."""
    machine_of = {node: machine for machine, node in node_of.items()}
    n_different = 0
    for node in NetworkPlan(network).nodes():
        own = Counter(
            (one.destination.partition("/")[0], one.via, one.interface) for one in node.routes
        )
        found = Counter(there[machine_of[node.node]])
        n_different += ((own - found) + (found - own)).total()
    return n_different


def _hops(fabric: Sighted, machine: str) -> Iterator[Hop]:
    """Yield the routes of a machine over gateways on the fabric."""
    nics = {fabric.carrier((machine, port)).name for port in fabric.ports[machine]}
    for route in fabric.machines[machine].routes:
        if route.gateway and route.dev in nics and route.dst != "default":
            yield route.dst.partition("/")[0], route.gateway, route.dev or ""
