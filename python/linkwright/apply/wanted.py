"""The part of a machine in a network, as a plan wants it: the value that `present.py` brings a
kernel to, in the same words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from ipaddress import ip_network
from typing import Any

from linkwright.nodes.sysctls import Sysctl
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
        Interfaces, tables, priorities, kernel parameters and lines of the firewall that belong to
        it.
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
            key: [*own, *(one for one in earlier[key] if one not in own)]
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


def wanted(node: NodePlan, found: Mapping[str, str], *, has_docker: bool) -> Wanted:
    """Return the part of a machine.

    Parameters
    ----------
    node : NodePlan
        The plan of its node.
    found : mapping of str to str
        Name in the plan -> interface of the machine, of NICs.
    has_docker : bool
        Whether Docker filters the packets that the machine relays.
    """
    names = {one.name: found.get(one.name, one.name) for one in node.interfaces}
    filters = [*_marks(node), *(_relayed(node, names) if has_docker and node.is_relay else ())]
    parameters = {_key(one, names): one.value for one in node.settings}
    uncut = [names[one.name] for one in node.interfaces if one.cuts_segments]
    return Wanted(
        scope={
            "interfaces": list(names.values()),
            "tables": sorted(
                {one.table for one in node.rules} | {one.table for one in node.routes} - {0}
            ),
            "priorities": sorted({one.priority for one in node.rules}),
            "parameters": list(parameters),
            "offloads": uncut,
            "filters": filters,
        },
        state={
            "links": {names[one.name]: _link(node, one, names) for one in node.interfaces},
            "offloads": {name: {"tso": False} for name in uncut},
            "addresses": [
                [address, "dev", names[one.name]]
                for one in node.interfaces
                for address in one.addresses
            ],
            "routes": [_route(one, names) for one in node.routes],
            "rules": [_rule(one, names) for one in node.rules],
            "parameters": parameters,
            "filters": filters,
        },
    )


def _link(node: NodePlan, one: InterfacePlan, names: Mapping[str, str]) -> dict[str, Any]:
    kind = "dummy" if one.is_identity else "bond" if one.members else None
    options = ["mode", BOND_MODE, "miimon", str(BOND_CHECK_MS)] if one.members else []
    master = names.get(one.bond) if one.bond else None
    return {"kind": kind, "options": options, "mtu": one.mtu, "is_up": True, "master": master}


def _route(one: RoutePlan, names: Mapping[str, str]) -> list[str]:
    """Return a route in the words and the order of `ip -N -o route`."""
    via = ["via", one.via] if one.via else []
    table = ["table", str(one.table)] if one.table else []
    scope = [] if one.via or one.is_v6 else ["scope", LINK_SCOPE]
    return [
        *(_family(one.is_v6), _destination(one.destination), *via, "dev", names[one.interface]),
        *(*table, *scope, "src", one.source, "metric", str(one.metric)),
    ]


def _destination(text: str) -> str:
    """Return a destination as `ip` prints it: a single address has no length."""
    network = ip_network(text)
    is_one = network.prefixlen == network.max_prefixlen
    return str(network.network_address) if is_one else str(network)


def _rule(one: RulePlan, names: Mapping[str, str]) -> list[str]:
    packets = [one.source] if one.source else ["all", "iif", names[one.interface]]
    first = [_family(one.is_v6), "priority", str(one.priority)]
    return [*first, "from", *packets, "lookup", str(one.table)]


def _family(is_v6: bool) -> str:
    return "-6" if is_v6 else "-4"


def _key(one: Sysctl, names: Mapping[str, str]) -> str:
    """Return the path of a parameter with the interface of the machine."""
    name = names.get(one.interface, one.interface)
    return one.key.replace(f"/{one.interface}/", f"/{name}/") if one.interface else one.key


def _marks(node: NodePlan) -> Iterator[list[str]]:
    for one in node.marks:
        mark = ["-j", "MARK", "--set-xmark", f"{one.value:#x}/0xffffffff"]
        yield ["ip6tables", "mangle", "-A", "OUTPUT", "-d", str(one.destination), *mark]


def _relayed(node: NodePlan, names: Mapping[str, str]) -> Iterator[list[str]]:
    """Yield the lines by which packets between the ports of the plan pass Docker's firewall."""
    ports = [names[one.name] for one in node.ports]
    addresses = [each for one in node.ports for each in one.addresses]
    for is_v6 in sorted({":" in each for each in addresses}):
        program = "ip6tables" if is_v6 else "iptables"
        yield [program, "filter", "-N", RELAY_CHAIN]
        for name in ports:
            yield [program, "filter", "-A", RELAY_CHAIN, "-o", name, "-j", "ACCEPT"]
        for name in ports:
            yield [program, "filter", "-A", DOCKER_CHAIN, "-i", name, "-j", RELAY_CHAIN]
