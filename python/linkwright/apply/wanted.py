"""The part of a machine in a network, as a plan wants it: the value to which `state.py` brings the
machine, in the same words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from ipaddress import ip_network
from typing import Any

from linkwright.apply.installed import generated, installed
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.plan.exporters.networkmanager import with_sources
from linkwright.plan.exporters.node_plan import (
    BOND_CHECK_MS,
    InterfacePlan,
    NodePlan,
    RoutePlan,
    RulePlan,
)
from linkwright.plan.tables import BOND_MODE

__all__ = ["Wanted", "searched", "wanted"]

RELAY_CHAIN = "LINKWRIGHT"
DOCKER_CHAIN = "DOCKER-USER"
LINK_SCOPE = "253"
"""Scope of routes of IPv4 without a gateway, in the numbers of `ip -N`."""


@dataclass(frozen=True)
class Wanted:
    """The part of a machine in a network.

    Attributes
    ----------
    scope : dict
        Interfaces, tables, priorities, kernel parameters, lines of the firewall and places of files
        that belong to it, and the targets whose managers load the files.
    state : dict
        Their values.
    """

    scope: dict[str, Any]
    state: dict[str, Any]

    def beside(self, earlier: Mapping[str, Any] | None) -> Wanted:
        """Return the same in a scope that has that of an earlier plan, too, which gives way."""
        if earlier is None:
            return self
        added = {
            key: [*own, *(one for one in earlier.get(key, []) if one not in own)]
            for key, own in self.scope.items()
        }
        return replace(self, scope=added)


def searched(node: NodePlan) -> list[dict[str, str]]:
    """Return how a machine finds the NICs of its plan."""
    return [
        {"name": one.name, "mac": one.mac, "path": one.path}
        for one in node.interfaces
        if one.is_nic
    ]


def wanted(network: NetworkPlan, node: NodePlan, target: str, *, has_docker: bool) -> Wanted:
    """Return the part of a machine.

    Parameters
    ----------
    network : NetworkPlan
    node : NodePlan
        The plan of its node, with the names that its NICs have.
    target : str
        Target of the files that the machine keeps; empty for none.
    has_docker : bool
        Whether Docker filters the packets that the machine relays.
    """
    filters = [*_marks(node), *(_relayed(node) if has_docker and node.is_relay else ())]
    parameters = {one.key: one.value for one in node.settings}
    uncut = [one.name for one in node.interfaces if one.cuts_segments]
    files = installed(network, node, target)
    addresses_of = with_sources if target == "networkmanager" else _plain_addresses
    return Wanted(
        scope={
            "interfaces": [one.name for one in node.interfaces],
            "tables": sorted(
                {one.table for one in node.rules} | {one.table for one in node.routes} - {0}
            ),
            "priorities": sorted({one.priority for one in node.rules}),
            "parameters": list(parameters),
            "offloads": uncut,
            "filters": filters,
            "files": list(files),
            "generated": list(generated(node, target)),
            "targets": [target] if target else [],
        },
        state={
            "links": {one.name: _link(one) for one in node.interfaces},
            "offloads": {name: {"tso": False} for name in uncut},
            "addresses": [
                [address, "dev", one.name]
                for one in node.interfaces
                for address in addresses_of(node, one)
            ],
            "routes": [_route(one) for one in node.routes],
            "rules": [_rule(one) for one in node.rules],
            "parameters": parameters,
            "filters": filters,
            "files": files,
        },
    )


def _plain_addresses(node: NodePlan, one: InterfacePlan) -> Iterator[str]:
    del node
    yield from one.addresses


def _link(one: InterfacePlan) -> dict[str, Any]:
    """Return an interface; the identity may have any MTU, since no packet leaves by it."""
    kind = "dummy" if one.is_identity else "bond" if one.members else None
    options = ["mode", BOND_MODE, "miimon", str(BOND_CHECK_MS)] if one.members else []
    mtu = None if one.is_identity else one.mtu
    return {"kind": kind, "options": options, "mtu": mtu, "is_up": True, "master": one.bond or None}


def _route(one: RoutePlan) -> list[str]:
    """Return a route in the words and the order of `ip -N -o route`."""
    via = ["via", one.via] if one.via else []
    table = ["table", str(one.table)] if one.table else []
    scope = [] if one.via or one.is_v6 else ["scope", LINK_SCOPE]
    return [
        *(_family(one.is_v6), _destination(one.destination), *via, "dev", one.interface),
        *(*table, *scope, "src", one.source, "metric", str(one.metric), *one.onlink.split()),
    ]


def _destination(text: str) -> str:
    """Return a destination as `ip` prints it: a single address has no length."""
    network = ip_network(text)
    is_one = network.prefixlen == network.max_prefixlen
    return str(network.network_address) if is_one else str(network)


def _rule(one: RulePlan) -> list[str]:
    packets = [one.source] if one.source else ["all", "iif", one.interface]
    first = [_family(one.is_v6), "priority", str(one.priority)]
    return [*first, "from", *packets, "lookup", str(one.table)]


def _family(is_v6: bool) -> str:
    return "-6" if is_v6 else "-4"


def _marks(node: NodePlan) -> Iterator[list[str]]:
    for one in node.marks:
        mark = ["-j", "MARK", "--set-xmark", f"{one.value:#x}/0xffffffff"]
        yield ["ip6tables", "mangle", "-A", "OUTPUT", "-d", str(one.destination), *mark]


def _relayed(node: NodePlan) -> Iterator[list[str]]:
    """Yield the lines by which packets between the ports of the plan pass Docker's firewall."""
    ports = [one.name for one in node.ports]
    addresses = [each for one in node.ports for each in one.addresses]
    for is_v6 in sorted({":" in each for each in addresses}):
        program = "ip6tables" if is_v6 else "iptables"
        yield [program, "filter", "-N", RELAY_CHAIN]
        for name in ports:
            yield [program, "filter", "-A", RELAY_CHAIN, "-o", name, "-j", "ACCEPT"]
        for name in ports:
            yield [program, "filter", "-A", DOCKER_CHAIN, "-i", name, "-j", RELAY_CHAIN]
