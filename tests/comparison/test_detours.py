"""Rate and latency of pairs after a failure: known cases, and agreement with the proof and the
analytic engine.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import linkwright
from linkwright.comparison.detours import Detour, detours, hop_times
from linkwright.comparison.paired_runs import paired_runs
from linkwright.design.cluster import Cluster
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.plan import FailureProof, rerouting
from linkwright.plan.failures import failures_of
from linkwright.workloads import PingPong

EXAMPLES = Path(__file__).parents[2] / "examples"
HEALING = {
    "ring": "topology: {kind: ring, shape: [4]}\nrouting: {fallback: true}",
    "torus": "topology: {kind: torus, shape: [3, 3]}\nrouting: {fallback: true}",
    "full mesh": (
        "topology: {kind: full-mesh, nodes: 5}\nrouting: {fallback: true}\n"
        "parts: {catalogue: ethernet-2026, node: server}"
    ),
    "hyperx": (
        "topology: {kind: hyperx, shape: [3, 3]}\nrouting: {fallback: true}\n"
        "parts: {catalogue: ethernet-2026, node: server}"
    ),
}


def proved(network: Network) -> tuple[FailureProof, dict[str, list[Detour]]]:
    """Return the proof of single failures, and the pairs of each that was followed, by name."""
    proof = rerouting(network)
    found = detours(network, failures_of(network, "single"), proof, hop_times(network))
    return proof, {proof.impacts[at].name: list(pairs) for at, pairs in found.items()}


def test_a_cut_that_leaves_the_switch_says_rate_and_latency() -> None:
    network = compile_network(Cluster.load(EXAMPLES / "usb4-ring-and-lan.yaml"))
    proof, found = proved(network)
    [impact] = [one for one in proof.impacts if one.name == "c0"]
    assert impact.worst_extra_hops == 0, "counted in hops it is no detour"
    worst = found["c0"][0].to_json()
    assert worst["nodes"] == ["pve1", "pve2"]
    assert worst["rate_mbps"] == {"before": 26_000, "after": 2_500}
    assert worst["latency_us"]["after"] > worst["latency_us"]["before"] > 0
    assert [one.harm for one in found["c0"]] == sorted(
        (one.harm for one in found["c0"]), reverse=True
    )


def test_a_cut_ring_keeps_its_rate_and_forwards_once_more() -> None:
    network = compile_network(Cluster.load(EXAMPLES / "home-ring.yaml"))
    times = hop_times(network)
    assert times is not None
    [pair] = proved(network)[1]["c0"]
    assert pair.before.rate_bps == pair.after.rate_bps == 10_000_000_000
    assert pair.before.latency_s is not None
    assert pair.after.latency_s is not None
    added_s = pair.after.latency_s - pair.before.latency_s
    assert added_s == pytest.approx(times.forward_s, rel=0.01)


@pytest.mark.parametrize("name", HEALING)
def test_every_rerouted_connection_is_in_a_pair(name: str) -> None:
    network = compile_network(Cluster.parse(HEALING[name]))
    proof, found = proved(network)
    healing = [one for one in proof.impacts if one.n_rerouted]
    assert healing
    for impact in healing:
        if impact.name in found:
            assert 2 * len(found[impact.name]) == impact.n_rerouted
    assert any(one.name in found for one in healing)


@pytest.mark.parametrize("name", ["whitney-16", "usb4-ring-and-lan", "home-ring"])
def test_latency_is_that_of_the_analytic_engine(name: str) -> None:
    from linkwright.comparison.detours import _figures

    network = compile_network(Cluster.load(EXAMPLES / f"{name}.yaml"))
    ways = _figures(network, network.core, hop_times(network))
    runs = [*paired_runs(network, [PingPong(size_bytes=(1,), repeats=1)], engine="analytic")]
    assert runs
    for one in runs:
        assert one.nodes is not None
        [[row]] = one.measured().rows_of("latency")
        assert ways[min(one.nodes), max(one.nodes)][3] == pytest.approx(row.value, rel=0.001)


@pytest.mark.parametrize("n_forwarding", [0, 1, 2, 3])
def test_each_node_that_forwards_adds_what_the_engine_adds(n_forwarding: int) -> None:
    from linkwright.comparison.detours import _figures

    text = "topology: {kind: mesh, shape: [5]}\nparts: {catalogue: whitney-1998}"
    network = compile_network(Cluster.parse(text))
    workload = PingPong(src=0, dst=n_forwarding + 1, size_bytes=(1,), repeats=1)
    rows = linkwright.run(network, workload, engine="packet").rows()
    [engines] = [row.value for row in rows if row.metric == "latency"]
    ways = _figures(network, network.core, hop_times(network))
    assert ways[0, n_forwarding + 1][3] == pytest.approx(engines, rel=0.001)


def test_failures_beyond_the_limit_and_tables_by_interface_are_not_followed() -> None:
    text = "topology: {kind: ring, shape: [6]}\nrouting: {fallback: by-interface}"
    proof, found = proved(compile_network(Cluster.parse(text)))
    assert any(one.n_rerouted for one in proof.impacts)
    assert found == {}
    text = "topology: {kind: torus, shape: [6, 6]}\nrouting: {fallback: true}"
    proof, found = proved(compile_network(Cluster.parse(text)))
    assert 0 < len(found) < sum(bool(one.n_rerouted) for one in proof.impacts)
