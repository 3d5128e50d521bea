"""Configurations of FRR: a routing daemon on every node finds the routes that a plan would give.

The daemons speak on every interface with a cable, and tell the others the identity of their node.
Two nodes alone on a segment are a point-to-point link. More are a network with a designated router,
which OSPF has and OpenFabric has not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address

from linkwright.errors import CapabilityError
from linkwright.nodes import IDENTITY

__all__ = ["ADDRESS_LISTS", "FrrNode", "Speaker", "SpeakingInterface", "from_identity", "frr_node"]

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
class SpeakingInterface:
    """An interface on which the daemons of a node speak.

    Attributes
    ----------
    name : str
    n_others : int
        Number of other interfaces on its segment.
    """

    name: str
    n_others: int


@dataclass(frozen=True, kw_only=True)
class Speaker:
    """A node with routing daemons.

    Attributes
    ----------
    network : str
        Name of its network, for messages.
    protocol : str
        "ospf" or "openfabric".
    number : int
        Number of the node, from which it has its identifiers.
    name : str
        Host name.
    interfaces : sequence of SpeakingInterface
        Interfaces with cables, and that of the identity.
    identities : sequence of str
        Identity in each family.
    """

    network: str
    protocol: str
    number: int
    name: str
    interfaces: Sequence[SpeakingInterface]
    identities: Sequence[str]

    @property
    def families(self) -> tuple[bool, ...]:
        """Families in use: False for IPv4, True for IPv6."""
        return tuple(":" in identity for identity in self.identities)


def frr_node(speaker: Speaker) -> FrrNode:
    """Return the programs and the configuration of a node.

    Raises
    ------
    CapabilityError
        If the daemon cannot speak on a segment of the node.
    """
    lines = [f"hostname {speaker.name}"]
    if speaker.protocol == "openfabric":
        if any(interface.n_others > 1 for interface in speaker.interfaces):
            raise CapabilityError(
                f"'{speaker.network}' joins more than two nodes by a hub or switch, and OpenFabric "
                "only speaks between two",
                "use 'routing: {daemon: ospf}'",
            )
        programs = ["fabricd"]
        lines += _openfabric(speaker)
        protocols = ["openfabric" for _ in speaker.identities]
    else:
        programs = [OSPF[is_v6][1] for is_v6 in speaker.families]
        for is_v6 in speaker.families:
            lines += _ospf(speaker, is_v6=is_v6)
        protocols = [OSPF[is_v6][0] for is_v6 in speaker.families]
    for identity, protocol in zip(speaker.identities, protocols, strict=True):
        lines += from_identity(identity, protocol)
    return FrrNode(("zebra", *programs), "\n".join([*lines, ""]))


def _ospf(speaker: Speaker, *, is_v6: bool) -> Iterator[str]:
    name, _ = OSPF[is_v6]
    command = f" {ADDRESS_LISTS[is_v6]} {name}"
    yield f"router {name}"
    yield f" {name} router-id {IPv4Address(speaker.number + 1)}"
    # New states of links are sent and used at once, or half a second after many others.
    yield " timers throttle spf 0 50 500"
    yield " timers lsa min-arrival 100"
    if not is_v6:
        yield " timers throttle lsa all 100"
    yield "exit"
    for interface in speaker.interfaces:
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


def _openfabric(speaker: Speaker) -> Iterator[str]:
    yield "router openfabric 1"
    high, low = divmod(speaker.number + 1, 1 << 16)
    yield f" net 49.0001.0000.{high:04x}.{low:04x}.00"
    # New states of links are sent and used at once, not after 30 s.
    yield " lsp-gen-interval 1"
    yield f" spf-delay-ietf {' '.join(f'{name} {ms}' for name, ms in SPF_DELAYS_MS.items())}"
    yield "exit"
    for interface in speaker.interfaces:
        yield f"interface {interface.name}"
        for is_v6 in speaker.families:
            yield f" {ADDRESS_LISTS[is_v6]} router openfabric 1"
        if interface.name == IDENTITY:
            yield " openfabric passive"
        else:
            yield f" openfabric hello-interval {HELLO_S}"
            yield f" openfabric hello-multiplier {HELLOS}"
            yield " openfabric csnp-interval 2"
        yield "exit"


def from_identity(identity: str, protocol: str) -> Iterator[str]:
    """Yield lines that give routes of a protocol the node's identity as the source of its own
    packets.
    """
    family = ADDRESS_LISTS[":" in identity]
    yield f"route-map IDENTITY-{family} permit 10"
    yield f" set src {identity}"
    yield "exit"
    yield f"{family} protocol {protocol} route-map IDENTITY-{family}"
