"""An interface of a machine, with all facts about it.

Several facts find its keys: links.py, offloads.py and routing.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from pydantic import Field

from linkwright.facts.values import FEW, Count, Few, Flag, Name, Record, Text

__all__ = ["Interface", "Pci"]

Rate = Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)]


@dataclass(frozen=True)
class Pci(Record):
    """The slot of a NIC.

    Attributes
    ----------
    path : str
        Address on the bus, such as 0000:01:00.0.
    width, most_width : int, optional
        Lanes in use, and lanes that the NIC has.
    rate_gts, most_rate_gts : float, optional
        Transfers per second and lane in use, and those that the NIC can do, in GT/s.
    """

    path: Text
    width: Count | None = None
    most_width: Count | None = None
    rate_gts: Rate | None = None
    most_rate_gts: Rate | None = None
    shows_unknown: ClassVar[bool] = True


@dataclass(frozen=True)
class Interface(Record):
    """An interface.

    Attributes
    ----------
    name : str
    mac : str, optional
    kind : str, optional
        Kind of a virtual interface by `ip` (bond, bridge, veth, vlan, ...), or else the type of its
        link (ether, loopback, ...).
    permanent_mac : str, optional
        Hardware address that the NIC came with.
    speed_mbps : int, optional
    duplex : str, optional
    mtu : int, optional
    driver, firmware : str, optional
    is_up : bool
        Whether it is up as set by the machine.
    carrier : bool, optional
        Whether its port hears the other end; unknown of an interface that is down.
    addresses, dynamic_addresses : tuple of str
        Addresses with their prefix lengths, and those of them that DHCP or a router gave.
        Link-local addresses are left out.
    master : str, optional
        Bridge or bond that it belongs to.
    bond_mode : str, optional
        Mode of a bond, such as 802.3ad.
    has_stp : bool, optional
        Whether a bridge cuts loops by the spanning tree protocol.
    parent : str, optional
        Interface below a VLAN.
    vlan : int, optional
    pci : Pci, optional
    offloads : mapping of str to bool
        `tso`, `gso`, `gro` and `lro`, where `ethtool` knows them.
    rings : mapping of str to int, optional
        Descriptors for received and sent frames: `rx`, `tx`.
    pauses : mapping of str to bool, optional
        Flow control by PAUSE frames: `rx`, `tx`.
    counters : mapping of str to int
        Frames, bytes and errors since the interface exists, and `carrier_changes`.
    """

    name: Name
    mac: Text | None = None
    kind: Text | None = None
    permanent_mac: Text | None = None
    speed_mbps: Count | None = None
    duplex: Text | None = None
    mtu: Count | None = None
    driver: Text | None = None
    firmware: Text | None = None
    carrier: Flag | None = None
    is_up: Flag = False
    addresses: Few[Text] = ()
    dynamic_addresses: Few[Text] = ()
    master: Text | None = None
    bond_mode: Text | None = None
    has_stp: Flag | None = None
    parent: Text | None = None
    vlan: Count | None = None
    pci: Pci | None = None
    offloads: Annotated[Mapping[Text, Flag], Field(max_length=FEW)] = field(default_factory=dict)
    rings: Annotated[Mapping[Text, Count], Field(max_length=FEW)] | None = None
    pauses: Annotated[Mapping[Text, Flag], Field(max_length=FEW)] | None = None
    counters: Annotated[Mapping[Text, Count], Field(max_length=FEW)] = field(default_factory=dict)
    shows_unknown: ClassVar[bool] = True
