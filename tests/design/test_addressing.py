"""Address schemes: printed examples, families, room, and growth without renumbering.

What holds for every size is in tests/laws.
"""

from __future__ import annotations

import ipaddress
from ipaddress import ip_network
from typing import Any

import numpy as np
import pytest

from linkwright.design.addressing import SCHEMES, Addresses, place, with_loopbacks
from linkwright.design.topologies import Limits
from linkwright.errors import DesignError

from .wired import addressed, built, node_ports, refused

TEN = ip_network("10.0.0.0/8")
ULA = ip_network("fd00:6c77::/48")
ANY_STACK = Limits(switch_ports=100)


def texts(addresses: Addresses) -> list[str]:
    rows = zip(
        addresses.bits, addresses.is_v6.tolist(), addresses.prefix_length.tolist(), strict=True
    )
    return [
        f"{ipaddress.ip_address(bits.tobytes() if v6 else bits[12:].tobytes())}/{length}"
        for bits, v6, length in rows
    ]


def of_node(addresses: Addresses, node: int) -> list[str]:
    every = texts(addresses)
    return [every[index] for index in np.flatnonzero(addresses.node == node)]


def test_cables_are_31s_and_identities_32s() -> None:
    addresses = addressed(built("torus", shape=[3]), "per-link", TEN)
    links = ["10.0.0.0", "10.0.0.2", "10.0.0.4", "10.0.0.1", "10.0.0.3", "10.0.0.5"]
    identities = ["10.128.0.1/32", "10.128.0.2/32", "10.128.0.3/32"]
    assert texts(addresses) == [*(f"{link}/31" for link in links), *identities]
    assert addresses.identity.tolist() == [6, 7, 8]
    assert addresses.port.tolist()[6:] == [-1, -1, -1]


def test_cables_may_be_30s() -> None:
    addresses = addressed(built("direct"), "per-link-30", TEN, ULA)
    assert texts(addresses) == [
        "10.0.0.1/30",
        "10.0.0.2/30",
        "10.128.0.1/32",
        "10.128.0.2/32",
        "fd00:6c77::1/126",
        "fd00:6c77::2/126",
        "fd00:6c77:0:8000::1/128",
        "fd00:6c77:0:8000::2/128",
    ]


def test_any_scheme_may_have_identities_on_the_loopback() -> None:
    layout = SCHEMES["per-segment"](node_ports(built("hub", nodes=2)), grow_to=None)
    addresses = place(with_loopbacks(layout, 2), [TEN])
    assert texts(addresses) == ["10.0.0.1/30", "10.0.0.2/30", "10.128.0.1/32", "10.128.0.2/32"]
    assert addresses.identity.tolist() == [2, 3]
    assert addresses.port.tolist() == [0, 0, -1, -1]


def test_ipv6_cables_are_127s_and_identities_128s() -> None:
    addresses = addressed(built("direct"), "per-link", TEN, ULA)
    assert texts(addresses) == [
        "10.0.0.0/31",
        "10.0.0.1/31",
        "10.128.0.1/32",
        "10.128.0.2/32",
        "fd00:6c77::/127",
        "fd00:6c77::1/127",
        "fd00:6c77:0:8000::1/128",
        "fd00:6c77:0:8000::2/128",
    ]
    assert addresses.identity.tolist() == [2, 3]


def test_a_segment_is_one_subnet_with_hosts_from_1() -> None:
    addresses = addressed(built("switch", nodes=16), "per-segment", TEN)
    assert texts(addresses)[0] == "10.0.0.1/27"
    assert texts(addresses)[15] == "10.0.0.16/27"
    assert addresses.identity.tolist() == list(range(16))


def test_segments_have_room_to_grow() -> None:
    addresses = addressed(built("switch", nodes=6), "per-segment", TEN, grow_to=100)
    assert texts(addresses)[5] == "10.0.0.6/25"


@pytest.mark.parametrize(
    ("shape", "bits"), [([24, 24], 11), ([2048, 2048], 24), ([5, 7, 3], 12), ([8], 4)]
)
def test_bits_of_the_packing(shape: list[int], bits: int) -> None:
    """1 + 5 + 5 bits for 24 x 24; 10.0.0.0/8 holds up to 2048 x 2048 [PMESH-1998]."""
    side = max(shape)
    small = [min(extent, 3) for extent in shape]
    base = ip_network(f"10.0.0.0/{32 - bits}")
    addressed(built("p-mesh", shape=small), "p-mesh", base, grow_to=side)
    narrow = ip_network(f"10.0.0.0/{32 - bits + 3}")
    with pytest.raises(DesignError) as error:
        addressed(built("p-mesh", shape=[3] * len(shape)), "p-mesh", narrow, grow_to=side)
    refused(error, "bits", str(narrow))


