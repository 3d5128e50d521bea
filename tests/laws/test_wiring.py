"""Laws of every topology in random sizes: cables are sound, counts equal the closed forms, cuts
are smallest.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from tests.design.wired import LIMITS, node_ports, topology
from tests.sizes import fields_of

from linkwright.design.names import device_names
from linkwright.design.topologies import TOPOLOGIES, Topology, Wiring
from linkwright.errors import DesignError

every_kind = pytest.mark.parametrize("kind", TOPOLOGIES)


def drawn(data: st.DataObject, kind: str, *, front_end: bool = False) -> tuple[Topology, Wiring]:
    """Return a topology of a kind and its arrays; what the parts cannot hold is not tried."""
    described = TOPOLOGIES[kind].model_validate(data.draw(fields_of(kind, most_nodes=300)))
    try:
        return described, described.build(LIMITS, front_end=front_end)
    except DesignError:
        reject()


@every_kind
@settings(max_examples=10)
@given(st.data(), st.booleans())
def test_every_cable_has_its_own_ports_and_every_port_a_cable(
    kind: str, data: st.DataObject, front_end: bool
) -> None:
    _, wiring = drawn(data, kind, front_end=front_end)
    ends = np.vstack([wiring.cable_a, wiring.cable_b])
    assert len(np.unique(ends, axis=0)) == len(ends)
    assert np.array_equal(np.bincount(ends[:, 0], minlength=len(wiring.kind)), wiring.n_ports)
    assert (ends[:, 1] < wiring.n_ports[ends[:, 0]]).all()


@every_kind
@settings(max_examples=10)
@given(st.data(), st.booleans())
def test_arrays_agree(kind: str, data: st.DataObject, front_end: bool) -> None:
    described, wiring = drawn(data, kind, front_end=front_end)
    n = len(wiring.kind)
    assert wiring.coordinates.shape == (n, len(wiring.shape))
    assert wiring.n_compute == described.n_nodes
    roles = np.repeat([1, 3, 2, 0], np.bincount(wiring.role, minlength=4)[[1, 3, 2, 0]])
    assert wiring.role.tolist() == roles.tolist()
    assert (wiring.role == 2).sum() == front_end
    assert (wiring.kind[wiring.n_nodes :] != 0).all()
    assert (wiring.role[np.flatnonzero(wiring.is_routed_switch)] == 3).all()
    assert (wiring.bridges == (np.arange(n) >= wiring.n_nodes)).all()
    assert len(set(device_names(wiring))) == n
    places = wiring.coordinates[: wiring.n_compute]
    assert (places >= 0).all()
    assert (places < wiring.shape).all()
    assert len(np.unique(places, axis=0)) == wiring.n_compute


@every_kind
@settings(max_examples=10)
@given(st.data())
def test_counted_is_the_closed_form(kind: str, data: st.DataObject) -> None:
    described, wiring = drawn(data, kind)
    closed = described.closed_forms(LIMITS)
    assert closed.n_nodes == wiring.n_compute
    assert closed.n_cables == len(wiring.cable_a)
    assert closed.nics_per_node == wiring.n_ports[: wiring.n_compute].max()
    assert closed.n_hubs == wiring.stack_units[wiring.kind == 1].sum()
    assert closed.n_switches == _switches_bought(wiring)


@every_kind
@settings(max_examples=10)
@given(st.data())
def test_boxes_keep_to_the_ports_of_their_parts(kind: str, data: st.DataObject) -> None:
    _, wiring = drawn(data, kind)
    most = np.array([LIMITS.node_slots, 100, 100, 32])[wiring.part_role]
    lone = wiring.chassis < 0
    assert (wiring.n_ports[lone] <= (most * wiring.stack_units)[lone]).all()
    used = np.bincount(wiring.chassis[~lone], weights=wiring.n_ports[~lone])
    assert (used <= 100).all()


@every_kind
@settings(max_examples=6)
@given(st.data())
def test_distances_are_the_closed_form(kind: str, data: st.DataObject) -> None:
    described, wiring = drawn(data, kind)
    closed = described.closed_forms(LIMITS)
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
    """Return the subnets on a shortest path between compute nodes, by adding one subnet after the
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
    """Return the nodes of each subnet: those that cables and boxes join."""
    ports = node_ports(wiring)
    return [
        sorted(set(ports.node[ports.segment == segment].tolist()))
        for segment in range(ports.segment.max() + 1)
    ]


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
