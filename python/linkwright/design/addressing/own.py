"""Addresses that a design gives to single NICs and nodes, in the place of those of its scheme.

A scheme numbers every interface; here the rows of some of them get other addresses and prefix
lengths, so that the numbers of interfaces and everything behind them stay. The result is proved:
each segment has one subnet per family, no two subnets overlap, and no address is there twice.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linkwright.design.addressing.addresses import Addresses, Interface, Prefix
from linkwright.design.addressing.reserved import reserved_prefix
from linkwright.errors import DesignError, shown

__all__ = ["OwnAddress", "read_own", "with_own"]

LOOPBACK = -1
"""Port of the addresses of loopbacks."""


@dataclass(frozen=True)
class OwnAddress:
    """An address that the design gives.

    Attributes
    ----------
    key : str
        Its key in the design, for messages.
    node, port : int
        Its node, and the port there; -1 for the address of the node itself.
    ip : Interface
        The address with its prefix length.
    """

    key: str
    node: int
    port: int
    ip: Interface


def read_own(key: str, node: int, port: int, given: str | Sequence[str] | None) -> list[OwnAddress]:
    """Return the addresses that a key has, at most one per family.

    Raises
    ------
    DesignError
        If a text is no address of a NIC or a node, or two are of one family.
    """
    texts = (given,) if isinstance(given, str) else given or ()
    found = [OwnAddress(key, node, port, _read(key, port, text)) for text in texts]
    families = [one.ip.version for one in found]
    if len(set(families)) < len(families):
        twice = max(families, key=families.count)
        raise DesignError(
            f"{key} has two addresses of IPv{twice}",
            "keep one per family: further ones are not part of a plan",
        )
    return found


def _read(key: str, port: int, text: str) -> Interface:
    is_nic = port != LOOPBACK
    example = "10.1.0.1/24" if is_nic else "10.0.0.1"
    try:
        ip = ipaddress.ip_interface(text)
    except ValueError:
        raise DesignError(
            f"{key}: {shown(text)} is no address", f"give one such as {example}"
        ) from None
    if "%" in text:
        raise DesignError(f"{key}: {shown(text)} has a zone", f"give one such as {example}")
    if is_nic and "/" not in text:
        raise DesignError(
            f"{key}: {shown(text)} has no prefix length, which decides who is on the link",
            f"give both, such as {example}; `ip address` shows them",
        )
    taken = reserved_prefix(ipaddress.ip_network(ip.ip))
    if taken:
        raise DesignError(
            f"{key}: {ip.ip} is an address of {taken[0]}, which is for {taken[1]}",
            f"give a private address such as {example}",
        )
    _expect_host(key, ip, is_nic=is_nic)
    return ip


def _expect_host(key: str, ip: Interface, *, is_nic: bool) -> None:
    """Refuse an address that is the subnet's or its broadcast; a /31 has neither [RFC-3021]."""
    subnet = ip.network
    if not is_nic or ip.version == 6 or subnet.prefixlen > 30:
        return
    if ip.ip in (subnet.network_address, subnet.broadcast_address):
        raise DesignError(
            f"{key}: {ip.ip} is the first or last address of {subnet}, which no host may have",
            f"give one between them, such as {subnet.network_address + 1}/{subnet.prefixlen}",
        )


def with_own(
    addresses: Addresses,
    own: Sequence[OwnAddress],
    *,
    segment_of: Mapping[tuple[int, int], int],
    place_of: Mapping[tuple[int, int], str],
    borrowing: Set[tuple[int, int]] = frozenset(),
) -> Addresses:
    """Return the addresses with those of the design in the place of the scheme's.

    Parameters
    ----------
    addresses : Addresses
        The scheme's.
    own : sequence of OwnAddress
        The design's.
    segment_of : mapping
        Segment of each node and port with an address.
    place_of : mapping
        Name of each node and port for messages, such as "n0:eth1"; of port -1, the node's.
    borrowing : set of tuple
        Nodes and ports whose addresses of IPv4 are of no account.

    Raises
    ------
    DesignError
        If an address has no interface, or they are not sound.
    """
    rows = _Rows(addresses, segment_of, place_of, borrowing)
    keys: dict[int, str] = {}
    bits, lengths = addresses.bits.copy(), addresses.prefix_length.copy()
    identities: list[OwnAddress] = []
    for one in own:
        if one.port == LOOPBACK and not rows.has(one):
            identities.append(one)
            continue
        row = rows.of(one)
        keys[row] = one.key
        bits[row] = np.frombuffer(one.ip.ip.packed.rjust(16, b"\0"), dtype=np.uint8)
        lengths[row] = rows.length(one)
    found = replace(addresses, bits=bits, prefix_length=lengths)
    _expect_sound(found, keys, rows)
    return replace(found, identity=_identity(found, identities, rows)) if identities else found


