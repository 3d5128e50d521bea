"""Laws of every topology, scheme of addresses and scheme of routes that fit, in random sizes.

Every address of every node is reached from every node without a loop; hops are the closed form's.
"""

from __future__ import annotations

import math
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sizes import ANY_SLOTS, families, fields_of, network_of, schemes

from linkwright.design.cluster import Cluster
from linkwright.design.topologies import TOPOLOGIES
from linkwright.errors import PlanError
from linkwright.network import Network
from linkwright.network import compile as compile_design

pairs = st.lists(st.integers(1, 20), min_size=2, max_size=2).filter(
    lambda sides: 1 < math.prod(sides) <= 60
)


def built(topology: dict[str, Any], **sections: Any) -> Network:
    return compile_design(
        Cluster.from_fields({"topology": topology, "parts": ANY_SLOTS, **sections})
    )


def test_every_kind_has_examples_and_each_makes_a_network() -> None:
    for kind, topology in TOPOLOGIES.items():
        assert topology.examples, kind
        for example in topology.examples:
            assert built({"kind": kind, **example}).n_compute >= 2


@pytest.mark.parametrize("kind", TOPOLOGIES)
@settings(max_examples=6)
@given(st.data(), families, st.booleans(), schemes, st.sampled_from([None, "per-segment"]))
def test_every_address_is_reached(
    kind: str,
    data: st.DataObject,
    addressing: dict[str, Any],
    front_end: bool,
    routing: str | None,
    scheme: str | None,
) -> None:
    network = network_of(
        data.draw(fields_of(kind, most_nodes=100)),
        addressing={**addressing, "scheme": scheme},
        front_end=front_end,
        routing={"scheme": routing},
    )
    assert network.core.soundness() == []
    assert network.core.reachability().unreachable == []


@pytest.mark.parametrize("kind", TOPOLOGIES)
@settings(max_examples=3)
@given(st.data(), st.randoms(use_true_random=False))
def test_many_paths_are_the_single_ones(kind: str, data: st.DataObject, random: Random) -> None:
    network = network_of(data.draw(fields_of(kind, most_nodes=100)))
    nodes = np.array([random.randrange(network.n_nodes) for _ in range(9)], dtype=np.uint32)
    addresses = np.array([random.randrange(len(network.addresses.node)) for _ in nodes], np.uint32)
    paths = network.core.paths(nodes, addresses)
    ends = zip(nodes.tolist(), addresses.tolist(), strict=True)
    expected = [[one[0] for one in network.core.path(*pair)] for pair in ends]
    assert [one.tolist() for one in np.split(paths.device, paths.start[1:-1])] == expected
    assert (paths.start[0], paths.start[-1]) == (0, len(paths.device))


@pytest.mark.parametrize("kind", TOPOLOGIES)
@settings(max_examples=8)
@given(st.data(), schemes, st.sampled_from([None, "spread", "paper"]))
def test_forwards_are_the_closed_form(
    kind: str, data: st.DataObject, scheme: str | None, ties: str | None
) -> None:
    """Between the identities of compute nodes, by every scheme and however ties are broken."""
    topology = data.draw(fields_of(kind, most_nodes=100))
    network = network_of(topology, routing={"scheme": scheme, "ties": ties})
    n = network.n_compute
    between = network.core.forwards(network.addresses.identity[:n])
    assert between.max() == network.closed.forwards_worst
    assert between.sum() / (n * (n - 1)) == pytest.approx(network.closed.forwards_mean)


@pytest.mark.parametrize(
    ("nodes", "addresses", "message"),
    [
        ([0], [99], "address 99 does not exist"),
        ([9], [0], "node 9 does not exist"),
        ([0, 1], [0], "addresses has 1 entries, 2 are needed"),
    ],
)
def test_paths_between_what_is_not_there_are_refused(
    nodes: list[int], addresses: list[int], message: str
) -> None:
    network = built({"kind": "switch", "nodes": 3})
    with pytest.raises((PlanError, ValueError), match=message):
        network.core.paths(np.array(nodes, np.uint32), np.array(addresses, np.uint32))


@settings(max_examples=30)
@given(pairs, st.booleans())
def test_remote_pairs_of_a_switched_mesh_use_both_nets_alike(
    shape: list[int], front_end: bool
) -> None:
    """Local pairs stay on their bus; no node forwards [BEOWULF-1996]."""
    network = built({"kind": "switched-mesh", "shape": shape}, front_end=front_end)
    identities = network.addresses.identity[: network.n_compute]
    assert network.core.forwards(identities).max() == 0
    rows, columns = shape
    uplinks = network.core.load(identities).links[network.wiring.cable_kind == 2]
    assert len(uplinks) == (rows + columns if min(shape) > 1 else 0)
    n_pairs = rows * (rows - 1) * columns * (columns - 1)
    if len(uplinks):
        assert uplinks[:rows].sum() == uplinks[rows:].sum() == n_pairs


@pytest.mark.parametrize("shape", [[4, 4], [5, 7, 3], [2, 3, 4], [6, 1, 2], [24, 24]])
def test_every_address_of_a_p_mesh_node_is_at_most_d_less_one_forwards_away(
    shape: list[int],
) -> None:
    """The rule as printed needs two forwards in a 4x4 [PMESH-1998, erratum 2]."""
    network = built({"kind": "p-mesh", "shape": shape})
    lines = sum(side > 1 for side in shape)
    reached = network.core.reachability()
    assert reached.n_unreachable == 0
    assert reached.forwards_worst == lines - 1
    assert int(reached.forwards_worst_of_address.max()) == lines - 1


def test_hop_classes_of_the_whitney_torus() -> None:
    """From node 1: one hop 2 4 5 13; two 3 6 8 9 14 16; three 7 10 12 15; four 11 [NAS-97-017]."""
    network = built({"kind": "torus", "shape": [4, 4]})
    hops = (network.core.forwards(network.addresses.identity)[0] + 1).tolist()
    classes = {
        distance: [node + 1 for node in range(1, 16) if hops[node] == distance]
        for distance in (1, 2, 3, 4)
    }
    assert classes == {
        1: [2, 4, 5, 13],
        2: [3, 6, 8, 9, 14, 16],
        3: [7, 10, 12, 15],
        4: [11],
    }
