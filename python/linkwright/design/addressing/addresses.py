"""The input and output of an address scheme, and the placement of numbers in a base prefix.

A scheme numbers interfaces from 0 upwards; the same numbers serve IPv4 and IPv6, so that the host
parts of both agree. Addresses stay arrays of bytes here; text is made for display only.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from linkwright.errors import DesignError
from linkwright.records.read_only import ArrayRecord

__all__ = [
    "Addresses",
    "Interface",
    "Layout",
    "NodePorts",
    "Numbers",
    "Prefix",
    "bits_for",
    "low_bits",
    "place",
    "with_loopbacks",
]

Interface = ipaddress.IPv4Interface | ipaddress.IPv6Interface
Prefix = ipaddress.IPv4Network | ipaddress.IPv6Network


class NodePorts(ArrayRecord):
    """The ports of all nodes, ordered by node and port; `p` ports."""

    n_nodes: int
    n_compute: int
    shape: tuple[int, ...]
    coordinates: NDArray[np.int32]
    """shape (n_nodes, d): -1 for a node without coordinates."""
    node: NDArray[np.int64]
    """shape (p,)"""
    port: NDArray[np.int64]
    """shape (p,): number on the node."""
    segment: NDArray[np.int64]
    """shape (p,): broadcast domain, counted over the segments that hold node ports."""

    @property
    def n_segments(self) -> int:
        """Number of broadcast domains."""
        return int(self.segment.max(initial=-1)) + 1


class Numbers(ArrayRecord):
    """Interfaces numbered inside one half or the whole of a base prefix; `i` interfaces."""

    node: NDArray[np.int64]
    port: NDArray[np.int64]
    """shape (i,): number on the node, -1 for its loopback."""
    number: NDArray[np.int64]
    """shape (i,): subnet and host part, counted from the first address of the prefix."""
    host_bits: int | NDArray[np.int64]
    """Low bits that distinguish the interfaces of one subnet: one number, or shape (i,)."""


class Layout(ArrayRecord):
    """The decisions of a scheme: `links` on ports, and `loopbacks` if there are any, in the upper
    half of the prefix or in blocks of the nodes.
    """

    scheme: str
    links: Numbers
    loopbacks: Numbers | None
    identity: NDArray[np.int64]
    """shape (n_nodes,): index of each node's identity among links, then loopbacks."""
    block_bits: int = 0
    """Low bits that distinguish the addresses of one node's block, 0 if nodes have none."""


class Addresses(ArrayRecord):
    """Addresses of all interfaces, `a` in number: IPv4 before IPv6, in the order of the layout."""

    bits: NDArray[np.uint8]
    """shape (a, 16): big-endian; IPv4 in the last four bytes."""
    is_v6: NDArray[np.bool_]
    prefix_length: NDArray[np.uint8]
    node: NDArray[np.uint32]
    port: NDArray[np.int32]
    """shape (a,): number on the node, -1 for its loopback."""
    identity: NDArray[np.uint32]
    """shape (n_nodes,): index of the address applications use."""
    block_bits: int = 0
    """Low bits that distinguish the addresses of one node's block, 0 if nodes have none."""

    @cached_property
    def ip(self) -> tuple[Interface, ...]:
        """Every address with its prefix length."""
        rows = zip(self.bits, self.is_v6.tolist(), self.prefix_length.tolist(), strict=True)
        return tuple(
            ipaddress.IPv6Interface((bits.tobytes(), length))
            if is_v6
            else ipaddress.IPv4Interface((bits[12:].tobytes(), length))
            for bits, is_v6, length in rows
        )

    @cached_property
    def is_borrowed(self) -> NDArray[np.bool_]:
        """Whether each address is one that a port borrows from the loopback of its node, shape
        (a,).
        """
        on_port = (self.port >= 0) & ~self.is_v6 & (self.prefix_length == 32)
        loopback = self.identity[self.node].astype(np.int64) % self._per_family
        is_equal = (self.bits == self.bits[loopback]).all(axis=1) & (self.port[loopback] < 0)
        borrowed: NDArray[np.bool_] = on_port & is_equal
        return borrowed

    @cached_property
    def are_blocks_whole(self) -> bool:
        """Whether each node has its identity in a block of its own, and all addresses are in blocks
        of nodes.
        """
        if not self.block_bits:
            return False
        return all(self._are_whole(is_v6=bool(one)) for one in np.unique(self.is_v6))

    def _are_whole(self, *, is_v6: bool) -> bool:
        blocks = low_bits(self.bits) >> np.uint64(self.block_bits)
        identities = self.identities_of(is_v6=is_v6)
        of_nodes = blocks[identities]
        is_alone = len(np.unique(of_nodes)) == len(of_nodes)
        is_on_loopback = (self.port[identities] < 0).all()
        are_inside = np.isin(blocks[self.is_v6 == is_v6], of_nodes).all()
        return bool(is_alone and is_on_loopback and are_inside)

    @cached_property
    def owners(self) -> NDArray[np.int64]:
        """Address of the loopback that each address is borrowed from, itself for all others, shape
        (a,).
        """
        own = np.arange(len(self.node))
        return np.where(self.is_borrowed, self.identity[self.node] % self._per_family, own)

    @property
    def _per_family(self) -> int:
        """Number of addresses of a family; the layout of both is the same."""
        has_both = bool(self.is_v6.any() and not self.is_v6.all())
        return len(self.node) // (1 + has_both)

    def identities_of(self, *, is_v6: bool) -> NDArray[np.int32]:
        """Return the identity of each node in a family, shape (n_nodes,)."""
        nodes = np.arange(len(self.identity))
        return self.identities(nodes, np.full(len(nodes), is_v6))

    def identities(self, node: NDArray[np.integer], is_v6: NDArray[np.bool_]) -> NDArray[np.int32]:
        """Return the identity of nodes in a family: the source of the packets that they send.

        Parameters
        ----------
        node, is_v6 : ndarray, shape (n,)
            Nodes, and the family wanted for each.

        Returns
        -------
        ndarray of int32, shape (n,)
            Indices of addresses.
        """
        per_family = self._per_family
        has_both = per_family < len(self.node)
        found = self.identity[node] % per_family + per_family * (is_v6 & has_both)
        identities: NDArray[np.int32] = found.astype(np.int32)
        return identities


