"""The routes of the machines as a table of their own, where no scheme has them.

The table is kept if it leads every packet to its address; else the scheme is the better plan.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path

from linkwright.adoption.routed import Routed, has_rules, hops, n_different
from linkwright.adoption.sighted import Sighted, gateway_of, metric_of
from linkwright.design.addressing import Prefix
from linkwright.design.cluster import Cluster
from linkwright.design.names import bond_names, nic_names
from linkwright.errors import DesignError
from linkwright.files import write_atomically
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.plan.machine_names import nic_on_machine
from linkwright.text.csv_text import csv_text

__all__ = ["with_own_routes"]

COLUMNS = ("node", "destination", "via", "nic", "metric")
MOST_NODES = 256
"""Largest network whose routes are compared and kept one by one."""
_ROUTING = re.compile(r"^routing: .*\n", re.MULTILINE)


def with_own_routes(fabric: Sighted, found: Routed, file: str) -> tuple[Routed, str]:
    """Return the design with a table of the machines' routes in a file, and the text of the file;
    the design as it is and no text if its routes are those of the machines, or better.

    Parameters
    ----------
    fabric : Sighted
        The machines.
    found : Routed
        The design.
    file : str
        Name of the file.
    """
    if found.n_different == 0 or found.network.n_nodes > MOST_NODES or has_rules(fabric):
        return found, ""
    text = csv_text(COLUMNS, list(_rows(fabric, found)))
    routing = f"routing: {{scheme: explicit, table: {json.dumps(file)}}}\n"
    design = _ROUTING.sub("", found.written.text) + routing
    with tempfile.TemporaryDirectory(prefix="linkwright-") as folder:
        write_atomically(Path(folder) / file, [text])
        try:
            network = compile_network(Cluster.parse(design, Path(folder)))
        except DesignError:
            return found, ""
    if network.core.reachability().n_unreachable:
        return found, ""
    written = replace(found.written, text=design)
    left = n_different(network, hops(fabric), found.node_of)
    return replace(found, written=written, network=network, n_different=left), text


def _rows(fabric: Sighted, found: Routed) -> Iterator[tuple[str, str, str, str, int]]:
    """Yield the routes of machines to the design's addresses, in the names of the design."""
    network = found.network
    prefixes = {ip.network for ip in network.addresses.ip}
    number = {name: node for node, name in enumerate(network.device_names)}
    for machine in fabric.machines:
        node = found.node_of[machine]
        nics = _nics(network, number[node])
        for route in fabric.routes(machine):
            destination = _prefix(route.dst)
            nic = nics.get(route.dev or "")
            if destination and nic and _covers_one(destination, prefixes):
                yield node, str(destination), gateway_of(route), nic, metric_of(route)


def _nics(network: Network, node: int) -> Mapping[str, str]:
    """Return the plan's name of each interface of a machine."""
    bonds = bond_names(network.wiring)
    return {
        nic_on_machine(network, node, port): name
        for port, name in enumerate(nic_names(network.wiring, node))
        if (node, port) not in bonds
    } | {bond: bond for (one, _), bond in bonds.items() if one == node}


def _prefix(text: str) -> Prefix | None:
    try:
        return ip_network(text)
    except ValueError:
        return None


def _covers_one(prefix: Prefix, others: set[Prefix]) -> bool:
    return prefix in others or any(
        prefix.version == other.version and prefix.overlaps(other) for other in others
    )
