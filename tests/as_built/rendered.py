"""Facts of machines that are exactly as planned, made from the plan alone, and changed for tests.

Facts are JSON values, in the form of the file of facts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any

from linkwright.as_built.planned import Planned
from linkwright.as_built.verify import Verdict, compare
from linkwright.design.cluster import Cluster
from linkwright.facts import ClusterFacts
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.plan.exporters.node_plan import InterfacePlan, NodePlan

__all__ = ["Rendered", "facts_of", "network_of", "rendered"]

RULES = [
    {"priority": priority, "src": "all", "table": table, "family": family}
    for family in (4, 6)
    for priority, table in ((0, "local"), (32766, "main"))
]


@cache
def network_of(text: str) -> Network:
    """Return the network of a design's text."""
    return compile_network(Cluster.parse(text))


@dataclass
class Rendered:
    """Facts as JSON, which tests change before they compare them."""

    planned: Planned
    given: dict[str, Any]

    def machine(self, name: str) -> dict[str, Any]:
        """Return the facts of a machine."""
        return next(one for one in self.given["machines"] if one["name"] == name)

    def interface(self, machine: str, name: str) -> dict[str, Any]:
        """Return an interface of a machine."""
        return next(one for one in self.machine(machine)["interfaces"] if one["name"] == name)

    def copy(self) -> Rendered:
        """Return facts that can be changed apart from these."""
        return Rendered(self.planned, deepcopy(self.given))

    def facts(self) -> ClusterFacts:
        """Return the facts as they are read from a file."""
        return ClusterFacts.parse(json.dumps(self.given))

    def verify(self) -> Verdict:
        """Compare the facts with the plan."""
        return compare(self.planned, self.facts())


def facts_of(network: Network) -> Rendered:
    """Return facts of machines that are as planned, with a management network besides."""
    planned = Planned(network)
    nodes = [one for one in planned.nodes.values() if not one.host.is_switch]
    machines = [_machine(planned, node, nodes) for node in nodes]
    given = {"schema": 1, "when": "2026-11-26T12:00:00+00:00", "machines": machines}
    return Rendered(planned, {**given, "cables": list(_cables(planned))})


def rendered(text: str) -> Rendered:
    """Return the same of a design's text."""
    return facts_of(network_of(text))


def _machine(planned: Planned, node: NodePlan, nodes: list[NodePlan]) -> dict[str, Any]:
    interfaces = [_interface(planned, node, one) for one in node.interfaces]
    address = f"192.168.77.{node.number + 1}"
    management = _plain("mgmt0", f"02:77:00:00:00:{node.number:02x}", [f"{address}/24"])
    loopback = {
        **_plain("lo", "00:00:00:00:00:00", ["127.0.0.1/8"]),
        "kind": "loopback",
        "mtu": 65536,
    }
    return {
        "name": node.node,
        "hostname": node.host.name,
        "kernel": "6.12.0",
        "interfaces": [loopback, *interfaces, management],
        "routes": [*_routes(node, interfaces), *_own_routes(address)],
        "rules": [*RULES, *_rules(node)],
        "neighbours": [],
        "sysctls": {
            "net.ipv4.conf.all.rp_filter": "0",
            "net.ipv4.ip_forward": "0",
            **{one.key.replace("/", "."): one.value for one in node.settings},
        },
        "firewall": {"forward_policy": "ACCEPT", "has_nft_rules": False},
        "managers": {
            "networkd": "active",
            "networkmanager": "inactive",
            "files": ["/etc/systemd/network/eth0.network"],
        },
        "names": {
            other.host.name: list(other.host.identities) for other in nodes if other is not node
        },
        "settings": {
            "environment": {"NCCL_SOCKET_IFNAME": f"={_identity(node).name}"},
            "files": {
                "/etc/hostfile": "".join(f"{other.host.name} slots=1\n" for other in nodes),
            },
        },
    }


def _identity(node: NodePlan) -> InterfacePlan:
    return next(
        one
        for one in node.interfaces
        if {each.partition("/")[0] for each in one.addresses} & set(node.host.identities)
    )


def _plain(name: str, mac: str, addresses: list[str]) -> dict[str, Any]:
    return {
        "name": name,
        "mac": mac,
        "kind": "ether",
        "mtu": 1500,
        "is_up": True,
        "carrier": True,
        "addresses": addresses,
    }


def _interface(planned: Planned, node: NodePlan, one: InterfacePlan) -> dict[str, Any]:
    number = 256 * node.number + node.interfaces.index(one)
    mac = one.mac or f"02:00:00:00:{number >> 8:02x}:{number & 255:02x}"
    found = _plain(one.name, mac, list(one.addresses))
    found["mtu"] = 65536 if one.is_identity else one.mtu
    if one.is_identity:
        return {**found, "kind": "dummy"}
    if one.members:
        return {**found, "kind": "bond"}
    rate = planned.rates[node.node, one.name].cable_mbps
    return {
        **found,
        "speed_mbps": int(rate),
        "duplex": "full",
        "driver": "test",
        "master": one.bond or None,
        "pci": {"path": f"0000:0{number % 8}:00.0", "width": 16, "most_width": 16, "rate_gts": 32},
        "offloads": {"tso": not one.cuts_segments, "gso": True, "gro": True, "lro": False},
    }


def _routes(node: NodePlan, interfaces: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for one in node.routes:
        yield {
            "dst": one.destination.removesuffix("/32").removesuffix("/128"),
            "dev": one.interface,
            **({"gateway": one.via} if one.via else {}),
            **({"metric": one.metric} if one.metric else {}),
            "prefsrc": one.source,
            "table": str(one.table) if one.table else "main",
            "protocol": "static",
            "family": 6 if one.is_v6 else 4,
        }
    for interface in interfaces:
        for address in interface["addresses"]:
            dst, family = address.partition("/")[0], 6 if ":" in address else 4
            local = {"dst": dst, "dev": interface["name"], "table": "local", "type": "local"}
            yield {**local, "protocol": "kernel", "family": family}


def _own_routes(address: str) -> list[dict[str, Any]]:
    subnet = {"dst": "192.168.77.0/24", "dev": "mgmt0", "protocol": "kernel", "scope": "link"}
    default = {"dst": "default", "gateway": "192.168.77.254", "dev": "mgmt0", "protocol": "dhcp"}
    return [{**subnet, "prefsrc": address}, default]


def _rules(node: NodePlan) -> Iterator[dict[str, Any]]:
    for one in node.rules:
        of = {"src": one.source} if one.source else {"src": "all", "iif": one.interface}
        yield {
            **of,
            "priority": one.priority,
            "table": str(one.table),
            "family": 6 if one.is_v6 else 4,
        }


def _cables(planned: Planned) -> Iterator[dict[str, Any]]:
    """Yield cables as a probe finds them: two ends, or all ports of a segment."""
    segments: dict[str, list[list[str]]] = {}
    for cable in planned.cables:
        ports = [[end.node, end.port] for end in cable.ends if not end.place]
        places = [end.place for end in cable.ends if end.place]
        if places:
            segments.setdefault(places[0], []).extend(ports)
        else:
            yield {"ends": ports, "evidence": "probe", "certainty": "sure"}
    for ports in segments.values():
        if len(ports) > 1:
            yield {"ends": ports, "evidence": "probe", "certainty": "shared"}
