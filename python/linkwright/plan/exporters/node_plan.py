"""The plan of one node as exporters see it: small immutable values, with the names of machines.

Everything is text by now, and nothing is left to decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from linkwright.network import RULE_PRIORITY
from linkwright.nodes import IDENTITY
from linkwright.nodes.marks import Mark
from linkwright.nodes.sources import SOURCE_PRIORITY
from linkwright.nodes.sysctls import Sysctl

__all__ = [
    "BOND_CHECK_MS",
    "CORRECT_HOSTS",
    "Host",
    "InterfacePlan",
    "NodePlan",
    "RoutePlan",
    "RulePlan",
    "answers_as",
]

BOND_CHECK_MS = 100
"""Interval in which a kernel looks at the carrier of the members of a bond."""


@dataclass(frozen=True, kw_only=True)
class InterfacePlan:
    """An interface of a node.

    Attributes
    ----------
    name : str
        Name on the machine.
    nic : str
        Name in the tables of the plan.
    mac, path : str
        Hardware address or place by which the machine finds it; empty if it has the name already.
    addresses : tuple of str
        Addresses with their prefix lengths.
    borrowed : str
        That of IPv4 which it borrows from the identity of its node; empty if it is numbered.
    peers : tuple of str
        Other end of the cable of each of its ports, as "beta:eth1".
    n_others : int
        Number of other interfaces on its segment.
    members : tuple of str
        Names of the NICs that are one bond.
    bond : str
        Name of the bond that it is a member of.
    mtu : int
        Longest IP packet, in bytes.
    cuts_segments : bool
        Whether segmentation offload must be off, because forwarded packets crawl otherwise.
    """

    name: str
    nic: str
    mac: str = ""
    path: str = ""
    addresses: tuple[str, ...] = ()
    borrowed: str = ""
    peers: tuple[str, ...] = ()
    n_others: int = 0
    members: tuple[str, ...] = ()
    bond: str = ""
    mtu: int
    cuts_segments: bool = False

    @property
    def is_identity(self) -> bool:
        """Whether it carries the identity and has no cable."""
        return self.name == IDENTITY

    @property
    def is_nic(self) -> bool:
        """Whether it is a NIC of the machine, not made by its configuration."""
        return not self.is_identity and not self.members

    @property
    def has_v6(self) -> bool:
        """Whether it has an address of IPv6."""
        return any(":" in address for address in self.addresses)


@dataclass(frozen=True, kw_only=True)
class RoutePlan:
    """A route of a node; `via` is empty if the destination is on the link."""

    destination: str
    via: str
    interface: str
    metric: int
    source: str
    """Source of the node's own packets: its identity, which no failed link takes away."""
    table: int = 0
    """Number of its table; 0 for the main one."""
    is_onlink: bool = False
    """Whether the gateway is on the link although no subnet of the interface says so."""

    @property
    def onlink(self) -> str:
        """The word of `ip route` for such a gateway, behind a space; empty for all others."""
        return " onlink" if self.is_onlink else ""

    @property
    def is_v6(self) -> bool:
        """Whether it is a route of IPv6."""
        return ":" in self.destination


@dataclass(frozen=True, kw_only=True)
class RulePlan:
    """A rule: packets of a family that come in by an interface, or that have an address as their
    source, ask a table before the main one.
    """

    interface: str
    """Interface that the packets come in by, or that has the address."""
    table: int
    is_v6: bool
    source: str = ""
    """Address; empty for packets that come in by the interface."""

    @property
    def priority(self) -> int:
        """Priority of the rule; a lower one is asked earlier."""
        return SOURCE_PRIORITY if self.source else RULE_PRIORITY

    @property
    def words(self) -> str:
        """The packets in the words of `ip rule`."""
        return f"from {self.source}" if self.source else f"iif {self.interface}"


@dataclass(frozen=True, kw_only=True)
class Host:
    """A node as others see it: its name in the plan, its host name, its identities."""

    node: str
    name: str
    identities: tuple[str, ...]
    management: str
    is_compute: bool
    is_switch: bool = False
    """Whether it is a routed switch."""


CORRECT_HOSTS = "correct the hosts, or the host name of the machine"
"""The remedy where a machine answers as another node."""


def answers_as(hostname: str, own: Host, hosts: Iterable[Host]) -> Host | None:
    """Return the other node whose name a machine has.

    Parameters
    ----------
    hostname : str
        The machine's own name, with or without a domain.
    own : Host
        The node that it is said to be.
    hosts : iterable of Host
        All nodes.

    Returns
    -------
    Host or None
        None if the name is that of the node itself, or of no node.
    """
    names = {hostname.lower(), hostname.lower().partition(".")[0]}
    if names & {own.node.lower(), own.name.lower()}:
        return None
    others = (one for one in hosts if one.node != own.node)
    return next((one for one in others if names & {one.node.lower(), one.name.lower()}), None)


@dataclass(frozen=True, kw_only=True)
class NodePlan:
    """The plan of one node."""

    number: int
    host: Host
    interfaces: tuple[InterfacePlan, ...]
    """Interfaces with an address and members of bonds; members come before their bond."""
    routes: tuple[RoutePlan, ...]
    """Routes of the plan; none if the design has routing daemons."""
    rules: tuple[RulePlan, ...]
    """Rules that choose the tables of routes; none if all routes are in the main table."""
    settings: tuple[Sysctl, ...]
    marks: tuple[Mark, ...]
    """Marks of the packets that the node itself sends."""
    is_relay: bool
    """Whether it relays packets of others, by any route, backup routes included."""

    @property
    def node(self) -> str:
        """Name in the plan."""
        return self.host.node

    @property
    def ports(self) -> tuple[InterfacePlan, ...]:
        """Interfaces with an address and a cable."""
        return tuple(one for one in self.interfaces if one.addresses and not one.is_identity)

    def with_names(self, names: Mapping[str, str]) -> NodePlan:
        """Return the same with other names of interfaces.

        Parameters
        ----------
        names : mapping of str to str
            Name in the plan -> name of the machine, of the interfaces whose names differ.
        """

        def of(name: str) -> str:
            return names.get(name, name)

        def setting(one: Sysctl) -> Sysctl:
            key = one.key.replace(f"/{one.interface}/", f"/{of(one.interface)}/")
            return replace(one, key=key, interface=of(one.interface)) if one.interface else one

        return replace(
            self,
            interfaces=tuple(
                replace(
                    one,
                    name=of(one.name),
                    members=tuple(map(of, one.members)),
                    bond=one.bond and of(one.bond),
                )
                for one in self.interfaces
            ),
            routes=tuple(replace(one, interface=of(one.interface)) for one in self.routes),
            rules=tuple(replace(one, interface=of(one.interface)) for one in self.rules),
            settings=tuple(map(setting, self.settings)),
        )

    def has_identity(self, interface: InterfacePlan) -> bool:
        """Return whether an interface carries an identity, not one that it borrows alone."""
        own = {one for one in interface.addresses if one != interface.borrowed}
        return any(one.partition("/")[0] in self.host.identities for one in own)

    def routes_of(self, interface: InterfacePlan) -> tuple[RoutePlan, ...]:
        """Return the routes that leave by an interface."""
        return tuple(route for route in self.routes if route.interface == interface.name)

    def rules_of(self, interface: InterfacePlan) -> tuple[RulePlan, ...]:
        """Return the rules for packets that come in by an interface, or have its address."""
        return tuple(rule for rule in self.rules if rule.interface == interface.name)
