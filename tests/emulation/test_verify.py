"""The decisions of real kernels beside the proofs, for every kind of network."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from linkwright.design.cluster import Cluster
from linkwright.engines.emulation import verify as under_test
from linkwright.engines.emulation.nodes import RouteTable, route_table
from linkwright.engines.emulation.verify import verify
from linkwright.network import Network
from tests.kinds import PARTS, examples

FAMILIES: Mapping[str, Mapping[str, Any]] = {
    "IPv4": {},
    "IPv6": {"addressing": {"ipv4": None, "ipv6": True}},
    "both": {"addressing": {"ipv4": True, "ipv6": True}},
}
FAST = ("ring", "torus shape=(2, 3)", "mesh", "p-mesh", "hyperx shape=(1, 5)", "full-mesh nodes=3")
FAST += ("switched-mesh", "bonded-dual-net", "tree", "stack-ring", "stack-mesh", "hub-switch")
"""Kinds that differ in their addresses, routes or wires."""


def design(name: str, family: str = "IPv4", *, fallback: bool = True) -> Cluster:
    sections = {**FAMILIES[family], "routing": {"fallback": fallback}}
    topology = examples(most_nodes=12)[name]
    return Cluster.from_fields({"name": "t", "topology": topology, "parts": PARTS, **sections})


@pytest.mark.parametrize("name", FAST)
@pytest.mark.parametrize("family", ["IPv4", "IPv6"])
def test_kernels_agree_with_the_proofs(name: str, family: str) -> None:
    proof = verify(design(name, family))
    assert proof.disagreements == ()
    assert proof.n_failures > 0
    assert proof.n_lookups > proof.n_nodes * (proof.n_nodes - 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", examples(most_nodes=12))
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("fallback", [False, True])
def test_kernels_agree_for_every_kind(name: str, family: str, fallback: bool) -> None:
    assert verify(design(name, family, fallback=fallback)).disagreements == ()


def test_a_wrong_gateway_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two destinations of one node swap their gateways in the kernel's table only."""

    def swapped(network: Network) -> RouteTable:
        table = route_table(network)
        first = np.flatnonzero(table.interface == table.interface[0])[0]
        other = np.flatnonzero(table.interface != table.interface[first])[0]
        order = np.arange(len(table.interface))
        order[[first, other]] = order[[other, first]]
        return replace(table, interface=table.interface[order], via=table.via[order])

    monkeypatch.setattr("linkwright.engines.emulation.nodes.route_table", swapped)
    proof = under_test.verify(design("ring"), "none")
    assert {one.sender for one in proof.disagreements} == {"n0"}
    assert all(one.tables == "plan" and not one.failure for one in proof.disagreements)


def test_a_failure_that_the_proof_does_not_know_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof of another failure is not that of the kernels."""
    real = under_test.columns
    monkeypatch.setattr(under_test, "columns", lambda failures: real(list(failures)[:0]))
    with pytest.raises((AssertionError, ValueError, IndexError)):
        assert verify(design("ring"), "single:cable").disagreements == ()
