"""The balance of forwarding: even on tori and rings of stacks, uneven on chains, unknown of a
sample; the same figure in checks, summaries and comparisons.
"""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.plan.networks import network

from linkwright import compile  # noqa: A004 - the verb of the field
from linkwright.design.cluster import Cluster
from linkwright.plan import plan, properties
from linkwright.plan.checks.load import check_load
from linkwright.plan.forwarding import forwarding_load

FORWARDERS = (
    "{topology: {kind: stack-ring, stages: 5, nodes_per_stage: 4, extra_forwarders: 1}, "
    "parts: {catalogue: stack-2001}}"
)


def balance(built: object) -> float | None:
    """Return the figure as the summary of a plan has it."""
    figure = json.loads(plan(built)["summary.json"])["forwards"]["balance"]
    assert figure is None or isinstance(figure, float)
    return figure


def test_a_torus_is_even_and_a_chain_is_not() -> None:
    assert balance(network("torus", shape=[4, 4])) == 1.0
    # The five nodes of a chain forward 0, 6, 8, 6 and 0 packets.
    assert balance(network("mesh", shape=[5])) == 2.0
    grid = balance(network("mesh", shape=[4, 4]))
    assert grid is not None
    assert grid > 1.2


@pytest.mark.parametrize("kind", ["switch", "hub", "full-mesh"])
def test_where_nobody_forwards_there_is_no_figure(kind: str) -> None:
    built = network(kind, nodes=4)
    assert forwarding_load(built) is None
    assert balance(built) is None


def test_the_front_end_has_no_share() -> None:
    built = network("torus", shape=[4, 4], sections={"front_end": True})
    found = forwarding_load(built)
    assert found is not None
    assert built.front_end == 16
    assert found.nodes.tolist() == list(range(16))
    assert found.balance == 1.0


def test_forwarders_share_what_compute_nodes_do_not_relay() -> None:
    built = compile(Cluster.parse(FORWARDERS))
    found = forwarding_load(built)
    assert found is not None
    assert found.nodes.tolist() == list(range(20, 25))
    # Each stage has two that are one forward away: 4 x 4 packets to either, by one forwarder each.
    assert found.packets.tolist() == [2 * 4 * 4] * 5
    assert (found.n_sent, found.balance, balance(built)) == (19, 1.0, 1.0)
    (finding,) = check_load(built, found)
    name = built.device_names[20]
    assert finding.reason == (
        "under uniform traffic a forwarder forwards 32.00 packets for every 19 that a node sends, "
        f"the busiest forwarder {name} 32.00"
    )


def test_compute_nodes_that_stand_in_for_a_dead_forwarder_share_as_well() -> None:
    whole = compile(Cluster.parse(FORWARDERS))
    left = compile(Cluster.parse(FORWARDERS), without=[whole.device_names[21]])
    found = forwarding_load(left)
    assert found is not None
    assert found.nodes.tolist() == [*range(21), 22, 23, 24]
    assert found.balance == pytest.approx(found.most / np.mean(found.packets))
    assert found.balance > 1


def test_of_a_sample_and_of_what_is_too_much_to_follow_there_is_no_figure() -> None:
    fields = "{topology: {kind: torus, shape: [%s]}, addressing: {scheme: per-segment}}"
    sampled = compile(Cluster.parse(fields % "96, 96"))
    found = forwarding_load(sampled)
    assert found is not None
    assert not found.is_exact
    assert found.balance is None
    ring = compile(
        Cluster.parse(
            "{topology: {kind: stack-ring, stages: 5, nodes_per_stage: 900}, "
            "parts: {catalogue: stack-2001, switch: {ports: [2000]}}}"
        )
    )
    assert properties(ring).balance is None
    assert properties(network("torus", shape=[70, 70])).balance == 1.0
