"""All facts of one machine, as records. The keys of routes, rules and neighbours are those of `ip
-json`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from pydantic import Field

from linkwright.facts.interface import Interface
from linkwright.facts.values import FEW, MANY, Content, Count, Few, Flag, Many, Name, Record, Text

__all__ = [
    "Firewall", "Forwarded", "Lldp", "MachineFacts", "Managers", "Missing", "Neighbour", "NextHop",
    "Rdma", "Route", "Rule", "Settings", "Usb4",
]  # fmt: skip


@dataclass(frozen=True)
class NextHop(Record):
    """One of several next hops of a route."""

    gateway: Text | None = None
    dev: Text | None = None
    weight: Count | None = None


@dataclass(frozen=True)
class Route(Record):
    """A route: its destination as a prefix, an address or `default`, and its table."""

    dst: Text
    dev: Text | None = None
    gateway: Text | None = None
    metric: Count | None = None
    prefsrc: Text | None = None
    table: Text = "main"
    type: Text | None = None
    scope: Text | None = None
    protocol: Text | None = None
    nexthops: Few[NextHop] | None = None
    family: Count = 4


@dataclass(frozen=True)
class Rule(Record):
    """A rule that names the table of a packet; the lowest priority comes first."""

    priority: Count
    table: Text | None = None
    src: Text | None = None
    srclen: Count | None = None
    dst: Text | None = None
    dstlen: Count | None = None
    iif: Text | None = None
    oif: Text | None = None
    fwmark: Text | None = None
    family: Count = 4


@dataclass(frozen=True)
class Neighbour(Record):
    """A neighbour that the kernel knows: address, interface, hardware address, and states."""

    dst: Text
    dev: Text | None = None
    lladdr: Text | None = None
    state: Few[Text] = ()


@dataclass(frozen=True)
class Lldp(Record):
    """A neighbour that announces itself by LLDP: system name, port and MAC."""

    interface: Text
    neighbour: Text | None = None
    port: Text | None = None
    mac: Text | None = None


@dataclass(frozen=True)
class Forwarded(Record):
    """A MAC that a bridge has heard, and the interface that it came in by."""

    mac: Text
    interface: Text


@dataclass(frozen=True)
class Firewall(Record):
    """The firewall for forwarded packets.

    Attributes
    ----------
    forward_policy : str, optional
        ACCEPT, or DROP if a chain for forwarded packets of IPv4 drops them; unknown without root.
    forward_policy_ipv6 : str, optional
    forward_rules : tuple of str
        Rules of the chains FORWARD and DOCKER-USER, as `iptables -S` prints them.
    has_nft_rules : bool, optional
    has_docker : bool, optional
        Whether Docker has its bridge there.
    """

    forward_policy: Text | None = None
    forward_policy_ipv6: Text | None = None
    forward_rules: Few[Text] = ()
    has_nft_rules: Flag | None = None
    has_docker: Flag | None = None
    shows_unknown: ClassVar[bool] = True


@dataclass(frozen=True)
class Managers(Record):
    """Programs that can manage the network.

    Attributes
    ----------
    networkd, networkmanager, ifupdown2, dhcpcd, connman, frr, docker : str, optional
        State of the service, as `systemctl is-active` says. That of ifupdown2 is ifupdown's too.
    files : tuple of str
        Files that the managers read.
    configured_addresses : tuple of str
        Addresses with prefix lengths in these files: all others are lost at the next boot.
    interfaces : mapping of str to tuple of str
        Managers that say that they manage an interface, by its name.
    """

    networkd: Text | None = None
    networkmanager: Text | None = None
    ifupdown2: Text | None = None
    dhcpcd: Text | None = None
    connman: Text | None = None
    frr: Text | None = None
    docker: Text | None = None
    files: Few[Text] = ()
    configured_addresses: Few[Text] = ()
    interfaces: Annotated[Mapping[Text, Few[Text]], Field(max_length=FEW)] = field(
        default_factory=dict
    )


@dataclass(frozen=True)
class Rdma(Record):
    """A port of an RDMA device, its interface, and its GIDs and their types by their index."""

    device: Text
    port: Count = 1
    interface: Text | None = None
    state: Text | None = None
    rate_gbps: Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)] | None = None
    firmware: Text | None = None
    gids: Annotated[Mapping[Text, Text], Field(max_length=FEW)] = field(default_factory=dict)
    gid_types: Annotated[Mapping[Text, Text], Field(max_length=FEW)] = field(default_factory=dict)


@dataclass(frozen=True)
class Usb4(Record):
    """A router of USB4 or Thunderbolt: one of this machine, or the one at the other end of a cable.

    Attributes
    ----------
    path : str
        Its name for the kernel: domain and route.
    is_own : bool
        Whether it is a router of this machine.
    name, vendor, unique_id : str, optional
        The other end of a cable is the machine that has its own router with this unique id.
    interface : str, optional
        Network interface to the machine behind the cable.
    rx_gbps, tx_gbps : float, optional
        Rates of all lanes of the cable, in Gb/s.
    """

    path: Text
    is_own: Flag = False
    name: Text | None = None
    vendor: Text | None = None
    unique_id: Text | None = None
    interface: Text | None = None
    rx_gbps: Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)] | None = None
    tx_gbps: Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)] | None = None


@dataclass(frozen=True)
class Settings(Record):
    """Settings of jobs: variables of the login's environment, and files of jobs by their paths."""

    environment: Annotated[Mapping[Text, Text], Field(max_length=FEW)] = field(default_factory=dict)
    files: Annotated[Mapping[Text, Content], Field(max_length=FEW)] = field(default_factory=dict)


