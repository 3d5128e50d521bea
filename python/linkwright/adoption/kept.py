"""The addresses and MTUs of machines that a design can keep.

The address of a link is kept if all its ports have one, of one subnet that no other link overlaps;
else the design's scheme gives the link its addresses, and a remark says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from ipaddress import IPv4Network, ip_address, ip_interface, ip_network
from itertools import islice
from typing import Any

from linkwright.adoption.sighted import Port, Sighted
from linkwright.design.addressing import Interface, Prefix, reserved_prefix
from linkwright.facts import Interface as NicFacts
from linkwright.facts import MachineFacts
from linkwright.facts.cabling import is_port

__all__ = ["Kept", "kept_values"]

LEAST_MTU, DEFAULT_MTU = 1280, 1500
BASES = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "10.128.0.0/9", "10.0.0.0/9")
BASES_V6 = ("fd00:6c77::/48", "fd00:6c78::/48")


@dataclass(frozen=True, eq=False)
class Kept:
    """Addresses and MTUs for a design.

    Attributes
    ----------
    addresses : mapping of Port to tuple of str
        Addresses of ports.
    identities : mapping of str to tuple of str
        Address of each machine on its loopback.
    unnumbered : frozenset of Port
        Ports that borrow the identity of their machine.
    named : mapping of str to str
        The address of a port by which other machines name a machine.
    mtu : int
        The usual MTU.
    mtus : mapping of Port to int
        MTUs of the links that have another one, at their first ports.
    bases : mapping of str to str
        Base prefixes of the scheme, for all other interfaces: `ipv4`, `ipv6`.
    remarks : tuple of str
        Things that are not kept.
    """

    addresses: Mapping[Port, tuple[str, ...]]
    identities: Mapping[str, tuple[str, ...]]
    unnumbered: frozenset[Port]
    named: Mapping[str, str]
    mtu: int
    mtus: Mapping[Port, int]
    bases: Mapping[str, str]
    remarks: tuple[str, ...]


def kept_values(fabric: Sighted) -> Kept:
    """Return the addresses and MTUs of a fabric that a design can keep."""
    remarks: list[str] = []
    identities = _identities(fabric)
    unnumbered = frozenset(_unnumbered(fabric, identities))
    addresses = _addresses(fabric, identities, unnumbered, remarks)
    mtu, mtus = _mtus(fabric, remarks)
    return Kept(
        addresses={port: tuple(map(str, own)) for port, own in addresses.items()},
        identities={name: tuple(str(ip.ip) for ip in own) for name, own in identities.items()},
        unnumbered=unnumbered,
        named=_named(fabric, addresses),
        mtu=mtu,
        mtus=mtus,
        bases=_bases(
            fabric, [ip for own in addresses.values() for ip in own], has_v4=bool(unnumbered)
        ),
        remarks=tuple(remarks),
    )


def _identities(fabric: Sighted) -> dict[str, list[Interface]]:
    """Return the address of each machine on its loopback, or on another interface without a
    connector, per family; none if one machine lacks it.
    """
    found = {}
    for name, machine in fabric.machines.items():
        own: dict[int, Interface] = {}
        for one in machine.interfaces:
            if not is_port(one.kind):
                for ip in _usable(one):
                    if ip.network.prefixlen == ip.max_prefixlen:
                        own.setdefault(ip.version, ip)
        found[name] = own
    families = set.intersection(*(set(own) for own in found.values()))
    return {name: [own[v] for v in sorted(families)] for name, own in found.items() if families}


def _unnumbered(fabric: Sighted, identities: Mapping[str, Sequence[Interface]]) -> Iterator[Port]:
    """Yield the ports of cables that have no address of IPv4 but the identity of their machine, if
    there are such addresses, or routes to the machine at the other end by this port.
    """
    own = {
        name: next((str(ip.ip) for ip in of if ip.version == 4), "")
        for name, of in identities.items()
    }
    for ports, is_cable in zip(fabric.segments, fabric.is_cable, strict=True):
        if not is_cable or not all(own.get(name) for name, _ in ports):
            continue
        there = [_address(fabric, port, 4) for port in ports]
        is_bare = all(
            ip is None or str(ip) == f"{own[name]}/32"
            for ip, (name, _) in zip(there, ports, strict=True)
        )
        a, b = ports
        if is_bare and (any(there) or _leads_to(fabric, a, own[b[0]])):
            yield from ports


def _leads_to(fabric: Sighted, port: Port, address: str) -> bool:
    """Return whether a route by a port names an address as its destination or gateway."""
    return any(
        route.dev == port[1] and address in (route.gateway, route.dst.partition("/")[0])
        for route in fabric.routes(port[0])
    )


def _addresses(
    fabric: Sighted,
    identities: Mapping[str, Sequence[Interface]],
    unnumbered: Set[Port],
    remarks: list[str],
) -> dict[Port, list[Interface]]:
    """Return the addresses of ports that are kept."""
    taken: list[tuple[Prefix, int]] = [
        (ip.network, -1) for own in identities.values() for ip in own
    ]
    found: dict[Port, list[Interface]] = {}
    for number, ports in enumerate(_interfaces(fabric)):
        for version in (4, 6):
            if version == 4 and set(ports) <= unnumbered:
                continue
            own = {port: _address(fabric, port, version) for port in ports}
            reason = _reason_against(own, taken)
            if reason:
                named = ", ".join(":".join(port) for port in ports[:4])
                remarks.append(f"not kept: addresses of IPv{version} at {named}: {reason}")
            elif any(own.values()):
                for port, ip in own.items():
                    if ip is not None:
                        found.setdefault(port, []).append(ip)
                        taken.append((ip.network, number))
    return found


def _interfaces(fabric: Sighted) -> Iterator[list[Port]]:
    """Yield the ports of each segment, of a bond its first."""
    behind = {
        (name, port)
        for name, bonds in fabric.bonds.items()
        for members in bonds.values()
        for port in members[1:]
    }
    for ports in fabric.segments:
        kept = [port for port in ports if port not in behind]
        if kept:
            yield kept


def _address(fabric: Sighted, port: Port, version: int) -> Interface | None:
    own = [ip for ip in _usable(fabric.carrier(port)) if ip.version == version]
    return own[0] if own else None


def _usable(one: NicFacts) -> Iterator[Interface]:
    """Yield the fixed addresses of an interface that nodes can have."""
    for text in one.addresses:
        try:
            ip = ip_interface(text)
        except ValueError:
            continue
        if text not in one.dynamic_addresses and not reserved_prefix(ip_network(ip.ip)):
            yield ip


def _reason_against(
    own: Mapping[Port, Interface | None], taken: Sequence[tuple[Prefix, int]]
) -> str:
    """Return the reason why the addresses of a link are not kept; empty if they are."""
    ips = [ip for ip in own.values() if ip is not None]
    if not ips:
        return ""
    bare = next((port for port, ip in own.items() if ip is None), None)
    if bare is not None:
        return f"{':'.join(bare)} has none"
    if len({ip.network for ip in ips}) > 1:
        return "they are of several subnets"
    if len({ip.ip for ip in ips}) < len(ips):
        return "two are equal"
    subnet = ips[0].network
    if any(_is_reserved(ip) for ip in ips):
        return f"one is the first or last of {subnet}"
    other = next((one for one, _ in taken if _overlap(one, subnet)), None)
    return f"{subnet} overlaps {other} of another link or node" if other else ""


def _is_reserved(ip: Interface) -> bool:
    subnet = ip.network
    ends = (subnet.network_address, subnet.broadcast_address)
    return ip.version == 4 and subnet.prefixlen < 31 and ip.ip in ends


def _overlap(one: Prefix, other: Prefix) -> bool:
    return one.version == other.version and one.overlaps(other)


def _named(fabric: Sighted, addresses: Mapping[Port, Sequence[Interface]]) -> dict[str, str]:
    """Return the address by which others name a machine with several."""
    found: dict[str, str] = {}
    for name, machine in fabric.machines.items():
        own = [str(ip.ip) for port in fabric.ports[name] for ip in addresses.get((name, port), ())]
        others = (other for other in fabric.machines.values() if other is not machine)
        said = [text for other in others for text in _names_of(machine, other) if text in own]
        if said and len(own) > 1:
            found[name] = Counter(said).most_common(1)[0][0]
    return found


def _names_of(machine: MachineFacts, other: MachineFacts) -> list[str]:
    names = (machine.hostname or machine.name, machine.name)
    return [text for name in names for text in other.names.get(name, ())]


def _mtus(fabric: Sighted, remarks: list[str]) -> tuple[int, dict[Port, int]]:
    """Return the usual MTU, and those of other links: the smallest of their ports."""
    of_link: dict[Port, int] = {}
    for ports in fabric.segments:
        own = [fabric.interface(port).mtu or DEFAULT_MTU for port in ports]
        if len(set(own)) > 1:
            named = ", ".join(
                f"{':'.join(p)} {mtu}" for p, mtu in islice(zip(ports, own, strict=True), 4)
            )
            remarks.append(f"the MTUs of one link differ: {named}; the design has the smallest")
        of_link[ports[0]] = max(min(own), LEAST_MTU)
    usual = Counter(of_link.values()).most_common(1)[0][0]
    return usual, {port: mtu for port, mtu in of_link.items() if mtu != usual}


def _bases(fabric: Sighted, kept: Sequence[Interface], *, has_v4: bool) -> dict[str, str]:
    """Return base prefixes that overlap no address of the machines, of the families in use."""
    every: list[Any] = [ip.network for ip in kept]
    every += [
        ip.network
        for machine in fabric.machines.values()
        for one in machine.interfaces
        for ip in _usable(one)
    ]
    every += [
        ip_network(ip_address(neighbour.dst))
        for machine in fabric.machines.values()
        for neighbour in machine.neighbours[:64]
        if _is_address(neighbour.dst)
    ]
    versions = {one.version for one in kept} | ({4} if has_v4 or not kept else set())

    def free(bases: Sequence[str]) -> str:
        prefixes = [ip_network(text) for text in bases]
        clear = (p for p in prefixes if not any(_overlap(p, one) for one in every))
        return str(next(clear, prefixes[0]))

    found = {"ipv4": free((*BASES, *_sixteens()))} if 4 in versions else {}
    return found | ({"ipv6": free(BASES_V6)} if 6 in versions else {})


def _sixteens() -> Iterator[str]:
    """Yield smaller prefixes, for machines with addresses of all the large ones."""
    yield from map(str, IPv4Network("10.0.0.0/8").subnets(new_prefix=16))


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
