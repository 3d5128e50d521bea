"""The cost of failures, where the answer is known beforehand, and against the other counts of the
package.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from tests.kinds import compiled, examples
from tests.plan.networks import NO_SLOT_LIMIT, network

from linkwright.errors import UsageError
from linkwright.network import MOST_PROVED_NODES, Network
from linkwright.plan import connectivity, rerouting, why_not_proved
from linkwright.plan.failures import CABLE, Failure, failures_of, wired_nodes
from linkwright.plan.resilience import FailureProof, KindOfFailure, _total

FEW = examples(most_nodes=20)
FALLBACK = {"routing": {"fallback": True}, **NO_SLOT_LIMIT}


def kind_of(proof: FailureProof, kind: str) -> KindOfFailure:
    (found,) = [one for one in proof.kinds if one.kind == kind]
    return found


def p_mesh(side: int) -> Network:
    return network("p-mesh", shape=[side, side], lines_per_switch=1, sections=FALLBACK)


@pytest.mark.parametrize("side", [4, 12])
def test_a_p_mesh_loses_nobody_to_one_switch_and_one_node_to_two(side: int) -> None:
    net = p_mesh(side)
    single = kind_of(rerouting(net, "single:switch"), "switch")
    assert (single.n_failures, single.n_disconnected) == (2 * side, 0)
    proof = rerouting(net, "pairs:switch")
    assert len(proof.impacts) == side * (2 * side - 1)
    for impact in proof.impacts:
        one, other = impact.name.split(" and ")
        # An X and a Y switch share one node, which loses both its cables.
        n_disconnected_nodes = int(one[0] != other[0])
        assert impact.n_disconnected == 2 * n_disconnected_nodes * (net.n_nodes - 1)


@pytest.mark.parametrize("shape", [[4, 4], [3, 3, 3]])
def test_a_node_of_a_torus_stays_reachable_on_its_last_link(shape: list[int]) -> None:
    net = network("torus", shape=shape, sections=FALLBACK)
    ends = np.stack([net.wiring.cable_a[:, 0], net.wiring.cable_b[:, 0]])
    links = np.flatnonzero((ends == 5).any(axis=0)).tolist()
    assert len(links) == 2 * len(shape)
    but_one = combinations(links, len(links) - 1)
    failures = [
        Failure("cable", "some", tuple((CABLE, link) for link in dead))
        for dead in [*but_one, tuple(links)]
    ]
    proof = rerouting(net, failures)
    *left, cut = proof.impacts
    assert proof.failures == "given"
    assert [impact.n_disconnected for impact in left] == [0] * len(links)
    assert cut.n_disconnected == 2 * (net.n_nodes - 1)


def test_a_ring_of_three_goes_on_through_the_third_node() -> None:
    proof = rerouting(network("ring", shape=[3], sections=FALLBACK))
    assert proof.whole.most_forwarded == 0
    for kind, n in (("cable", 3), ("nic", 6)):
        found = kind_of(proof, kind)
        assert (found.n_failures, found.n_by_itself) == (n, n)
        assert (found.worst_extra_hops, found.most_forwarded) == (1, 2)
    assert {impact.name for impact in proof.impacts if impact.kind == "nic"} >= {
        "n0:eth0",
        "n2:eth1",
    }


def test_a_connection_needs_both_directions() -> None:
    """Counted packet by packet, 204 of these 492 connections would seem to last."""
    proof = rerouting(network("stack-ring", stages=6, nodes_per_stage=2, sections=FALLBACK))
    cuts = [one for one in proof.impacts if one.kind == "cable"]
    assert sum(one.n_lost for one in cuts) == 492
    assert sum(one.n_unanswered for one in cuts) == 204
    for one in proof.impacts:
        assert one.n_connections % 2 == one.n_lost % 2 == one.n_rerouted % 2 == 0
    assert kind_of(proof, "cable").n_by_itself == sum(not one.n_lost for one in cuts)


def test_without_fallback_the_ring_needs_recomputed_tables() -> None:
    proof = rerouting(network("ring", shape=[3]))
    cables = kind_of(proof, "cable")
    assert (cables.n_by_itself, cables.n_recomputed) == (0, 3)
    impact = proof.impacts[0]
    assert (impact.n_recomputed, impact.n_untouched) == (2, 4)
    assert impact.example is not None
    assert impact.example.cause == "a node on the path has no route left"


@pytest.mark.parametrize("name", FEW)
def test_both_questions_agree_on_the_disconnected_nodes(name: str) -> None:
    net = compiled(FEW[name], routing={"fallback": True})
    proof, found = rerouting(net), connectivity(net)
    for name in ("cables", "nics", "hubs", "switches"):
        impacts = [
            impact for impact in proof.impacts if f"{impact.kind}es".startswith(name.rstrip("s"))
        ]
        survived = sum(impact.n_disconnected == 0 for impact in impacts)
        expected = getattr(found, name)
        assert (len(impacts), survived) == (expected.n_failures, expected.n_survived), name


@pytest.mark.parametrize("name", FEW)
def test_the_whole_network_costs_nobody_and_relays_what_the_load_says(name: str) -> None:
    net = compiled(FEW[name], routing={"fallback": True})
    whole, nodes = rerouting(net).whole, wired_nodes(net)
    assert whole.n_untouched == len(nodes) * (len(nodes) - 1)
    load = net.core.load(net.addresses.identity[nodes])
    assert whole.most_forwarded == load.forwarded.max()


def test_a_dead_chassis_is_one_failure_with_all_its_switches() -> None:
    net = network("p-mesh", shape=[4, 4], lines_per_switch=2, sections=FALLBACK)
    boxes = failures_of(net, "single:switch")
    assert [len(box.parts) for box in boxes] == [8] * 4
    assert all(impact.n_disconnected == 0 for impact in rerouting(net, boxes).impacts)


def test_strict_filters_drop_what_comes_back_another_way() -> None:
    # From a corner to the opposite one a packet goes along the row first, and so does the answer.
    whole = rerouting(network("p-mesh", shape=[2, 2], sections=FALLBACK)).whole
    assert (whole.n_strict, whole.n_loose) == (4, 0)
    assert rerouting(network("full-mesh", nodes=4)).whole.n_strict == 0


def test_return_paths_are_counted_of_large_designs_on_request_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    net = network("torus", shape=[4, 4], sections=FALLBACK)
    pairs = failures_of(net, "pairs:node")
    # Walks of all pairs of 16 nodes: in the whole network and after three failures.
    monkeypatch.setattr("linkwright.plan.resilience.MOST_WALKS", 4 * 16**2)
    assert rerouting(net, pairs[:3]).counts_return_paths
    assert not rerouting(net, pairs[:4]).counts_return_paths
    assert rerouting(net, pairs[:4], return_paths=True).counts_return_paths


def test_a_failure_is_counted_once_by_the_worst_that_it_costs() -> None:
    some = rerouting(p_mesh(2), "single:switch").impacts[0]
    nothing = replace(some, n_recomputed=0, n_daemon=0, n_disconnected=0)
    recomputed = replace(nothing, n_recomputed=1)
    daemon = replace(recomputed, n_daemon=1)
    disconnected = replace(daemon, n_disconnected=1)
    total = _total("switch", [nothing, recomputed, daemon, daemon, disconnected])
    assert (total.n_by_itself, total.n_recomputed) == (1, 1)
    assert (total.n_daemon, total.n_disconnected) == (2, 1)


def test_who_hands_out_tables_is_out_of_reach_of_some() -> None:
    net = p_mesh(4)
    impact = next(
        impact for impact in rerouting(net, "single:switch").impacts if impact.name == "y0"
    )
    # The first node's column has lost its switch: three nodes know no way to its identity, and
    # those who would come through them do not either. Each of its nodes has no answers of 9 others.
    assert impact.n_recomputed == 12 + 2 * 4 * 9
    assert impact.n_unanswered == 4 * 9
    assert impact.n_out_of_reach == 12


def test_what_reports_progress_can_end_the_proof() -> None:
    class EnoughError(Exception):
        pass

    def report(n_done: int, n_all: int) -> None:
        assert 0 <= n_done <= n_all
        raise EnoughError

    with pytest.raises(EnoughError):
        rerouting(p_mesh(24), "pairs:switch", report=report)


def test_too_many_pairs_and_unknown_failures_are_refused() -> None:
    with pytest.raises(UsageError, match="1576200 pairs") as error:
        rerouting(p_mesh(24), "pairs")
    assert "pairs:switch" in error.value.hint
    for which in ("triples", "pairs:nik", "pairs:", "single:hub", "pairs:hub"):
        with pytest.raises(UsageError, match=which):
            rerouting(p_mesh(4), which)


def test_a_design_that_is_too_large_says_so() -> None:
    assert why_not_proved(p_mesh(4)) == ""
    large = network("mesh", shape=[MOST_PROVED_NODES + 1])
    assert f"{MOST_PROVED_NODES} nodes" in why_not_proved(large)