def test_an_exactly_fitting_base_is_accepted_and_one_bit_less_is_not() -> None:
    wiring = built("p-mesh", shape=[24, 24])
    addressed(wiring, "p-mesh", ip_network("10.0.0.0/21"))
    with pytest.raises(DesignError) as error:
        addressed(wiring, "p-mesh", ip_network("10.0.8.0/22"))
    refused(error, "needs 11 bits", "has 10", "10.0.8.0/21")


def test_the_packing_of_a_4x4() -> None:
    """Node (1, 2) is host 3 of line 1 in X and host 2 of line 2 in Y; 1 + 2 + 3 bits."""
    addresses = addressed(built("p-mesh", shape=[4, 4]), "p-mesh", TEN)
    assert of_node(addresses, 6) == ["10.0.0.11/29", "10.0.0.50/29"]
    assert texts(addresses)[addresses.identity[6]] == "10.0.0.50/29"


def test_the_packing_puts_the_highest_dimension_first() -> None:
    """Node (z, y, x) = (2, 1, 0) of 3x3x3: 2 dimension, 2 + 2 subnet, 3 host bits."""
    addresses = addressed(built("p-mesh", shape=[3, 3, 3]), "p-mesh", TEN)
    node = 2 * 9 + 1 * 3 + 0
    expected = [
        (0 << 7) | (2 << 5) | (1 << 3) | 1,
        (1 << 7) | (2 << 5) | (0 << 3) | 2,
        (2 << 7) | (1 << 5) | (0 << 3) | 3,
    ]
    first = int(TEN.network_address)
    assert of_node(addresses, node) == [
        f"{ipaddress.ip_address(first + number)}/29" for number in expected
    ]


def test_growing_does_not_renumber() -> None:
    small = addressed(built("p-mesh", shape=[3, 4], front_end=True), "p-mesh", TEN, grow_to=24)
    large = addressed(built("p-mesh", shape=[6, 24], front_end=True), "p-mesh", TEN, grow_to=24)
    for row in range(3):
        for column in range(4):
            assert of_node(small, row * 4 + column) == of_node(large, row * 24 + column)
    assert of_node(small, 12) == of_node(large, 144) == ["10.0.0.25/27"]


def test_a_line_of_one_node_has_no_address() -> None:
    addresses = addressed(built("p-mesh", shape=[1, 4]), "p-mesh", TEN)
    assert of_node(addresses, 0) == ["10.0.0.1/29"]
    addresses = addressed(built("p-mesh", shape=[4, 1]), "p-mesh", TEN)
    assert of_node(addresses, 0) == ["10.0.0.33/29"]


@pytest.mark.parametrize("side", [2, 6, 14])
def test_a_front_end_without_room_names_grow_to(side: int) -> None:
    wiring = built("p-mesh", shape=[side, side], front_end=True)
    with pytest.raises(DesignError) as error:
        addressed(wiring, "p-mesh", TEN)
    refused(error, "front end", f"grow_to: {side + 1}")
    addressed(wiring, "p-mesh", TEN, grow_to=side + 1)


def test_stack_rings_have_the_papers_addresses_without_its_collision() -> None:
    """As printed, node x of stage i on E and node x of stage i + 1 on W share 10.10.i.x; ours move
    W by 128 [STACK-2001, erratum 8]."""
    stages, n, base = 5, 60, ip_network("10.10.0.0/16")
    addresses = addressed(built("stack-ring", stages=stages, nodes_per_stage=n), "stack-ring", base)
    for stage, x in [(0, 0), (1, 0), (4, 59)]:
        assert of_node(addresses, stage * n + x) == [
            f"10.10.{stage}.{x + 1}/24",
            f"10.10.{(stage - 1) % stages}.{x + 129}/24",
        ]
    assert len(set(texts(addresses))) == 2 * stages * n
    east = [(stage, x + 1) for stage in range(stages) for x in range(n)]
    west = [((stage - 1) % stages, host) for stage, host in east]
    assert len(set(east + west)) == stages * n, "as printed, each address is given twice"