class _Rows:
    """The rows of a table of addresses by node, port and family."""

    def __init__(
        self,
        addresses: Addresses,
        segment_of: Mapping[tuple[int, int], int],
        place_of: Mapping[tuple[int, int], str],
        borrowing: Set[tuple[int, int]],
    ) -> None:
        self.node, self.port = addresses.node.tolist(), addresses.port.tolist()
        columns = zip(self.node, self.port, addresses.is_v6.tolist(), strict=True)
        self._row = {key: row for row, key in enumerate(columns)}
        self._segment_of, self._place_of = segment_of, place_of
        ends = zip(self.node, self.port, addresses.is_v6.tolist(), strict=True)
        self.compared = [
            row
            for row, (node, port, is_v6) in enumerate(ends)
            if is_v6 or (node, port) not in borrowing
        ]
        """Rows whose addresses count."""
        self.has_loopbacks = LOOPBACK in self.port

    def has(self, one: OwnAddress) -> bool:
        """Return whether the scheme numbers the interface in the family of an address."""
        return self._key(one) in self._row

    def of(self, one: OwnAddress) -> int:
        """Return the row of an address.

        Raises
        ------
        DesignError
            If the scheme gives its interface no address of the family.
        """
        if self.has(one):
            return self._row[self._key(one)]
        place, family = self._place_of[one.node, one.port], f"ipv{one.ip.version}"
        if (one.node, one.port, one.ip.version != 6) in self._row:
            raise DesignError(
                f"{one.key}: {one.ip.ip} is of IPv{one.ip.version}, which the design does not have",
                f"add '{family}: true' under 'addressing', or leave the address out",
            )
        raise DesignError(
            f"{one.key}: {place} is no interface of the design: it has no cable, or is in a bond "
            "behind the first NIC",
            "plug a cable into it, give the address to the first NIC of the bond, or leave it out",
        )

    def length(self, one: OwnAddress) -> int:
        """Return the prefix length of an address.

        Raises
        ------
        DesignError
            If it is on the loopback and others are in its subnet.
        """
        ip = one.ip
        if one.port == LOOPBACK and ip.network.prefixlen != ip.max_prefixlen:
            raise DesignError(
                f"{one.key}: {ip} is on the loopback, where a subnet has one address",
                f"write {ip.ip}, or {ip.ip}/{ip.max_prefixlen}",
            )
        return int(ip.network.prefixlen)

    def place(self, row: int) -> str:
        """Return the name of the interface of a row."""
        return self._place_of[self.node[row], self.port[row]]

    def segment(self, row: int) -> tuple[int, int]:
        """Return the segment of a row, which is a node's own for a loopback."""
        node, port = self.node[row], self.port[row]
        return (-1, node) if port == LOOPBACK else (self._segment_of[node, port], 0)

    @staticmethod
    def _key(one: OwnAddress) -> tuple[int, int, bool]:
        return one.node, one.port, one.ip.version == 6


def _expect_sound(addresses: Addresses, keys: Mapping[int, str], rows: _Rows) -> None:
    """Refuse addresses of which one is there twice, or whose subnets are not those of segments.

    Raises
    ------
    DesignError
        If there are any; the message names an address of the design.
    """
    _expect_once(addresses, keys, rows)
    _expect_one_subnet(addresses, keys, rows)
    _expect_apart(addresses, keys, rows)


def _expect_once(addresses: Addresses, keys: Mapping[int, str], rows: _Rows) -> None:
    first: dict[object, int] = {}
    for row in rows.compared:
        ip = addresses.ip[row]
        other = first.setdefault(ip.ip, row)
        if other != row:
            mine, its = (row, other) if row in keys else (other, row)
            raise DesignError(
                f"{keys[mine]}: {rows.place(mine)} and {rows.place(its)} both have {ip.ip}",
                f"give one of them another address{_instead(its, keys)}",
            )


