"""The packet engine and the proof of what failures cost agree: after a failure exactly those pairs
deliver that survive it by themselves, both ways, as TCP needs both.

Bonds are left out: the proof asks that every wire of a bond with carrier leads to the other end,
and TCP may get through by sending again on one that does.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import linkwright
from linkwright import workloads
from linkwright.calibrations import load
from linkwright.engines import packet
from linkwright.errors import RunError
from linkwright.network import Network
from linkwright.plan.failures import Failure, columns, failures_of

DESIGNS = (
    "topology: {kind: full-mesh, nodes: 4}",
    "topology: {kind: torus, shape: [5]}",
    "{topology: {kind: torus, shape: [3, 3]}, routing: {scheme: shortest-path, fallback: true}}",
    "{topology: {kind: torus, shape: [4, 3]}, routing: {fallback: true}}",
    "topology: {kind: mesh, shape: [2, 3]}",
    "{topology: {kind: p-mesh, shape: [3, 3]}, routing: {fallback: true}}",
    "{topology: {kind: p-mesh, shape: [2, 3]}}",
    "topology: {kind: hub, nodes: 4}",
    "topology: {kind: switch, nodes: 4}",
    "topology: {kind: hub-switch, nodes: 6, density: 2}",
    "topology: {kind: tree, nodes: 8, leaves: 2, uplinks: 2}",
    "{topology: {kind: routed-mesh, shape: [3, 3]}, routing: {fallback: true}}",
    "topology: {kind: switched-mesh, shape: [2, 2]}",
    "{topology: {kind: stack-ring, stages: 4, nodes_per_stage: 2}, routing: {fallback: true}}",
    "topology: {kind: stack-mesh, shape: [2, 2], nodes_per_group: 2}",
    "topology: {kind: fat-tree, nodes: 16}",
)
EVERY_PAIR = 1_000_000


@cache
def _compiled(design: str) -> tuple[Network, list[Failure]]:
    network = linkwright.compile(linkwright.Cluster.parse(design))
    return network, failures_of(network, "single")


def _lost_pairs(network: Network, failure: Failure) -> set[tuple[int, int]]:
    """Return the pairs of nodes that do not go on by themselves."""
    impacts = network.core.rerouting(
        np.asarray(network.identity, dtype=np.uint32),
        failure_start=columns([failure]).start,
        part_kind=columns([failure]).part_kind,
        part_id=columns([failure]).part_id,
        with_fallback=network.fallback,
        with_return_paths=False,
        planner=0,
        most_examples=EVERY_PAIR,
    )
    node = {int(address): n for n, address in enumerate(network.identity.tolist())}
    senders, receivers = impacts.example_from.tolist(), impacts.example_to.tolist()
    return {(node[a], node[b]) for a, b in zip(senders, receivers, strict=True)}


def _delivers(network: Network, pair: tuple[int, int], fault: str) -> bool:
    src, dst = pair
    once = workloads.PingPong(src=src, dst=dst, size_bytes=3000)
    try:
        packet.run(network, once, load("ideal-reno"), seed=1, faults=[fault])
    except RunError as error:
        if "gave up" not in error.message:
            raise
        return False
    return True


@pytest.mark.parametrize("design", DESIGNS)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_the_engine_delivers_what_the_proof_says(design: str, data: st.DataObject) -> None:
    network, failures = _compiled(design)
    failure = data.draw(st.sampled_from(failures))
    n = network.n_compute
    pair = data.draw(
        st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda p: p[0] != p[1])
    )
    dead = [node for code, node in failure.parts if code == 2]
    if set(dead) & set(pair):
        return
    lost = _lost_pairs(network, failure)
    survives = not {pair, pair[::-1]} & lost
    # Before the run, and in the middle of the transfer.
    for when in ("0s", "150us"):
        fault = f"{failure.kind}:{failure.name} down at {when}"
        assert _delivers(network, pair, fault) == survives
