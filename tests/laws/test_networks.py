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

from linkwright.design.cluster import Cluster
from linkwright.errors import PlanError
from linkwright.network import Network
from linkwright.network import compile as compile_design

ANY_SLOTS = {"node": {"max_nics": None}}

shapes = st.lists(st.integers(1, 6), min_size=1, max_size=4).filter(
    lambda sides: 1 < math.prod(sides) <= 100
)
pairs = st.lists(st.integers(1, 20), min_size=2, max_size=2).filter(
    lambda sides: 1 < math.prod(sides) <= 60
)
rings = st.fixed_dictionaries(
    {
        "kind": st.just("stack-ring"),
        "stages": st.integers(3, 9),
        "nodes_per_stage": st.integers(1, 7),
        "extra_forwarders": st.integers(0, 2),
    }
)
groups = st.fixed_dictionaries(
    {
        "kind": st.just("stack-mesh"),
        "shape": st.lists(st.integers(1, 5), min_size=2, max_size=2).filter(
            lambda sides: max(sides) > 1
        ),
        "nodes_per_group": st.integers(1, 4),
    }
)
topologies = st.one_of(
    st.just({"kind": "direct"}),
    st.integers(2, 40).map(lambda n: {"kind": "hub", "nodes": n}),
    st.integers(2, 40).map(lambda n: {"kind": "single-net", "nodes": n}),
    st.integers(2, 40).map(lambda n: {"kind": "switch", "nodes": n}),
    st.integers(2, 40).map(lambda n: {"kind": "switch", "nodes": n, "nfs_switch": True}),
    st.builds(
        lambda n, density: {"kind": "hub-switch", "nodes": n, "density": density},
        st.integers(2, 40),
        st.integers(1, 9),
    ),
    st.integers(2, 12).map(lambda n: {"kind": "full-mesh", "nodes": n}),
    shapes.map(lambda shape: {"kind": "torus", "shape": shape}),
    st.integers(2, 40).map(lambda n: {"kind": "ring", "shape": [n]}),
    st.integers(1, 6).map(lambda d: {"kind": "hypercube", "dimension": d}),
    shapes.map(lambda shape: {"kind": "mesh", "shape": shape}),
    shapes.map(lambda shape: {"kind": "p-mesh", "shape": shape}),
    shapes.map(lambda shape: {"kind": "hyperx", "shape": shape}),
    shapes.map(lambda shape: {"kind": "routed-mesh", "shape": shape}),
    pairs.map(lambda shape: {"kind": "switched-mesh", "shape": shape}),
    pairs.map(lambda shape: {"kind": "bonded-switched-mesh", "shape": shape}),
    st.builds(
        lambda n, buses: {"kind": "bonded-dual-net", "nodes": n, "buses": buses},
        st.integers(2, 40),
        st.integers(1, 5),
    ),
    st.integers(2, 60).map(lambda n: {"kind": "tree", "nodes": n}),
    # A full tree has no port for a front end.
    st.integers(3, 53).filter(lambda n: n != 16).map(lambda n: {"kind": "fat-tree", "nodes": n}),
    rings,
    groups,
)
families = st.sampled_from([{}, {"ipv6": True}, {"ipv4": True, "ipv6": True}])


def built(topology: dict[str, Any], **sections: Any) -> Network:
    return compile_design(
        Cluster.from_fields({"topology": topology, "parts": ANY_SLOTS, **sections})
    )


@settings(max_examples=60)
@given(
    topologies,
    families,
    st.booleans(),
    st.sampled_from([None, "shortest-path"]),
    st.booleans(),
)
def test_every_address_is_reached(
    topology: dict[str, Any],
    addressing: dict[str, Any],
    front_end: bool,
    routing: str | None,
    per_segment: bool,
) -> None:
    if per_segment:
        addressing = {**addressing, "scheme": "per-segment"}
    elif topology["kind"] == "p-mesh":
        addressing = {**addressing, "grow_to": 7}
    network = built(
        topology, addressing=addressing, front_end=front_end, routing={"scheme": routing}
    )
    assert network.core.soundness() == []
    assert network.core.reachability().unreachable == []


@settings(max_examples=30)
@given(topologies, st.randoms(use_true_random=False))
def test_many_paths_are_the_single_ones(topology: dict[str, Any], random: Random) -> None:
    network = built(topology)
    nodes = np.array([random.randrange(network.n_nodes) for _ in range(9)], dtype=np.uint32)
    addresses = np.array([random.randrange(len(network.addresses.node)) for _ in nodes], np.uint32)
    paths = network.core.paths(nodes, addresses)
    ends = zip(nodes.tolist(), addresses.tolist(), strict=True)
    expected = [[one[0] for one in network.core.path(*pair)] for pair in ends]
    assert [one.tolist() for one in np.split(paths.device, paths.start[1:-1])] == expected
    assert (paths.start[0], paths.start[-1]) == (0, len(paths.device))


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


@settings(max_examples=40)
@given(
    st.one_of(
        shapes.map(lambda shape: {"kind": "torus", "shape": shape}),
        st.integers(2, 40).map(lambda n: {"kind": "ring", "shape": [n]}),
        st.integers(1, 6).map(lambda d: {"kind": "hypercube", "dimension": d}),
        shapes.map(lambda shape: {"kind": "mesh", "shape": shape}),
        shapes.map(lambda shape: {"kind": "p-mesh", "shape": shape}),
        shapes.map(lambda shape: {"kind": "routed-mesh", "shape": shape}),
    ),
    st.sampled_from(["dimension-order", "shortest-path"]),
)
def test_forwards_are_the_closed_form(topology: dict[str, Any], routing: str) -> None:
    """Between identities; the nodes that relay are those of a shortest way."""
    network = built(topology, routing={"scheme": routing})
    between = network.core.forwards(network.addresses.identity)
    n = network.n_nodes
    assert between.max() == network.closed.forwards_worst
    assert between.sum() / (n * (n - 1)) == pytest.approx(network.closed.forwards_mean)


@settings(max_examples=40)
@given(st.one_of(rings, groups), st.sampled_from(["spread", "paper"]))
def test_forwards_between_groups_are_the_closed_form(topology: dict[str, Any], ties: str) -> None:
    """Groups D apart take max(D, 1) - 1 forwards, forwarders or not, however ties are broken."""
    network = built(topology, routing={"ties": ties})
    n = network.n_compute
    between = network.core.forwards(network.addresses.identity[:n])
    assert network.routing == "stack"
    assert between.max() == network.closed.forwards_worst
    assert between.sum() / (n * (n - 1)) == pytest.approx(network.closed.forwards_mean)


@settings(max_examples=40)
@given(shapes)
def test_forwards_in_a_hyperx_are_the_closed_form(shape: list[int]) -> None:
    """One coordinate of those that differ is set right per hop."""
    network = built({"kind": "hyperx", "shape": shape})
    between = network.core.forwards(network.addresses.identity)
    n = network.n_nodes
    assert network.routing == "dimension-order"
    assert between.max() == network.closed.forwards_worst
    assert between.sum() / (n * (n - 1)) == pytest.approx(network.closed.forwards_mean)


@settings(max_examples=30)
@given(pairs, st.booleans())
def test_remote_pairs_of_a_switched_mesh_use_both_nets_alike(
    shape: list[int], front_end: bool
) -> None:
    """Local pairs stay on their bus; nobody forwards [BEOWULF-1996]."""
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