def _expect_one_subnet(addresses: Addresses, keys: Mapping[int, str], rows: _Rows) -> None:
    """Refuse a segment whose interfaces are in different subnets of one family."""
    of_segment: dict[tuple[tuple[int, int], int], list[int]] = {}
    for row in rows.compared:
        of_segment.setdefault((rows.segment(row), addresses.ip[row].version), []).append(row)
    for members in of_segment.values():
        subnet = {row: addresses.ip[row].network for row in members}
        if len(set(subnet.values())) == 1:
            continue
        mine = next(row for row in members if row in keys)
        its = next(row for row in members if subnet[row] != subnet[mine])
        if its in keys:
            remedy = f"give {rows.place(its)} an address of {subnet[mine]}"
        else:
            remedy = f"give {rows.place(its)} an 'address' of {subnet[mine]} too"
        raise DesignError(
            f"{keys[mine]}: {rows.place(mine)} is in {subnet[mine]}, and {rows.place(its)} on the "
            f"same link is in {subnet[its]}{'' if its in keys else ', by the address scheme'}",
            remedy,
        )


def _expect_apart(addresses: Addresses, keys: Mapping[int, str], rows: _Rows) -> None:
    """Refuse one subnet on two segments, and subnets inside others."""
    ips = addresses.ip
    order = sorted(rows.compared, key=lambda row: (ips[row].version, _first(ips[row]), row))
    open_rows: list[int] = []
    for row in order:
        while open_rows and not _holds(ips[open_rows[-1]].network, ips[row].network):
            open_rows.pop()
        for outer in open_rows:
            if rows.segment(outer) != rows.segment(row) and (outer in keys or row in keys):
                raise _overlap(addresses, outer, row, keys, rows)
        if not open_rows or ips[open_rows[-1]].network != ips[row].network or row in keys:
            open_rows.append(row)


def _first(ip: Interface) -> tuple[int, int]:
    return int(ip.network.network_address), ip.network.prefixlen


def _holds(outer: Prefix, inner: Prefix) -> bool:
    first, last = int(outer.network_address), int(outer.broadcast_address)
    return outer.version == inner.version and first <= int(inner.network_address) <= last


def _overlap(
    addresses: Addresses, outer: int, inner: int, keys: Mapping[int, str], rows: _Rows
) -> DesignError:
    mine, its = (inner, outer) if inner in keys else (outer, inner)
    one, other = addresses.ip[mine].network, addresses.ip[its].network
    if one == other:
        reason = f"{rows.place(mine)} and {rows.place(its)} are both in {one}"
    else:
        reason = f"{one} of {rows.place(mine)} overlaps {other} of {rows.place(its)}"
    reason += "" if its in keys else ", by the address scheme"
    return DesignError(
        f"{keys[mine]}: {reason}, but share no link",
        f"give every link a subnet of its own{_instead(its, keys)}",
    )


def _instead(row: int, keys: Mapping[int, str]) -> str:
    """Return a remedy more for the address of a scheme."""
    if row in keys:
        return ""
    return ", or 'addressing' another base prefix ('ipv4', 'ipv6')"


def _identity(
    addresses: Addresses, identities: Sequence[OwnAddress], rows: _Rows
) -> NDArray[np.uint32]:
    """Return the rows of identities on interfaces, after the choices of the design."""
    found = addresses.identity.copy()
    n_families = 1 + int(addresses.is_v6.any() and not addresses.is_v6.all())
    per_family = len(addresses.node) // n_families
    chosen: dict[int, int] = {}
    for one in identities:
        own = [row for row, node in enumerate(rows.node) if node == one.node]
        row = next((row for row in own if addresses.ip[row].ip == one.ip.ip), None)
        if row is None or chosen.setdefault(one.node, row % per_family) != row % per_family:
            has = ", ".join(str(addresses.ip[row].ip) for row in own)
            raise DesignError(
                f"{one.key}: the design has no addresses on loopbacks, so the address of a node is "
                f"that of one NIC, and {one.ip.ip} is not ({has})",
                "give one of these, or set identities: loopback under 'addressing'",
            )
        found[one.node] = row % per_family
    return found