def low_bits(bits: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Return the low 64 bits of addresses, shape (n,), from their bytes, shape (n, 16)."""
    return np.ascontiguousarray(bits[:, 8:]).view(">u8")[:, 0].astype(np.uint64)


def bits_for(n_values: int) -> int:
    """Return ceil(log2(n_values)): the bits that distinguish `n_values` values."""
    return max(n_values - 1, 0).bit_length()


def with_loopbacks(layout: Layout, n_nodes: int, place: NDArray[np.int64] | None = None) -> Layout:
    """Return a layout in which the identity of each node is an address on its loopback.

    Identities count from 1 in the upper half of the prefix, where no link has an address, in the
    order of the nodes or by the `place` of each.
    """
    nodes = np.arange(n_nodes)
    number = (nodes if place is None else place) + 1
    return replace(
        layout,
        loopbacks=Numbers(node=nodes, port=np.full_like(nodes, -1), number=number, host_bits=0),
        identity=len(layout.links.node) + nodes,
    )


def place(layout: Layout, bases: Sequence[Prefix]) -> Addresses:
    """Return the addresses of a layout in each base prefix.

    Raises
    ------
    DesignError
        If a base prefix is too small; the message gives the number of bits that are needed.
    """
    blocks = []
    for base in bases:
        _check_room(layout, base)
        lower, upper = base, base
        if layout.loopbacks is not None and not layout.block_bits:
            lower, upper = base.subnets(prefixlen_diff=1)
        blocks.append(_in_prefix(layout.links, lower, layout.links.host_bits))
        if layout.loopbacks is not None:
            blocks.append(_in_prefix(layout.loopbacks, upper, 0))
    parts = [layout.links] if layout.loopbacks is None else [layout.links, layout.loopbacks]
    rows = parts * len(bases)
    return Addresses(
        bits=np.concatenate([bits for bits, _, _ in blocks]),
        prefix_length=np.concatenate([length for _, length, _ in blocks]),
        is_v6=np.concatenate([is_v6 for _, _, is_v6 in blocks]),
        node=np.concatenate([row.node for row in rows]).astype(np.uint32),
        port=np.concatenate([row.port for row in rows]).astype(np.int32),
        identity=layout.identity.astype(np.uint32),
        block_bits=layout.block_bits,
    )


def _check_room(layout: Layout, base: Prefix) -> None:
    needed = bits_for(int(layout.links.number.max(initial=0)) + 1)
    needed = max(needed, int(np.max(layout.links.host_bits, initial=0)))
    if layout.loopbacks is not None:
        needed = max(needed, bits_for(int(layout.loopbacks.number.max(initial=0)) + 1))
        needed += layout.block_bits == 0
    available = base.max_prefixlen - base.prefixlen
    if needed <= available:
        return
    if needed > base.max_prefixlen:
        remedy = "use IPv6"
    else:
        wider = base.supernet(new_prefix=base.max_prefixlen - needed)
        remedy = f"give 'ipv{base.version}: {wider}' or another prefix of length {wider.prefixlen}"
    raise DesignError(
        f"{layout.scheme} addressing needs {needed} bits below the base prefix, "
        f"{base} has {available}",
        remedy,
    )


def _in_prefix(
    numbers: Numbers, base: Prefix, host_bits: int | NDArray[np.int64]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.bool_]]:
    """Return bits, prefix lengths and family. Numbers are combined by OR, since the low bits of
    the base are zero.
    """
    n = len(numbers.number)
    packed = base.network_address.packed
    bits = np.tile(np.frombuffer(packed.rjust(16, b"\0"), dtype=np.uint8), (n, 1))
    low = numbers.number.astype(">u8").view(np.uint8).reshape(n, 8)
    bits[:, 8:] |= low
    lengths = np.full(n, base.max_prefixlen - np.asarray(host_bits), dtype=np.uint8)
    return bits, lengths, np.full(n, base.version == 6, dtype=np.bool_)
