"""The decisions of real kernels beside the proofs, for every kind of network.

A dozen kinds are tried in every run, all of them behind the mark `slow`.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.kinds import KINDS, designed

from linkwright.design.cluster import Cluster
from linkwright.emulation.kernels import Kernels
from linkwright.machines.walks import ARRIVED, walk
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.nodes.table import KernelRoutes, kernel_routes
from linkwright.plan import check, rerouting
from linkwright.plan.failures import CABLE, Failure, failures_of
from linkwright.verification.failures import FailureTrial
from linkwright.verification.kernels import verify

FAMILIES: Mapping[str, Mapping[str, Any]] = {
    "IPv4": {},
    "IPv6": {"addressing": {"ipv4": None, "ipv6": True}},
    "both": {"addressing": {"ipv4": True, "ipv6": True}},
}
LOCAL = -1
"""Code of an address of the node itself in the answers of the compiled core."""
FAST = ("ring", "torus shape=(2, 3)", "mesh", "p-mesh", "hyperx shape=(1, 5)", "full-mesh nodes=3")
FAST += ("switched-mesh", "bonded-dual-net", "tree", "stack-ring", "stack-mesh", "hub-switch")
"""Kinds that differ in their addresses, routes or wires."""
BY_TURNS = [(name, ("IPv4", "IPv6")[place % 2]) for place, name in enumerate(FAST)]
"""A family for each, and the other one for two."""
BY_TURNS += [("ring", "IPv6"), ("torus shape=(2, 3)", "IPv4")]


def design(name: str, family: str = "IPv4", *, fallback: bool = True) -> Cluster:
    return designed(KINDS[name], routing={"fallback": fallback}, **FAMILIES[family])


@pytest.mark.parametrize(("name", "family"), BY_TURNS)
def test_kernels_agree_with_the_proofs(name: str, family: str) -> None:
    proof = verify(design(name, family))
    assert proof.disagreements == ()
    assert proof.n_failures > 0
    assert proof.n_lookups > proof.n_nodes * (proof.n_nodes - 1)


UNNUMBERED = {"scheme": "unnumbered", "ipv4": True, "ipv6": True}


@pytest.mark.parametrize("fallback", [True, "by-interface"])
def test_kernels_agree_for_ports_that_borrow_addresses(fallback: bool | str) -> None:
    ring = {"kind": "ring", "shape": [4]}
    proof = verify(designed(ring, routing={"fallback": fallback}, addressing=UNNUMBERED))
    assert proof.disagreements == ()
    assert proof.n_failures > 0


@pytest.mark.parametrize("fallback", [True, "by-interface"])
def test_kernels_agree_for_prefixes_over_blocks_of_nodes(fallback: bool | str) -> None:
    torus = {"kind": "torus", "shape": [2, 3]}
    addressing = {"scheme": "coordinates", "ipv4": True, "ipv6": True}
    proof = verify(designed(torus, routing={"fallback": fallback}, addressing=addressing))
    assert proof.disagreements == ()
    assert proof.n_failures > 0


@pytest.mark.slow
def test_kernels_agree_for_an_unnumbered_torus() -> None:
    torus = {"kind": "torus", "shape": [3, 3]}
    routing = {"fallback": "by-interface"}
    assert verify(designed(torus, routing=routing, addressing=UNNUMBERED)).disagreements == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("fallback", [False, True])
def test_kernels_agree_for_every_kind(name: str, family: str, fallback: bool) -> None:
    assert verify(design(name, family, fallback=fallback)).disagreements == ()


def test_kernels_know_all_addresses_of_their_nodes_once_they_are_up() -> None:
    """Clusters that come and go keep the thread busy that takes addresses of IPv6 into use."""
    network = compile_network(design("p-mesh", "IPv6"))
    addresses, is_over = network.addresses, threading.Event()
    node, address = (
        addresses.node.astype(np.uint32),
        np.arange(len(addresses.node), dtype=np.uint32),
    )
    own = np.full(len(node), LOCAL, dtype=np.int32)

    def come_and_go() -> None:
        while not is_over.is_set():
            Kernels(network)

    others = [threading.Thread(target=come_and_go) for _ in range(2)]
    for other in others:
        other.start()
    try:
        for _ in range(10):
            found = Kernels(network).nodes.look_up(node, address, own, own)
            assert np.array_equal(found.interface, own)
    finally:
        is_over.set()
        for other in others:
            other.join()


BY_INTERFACE = {f"ring-{n}": ("ring", [n]) for n in (3, 4, 7)}
BY_INTERFACE["torus-3x3"] = ("torus", [3, 3])
MORE_BY_INTERFACE = {f"ring-{n}": ("ring", [n]) for n in (5, 6, *range(8, 17))} | {
    "torus-4x4": ("torus", [4, 4]),
    "torus-3x3x3": ("torus", [3, 3, 3]),
    "hypercube-16": ("torus", [2, 2, 2, 2]),
    "mesh-3x4": ("mesh", [3, 4]),
    "torus-2x5": ("torus", [2, 5]),
}


def by_interface(kind: str, shape: list[int], family: str = "IPv4") -> Cluster:
    routing = {"fallback": "by-interface"}
    return designed({"kind": kind, "shape": shape}, routing=routing, **FAMILIES[family])


def no_cut_loses_a_pair(cluster: Cluster, failures: str) -> None:
    """The kernels do as the proof says, and the proof says that no pair is lost."""
    assert verify(cluster, failures).disagreements == ()
    assert not any(one.n_lost for one in rerouting(compile_network(cluster), failures).impacts)


@pytest.mark.parametrize("name", BY_INTERFACE)
def test_no_cut_loses_a_pair_by_interface(name: str) -> None:
    no_cut_loses_a_pair(by_interface(*BY_INTERFACE[name]), "single:cable")


@pytest.mark.parametrize("family", ["IPv6", "both"])
def test_no_failure_loses_a_pair_of_a_ring_in_any_family(family: str) -> None:
    no_cut_loses_a_pair(by_interface("ring", [5], family), "single")


@pytest.mark.slow
@pytest.mark.parametrize("name", BY_INTERFACE | MORE_BY_INTERFACE)
def test_no_failure_loses_a_pair_by_interface(name: str) -> None:
    shape = (BY_INTERFACE | MORE_BY_INTERFACE)[name]
    no_cut_loses_a_pair(by_interface(*shape), "single")


def cuts(failures: int) -> Cluster:
    routing = {"fallback": {"by": "interface", "failures": failures}}
    topology = {"kind": "torus", "shape": [4, 4]}
    return Cluster.from_fields({"name": "t", "topology": topology, "routing": routing})


def test_kernels_survive_three_cuts() -> None:
    """Some of the 4,960 triples: three of the four cables of a node, and three far apart."""
    cluster = cuts(3)
    network = compile_network(cluster)
    trial = FailureTrial.emulated(cluster, network)
    assert [*trial.whole()] == []
    for triple in ((0, 1, 2), (0, 8, 9), (3, 14, 27), (29, 30, 31)):
        names = " and ".join(f"c{cable:02}" for cable in triple)
        failure = Failure("cable", names, tuple((CABLE, cable) for cable in triple))
        assert not any(one.n_lost for one in rerouting(network, [failure]).impacts)
        assert [*trial.failed(failure)] == []


@pytest.mark.slow
def test_kernels_survive_every_two_cuts() -> None:
    no_cut_loses_a_pair(cuts(2), "pairs:cable")


def test_kernels_circle_packets_where_the_proof_does() -> None:
    assert verify(by_interface("ring", [5]), "pairs:cable").disagreements == ()


def test_a_wrong_gateway_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two destinations of one node swap their gateways in the kernel's table only."""

    def swapped(network: Network) -> KernelRoutes:
        table = kernel_routes(network)
        first = np.flatnonzero(table.interface == table.interface[0])[0]
        other = np.flatnonzero(table.interface != table.interface[first])[0]
        order = np.arange(len(table.interface))
        order[[first, other]] = order[[other, first]]
        return replace(table, interface=table.interface[order], via=table.via[order])

    monkeypatch.setattr("linkwright.nodes.table.kernel_routes", swapped)
    proof = verify(design("ring"), "none")
    assert {one.sender for one in proof.disagreements} == {"n0"}
    assert all(one.tables == "plan" and not one.failure for one in proof.disagreements)