@dataclass(frozen=True)
class Missing(Record):
    """A fact that could not be asked for: the reason, and the remedy."""

    fact: Text
    reason: Text
    needs: Text | None = None
    shows_unknown: ClassVar[bool] = True


@dataclass(frozen=True)
class MachineFacts(Record):
    """The facts of one machine.

    Attributes
    ----------
    name : str
        Name of its node, or of its own.
    hostname, kernel, serial : str, optional
    clock_offset_s : float, optional
        Time by which its clock is ahead of that of the asking machine, in seconds; 0 if they agree
        as far as the time that a login takes can tell.
    interfaces : tuple of Interface
    routes, rules, neighbours : tuple
        Routes of all tables, rules, and neighbours of the kernel.
    sysctls : mapping of str to str
        Kernel parameters by the names that `sysctl` prints: net.ipv4.conf.eth0/5.rp_filter is that
        of eth0.5.
    lldp, forwarding_database : tuple
        Neighbours by LLDP, and MACs that bridges have heard.
    firewall : Firewall
    managers : Managers
    rdma, usb4 : tuple
        RDMA devices; and machines behind cables of USB4 and Thunderbolt.
    settings : Settings
        Settings of jobs.
    names : mapping of str to tuple of str
        Addresses by the names of other machines, as this machine resolves them.
    missing : tuple of Missing
        Facts that could not be asked for.
    failure : str, optional
        The reason why the machine did not answer.
    """

    name: Name
    hostname: Text | None = None
    kernel: Text | None = None
    serial: Text | None = None
    clock_offset_s: Annotated[float, Field(allow_inf_nan=False)] | None = None
    interfaces: Few[Interface] = ()
    routes: Many[Route] = ()
    rules: Many[Rule] = ()
    neighbours: Many[Neighbour] = ()
    sysctls: Annotated[Mapping[Text, Text], Field(max_length=MANY)] = field(default_factory=dict)
    lldp: Few[Lldp] = ()
    forwarding_database: Many[Forwarded] = ()
    firewall: Firewall = field(default_factory=Firewall)
    managers: Managers = field(default_factory=Managers)
    rdma: Few[Rdma] = ()
    usb4: Few[Usb4] = ()
    settings: Settings = field(default_factory=Settings)
    names: Annotated[Mapping[Text, Few[Text]], Field(max_length=MANY)] = field(default_factory=dict)
    missing: Few[Missing] = ()
    failure: Text | None = None
    shows_unknown: ClassVar[bool] = True
