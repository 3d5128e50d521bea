"""STACK-2001: every printed number beside ours, and the errata of its addresses and route rules.

The printed rule of the ring's interfaces and addresses is written down here; that of the mesh is
quoted on the page of errata, so only the product's side of it is tested.
"""

from __future__ import annotations

import re
from collections import Counter
from importlib import resources
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import linkwright
from linkwright.network import Network
from linkwright.papers import PAPERS, Verdict, entries
from linkwright.papers.clusters import network_of

ERRATA = (Path(__file__).parents[2] / "docs" / "errata.md").read_text(encoding="utf-8")
EAST, WEST = 1, -1


@pytest.mark.parametrize("table", PAPERS["STACK-2001"].tables)
def test_every_number_agrees_or_is_corrected(table: str) -> None:
    found = entries(f"STACK-2001/{table}")
    assert found
    assert [entry for entry in found if entry.verdict is Verdict.DIFFERS] == []


# Row, switches, nodes, Gb/s as the paper counts them, the star's corrected.
TABLE_2 = [
    ("star", 5, 120, 6.0),
    ("tree", 61, 1416, 1.2),
    ("stack-ring", 25, 300, 12.0),
    ("stack-mesh", 160, 960, 48.0),
]


@pytest.mark.parametrize(("row", "switches", "nodes", "gbps"), TABLE_2)
def test_table_2(row: str, switches: int, nodes: int, gbps: float) -> None:
    found = {one.claim.metric: one for one in entries("STACK-2001/2") if one.claim.row == row}
    assert (found["switches"].ours, found["nodes"].ours) == (switches, nodes)
    assert found["bisection_each_way"].ours == pytest.approx(gbps * 1.25e8)
    is_wrong = {one.claim.metric for one in found.values() if one.verdict is Verdict.CORRECTED}
    assert is_wrong == ({"bisection_each_way"} if row == "star" else set())


def test_corrections_are_those_of_the_errata_page() -> None:
    corrected = [one for one in entries("STACK-2001") if one.verdict is Verdict.CORRECTED]
    keys = [one.claim.erratum for one in corrected]
    assert keys == ["stack-factor-of-ten", "stack-factor-of-ten", "stack-forwards"]
    on_page = set(re.findall(r'<a id="(stack-[^"]+)">', ERRATA))
    assert on_page >= set(keys)
    assert len(on_page) == 6


def test_every_cluster_is_used() -> None:
    folder = resources.files("linkwright.papers.stack_2001") / "clusters"
    names = {entry.name.removesuffix(".yaml") for entry in folder.iterdir()}
    studies = [build() for build in PAPERS["STACK-2001"].run_tables.values()]
    of_runs = {one.cluster for study in studies for one in study.experiments}
    assert names == {one.network.name for one in entries("STACK-2001") if one.network} | of_runs


def test_printed_addresses_of_the_ring_collide_and_ours_do_not() -> None:
    places = [(stage, x) for stage in range(5) for x in range(60)]
    east = [f"10.10.{stage}.{x + 1}" for stage, x in places]
    # Stack i is E of stage i and W of stage i + 1; as printed, host x of both is node x.
    west_as_printed = [f"10.10.{(stage - 1) % 5}.{x + 1}" for stage, x in places]
    assert Counter(Counter(east + west_as_printed).values()) == {2: 300}
    west = [f"10.10.{(stage - 1) % 5}.{x + 129}" for stage, x in places]
    network = network_of("linkwright.papers.stack_2001", "stack-ring")
    ours = [str(interface.ip) for interface in network.addresses.ip]
    assert len(set(ours)) == 600
    assert ours == [one for pair in zip(east, west, strict=True) for one in pair]


def printed_way(here: int, to: int, n_stages: int) -> int:
    """Return the interface that the printed rule takes towards another stage."""
    if to > here:
        return EAST if to - here < n_stages // 2 else WEST
    return EAST if here - to > n_stages // 2 else WEST


def printed_hops(here: int, to: int, n_stages: int) -> int:
    """Return the stages crossed if every node on the path follows the printed rule."""
    n_hops = 0
    while here != to:
        here = (here + printed_way(here, to, n_stages)) % n_stages
        n_hops += 1
        assert n_hops < n_stages, "the packet goes in circles"
    return n_hops


def group_forwards(kind: str, **size: object) -> NDArray[np.int64]:
    """Return the forwards between the groups of a network of two-node groups, shape (g, g).

    They are the same from either node of a group to either node of another.
    """
    built = linkwright.compile(
        linkwright.Cluster(topology={"kind": kind, **size}, parts={"catalogue": "stack-2001"})
    )
    n_groups = built.n_compute // 2
    forwards = built.core.forwards(built.addresses.identity[: built.n_compute])
    by_place = forwards.astype(np.int64).reshape(n_groups, 2, n_groups, 2)
    assert (by_place == by_place[:, :1, :, :1]).all()
    return by_place[:, 0, :, 0]


def test_the_printed_interface_rule_is_one_hop_too_long_for_five_stages() -> None:
    ours = group_forwards("stack-ring", stages=5, nodes_per_stage=2)
    longer = {}
    for here, to in permutations(range(5), 2):
        shortest = min((to - here) % 5, (here - to) % 5)
        assert ours[here, to] == shortest - 1
        if printed_hops(here, to, 5) != shortest:
            longer[here, to] = printed_hops(here, to, 5) - shortest
    assert longer == {(0, 2): 1, (1, 3): 1, (2, 4): 1}


def west_of_ties(built: Network) -> float:
    """Return the share of pairs at half distance in a ring of four, two nodes a stage, that leave
    W."""
    ways = []
    for node in range(8):
        crossed = built.core.path(node, int(built.addresses.identity[(node + 4) % 8]))
        relay = [device for device, *_ in crossed if device < built.n_nodes][1]
        ways.append((relay // 2 - node // 2) % 4 == 3)
    return float(np.mean(ways))


def test_ties_of_the_printed_rule_all_go_west_and_ours_half() -> None:
    assert {printed_way(here, (here + 2) % 4, 4) for here in range(4)} == {WEST}
    ring = "{topology: {kind: stack-ring, stages: 4, nodes_per_stage: 2}"
    ties = {"spread": 0.5, "paper": 1.0}
    for name, share in ties.items():
        text = ring + f", parts: {{catalogue: stack-2001}}, routing: {{ties: {name}}}}}"
        assert west_of_ties(linkwright.compile(linkwright.Cluster.parse(text))) == share


@pytest.mark.parametrize(("shape", "n_pairs"), [((4, 8), 992), ((5, 5), 600)])
def test_every_group_of_a_mesh_is_reached_on_a_shortest_way(
    shape: tuple[int, int], n_pairs: int
) -> None:
    ours = group_forwards("stack-mesh", shape=list(shape), nodes_per_group=2)
    place = np.stack(np.unravel_index(np.arange(len(ours)), shape), axis=1)
    gap = np.abs(place[:, None] - place[None])
    distance = np.minimum(gap, np.array(shape) - gap).sum(axis=2)
    between = ~np.eye(len(ours), dtype=bool)
    assert int(between.sum()) == n_pairs
    assert (ours[between] == distance[between] - 1).all()


def test_four_by_four_groups_take_up_to_three_forwards() -> None:
    ours = group_forwards("stack-mesh", shape=[4, 4], nodes_per_group=2)
    for group, forwards in enumerate(ours):
        others = np.delete(forwards, group)
        assert np.bincount(others).tolist() == [4, 6, 4, 1]
