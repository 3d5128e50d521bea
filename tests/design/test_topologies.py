"""Each topology on sizes one can count by hand, and what it refuses.

What holds for every size is in tests/laws.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from linkwright.design.cluster import Cluster
from linkwright.design.names import device_names
from linkwright.design.topologies import Limits
from linkwright.errors import DesignError

from .wired import LIMITS, built, refused, topology

COUNTED = [
    # kind, fields, nodes, cables, boxes, NICs of the node with most
    ("direct", {}, 2, 1, 0, 1),
    ("hub", {"nodes": 16}, 16, 16, 1, 1),
    ("single-net", {"nodes": 16}, 16, 16, 1, 1),
    ("switch", {"nodes": 36}, 36, 36, 1, 1),
    ("switch", {"nodes": 36, "nfs_switch": True}, 36, 72, 2, 2),
    ("hub-switch", {"nodes": 16, "density": 4}, 16, 20, 5, 1),
    ("hub-switch", {"nodes": 36, "density": 7}, 36, 42, 7, 1),
    ("hub-switch", {"nodes": 36, "density": 1}, 36, 36, 1, 1),
    ("full-mesh", {"nodes": 5}, 5, 10, 0, 4),
    ("torus", {"shape": [4, 4]}, 16, 32, 0, 4),
    ("torus", {"shape": [5]}, 5, 5, 0, 2),
    ("torus", {"shape": [2]}, 2, 1, 0, 1),
    ("torus", {"shape": [2, 2]}, 4, 4, 0, 2),
    ("torus", {"shape": [1, 4]}, 4, 4, 0, 2),
    ("torus", {"shape": [2, 3, 4]}, 24, 12 + 24 + 24, 0, 5),
    ("ring", {"shape": [3]}, 3, 3, 0, 2),
    ("ring", {"shape": [2]}, 2, 1, 0, 1),
    ("hypercube", {"dimension": 1}, 2, 1, 0, 1),
    ("hypercube", {"dimension": 4}, 16, 32, 0, 4),
    ("mesh", {"shape": [3, 5]}, 15, 22, 0, 4),
    ("mesh", {"shape": [2, 1, 2]}, 4, 4, 0, 2),
    ("tree", {"nodes": 16}, 16, 16 + 4, 3, 1),
    ("tree", {"nodes": 768}, 768, 768 + 64, 33, 1),
    ("fat-tree", {"k": 2}, 2, 2 + 2 + 2, 5, 1),
    ("fat-tree", {"k": 4}, 16, 48, 20, 1),
    ("fat-tree", {"nodes": 16}, 16, 48, 20, 1),
    ("fat-tree", {"nodes": 5}, 5, 5 + 8 + 8, 8 + 4, 1),
    ("fat-tree", {"nodes": 3}, 3, 3 + 4, 4, 1),
    ("fat-tree", {"k": 6, "nodes": 16}, 16, 16 + 18 + 18, 12 + 9, 1),
    ("p-mesh", {"shape": [4, 4]}, 16, 32, 8, 2),
    ("p-mesh", {"shape": [5, 7, 3]}, 105, 315, 15 + 21 + 35, 3),
    ("p-mesh", {"shape": [1, 4]}, 4, 4, 1, 1),
    ("hyperx", {"shape": [4, 4]}, 16, 48, 0, 6),
    ("hyperx", {"shape": [2, 3, 4]}, 24, 12 + 24 + 36, 0, 6),
    ("hyperx", {"shape": [1, 5]}, 5, 10, 0, 4),
    ("routed-mesh", {"shape": [4, 4]}, 16, 32, 8, 2),
    ("routed-mesh", {"shape": [3, 5]}, 15, 30, 8, 2),
    ("routed-mesh", {"shape": [1, 4]}, 4, 4, 1, 1),
    ("switched-mesh", {"shape": [4, 4]}, 16, 32 + 8, 8 + 2, 2),
    ("switched-mesh", {"shape": [3, 5]}, 15, 30 + 8, 8 + 2, 2),
    ("switched-mesh", {"shape": [1, 4]}, 4, 4, 1, 1),
    ("bonded-dual-net", {"nodes": 16}, 16, 32, 2, 2),
    ("bonded-dual-net", {"nodes": 5, "buses": 3}, 5, 15, 3, 3),
    ("bonded-dual-net", {"nodes": 5, "buses": 1}, 5, 5, 1, 1),
    ("bonded-switched-mesh", {"shape": [4, 4]}, 16, 32 + 8, 8 + 2, 2),
]


@pytest.mark.parametrize(("kind", "fields", "nodes", "cables", "boxes", "nics"), COUNTED)
def test_counted_by_hand(
    kind: str, fields: dict[str, Any], nodes: int, cables: int, boxes: int, nics: int
) -> None:
    wiring = built(kind, **fields)
    assert wiring.n_nodes == wiring.n_compute == nodes
    assert len(wiring.cable_a) == cables
    assert len(wiring.kind) - nodes == boxes
    assert wiring.n_ports[:nodes].max() == nics


def test_whitney_torus_neighbours() -> None:
    """Node 1 of the report (ours 0) has cables to 2, 4, 5 and 13 [NAS-97-017]."""
    wiring = built("torus", shape=[4, 4])
    ends = np.column_stack([wiring.cable_a[:, 0], wiring.cable_b[:, 0]]).tolist()
    neighbours = sorted(b if a == 0 else a for a, b in ends if 0 in (a, b))
    assert [node + 1 for node in neighbours] == [2, 4, 5, 13]


def test_nics_are_numbered_x_forward_x_back_y_forward_y_back() -> None:
    wiring = built("torus", shape=[3, 4])
    ends = [(*a, *b) for a, b in zip(wiring.cable_a.tolist(), wiring.cable_b.tolist(), strict=True)]
    assert (0, 0, 1, 1) in ends
    assert (3, 0, 0, 1) in ends
    assert (0, 2, 4, 3) in ends
    assert (8, 2, 0, 3) in ends


def test_the_papers_tree() -> None:
    """32 leaves of 24 nodes, two uplinks each, two 32-port roots that act as one [PMESH-1998,
    table 2].
    """
    for fields in ({"nodes": 768}, {"leaves": 32, "nodes_per_leaf": 24}):
        wiring = built("tree", **fields)
        assert wiring.shape == (32, 24)
        assert wiring.stack_units[-1] == 2
        assert wiring.n_ports[-1] == 64
        assert wiring.cable_class.sum() == 64


def test_each_leaf_reaches_each_root() -> None:
    wiring = built("tree", nodes=768)
    up = wiring.cable_kind == 2
    leaf, root = wiring.cable_a[up, 0], wiring.cable_b[up, 1] % 2
    assert sorted(zip(leaf.tolist(), root.tolist(), strict=True)) == [
        (768 + one, unit) for one in range(32) for unit in (0, 1)
    ]


def test_a_tree_of_stacks_with_bundles_on_node_ports() -> None:
    """One 24-port root, 12 stacks of five with two uplinks each: 1416 nodes, 61 switches
    [STACK-2001].
    """
    limits = Limits(switch_ports=24)
    tree = topology(
        "tree", leaves=12, nodes_per_leaf=118, leaf_stack_units=5, roots=1, uplink_ports="node"
    )
    wiring = tree.build(limits)
    assert tree.n_nodes == 1416
    assert wiring.stack_units[tree.n_nodes :].sum() == 61
    assert tree.closed_forms(limits).n_switches == 61
    assert tree.closed_forms(limits).max_nodes == 1416


@pytest.mark.parametrize(("nodes", "leaves"), [(2, 2), (16, 2), (48, 2), (49, 3), (767, 32)])
def test_a_tree_fills_the_fewest_leaves_but_two(nodes: int, leaves: int) -> None:
    wiring = built("tree", nodes=nodes)
    per_leaf = np.bincount(wiring.coordinates[:nodes, 0])
    assert len(per_leaf) == leaves
    assert per_leaf.max() - per_leaf.min() <= 1


def test_a_front_end_takes_a_port_of_the_first_leaf() -> None:
    wiring = built("tree", nodes=47, front_end=True)
    on_leaf = np.bincount(wiring.cable_b[wiring.cable_class == 0, 0], minlength=len(wiring.kind))
    assert on_leaf[48:50].tolist() == [24, 24]
    assert wiring.cable_b[-1, 0] == 48


def test_three_levels() -> None:
    wiring = built("tree", nodes=768, levels=3)
    assert device_names(wiring)[768:][-4:] == ("mid1-0", "mid1-1", "mid1-2", "root0")
    assert wiring.n_ports[-4:-1].max() <= LIMITS.root_switch_ports


def test_lines_share_a_chassis() -> None:
    """The Whitney test bed: two 24-port switches, each split into four lines [PMESH-1998]."""
    wiring = built("p-mesh", shape=[4, 4], lines_per_switch=4)
    assert wiring.chassis[16:].tolist() == [0] * 4 + [1] * 4
    assert topology("p-mesh", shape=[4, 4], lines_per_switch=4).closed_forms(LIMITS).n_switches == 2
    odd = built("p-mesh", shape=[3, 4], lines_per_switch=2)
    assert odd.chassis[12:].tolist() == [0, 0, 1, 2, 2, 3, 3]


def test_p_mesh_lines_extend_along_their_axis() -> None:
    wiring = built("p-mesh", shape=[2, 3])
    names = device_names(wiring)
    assert names[6:] == ("x0", "x1", "y0", "y1", "y2")
    assert wiring.coordinates[6:].tolist() == [[0, -1], [1, -1], [-1, 0], [-1, 1], [-1, 2]]


def test_hubs_stack_as_needed() -> None:
    limits = Limits(hub_ports=16)
    assert topology("hub", nodes=16).build(limits).stack_units[-1] == 1
    assert topology("hub", nodes=16).build(limits, front_end=True).stack_units[-1] == 2
    assert topology("hub", nodes=36).build(limits).stack_units[-1] == 3


def test_hubs_are_filled_in_the_order_of_the_nodes() -> None:
    """36 nodes with 7 on a hub: one node is left for the sixth [NAS-97-025]."""
    wiring = built("hub-switch", nodes=36, density=7)
    assert device_names(wiring)[36:] == ("hub0", "hub1", "hub2", "hub3", "hub4", "hub5", "sw0")
    assert wiring.n_ports[36:].tolist() == [8, 8, 8, 8, 8, 2, 6]
    assert np.bincount(wiring.coordinates[:36, 0]).tolist() == [7, 7, 7, 7, 7, 1]


def test_a_bus_is_wired_as_a_hub() -> None:
    bus, hub = built("single-net", nodes=16), built("hub", nodes=16)
    for name, values in vars(bus).items():
        assert np.array_equal(values, getattr(hub, name)), name


def test_a_routed_mesh_is_a_p_mesh_of_buses() -> None:
    mesh, switched = built("routed-mesh", shape=[3, 4]), built("p-mesh", shape=[3, 4])
    assert device_names(mesh) == device_names(switched)
    assert np.array_equal(mesh.cable_a, switched.cable_a)
    assert np.array_equal(mesh.cable_b, switched.cable_b)
    assert (mesh.kind[12:] == 1).all()


def test_six_nodes_are_local_and_nine_are_remote() -> None:
    """In the routed mesh of 16 nodes [BEOWULF-1996]."""
    closed = topology("routed-mesh", shape=[4, 4]).closed_forms(LIMITS)
    assert closed.forwards_mean == pytest.approx(9 / 15)


def test_a_long_line_is_a_stack_of_hubs() -> None:
    """Rows of five with the front end on a hub of four ports, columns of two."""
    limits = Limits(hub_ports=4)
    mesh = topology("routed-mesh", shape=[2, 7])
    assert mesh.build(limits).stack_units[14:].tolist() == [2, 2, 1, 1, 1, 1, 1, 1, 1]
    assert mesh.closed_forms(limits).n_hubs == 11
    assert mesh.closed_forms(limits).max_nodes == 8 * 4
    wide = topology("routed-mesh", shape=[2, 8]).build(limits, front_end=True)
    assert wide.stack_units[17] == 3


def test_a_switch_joins_the_rows_and_another_the_columns() -> None:
    """Each bus by one uplink, the front end on the first row and the first column
    [BEOWULF-1996]."""
    mesh = built("switched-mesh", shape=[3, 4], front_end=True)
    assert device_names(mesh)[12:] == (
        "fe", "x0", "x1", "x2", "y0", "y1", "y2", "y3", "sw0", "sw1",
    )  # fmt: skip
    up = mesh.cable_kind == 2
    ends = np.column_stack([mesh.cable_a[up, 0], mesh.cable_b[up, 0]]).tolist()
    assert ends == [[13, 20], [14, 20], [15, 20], [16, 21], [17, 21], [18, 21], [19, 21]]
    assert mesh.cable_b[-2:].tolist() == [[13, 5], [16, 4]]
    assert mesh.n_ports[13:].tolist() == [6, 5, 5, 5, 4, 4, 4, 3, 4]


@pytest.mark.parametrize("kind", ["switched-mesh", "bonded-switched-mesh"])
def test_a_front_end_takes_no_port_of_the_papers_switches(kind: str) -> None:
    wiring = topology(kind, shape=[4, 4]).build(
        Limits(hub_ports=30, switch_ports=4), front_end=True
    )
    assert wiring.n_ports[wiring.kind == 2].tolist() == [4, 4]


def test_all_nics_of_a_node_are_one_bond() -> None:
    for front_end in (False, True):
        net = built("bonded-dual-net", nodes=3, buses=2, front_end=front_end)
        assert net.bonds.tolist() == [[node, 0, 2] for node in range(3 + front_end)]
    assert len(built("bonded-dual-net", nodes=3, buses=1).bonds) == 0
    assert len(built("switched-mesh", shape=[2, 2]).bonds) == 0
    bonded = built("bonded-switched-mesh", shape=[2, 3], front_end=True)
    assert bonded.bonds.tolist() == [[node, 0, 2] for node in range(7)]


def test_a_ring_is_a_torus_of_one_dimension() -> None:
    ring, torus = built("ring", shape=[5]), built("torus", shape=[5])
    for name, values in vars(ring).items():
        assert np.array_equal(values, getattr(torus, name)), name


def test_neighbours_in_a_hypercube_differ_in_the_bit_of_their_nic() -> None:
    wiring = built("hypercube", dimension=4)
    (a, port_a), (b, port_b) = wiring.cable_a.T, wiring.cable_b.T
    assert np.array_equal(port_a, port_b)
    assert np.array_equal(a ^ b, 1 << port_a)


def test_each_line_of_a_hyperx_is_a_full_mesh() -> None:
    wiring = built("hyperx", shape=[3, 4])
    ends = [(*a, *b) for a, b in zip(wiring.cable_a.tolist(), wiring.cable_b.tolist(), strict=True)]
    assert ends[:5] == [(0, 0, 1, 0), (0, 1, 2, 0), (0, 2, 3, 0), (1, 1, 2, 1), (1, 2, 3, 1)]
    assert ends[18:21] == [(0, 3, 4, 3), (0, 4, 8, 3), (4, 4, 8, 4)]
    line, full = built("hyperx", shape=[6]), built("full-mesh", nodes=6)
    for name, values in vars(line).items():
        assert np.array_equal(values, getattr(full, name)), name


def test_density_one_is_the_plain_switch() -> None:
    hybrid, plain = built("hub-switch", nodes=9, density=1), built("switch", nodes=9)
    for name, values in vars(hybrid).items():
        assert np.array_equal(values, getattr(plain, name)), name


FRONT_ENDS = [
    # kind, fields, device and port the front end is plugged into, cable kind
    ("direct", {}, (0, 1), 1),
    ("hub", {"nodes": 4}, (5, 4), 0),
    ("single-net", {"nodes": 4}, (5, 4), 0),
    ("switch", {"nodes": 4}, (5, 4), 0),
    ("hub-switch", {"nodes": 5, "density": 2}, (9, 3), 0),
    ("hub-switch", {"nodes": 4, "density": 1}, (5, 4), 0),
    ("full-mesh", {"nodes": 4}, (0, 3), 1),
    ("torus", {"shape": [4, 4]}, (0, 4), 1),
    ("ring", {"shape": [3]}, (0, 2), 1),
    ("hypercube", {"dimension": 3}, (0, 3), 1),
    ("mesh", {"shape": [4, 4]}, (0, 2), 1),
    ("tree", {"nodes": 4}, (5, 4), 0),
    ("fat-tree", {"nodes": 15}, (16, 3), 0),
    ("p-mesh", {"shape": [4, 4]}, (17, 4), 0),
    ("hyperx", {"shape": [4, 4]}, (0, 6), 1),
    ("routed-mesh", {"shape": [4, 4]}, (17, 4), 0),
    ("switched-mesh", {"shape": [5, 1]}, (6, 5), 0),
    ("bonded-dual-net", {"nodes": 4, "buses": 1}, (5, 4), 0),
    ("bonded-switched-mesh", {"shape": [1, 4]}, (5, 4), 0),
]


@pytest.mark.parametrize(("kind", "fields", "end", "cable_kind"), FRONT_ENDS)
def test_where_the_front_end_is(
    kind: str, fields: dict[str, Any], end: tuple[int, int], cable_kind: int
) -> None:
    wiring = built(kind, front_end=True, **fields)
    assert wiring.n_nodes == wiring.n_compute + 1
    assert wiring.cable_a[-1].tolist() == [wiring.n_compute, 0]
    assert tuple(wiring.cable_b[-1].tolist()) == end
    assert wiring.cable_kind[-1] == cable_kind
    assert (wiring.coordinates[wiring.n_compute] == -1).all()
    assert device_names(wiring)[wiring.n_compute] == "fe"


def test_a_file_server_is_on_both_networks() -> None:
    """The star with a separate network for files [STACK-2001]."""
    wiring = built("switch", nodes=4, nfs_switch=True, front_end=True)
    assert device_names(wiring) == ("n0", "n1", "n2", "n3", "fe", "sw0", "nfs0")
    assert wiring.n_ports.tolist() == [2, 2, 2, 2, 2, 5, 5]
    assert wiring.cable_b[-2:].tolist() == [[5, 4], [6, 4]]


FORMULAS = [
    # kind, fields, largest network, diameter, worst forwards, bisection links
    ("direct", {}, 2, 1, 0, 1),
    ("hub", {"nodes": 16}, 100, 1, 0, 0.5),
    ("single-net", {"nodes": 16}, 100, 1, 0, 0.5),
    ("switch", {"nodes": 16}, 100, 1, 0, 8),
    ("hub-switch", {"nodes": 16, "density": 4}, 400, 1, 0, 1),
    ("hub-switch", {"nodes": 36, "density": 7}, 700, 1, 0, 1.5),
    ("hub-switch", {"nodes": 36, "density": 1}, 100, 1, 0, 18),
    ("full-mesh", {"nodes": 16}, 65, 1, 0, 64),
    ("torus", {"shape": [4, 4]}, None, 4, 3, 8),
    ("torus", {"shape": [24, 24]}, None, 24, 23, 48),
    ("ring", {"shape": [3]}, None, 1, 0, 2),
    ("ring", {"shape": [7]}, None, 3, 2, 2),
    ("hypercube", {"dimension": 4}, 2**64, 4, 3, 8),
    ("mesh", {"shape": [4, 4]}, None, 6, 5, 4),
    ("tree", {"nodes": 768}, 768, 1, 0, 384),
    ("fat-tree", {"k": 4}, 250_000, 1, 0, 8),
    ("fat-tree", {"nodes": 1000}, 250_000, 1, 0, 500),
    ("p-mesh", {"shape": [100, 100]}, 10_000, 2, 1, 5000),
    ("p-mesh", {"shape": [4, 4, 4]}, 1_000_000, 3, 2, 32),
    ("hyperx", {"shape": [4, 4]}, 33 * 33, 2, 1, 16),
    ("hyperx", {"shape": [8, 4, 4]}, 23 * 22 * 22, 3, 2, 128),
    ("routed-mesh", {"shape": [4, 4]}, 10_000, 2, 1, 2),
    ("routed-mesh", {"shape": [3, 5]}, 10_000, 2, 1, 2),
    ("routed-mesh", {"shape": [2, 150]}, 20_000, 2, 1, 1),
    ("switched-mesh", {"shape": [4, 4]}, 99 * 99, 1, 0, 3),
    ("switched-mesh", {"shape": [5, 5]}, 99 * 99, 1, 0, 3.5),
    ("switched-mesh", {"shape": [2, 8]}, 99 * 99, 1, 0, 3),
    ("switched-mesh", {"shape": [7, 1]}, 100, 1, 0, 0.5),
    ("bonded-dual-net", {"nodes": 16}, 100, 1, 0, 1),
    ("bonded-dual-net", {"nodes": 150, "buses": 3}, 200, 1, 0, 1.5),
    ("bonded-switched-mesh", {"shape": [4, 4]}, 99 * 99, 1, 0, 3),
]


@pytest.mark.parametrize(("kind", "fields", "most", "diameter", "worst", "cut"), FORMULAS)
def test_formulas_of_the_papers(
    kind: str, fields: dict[str, Any], most: int | None, diameter: int, worst: int, cut: float
) -> None:
    """[PMESH-1998, table 2] with errata 3 and 4."""
    closed = topology(kind, **fields).closed_forms(LIMITS)
    assert closed.max_nodes == most
    assert closed.diameter_hops == diameter
    assert closed.forwards_worst == worst
    assert closed.bisection_links == cut


def test_ports_to_pay_in_the_papers_tree() -> None:
    closed = topology("tree", nodes=16).closed_forms(LIMITS)
    assert closed.ports_per_node == {"nic": 1, "switch": 1, "root_switch": pytest.approx(4 / 24)}


REFUSED = [
    ({"kind": "torus", "shape": [1]}, ["one node", "two"]),
    ({"kind": "torus", "shape": [40_000, 40_000]}, ["1,600,000,000", "1,000,000"]),
    ({"kind": "ring", "shape": [1]}, ["one node", "two"]),
    ({"kind": "hypercube", "dimension": 19}, ["4,980,736 cables", "fewer nodes"]),
    ({"kind": "hyperx", "shape": [1000, 1000]}, ["999,000,000 cables", "4,000,000"]),
    ({"kind": "full-mesh", "nodes": 100_000}, ["cables", "4,000,000"]),
    ({"kind": "switch", "nodes": 101}, ["101 ports", "at most 100", "stack_units: 2"]),
    ({"kind": "hub", "nodes": 101, "stack_units": 1}, ["101 ports", "stack_units: 2"]),
    ({"kind": "hub-switch", "nodes": 200, "density": 100}, ["101 ports", "smaller density"]),
    ({"kind": "hub-switch", "nodes": 202, "density": 2}, ["101 ports", "larger density"]),
    ({"kind": "p-mesh", "shape": [2, 101]}, ["dimension X", "101", "at most 100"]),
    ({"kind": "p-mesh", "shape": [40, 4], "lines_per_switch": 3}, ["dimension Y", "120 ports"]),
    ({"kind": "switched-mesh", "shape": [2, 101]}, ["dimension Y", "101 ports", "fewer buses"]),
    ({"kind": "tree", "nodes": 769}, ["66 ports", "root_switch"]),
    ({"kind": "tree", "leaves": 2, "nodes": 49}, ["25 ports", "more leaves"]),
    ({"kind": "tree", "leaves": 2}, ["'nodes_per_leaf'"]),
    ({"kind": "tree", "nodes": 8, "roots": 3}, ["3 roots", "uplinks: 3"]),
    ({"kind": "tree", "leaves": 9, "nodes": 8}, ["fewer nodes than leaves"]),
    (
        {"kind": "tree", "leaves": 2, "nodes": 9, "nodes_per_leaf": 4},
        ["nodes: 9 contradict leaves: 2 with nodes_per_leaf: 4, which hold 8", "set nodes: 8"],
    ),
    (
        {"kind": "tree", "leaves": 2, "nodes": 9, "leaf_stack_units": 7},
        ["a leaf: 6 cables contradict leaf_stack_units: 7", "leaf_stack_units: 6 or less"],
    ),
    (
        {"kind": "switch", "nodes": 4, "stack_units": 5},
        ["4 cables contradict stack_units: 5", "set stack_units: 4 or less"],
    ),
    ({"kind": "hub", "nodes": 4, "stack_units": 5}, ["4 cables contradict stack_units: 5"]),
    ({"kind": "tree", "leaves": 5_000, "nodes_per_leaf": 5_000}, ["25,000,000", "1,000,000"]),
    ({"kind": "fat-tree"}, ["'k' or 'nodes'", "k: 4"]),
    ({"kind": "fat-tree", "k": 5}, ["half of the ports", "k: 6"]),
    ({"kind": "fat-tree", "k": 4, "nodes": 17}, ["16 nodes", "k: 6"]),
    ({"kind": "fat-tree", "k": 24, "nodes": 5}, ["fewer nodes than edge switches", "k: 4"]),
    ({"kind": "fat-tree", "k": 160}, ["1,024,000 nodes", "smaller k"]),
    ({"kind": "fat-tree", "k": 102}, ["102 ports", "at most 100", "250,000 nodes"]),
]


@pytest.mark.parametrize(("fields", "words"), REFUSED)
def test_refuses(fields: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(DesignError) as error:
        Cluster.from_fields({"topology": fields}).topology.build(LIMITS)
    refused(error, *words)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("hub", {"nodes": 4}),
        ("single-net", {"nodes": 4}),
        ("switch", {"nodes": 4}),
        ("hub-switch", {"nodes": 4, "density": 2}),
        ("tree", {"nodes": 4}),
        ("fat-tree", {"k": 4}),
        ("p-mesh", {"shape": [2, 2]}),
        ("routed-mesh", {"shape": [2, 2]}),
        ("switched-mesh", {"shape": [2, 2]}),
        ("bonded-dual-net", {"nodes": 4}),
        ("bonded-switched-mesh", {"shape": [2, 2]}),
    ],
)
def test_names_a_missing_part(kind: str, fields: dict[str, Any]) -> None:
    with pytest.raises(DesignError) as error:
        topology(kind, **fields).build(Limits())
    refused(error, "needs a part", "under 'parts'")


@pytest.mark.parametrize(
    ("k", "remedy"), [(2, "set k: 4 and nodes: 2"), (4, "set nodes: 15, or k")]
)
def test_a_full_fat_tree_has_no_port_for_a_front_end(k: int, remedy: str) -> None:
    with pytest.raises(DesignError) as error:
        built("fat-tree", k=k, front_end=True)
    refused(error, "no free port", remedy)


def test_a_fat_tree_leaves_out_pods_and_spreads_its_nodes() -> None:
    wiring = built("fat-tree", k=6, nodes=16)
    assert wiring.shape == (2, 3, 3)
    of_edges = np.bincount(wiring.cable_b[:16, 0])[16:]
    assert of_edges.tolist() == [3, 3, 3, 3, 2, 2]
    assert wiring.is_multipath.tolist() == [False] * 16 + [True] * 21
    names = device_names(wiring)
    assert (names[16], names[22], names[28]) == ("edge0", "agg0", "core0")
    # Every core switch leads to every pod, and each of its ports to another one.
    ups = np.stack([wiring.cable_a[-18:], wiring.cable_b[-18:]])
    assert sorted(ups[1, :, 1].tolist()) == [0] * 9 + [1] * 9
    assert sorted(ups[1, :, 0].tolist()) == sorted([*range(28, 37)] * 2)


def test_uplinks_need_a_switch_that_takes_them() -> None:
    with pytest.raises(DesignError) as error:
        topology("tree", nodes=4).build(Limits(switch_ports=48, root_switch_ports=8))
    refused(error, "uplink", "uplink_ports: node")


def test_ten_thousand_nodes_are_wired_in_no_time() -> None:
    start = time.perf_counter()
    wiring = built("p-mesh", shape=[100, 100])
    assert len(wiring.cable_a) == 20_000
    assert time.perf_counter() - start < 0.5
