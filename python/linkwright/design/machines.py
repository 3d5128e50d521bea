"""The `nodes` section of a design: the real machines behind the nodes of a plan, and their NICs.

Files for machines are made with these names. A name must be safe in a script, a YAML file and a
table of hosts, so that only plain ones are accepted. own_values.py applies addresses and MTUs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag

from linkwright.design.names import nic_names
from linkwright.design.topologies import Wiring
from linkwright.errors import DesignError, shown, unknown_name
from linkwright.records.read_only import ReadOnly

__all__ = [
    "INTERFACE_NAME",
    "MachineSection",
    "Nic",
    "NicSection",
    "RealMachine",
    "check_machine_name",
    "machines_of",
]

_HOST_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_HOST = re.compile(rf"(?=.{{1,64}}\Z)(?=.*[A-Za-z]){_HOST_LABEL}(?:\.{_HOST_LABEL})*")
_HOST_RULE = (
    "has 1 to 64 letters, digits, '-' and '.', at least one letter, and begins and ends with a "
    "letter or digit"
)
_RESERVED_HOSTS = frozenset({"localhost", "all", "ungrouped"})
INTERFACE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,14}")
_INTERFACE_RULE = "has 1 to 15 letters, digits, '-' and '_', and begins with a letter"
_OF_KERNEL = re.compile(r"(?:eth|ib|thunderbolt|usb|wlan)[0-9]+")
_RESERVED_INTERFACES = re.compile(r"lo|all|default|id0|bond[0-9]+")
MOST_OF_SERIAL = 64
_MAC = re.compile(r"[0-9a-f]{2}(?::[0-9a-f]{2}){5}")
_PATH = re.compile(r"[A-Za-z0-9][A-Za-z0-9:._-]{0,99}")


def check_machine_name(name: str, of: str) -> str:
    """Return the name of a machine that is safe in all files.

    Parameters
    ----------
    name : str
        The name.
    of : str
        Origin of the name, for the message.

    Raises
    ------
    DesignError
        If it is not one.
    """
    if not _HOST.fullmatch(name) or name.lower() in _RESERVED_HOSTS:
        reserved = ", ".join(sorted(_RESERVED_HOSTS))
        raise DesignError(
            f"{of}: {shown(name)} is no name for a machine: one {_HOST_RULE}, and is not "
            f"{reserved}",
            "give the name that `hostname` prints on the machine, or a simpler one",
        )
    return name


def _host_name(value: object) -> object:
    return check_machine_name(value, "'nodes'") if isinstance(value, str) else value


def _interface_name(value: object) -> object:
    if not isinstance(value, str):
        return value
    if not INTERFACE_NAME.fullmatch(value) or _RESERVED_INTERFACES.fullmatch(value):
        raise DesignError(
            f"'nodes': {shown(value)} is no name for a NIC: one {_INTERFACE_RULE}, and is not "
            "lo, all, default, id0 or that of a bond",
            "give a name that `ip link` shows, or one that the NIC shall get with 'mac' or 'path'",
        )
    return value


def _mac(value: object) -> object:
    if not isinstance(value, str):
        return value
    found = value.lower().replace("-", ":")
    if not _MAC.fullmatch(found) or int(found[:2], 16) & 1 or found == "00:00:00:00:00:00":
        raise DesignError(
            f"'nodes': {shown(value)} is no hardware address of a NIC",
            "give six bytes such as '00:1b:21:3a:4f:10', in quotes; `ip link` shows them",
        )
    return found


def _path(value: object) -> object:
    if isinstance(value, str) and not _PATH.fullmatch(value):
        raise DesignError(
            f"'nodes': {shown(value)} is no path of a device",
            "give the ID_PATH that `udevadm info /sys/class/net/NIC` prints, such as "
            "'pci-0000:03:00.0'",
        )
    return value


def _address(value: object) -> object:
    """Return a management address as text."""
    if not isinstance(value, str):
        return value
    try:
        address: IPv4Address | IPv6Address = ip_address(value)
    except ValueError:
        address = ip_address(0)
    if address.is_unspecified or address.is_multicast or "%" in str(address):
        raise DesignError(
            f"'nodes': {shown(value)} is no address of a machine",
            "give the IPv4 or IPv6 address by which the machine is managed",
        )
    return str(address)


def _serial(value: object) -> object:
    """Return a serial number without spaces around it."""
    if not isinstance(value, str):
        return value
    if not value.strip() or len(value) > MOST_OF_SERIAL or not value.isprintable():
        raise DesignError(
            f"'nodes': {shown(value)} is no serial number", "write it in quotes as it is printed"
        )
    return value.strip()


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


_AddressText = Annotated[str, Field(max_length=60)]


def _form_of_addresses(value: object) -> str:
    """Return the form of addresses, in which alone a mistake is explained."""
    return "list" if isinstance(value, list | tuple) else "str"


_Addresses = Annotated[
    Annotated[_AddressText, Tag("str")]
    | Annotated[tuple[_AddressText, ...], Field(min_length=1, max_length=2), Tag("list")],
    Discriminator(_form_of_addresses),
]
"""An address, or at most one per family."""


class NicSection(_Section):
    """A NIC as its machine has it."""

    name: Annotated[str, BeforeValidator(_interface_name)] | None = None
    """Name of the interface, at most 15 characters. Default: that of the plan, such as eth0; with
    'mac' or 'path', the NIC of eth0 gets the name lw0.
    """
    mac: Annotated[str, BeforeValidator(_mac)] | None = None
    """Hardware address by which the NIC is found; it then gets the name."""
    path: Annotated[str, BeforeValidator(_path)] | None = None
    """Place in the machine by which the NIC is found, such as pci-0000:03:00.0 (ID_PATH of udev);
    it then gets the name.
    """
    address: _Addresses | None = None
    """Address with its prefix length, or one of each family, in the place of that of the scheme;
    all NICs of a link have one, of one subnet.
    """
    unnumbered: bool = False
    """Whether it borrows the IPv4 address of its node, in the place of one of the scheme; both ends
    of a cable do. IPv6 stays numbered.
    """
    mtu: Annotated[int, Field(strict=True, ge=1280, le=65535)] | None = None
    """Longest IP packet of its link, in bytes. Default: the 'mtu' of the design."""


class MachineSection(_Section):
    """A node as the real machine that it is."""

    name: Annotated[str, BeforeValidator(_host_name)] | None = None
    """Host name. Default: the node's name in the plan."""
    serial: Annotated[str, BeforeValidator(_serial)] | None = None
    """Serial number of the machine (`cat /sys/class/dmi/id/product_serial` as root), by which its
    facts find the node.
    """
    management: Annotated[str, BeforeValidator(_address)] | None = None
    """Address outside the plan by which the machine is managed. Its NIC is never touched."""
    management_port: Annotated[str, BeforeValidator(_interface_name)] | None = None
    """Interface outside the plan by which the machine is managed, such as wlp3s0, or none if it has
    a console. Only with it do files take the only LAN port of a machine.
    """
    address: _Addresses | None = None
    """Address that applications use, or one of each family, in the place of that of the scheme: on
    the loopback, or where the scheme has none there, one that a NIC has.
    """
    nics: dict[str, NicSection] = {}
    """NICs by their names in the plan, such as eth0."""


