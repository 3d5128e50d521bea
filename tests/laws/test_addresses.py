"""Laws of every topology and scheme that fit: addresses unique, subnets disjoint, a subnet is a
segment.
"""

from __future__ import annotations

import ipaddress
import itertools
import math
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.design.wired import LIMITS, addressed, node_ports, topology

from linkwright.design.addressing import Addresses, NodePorts

TEN = ipaddress.ip_network("10.0.0.0/8")
ULA = ipaddress.ip_network("fd00:6c77::/48")

shapes = st.lists(st.integers(1, 5), min_size=1, max_size=4).filter(
    lambda sides: 1 < math.prod(sides) <= 125
)
cases = st.one_of(
    st.tuples(
        st.sampled_from(["torus", "mesh"]), shapes, st.sampled_from(["per-link", "per-segment"])
    ),
    st.tuples(st.just("p-mesh"), shapes, st.sampled_from(["p-mesh", "per-segment"])),
    st.tuples(st.just("hub"), st.integers(2, 40), st.just("per-segment")),
    st.tuples(st.just("tree"), st.integers(2, 60), st.just("per-segment")),
    st.tuples(st.just("fat-tree"), st.integers(17, 53), st.just("per-segment")),
    st.tuples(
        st.just("stack-mesh"),
        st.tuples(st.integers(1, 5), st.integers(2, 5)).map(list),
        st.sampled_from(["stack-mesh", "per-segment"]),
    ),
    st.tuples(
        st.just("stack-ring"),
        st.integers(1, 40),
        st.sampled_from(["stack-ring", "per-segment"]),
    ),
    st.tuples(
        st.just("full-mesh"), st.integers(2, 9), st.sampled_from(["per-link", "per-segment"])
    ),
)


@given(cases, st.booleans(), st.sampled_from([(TEN,), (ULA,), (TEN, ULA)]))
def test_addresses_are_sound(
    case: tuple[str, list[int] | int, str],
    front_end: bool,
    bases: tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...],
) -> None:
    kind, size, scheme = case
    described = topology(kind, **_sized(kind, size))
    wiring = described.build(LIMITS, front_end=front_end)
    # For lines of 40 in four dimensions 10.0.0.0/8 has no room.
    grow_to = 24 if scheme == "p-mesh" else None
    addresses = addressed(wiring, scheme, *bases, grow_to=grow_to)
    ports = node_ports(wiring)
    assert len(np.unique(addresses.bits, axis=0)) == len(addresses.bits)
    assert (addresses.node[addresses.identity] == np.arange(wiring.n_nodes)).all()
    _check_subnets(addresses, ports)
    _check_inside(addresses, bases)


def _sized(kind: str, size: list[int] | int) -> dict[str, Any]:
    if kind == "stack-ring":
        return {"stages": 4, "nodes_per_stage": size, "extra_forwarders": 2}
    if kind == "stack-mesh":
        return {"shape": size, "nodes_per_group": 3}
    return {"nodes" if isinstance(size, int) else "shape": size}


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


def _check_inside(
    addresses: Addresses, bases: tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]
) -> None:
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
