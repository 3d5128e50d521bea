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
from tests.kinds import KINDS, compiled, has_bonds, network

from linkwright import engines, workloads
from linkwright.errors import RunError
from linkwright.network import Network
from linkwright.plan.failures import Failure, columns, failures_of

WITHOUT_BONDS = [name for name in KINDS if not has_bonds(network(name))]
EVERY_PAIR = 1_000_000


@cache
def _failing(name: str, scheme: str | None, *, fallback: bool) -> tuple[Network, list[Failure]]:
    design = compiled(KINDS[name], routing={"scheme": scheme, "fallback": fallback})
    return design, failures_of(design, "single")


def _lost_pairs(network: Network, failure: Failure) -> set[tuple[int, int]]:
    """Return the pairs of nodes that do not reroute on their own."""
    impacts = network.core.rerouting(
        np.asarray(network.addresses.identity, dtype=np.uint32),
        failure_start=columns([failure]).start,
        part_kind=columns([failure]).part_kind,
        part_id=columns([failure]).part_id,
        with_fallback=network.fallback,
        with_return_paths=False,
        planner=0,
        most_examples=EVERY_PAIR,
    )
    node = {int(address): n for n, address in enumerate(network.addresses.identity.tolist())}
    senders, receivers = impacts.example_from.tolist(), impacts.example_to.tolist()
    return {(node[a], node[b]) for a, b in zip(senders, receivers, strict=True)}


def _delivers(network: Network, pair: tuple[int, int], fault: str) -> bool:
    src, dst = pair
    once = workloads.PingPong(src=src, dst=dst, size_bytes=3000)
    try:
        engines.run(network, once, calibration="ideal-reno", seed=1, faults=[fault])
    except RunError as error:
        if "gave up" not in error.message:
            raise
        return False
    return True


@pytest.mark.parametrize(("kind", "shape"), [("ring", [5]), ("ring", [6]), ("mesh", [2, 4])])
@settings(max_examples=10)
@given(data=st.data())
def test_the_engine_follows_tables_by_interface(
    kind: str, shape: list[int], data: st.DataObject
) -> None:
    routing = {"fallback": "by-interface"}
    design = compiled({"kind": kind, "shape": shape}, routing=routing)
    failure = data.draw(st.sampled_from(failures_of(design, "single:cable")))
    pair = data.draw(st.permutations(range(design.n_compute)).map(lambda nodes: tuple(nodes[:2])))
    assert not _lost_pairs(design, failure)
    for when in ("0s", "150us"):
        assert _delivers(design, pair, f"cable:{failure.name} down at {when}")


@pytest.mark.parametrize("name", WITHOUT_BONDS)
@settings(max_examples=14)
@given(data=st.data(), scheme=st.sampled_from([None, "shortest-path"]), fallback=st.booleans())
def test_the_engine_delivers_what_the_proof_says(
    name: str, data: st.DataObject, scheme: str | None, *, fallback: bool
) -> None:
    design, failures = _failing(name, scheme, fallback=fallback)
    failure = data.draw(st.sampled_from(failures))
    n = design.n_compute
    pair = data.draw(
        st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda p: p[0] != p[1])
    )
    dead = [node for code, node in failure.parts if code == 2]
    if set(dead) & set(pair):
        return
    lost = _lost_pairs(design, failure)
    survives = not {pair, pair[::-1]} & lost
    # Before the run, and in the middle of the transfer.
    for when in ("0s", "150us"):
        fault = f"{failure.kind}:{failure.name} down at {when}"
        assert _delivers(design, pair, fault) == survives