@dataclass(frozen=True)
class Nic:
    """A NIC as its machine has it; empty for each unknown fact."""

    name: str = ""
    mac: str = ""
    path: str = ""

    def name_on_machine(self, port: int, name: str) -> str:
        """Return the name on its machine of the NIC at a port, which the plan calls `name`.

        Kernels give names such as eth0 themselves, so that no NIC can safely be given one.
        """
        is_named_anew = (self.mac or self.path) and _OF_KERNEL.fullmatch(name)
        return self.name or (f"lw{port}" if is_named_anew else name)


@dataclass(frozen=True, eq=False)
class RealMachine(ReadOnly):
    """The real machine of a node; empty for each unknown fact."""

    name: str = ""
    management: str = ""
    management_port: str = ""
    nics: Mapping[int, Nic] = field(default_factory=dict)
    """NIC per port of the node."""
    serial: str = ""


def machines_of(
    sections: Mapping[str, MachineSection] | None, wiring: Wiring, names: Sequence[str]
) -> dict[int, RealMachine]:
    """Return the machines that a design describes, by node.

    Parameters
    ----------
    sections : mapping of str to MachineSection, or None
        The `nodes` section of the design.
    wiring : Wiring
        Devices and cables.
    names : sequence of str
        Names of the devices.

    Raises
    ------
    DesignError
        If a node or NIC is unknown, a management port is a NIC of the plan, or two machines or NICs
        have the same name, serial number, hardware address, path or management address.
    """
    if not sections:
        return {}
    number = {name: node for node, name in enumerate(names[: wiring.n_nodes])}
    found: dict[int, RealMachine] = {}
    for name, section in sections.items():
        if name not in number:
            raise DesignError(
                f"'nodes': the design has no node {shown(name)}", unknown_name(name, number)
            )
        node = number[name]
        found[node] = _machine(name, section, nic_names(wiring, node), _cabled(wiring, node))
    _check_unique(found, names[: wiring.n_nodes], wiring)
    return dict(sorted(found.items()))


