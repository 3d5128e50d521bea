"""Laws of every topology and scheme that fit: addresses unique, subnets disjoint, a subnet is a
segment.
"""

from __future__ import annotations

import ipaddress
import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.design.wired import LIMITS, addressed, node_ports, topology
from tests.kinds import KINDS
from tests.sizes import fields_of

from linkwright.design.addressing import SCHEMES, Addresses, NodePorts
from linkwright.design.topologies import TOPOLOGIES, Wiring
from linkwright.errors import DesignError

TEN = ipaddress.ip_network("10.0.0.0/8")
ULA = ipaddress.ip_network("fd00:6c77::/48")
Base = ipaddress.IPv4Network | ipaddress.IPv6Network


def numbered(
    fields: dict[str, Any], scheme: str, *bases: Base, front_end: bool = False
) -> tuple[Wiring, Addresses] | None:
    """Return a topology's arrays and addresses; None where the scheme does not fit."""
    try:
        wiring = topology(**fields).build(LIMITS, front_end=front_end)
        return wiring, addressed(wiring, scheme, *bases)
    except DesignError:
        return None


FITTING = {
    scheme: [kind for kind in TOPOLOGIES if numbered(KINDS[kind], scheme, TEN)]
    for scheme in SCHEMES
}
"""Kinds of topologies of each scheme of addresses."""


@pytest.mark.parametrize("scheme", SCHEMES)
@settings(max_examples=40)
@given(st.data(), st.booleans(), st.sampled_from([(TEN,), (ULA,), (TEN, ULA)]))
def test_addresses_are_sound(
    scheme: str, data: st.DataObject, front_end: bool, bases: tuple[Base, ...]
) -> None:
    kind = data.draw(st.sampled_from(FITTING[scheme]))
    fields = data.draw(fields_of(kind, most_nodes=125))
    found = numbered(fields, scheme, *bases, front_end=front_end)
    assume(found)
    wiring, addresses = found
    ports = node_ports(wiring)
    assert len(np.unique(addresses.bits, axis=0)) == len(addresses.bits)
    assert (addresses.node[addresses.identity] == np.arange(wiring.n_nodes)).all()
    _check_subnets(addresses, ports)
    _check_inside(addresses, bases)


def _check_subnets(addresses: Addresses, ports: NodePorts) -> None:
    """Check that two interfaces are in one subnet exactly when they are on one segment, and no
    overlap.
    """
    segment_of = {
        (node, port): segment
        for node, port, segment in zip(
            ports.node.tolist(), ports.port.tolist(), ports.segment.tolist(), strict=True
        )
    }
    segments: dict[ipaddress.IPv4Network | ipaddress.IPv6Network, set[object]] = {}
    members: dict[ipaddress.IPv4Network | ipaddress.IPv6Network, int] = {}
    for index in range(len(addresses.bits)):
        node, port = int(addresses.node[index]), int(addresses.port[index])
        subnet = _interface(addresses, index).network
        where = segment_of[node, port] if port >= 0 else ("loopback", node)
        segments.setdefault(subnet, set()).add(where)
        members[subnet] = members.get(subnet, 0) + 1
    assert all(len(found) == 1 for found in segments.values())
    for version in (4, 6):
        family = sorted(subnet for subnet in segments if subnet.version == version)
        assert len({next(iter(segments[subnet])) for subnet in family}) == len(family)
        for low, high in itertools.pairwise(family):
            assert int(low.broadcast_address) < int(high.network_address)
    for subnet, count in members.items():
        reserved = 0 if subnet.prefixlen >= subnet.max_prefixlen - 1 else 2
        assert count <= subnet.num_addresses - reserved


def _check_inside(addresses: Addresses, bases: tuple[Base, ...]) -> None:
    """Check that every address is in its base, and is neither first nor last of a larger subnet."""
    by_version = {base.version: base for base in bases}
    for index in range(len(addresses.bits)):
        interface = _interface(addresses, index)
        assert interface.network.subnet_of(by_version[interface.version])  # type: ignore[arg-type]
        if interface.network.prefixlen < interface.max_prefixlen - 1:
            assert interface.ip != interface.network.network_address
            assert interface.ip != interface.network.broadcast_address


def _interface(
    addresses: Addresses, index: int
) -> ipaddress.IPv4Interface | ipaddress.IPv6Interface:
    bits, length = addresses.bits[index], int(addresses.prefix_length[index])
    if addresses.is_v6[index]:
        return ipaddress.IPv6Interface((bits.tobytes(), length))
    return ipaddress.IPv4Interface((bits[12:].tobytes(), length))
