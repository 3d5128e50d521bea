"""A topology of netlab: a node with FRR per node, a link per segment, and the routes of the plan.

netlab makes a lab of it, by default one of containerlab. It knows segments, not boxes, so that hubs
and switches are its own bridges. Its static routes have no metric and no source: backup routes are
left out. The interface eth0 of its containers is for management, so that ports begin at eth1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from linkwright.errors import CapabilityError
from linkwright.plan.exporters.comments import comment, header, text_of
from linkwright.plan.exporters.exporter import Exporter, Files
from linkwright.plan.exporters.labs import expect_no_daemon
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.plan.exporters.node_plan import NodePlan, RoutePlan
from linkwright.plan.exporters.yaml_text import flow, quoted

__all__ = ["NETLAB", "best_routes"]

USE = "Start it in this folder with: netlab up topology.yml"
DEVICE = "FRR, because the Linux hosts of netlab have no static routes of one's own."
NO_BACKUP = (
    "The routes with the smallest metric: static routes of netlab have no metric, so that backup "
    "routes and tables by incoming interface are left out."
)
LINKS = "One link per segment, and the MTU of the design. Ports are those of the plan plus one."
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,15}")
"""Names that netlab takes for nodes."""


def best_routes(node: NodePlan) -> list[RoutePlan]:
    """Return the routes of the main table with the smallest metric, one per destination."""
    found: dict[str, RoutePlan] = {}
    for route in node.routes:
        known = found.get(route.destination)
        if route.via and not route.table and (known is None or route.metric < known.metric):
            found[route.destination] = route
    return list(found.values())


def _files(network: NetworkPlan) -> Files:
    expect_no_daemon(network, "netlab")
    if network.network.wiring.bonds.size:
        raise CapabilityError(
            f"'{network.name}' has bonds, whose modes netlab does not know",
            "leave out the target netlab, or use the target containerlab",
        )
    if network.network.addresses.is_borrowed.any():
        raise CapabilityError(
            f"'{network.name}' has unnumbered ports, and static routes of netlab have no port",
            "leave out the target netlab, or use the target containerlab",
        )
    lines = [
        *header(network, None, USE),
        "name: linkwright",
        "provider: clab",
        *comment(DEVICE),
        "defaults.device: frr",
        *comment(NO_BACKUP),
        "nodes:",
        *_nodes(network),
        *comment(LINKS),
        "links:",
        *_links(network),
    ]
    return {"topology.yml": text_of(lines)}


def _names(network: NetworkPlan) -> list[str]:
    """Return the names of nodes in netlab: those of the machines where netlab takes them all."""
    names = [host.name for host in network.hosts]
    if all(map(_NAME.fullmatch, names)):
        return names
    return [f"node{number}" for number in range(len(names))]


def _nodes(network: NetworkPlan) -> Iterator[str]:
    for node, name in zip(network.nodes(), _names(network), strict=True):
        yield from comment(f"{node.host.name}.", "  ")
        yield f"  {quoted(name)}:"
        own = [one for one in node.interfaces if one.is_identity]
        loopback = {_family(text): text for one in own for text in one.addresses}
        yield f"    loopback: {flow(loopback or False)}"
        routes = best_routes(node)
        if routes:
            yield "    module: [routing]"
            yield "    routing.static:"
        for route in routes:
            family = _family(route.destination)
            yield f"    - {flow({family: route.destination, 'nexthop': {family: route.via}})}"


def _links(network: NetworkPlan) -> Iterator[str]:
    design = network.network
    names = _names(network)
    on_segment: dict[int, dict[tuple[int, int], list[str]]] = {}
    columns = design.addresses.node.tolist(), design.addresses.port.tolist()
    for node, port, ip in zip(*columns, design.addresses.ip, strict=True):
        if port >= 0:
            segment = int(design.core.fabric.port_segment[design.port_id(node, port)])
            on_segment.setdefault(segment, {}).setdefault((node, port), []).append(str(ip))
    shared = _with_boxes(network)
    for ports in on_segment.values():
        mtu = design.mtu_of(*next(iter(ports)))
        interfaces = [
            {"node": names[node], "ifname": f"eth{port + 1}"}
            | {_family(text): text for text in addresses}
            for (node, port), addresses in ports.items()
        ]
        kind = "lan" if shared & set(ports) else "p2p"
        yield f"- type: {kind}"
        yield f"  mtu: {mtu}"
        yield "  interfaces:"
        yield from (f"  - {flow(one)}" for one in interfaces)


def _with_boxes(network: NetworkPlan) -> set[tuple[int, int]]:
    """Return the ports of nodes whose cable leads to a hub or a switch."""
    wiring = network.network.wiring
    ends = zip(wiring.cable_a.tolist(), wiring.cable_b.tolist(), strict=True)
    return {
        (device, port)
        for pair in ends
        for device, port in pair
        if any(other >= wiring.n_nodes for other, _ in pair)
    }


def _family(text: str) -> str:
    return "ipv6" if ":" in text else "ipv4"


NETLAB = Exporter(reader="netlab: a lab of routers with FRR", of_all=_files)
