"""Outcomes of single failures: heal by themselves, need new tables, cut nodes off.

Known for small networks, and equal to those of the proof of failures.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.plan.networks import NO_SLOT_LIMIT, network

from linkwright.design.cluster import Cluster
from linkwright.network import MOST_PROVED_NODES, Network
from linkwright.network import compile as compile_network
from linkwright.plan import Facts, plan_without, rerouting

PLAIN: dict[str, Any] = NO_SLOT_LIMIT
FALLBACK = {"routing": {"fallback": True}, **NO_SLOT_LIMIT}
BY_INTERFACE = {"routing": {"fallback": "by-interface"}, **NO_SLOT_LIMIT}

CASES = {
    "a ring without backup routes": (network("ring", shape=[4], sections=PLAIN), (0, 12, 0)),
    "a ring of three with them": (network("ring", shape=[3], sections=FALLBACK), (9, 0, 0)),
    "a ring of four with them": (network("ring", shape=[4], sections=FALLBACK), (6, 6, 0)),
    "tables by interface": (network("ring", shape=[4], sections=BY_INTERFACE), (12, 0, 0)),
    "one switch": (network("switch", nodes=4), (0, 0, 9)),
    "a line": (network("mesh", shape=[3], sections=FALLBACK), (0, 0, 6)),
}
"""Networks, and the failures of cables, NICs and boxes by outcome."""


@pytest.mark.parametrize("name", CASES)
def test_every_failure_has_one_outcome(name: str) -> None:
    built, (n_healing, n_needing, n_cutting) = CASES[name]
    found = Facts(built).outcomes
    n_all = n_healing + n_needing + n_cutting
    assert found.to_json() == {
        "tried": n_all, "heal": n_healing, "need_new_tables": n_needing, "cut_off": n_cutting,
    }  # fmt: skip
    assert (found.heals, found.survives) == (n_healing / n_all, (n_all - n_cutting) / n_all)
    assert sum(share or 0 for share in found.shares) == pytest.approx(1)


@pytest.mark.parametrize("name", CASES)
def test_they_are_those_of_the_proof(name: str) -> None:
    kinds = [one for one in rerouting(CASES[name][0]).kinds if one.kind != "node"]
    found = Facts(CASES[name][0]).outcomes
    assert found.n_healing == sum(one.n_by_itself for one in kinds)
    assert found.n_cutting == sum(one.n_disconnected for one in kinds)


def left_of(sections: str, *without: str) -> tuple[Network, Network]:
    design = Cluster.parse(f"topology: {{kind: torus, shape: [3, 3]}}\n{sections}")
    return compile_network(design), compile_network(design, without=without)


def test_disconnected_nodes_count_no_more_in_what_is_left() -> None:
    """The failed node is no reason to count every further failure as one that cuts nodes off."""
    whole, left = left_of("routing: {fallback: true}\n", "n4")
    outcomes = Facts(left, whole=Facts(whole)).outcomes
    assert outcomes.n_cutting == 0
    assert outcomes.n_healing is not None
    files, _ = plan_without(whole, left)
    assert f'"heal": {outcomes.n_healing},' in files["summary.json"]


def test_healing_of_a_network_too_large_for_the_proof_is_unknown() -> None:
    found = Facts(network("mesh", shape=[MOST_PROVED_NODES + 1])).outcomes
    assert (found.heals, found.survives) == (None, 0)
    assert found.shares == (None, None, 1)
    assert found.to_json()["heal"] is None