@pytest.mark.parametrize(("n", "length"), [(1, 24), (126, 24), (127, 23), (254, 23), (255, 22)])
def test_halves_of_a_stack_are_128_until_a_group_is_larger(n: int, length: int) -> None:
    wiring = built("stack-ring", stages=3, nodes_per_stage=n, limits=ANY_STACK)
    addresses = addressed(wiring, "stack-ring", TEN)
    assert set(addresses.prefix_length.tolist()) == {length}
    assert len(np.unique(addresses.bits, axis=0)) == 6 * n


def test_growing_groups_rows_and_stages_do_not_renumber() -> None:
    small = built("stack-mesh", shape=[3, 4], nodes_per_group=2, front_end=True)
    large = built("stack-mesh", shape=[7, 6], nodes_per_group=9, front_end=True)
    before, after = (addressed(one, "stack-mesh", TEN, grow_to=200) for one in (small, large))
    for y, x, seat in [(0, 0, 0), (1, 2, 1), (0, 1, 1)]:
        kept = [of_node(before, (4 * y + x) * 2 + seat)[nic] for nic in (0, 2)]
        assert kept == [of_node(after, (6 * y + x) * 9 + seat)[nic] for nic in (0, 2)]
    assert of_node(before, 24) == of_node(after, 378) == ["10.0.0.201/23"]
    ring = addressed(built("stack-ring", stages=4, nodes_per_stage=3), "stack-ring", TEN)
    longer = addressed(built("stack-ring", stages=9, nodes_per_stage=3), "stack-ring", TEN)
    assert of_node(ring, 4) == of_node(longer, 4)


def test_forwarders_and_the_front_end_come_after_the_nodes() -> None:
    wiring = built("stack-ring", stages=3, nodes_per_stage=4, extra_forwarders=2, front_end=True)
    addresses = addressed(wiring, "stack-ring", TEN)
    assert of_node(addresses, 12) == ["10.0.0.5/24", "10.0.2.133/24"]
    assert of_node(addresses, 13) == ["10.0.0.6/24", "10.0.2.134/24"]
    assert of_node(addresses, 18) == ["10.0.0.7/24"]


REFUSED: list[tuple[str, dict[str, Any], str, int | None, list[str]]] = [
    ("switch", {"nodes": 4}, "per-link", None, ["hub or switch", "per-segment"]),
    ("p-mesh", {"shape": [4, 4]}, "per-link", None, ["per-segment"]),
    ("torus", {"shape": [4, 4]}, "per-link", 3, ["grow_to", "4 or more"]),
    ("torus", {"shape": [4, 4]}, "p-mesh", None, ["line of a grid"]),
    ("full-mesh", {"nodes": 4}, "p-mesh", None, ["line of a grid"]),
    ("tree", {"nodes": 16}, "p-mesh", None, ["line of a grid"]),
    ("p-mesh", {"shape": [4, 4]}, "p-mesh", 3, ["grow_to: 4"]),
    ("switch", {"nodes": 9}, "per-segment", 8, ["grow_to: 9"]),
    ("switch", {"nodes": 9}, "stack-ring", None, ["groups", "per-segment"]),
    ("p-mesh", {"shape": [3, 3]}, "stack-ring", None, ["neighbouring groups", "per-segment"]),
    ("torus", {"shape": [3, 3]}, "stack-mesh", None, ["groups", "per-link"]),
    ("torus", {"shape": [3, 3, 3]}, "stack-mesh", None, ["neighbouring groups"]),
    ("switch", {"nodes": 8, "nfs_switch": True}, "p-mesh", None, ["the same line"]),
    ("switched-mesh", {"shape": [2, 5]}, "stack-ring", None, ["one stack", "here are several"]),
    ("stack-ring", {"stages": 3, "nodes_per_stage": 5}, "stack-ring", 4, ["grow_to: 5"]),
    ("stack-mesh", {"shape": [2, 4], "nodes_per_group": 2}, "stack-mesh", 3, ["grow_to: 4"]),
]


@pytest.mark.parametrize(("kind", "fields", "scheme", "grow_to", "words"), REFUSED)
def test_refuses(
    kind: str, fields: dict[str, Any], scheme: str, grow_to: int | None, words: list[str]
) -> None:
    with pytest.raises(DesignError) as error:
        addressed(built(kind, **fields), scheme, TEN, grow_to=grow_to)
    refused(error, *words)


def test_a_base_beyond_ipv4_points_to_ipv6() -> None:
    with pytest.raises(DesignError) as error:
        addressed(built("p-mesh", shape=[3, 3, 3, 3]), "p-mesh", TEN, grow_to=1000)
    refused(error, "bits", "IPv6")
    addressed(built("p-mesh", shape=[3, 3, 3, 3]), "p-mesh", ULA, grow_to=1000)