def test_a_wrong_proof_of_a_failure_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof of the first cable, given for every cable, is right for that one alone."""
    cluster = design("mesh", fallback=False)
    first = failures_of(compile_network(cluster), "single:cable")[0]
    real = FailureTrial._impacts
    monkeypatch.setattr(FailureTrial, "_impacts", lambda trial, _: real(trial, first))
    found = verify(cluster, "single:cable").disagreements
    assert found
    assert {one.tables for one in found} == {"plan"}
    assert first.name not in {one.failure.split()[-1] for one in found}


def test_failures_that_leave_no_tables_are_named() -> None:
    """Both nodes of a pair fail together: nothing is left to route."""
    cluster = Cluster.parse("name: t\ntopology: {kind: direct}\n")
    proof = verify(cluster, "pairs:node")
    assert (proof.n_failures, len(proof.left_out)) == (0, 1)
    assert "no node" in proof.left_out[0]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", ["bonded-dual-net", "fat-tree nodes=3"])
def test_every_pair_answers_pings_over_the_wires(name: str, family: str) -> None:
    proof = verify(design(name, family), "none")
    n = proof.n_nodes
    assert (proof.n_pings, proof.disagreements) == (n * (n - 1), ())


def test_a_silent_pair_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A node that does not answer pings, and does all else."""

    class Deaf(Kernels):
        def __init__(self, network: Network, **how: bool) -> None:
            super().__init__(network, **how)
            self.nodes.set("ipv4/icmp_echo_ignore_all", "1")

    monkeypatch.setattr("linkwright.verification.failures.Kernels", Deaf)
    proof = verify(Cluster.parse("name: t\ntopology: {kind: direct}\n"), "none")
    assert len(proof.disagreements) == proof.n_pings == 2
    assert {one.kernels for one in proof.disagreements} == {"no answer to three pings"}


@pytest.mark.parametrize("name", ["ring", "torus shape=(2, 3)", "mesh", "p-mesh", "stack-mesh"])
def test_strict_filters_stop_as_many_pairs_as_the_check_says(name: str) -> None:
    network = compile_network(design(name, fallback=False))
    kernels = Kernels(network)
    kernels.plug(kernels.cabled, has_carrier=True)
    kernels.filter_reverse_paths("strict")
    others = np.arange(1, network.n_nodes)
    identity = network.addresses.identity.astype(np.int64)
    walks = walk(kernels, network, np.zeros_like(others), identity[others], is_filtered=True)
    n_stopped = int((walks.end != ARRIVED).sum())
    found = [one.reason for one in check(network) if one.rule == "return-path"]
    said = [f"packets from n0 to {n_stopped} of {len(others)} nodes"] if n_stopped else []
    assert [one.partition(",")[0] for one in found] == said
