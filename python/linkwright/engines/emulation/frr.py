"""Configurations of FRR: a routing daemon on every node finds the routes that a plan would give.

The daemons speak on every interface with a cable, and tell the others the identity of their node.
Two nodes alone on a segment are a point-to-point link. More are a network with a designated router,
which OSPF has and OpenFabric has not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address
from typing import TYPE_CHECKING

import numpy as np

from linkwright.engines.emulation.nodes import IDENTITY
from linkwright.errors import CapabilityError

if TYPE_CHECKING:
    from linkwright.engines.emulation.nodes import NodeTable
    from linkwright.network import Network

__all__ = ["FrrNode", "frr_nodes"]

HELLO_S, HELLOS = 1, 4
"""Seconds between two greetings, and the number after which a silent neighbour counts as gone."""
ADDRESS_LISTS = {False: "ip", True: "ipv6"}
SPF_DELAYS_MS = {
    "init-delay": 0,
    "short-delay": 50,
    "long-delay": 1000,
    "holddown": 2000,
    "time-to-learn": 500,
}
"""Delays of OpenFabric before it computes routes."""
OSPF = {False: ("ospf", "ospfd"), True: ("ospf6", "ospf6d")}
"""OSPF by family: its name in a configuration, and its program."""


@dataclass(frozen=True)
class FrrNode:
    """The programs of a node and their configuration.

    Attributes
    ----------
    programs : tuple of str
        Names of the daemons, zebra first.
    configuration : str
        Lines for all of them.
    """

    programs: tuple[str, ...]
    configuration: str


@dataclass(frozen=True)
class _Interface:
    name: str
    n_others: int
    """Number of other nodes on its segment."""


def frr_nodes(network: Network, table: NodeTable) -> list[FrrNode]:
    """Return the programs and configurations of all nodes of a network with a daemon.

    Parameters
    ----------
    network : Network
        The compiled network.
    table : NodeTable
        Its nodes as they come up.

    Raises
    ------
    CapabilityError
        If the daemon cannot speak on a segment of the network.
    """
    families = sorted(set(table.address_is_v6.tolist()))
    # An interface has every neighbour once in each family.
    n_others = np.bincount(table.neighbour_interface, minlength=len(table.interface_name))
    n_others //= len(families)
    if network.daemon == "openfabric" and n_others.max(initial=0) > 1:
        raise CapabilityError(
            f"'{network.name}' joins more than two nodes by a hub or switch, and OpenFabric only "
            "speaks between two",
            "use 'routing: {daemon: ospf}'",
        )
    interfaces: list[list[_Interface]] = [[] for _ in range(network.n_nodes)]
    columns = zip(
        table.interface_node.tolist(), table.interface_name, n_others.tolist(), strict=True
    )
    for node, name, others in columns:
        interfaces[node].append(_Interface(name, others))
    return [_node(network, node, families, of) for node, of in enumerate(interfaces)]


def _node(
    network: Network, node: int, families: Sequence[bool], interfaces: Sequence[_Interface]
) -> FrrNode:
    lines = [f"hostname {network.device_names[node]}"]
    if network.daemon == "openfabric":
        programs = ["fabricd"]
        lines += _openfabric(node, families, interfaces)
        protocols = dict.fromkeys(families, "openfabric")
    else:
        programs = [OSPF[is_v6][1] for is_v6 in families]
        for is_v6 in families:
            lines += _ospf(node, interfaces, is_v6=is_v6)
        protocols = {is_v6: OSPF[is_v6][0] for is_v6 in families}
    for is_v6, protocol in protocols.items():
        lines += _from_identity(network, node, protocol, is_v6=is_v6)
    return FrrNode(("zebra", *programs), "\n".join([*lines, ""]))


def _ospf(node: int, interfaces: Sequence[_Interface], *, is_v6: bool) -> Iterator[str]:
    name, _ = OSPF[is_v6]
    command = f" {ADDRESS_LISTS[is_v6]} {name}"
    yield f"router {name}"
    yield f" {name} router-id {IPv4Address(node + 1)}"
    # New states of links are told and used at once.
    yield " timers throttle spf 0 50 5000"
    yield " timers lsa min-arrival 100"
    if not is_v6:
        yield " timers throttle lsa all 100"
    yield "exit"
    for interface in interfaces:
        yield f"interface {interface.name}"
        yield f"{command} area 0"
        if interface.name == IDENTITY:
            yield f"{command} passive"
        else:
            yield f"{command} hello-interval {HELLO_S}"
            yield f"{command} dead-interval {HELLOS * HELLO_S}"
            yield f"{command} retransmit-interval 1"
            if interface.n_others == 1:
                yield f"{command} network point-to-point"
        yield "exit"


def _openfabric(
    node: int, families: Sequence[bool], interfaces: Sequence[_Interface]
) -> Iterator[str]:
    yield "router openfabric 1"
    high, low = divmod(node + 1, 1 << 16)
    yield f" net 49.0001.0000.{high:04x}.{low:04x}.00"
    # New states of links are told and used at once, not after 30 s.
    yield " lsp-gen-interval 1"
    yield f" spf-delay-ietf {' '.join(f'{name} {ms}' for name, ms in SPF_DELAYS_MS.items())}"
    yield "exit"
    for interface in interfaces:
        yield f"interface {interface.name}"
        for is_v6 in families:
            yield f" {ADDRESS_LISTS[is_v6]} router openfabric 1"
        if interface.name == IDENTITY:
            yield " openfabric passive"
        else:
            yield f" openfabric hello-interval {HELLO_S}"
            yield f" openfabric hello-multiplier {HELLOS}"
            yield " openfabric csnp-interval 2"
        yield "exit"


def _from_identity(network: Network, node: int, protocol: str, *, is_v6: bool) -> Iterator[str]:
    """Yield lines that give routes the node's identity as the source of its own packets."""
    (number,) = network.addresses.identities(np.array([node]), np.array([is_v6])).tolist()
    family = ADDRESS_LISTS[is_v6]
    yield f"route-map IDENTITY-{family} permit 10"
    yield f" set src {network.addresses.ip[number].ip}"
    yield "exit"
    yield f"{family} protocol {protocol} route-map IDENTITY-{family}"