def _machine(
    node: str, section: MachineSection, ports: Sequence[str], cabled: Sequence[int]
) -> RealMachine:
    port_of = {name: port for port, name in enumerate(ports)}
    nics = {}
    for name, nic in section.nics.items():
        if name not in port_of:
            raise DesignError(
                f"'nodes.{node}.nics': the node has no NIC {shown(name)}",
                unknown_name(name, port_of),
            )
        nics[port_of[name]] = Nic(nic.name or "", nic.mac or "", nic.path or "")
    own = section.management_port or ""
    serial = section.serial or ""
    machine = RealMachine(section.name or "", section.management or "", own, nics, serial)
    used = [nics.get(port, Nic()).name_on_machine(port, ports[port]) for port in cabled]
    if own in used:
        raise DesignError(
            f"'nodes.{node}.management_port': {shown(own)} is a NIC of the plan",
            "name the port by which the machine is managed, or leave this one out of the plan",
        )
    return machine


def _cabled(wiring: Wiring, node: int) -> list[int]:
    """Return the ports of a node that have a cable."""
    ends = (wiring.cable_a, wiring.cable_b)
    return [port for end in ends for port in end[end[:, 0] == node, 1].tolist()]


def _check_unique(
    machines: Mapping[int, RealMachine], names: Sequence[str], wiring: Wiring
) -> None:
    hosts = [(machines[n].name if n in machines else "") or name for n, name in enumerate(names)]
    _check_each_once("the name", ((host.lower(), names[n]) for n, host in enumerate(hosts)))
    _check_each_once(
        "the management address",
        ((one.management, names[n]) for n, one in machines.items() if one.management),
    )
    _check_each_once(
        "the serial number",
        ((one.serial, names[n]) for n, one in machines.items() if one.serial),
    )
    ports = {n: nic_names(wiring, n) for n in machines}
    every = [(n, port, nic) for n, one in machines.items() for port, nic in one.nics.items()]
    _check_each_once(
        "the hardware address",
        ((nic.mac, f"{names[n]}:{ports[n][port]}") for n, port, nic in every if nic.mac),
    )
    for n, machine in machines.items():
        given = [machine.nics.get(port, Nic()) for port in range(len(ports[n]))]
        places = [f"{names[n]}:{name}" for name in ports[n]]
        used = [nic.name_on_machine(port, ports[n][port]) for port, nic in enumerate(given)]
        _check_each_once("the name", zip(used, places, strict=True))
        paths = ((nic.path, place) for nic, place in zip(given, places, strict=True) if nic.path)
        _check_each_once("the path", paths)


def _check_each_once(what: str, owned: Iterator[tuple[str, str]] | zip[tuple[str, str]]) -> None:
    owner: dict[str, str] = {}
    for value, place in owned:
        if value in owner:
            raise DesignError(
                f"'nodes': {owner[value]} and {place} both have {what} {shown(value)}",
                "give each its own",
            )
        owner[value] = place
