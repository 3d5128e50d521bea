"""Laws of every topology in random sizes: cables are sound, counts equal the closed forms, cuts
are smallest.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.design.wired import LIMITS, topology

from linkwright.design.names import device_names
from linkwright.design.topologies import Topology, Wiring

shapes = st.lists(st.integers(1, 6), min_size=1, max_size=4).filter(
    lambda sides: 1 < math.prod(sides) <= 300
)
pairs = st.lists(st.integers(1, 40), min_size=2, max_size=2).filter(lambda sides: max(sides) > 1)
sizes = st.integers(2, 60)
dimensions = st.integers(1, 8)
sides = st.integers(1, 9)
rings = st.builds(
    lambda stages, n, extra: topology(
        "stack-ring", stages=stages, nodes_per_stage=n, extra_forwarders=extra
    ),
    st.integers(3, 12),
    st.integers(1, 40),
    st.integers(0, 3),
)
groups = st.builds(
    lambda y, x, n: topology("stack-mesh", shape=[y, x + (x == y == 1)], nodes_per_group=n),
    sides,
    sides,
    st.integers(1, 12),
)

topologies: st.SearchStrategy[Topology] = st.one_of(
    st.just(topology("direct")),
    sizes.map(lambda n: topology("hub", nodes=n)),
    sizes.map(lambda n: topology("single-net", nodes=n)),
    sizes.map(lambda n: topology("switch", nodes=n)),
    sizes.map(lambda n: topology("switch", nodes=n, nfs_switch=True)),
    st.builds(
        lambda n, density: topology("hub-switch", nodes=n, density=density),
        sizes,
        st.integers(1, 9),
    ),
    st.integers(2, 20).map(lambda n: topology("full-mesh", nodes=n)),
    shapes.map(lambda shape: topology("torus", shape=shape)),
    sizes.map(lambda n: topology("ring", shape=[n])),
    dimensions.map(lambda d: topology("hypercube", dimension=d)),
    shapes.map(lambda shape: topology("mesh", shape=shape)),
    shapes.map(lambda shape: topology("hyperx", shape=shape)),
    shapes.map(lambda shape: topology("routed-mesh", shape=shape)),
    pairs.map(lambda shape: topology("switched-mesh", shape=shape)),
    pairs.map(lambda shape: topology("bonded-switched-mesh", shape=shape)),
    st.builds(
        lambda n, buses: topology("bonded-dual-net", nodes=n, buses=buses), sizes, st.integers(1, 5)
    ),
    rings,
    groups,
    st.builds(
        lambda shape, lines: topology("p-mesh", shape=shape, lines_per_switch=lines),
        shapes,
        st.integers(1, 5),
    ),
    st.builds(
        lambda n, uplinks, levels: topology("tree", nodes=n, uplinks=uplinks, levels=levels),
        st.integers(2, 300),
        st.integers(1, 4),
        st.integers(2, 4),
    ),
    # A full tree has no port for a front end.
    sizes.filter(lambda n: n not in (2, 16, 54)).map(lambda n: topology("fat-tree", nodes=n)),
    st.builds(
        lambda leaves, n: topology("tree", leaves=leaves, nodes_per_leaf=n, uplink_ports="node"),
        st.integers(2, 20),
        st.integers(1, 90),
    ),
)


@given(topologies, st.booleans())
def test_every_cable_has_its_own_ports_and_every_port_a_cable(
    described: Topology, front_end: bool
) -> None:
    wiring = described.build(LIMITS, front_end=front_end)
    ends = np.vstack([wiring.cable_a, wiring.cable_b])
    assert len(np.unique(ends, axis=0)) == len(ends)
    assert np.array_equal(np.bincount(ends[:, 0], minlength=len(wiring.kind)), wiring.n_ports)
    assert (ends[:, 1] < wiring.n_ports[ends[:, 0]]).all()


@given(topologies, st.booleans())
def test_arrays_agree(described: Topology, front_end: bool) -> None:
    wiring = described.build(LIMITS, front_end=front_end)
    n = len(wiring.kind)
    assert wiring.coordinates.shape == (n, len(wiring.shape))
    assert wiring.n_compute == described.n_nodes
    roles = np.repeat([1, 3, 2, 0], np.bincount(wiring.role, minlength=4)[[1, 3, 2, 0]])
    assert wiring.role.tolist() == roles.tolist()
    assert (wiring.role == 2).sum() == front_end
    assert ((wiring.kind == 0) == (np.arange(n) < wiring.n_nodes)).all()
    assert len(set(device_names(wiring.stem))) == n
    places = wiring.coordinates[: wiring.n_compute]
    assert (places >= 0).all()
    assert (places < wiring.shape).all()
    assert len(np.unique(places, axis=0)) == wiring.n_compute


@given(topologies)
def test_counted_is_the_closed_form(described: Topology) -> None:
    wiring, closed = described.build(LIMITS), described.closed_forms(LIMITS)
    assert closed.n_nodes == wiring.n_compute
    assert closed.n_cables == len(wiring.cable_a)
    assert closed.nics_per_node == wiring.n_ports[: wiring.n_compute].max()
    assert closed.n_hubs == wiring.stack_units[wiring.kind == 1].sum()
    assert closed.n_switches == _switches_bought(wiring)


@given(topologies)
def test_boxes_keep_to_the_ports_of_their_parts(described: Topology) -> None:
    wiring = described.build(LIMITS, front_end=False)
    most = np.array([LIMITS.node_slots, 100, 100, 32])[wiring.part_role]
    lone = wiring.chassis < 0
    assert (wiring.n_ports[lone] <= (most * wiring.stack_units)[lone]).all()
    used = np.bincount(wiring.chassis[~lone], weights=wiring.n_ports[~lone])
    assert (used <= 100).all()


@settings(max_examples=40)
@given(
    st.one_of(
        shapes.map(lambda shape: topology("torus", shape=shape)),
        sizes.map(lambda n: topology("ring", shape=[n])),
        dimensions.map(lambda d: topology("hypercube", dimension=d)),
        shapes.map(lambda shape: topology("mesh", shape=shape)),
        shapes.map(lambda shape: topology("p-mesh", shape=shape)),
        rings,
        groups,
        shapes.map(lambda shape: topology("hyperx", shape=shape)),
        shapes.map(lambda shape: topology("routed-mesh", shape=shape)),
    )
)
def test_distances_are_the_closed_form(described: Topology) -> None:
    wiring, closed = described.build(LIMITS), described.closed_forms(LIMITS)
    hops = _subnets_crossed(wiring)
    between = hops[~np.eye(wiring.n_compute, dtype=bool)]
    assert between.max() == closed.diameter_hops == closed.forwards_worst + 1
    assert between.mean() - 1 == pytest.approx(closed.forwards_mean)


@pytest.mark.parametrize("kind", ["torus", "mesh", "p-mesh", "hyperx", "routed-mesh"])
@pytest.mark.parametrize(
    "shape",
    [
        *([side] for side in range(2, 11)),
        *(list(pair) for pair in itertools.product(range(1, 5), repeat=2) if max(pair) > 1),
        [2, 5],
        [5, 2],
        [2, 7],
        [5, 3],
        [2, 2, 2],
        [2, 2, 3],
        [3, 2, 2],
        [2, 2, 4],
        [2, 2, 2, 2],
    ],
)
def test_no_equal_split_cuts_less(kind: str, shape: list[int]) -> None:
    described = topology(kind, shape=shape)
    closed = described.closed_forms(LIMITS)
    smallest = _smallest_cut(described.build(LIMITS))
    assert smallest <= closed.bisection_links
    if closed.bisection_is_exact:
        assert smallest == closed.bisection_links


@pytest.mark.parametrize(
    ("shape", "n"),
    [
        *(([1, stages], n) for stages, n in [(2, 3), (3, 1), (3, 2), (3, 3), (4, 2), (5, 2)]),
        ([2, 2], 3),
        ([2, 3], 2),
        ([3, 3], 1),
        ([2, 5], 1),
        ([4, 3], 1),
    ],
)
def test_no_equal_split_of_groups_cuts_less(shape: list[int], n: int) -> None:
    described = topology("stack-mesh", shape=shape, nodes_per_group=n)
    closed = described.closed_forms(LIMITS)
    assert closed.bisection_is_exact
    assert _smallest_cut(described.build(LIMITS)) == closed.bisection_links


@pytest.mark.parametrize("dimension", [1, 2, 3, 4])
def test_no_equal_split_of_a_hypercube_cuts_less(dimension: int) -> None:
    described = topology("hypercube", dimension=dimension)
    closed = described.closed_forms(LIMITS)
    assert _smallest_cut(described.build(LIMITS)) == closed.bisection_links


def _switches_bought(wiring: Wiring) -> int:
    lone = (wiring.kind == 2) & (wiring.chassis < 0)
    chassis = np.unique(wiring.chassis[wiring.chassis >= 0])
    return int(wiring.stack_units[lone].sum()) + len(chassis)


def _subnets_crossed(wiring: Wiring) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return the subnets on a shortest way between compute nodes, by adding one subnet after the
    other.
    """
    n = wiring.n_nodes
    joined = np.eye(n, dtype=np.float32)
    for members in _segments(wiring):
        joined[np.ix_(members, members)] = 1
    hops = np.zeros((n, n), dtype=np.int64)
    reached = np.eye(n, dtype=bool)
    while not reached.all():
        hops[~reached] += 1
        reached = (reached @ joined) > 0
    return hops[: wiring.n_compute, : wiring.n_compute]


def _segments(wiring: Wiring) -> list[list[int]]:
    """Return the nodes of each subnet: the two ends of a cable, or all nodes of a switch."""
    of_switch: dict[int, list[int]] = {}
    pairs = []
    ends = zip(wiring.cable_a[:, 0].tolist(), wiring.cable_b[:, 0].tolist(), strict=True)
    for a, b in ends:
        if b < wiring.n_nodes:
            pairs.append([a, b])
        else:
            of_switch.setdefault(b, []).append(a)
    return [*pairs, *of_switch.values()]


def _smallest_cut(wiring: Wiring) -> float:
    """Return the least number of links that an equal split cuts, by trying every one.

    A switch passes as many streams as the smaller side has links to it, a hub half of one.
    """
    n = wiring.n_compute
    halves = np.array(list(itertools.combinations(range(n), n // 2)))
    side = np.zeros((len(halves), n), dtype=bool)
    np.put_along_axis(side, halves, True, axis=1)
    most = 0.5 if (wiring.kind == 1).any() else n
    cut = np.zeros(len(halves))
    for members in _segments(wiring):
        inside = side[:, members].sum(axis=1)
        cut += np.minimum(np.minimum(inside, len(members) - inside), most)
    return float(cut.min())
