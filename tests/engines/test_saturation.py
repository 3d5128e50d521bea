"""Where patterns saturate networks: known networks, the packet engine, and what has to hold.

That loads are the hops of packets and the worst case the worst of all permutations is tested in the
crate (crates/network/tests/laws/patterns.rs).
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.kinds import KINDS, figure, has_bonds, network

import linkwright
from linkwright import engines, workloads
from linkwright.engines.saturation import pairs_of
from linkwright.errors import UsageError
from linkwright.results import Result
from linkwright.workloads import PATTERNS, Pattern

PENTIUM_PRO = "pentium-pro-200-linux-2.0"
# One full segment of 1460 bytes takes 1538 byte times of a wire; every second one is acknowledged
# by a frame of 84.
WIRE = 12_500_000 * 1460 / 1538
BOTH_WAYS = 12_500_000 * 1460 / (1538 + 84 / 2)


def built(topology: str, parts: str = "") -> linkwright.Network:
    text = f"{{name: test, topology: {topology}, parts: {{catalogue: whitney-1998{parts}}}}}"
    return linkwright.compile(linkwright.Cluster.parse(text))


def saturated(
    on: linkwright.Network, *patterns: Pattern, calibration: str = "ideal-reno"
) -> Result:
    return engines.saturate(on, patterns or None, calibration=calibration)


def parameters(result: Result) -> dict[str, Any]:
    return dict(next(iter(result.filter(metric="saturation_throughput"))).parameters)


def throughput(on: linkwright.Network, pattern: Pattern) -> float:
    return figure(saturated(on, pattern), "saturation_throughput")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("calibration", ["ideal-reno", PENTIUM_PRO])
def test_every_kind_has_its_saturation_under_every_pattern(kind: str, calibration: str) -> None:
    result = saturated(network(kind), calibration=calibration)
    rates = result.filter(metric="saturation_throughput").values()
    assert len(rates) == len(PATTERNS)
    assert (rates > 0).all()
    # No node sends faster than its interfaces, of 100 Mb/s each.
    on = network(kind)
    assert (rates <= 1.001 * WIRE * on.wiring.n_ports[: on.n_compute].max()).all()


# The worst case looks at one wire of a bond only.
@pytest.mark.parametrize("kind", [kind for kind in KINDS if not has_bonds(network(kind))])
def test_no_permutation_saturates_a_network_before_the_worst(kind: str) -> None:
    """The worst case is one of links and hubs, so it holds where no backplane limits."""
    on = network(kind)
    worst = throughput(on, workloads.WorstCase())
    tried = [workloads.BitComplement(), workloads.Shift(k=1), workloads.Permutation(seed=4)]
    # Acknowledgements come on top.
    assert worst <= 1.03 * min(throughput(on, pattern) for pattern in tried)


@pytest.mark.parametrize(("side", "expected"), [(4, 0.5), (5, 0.6), (8, 1.0)])
def test_uniform_traffic_on_a_torus_meets_its_bisection(side: int, expected: float) -> None:
    """A link carries k / 8 of what a node sends, around odd rings (k^2 - 1) / 8k.

    Half of what half of the k^d nodes send crosses 2 k^(d-1) links each way.
    """
    result = saturated(built(f"{{kind: torus, shape: [{side}, {side}]}}"), workloads.Uniform())
    n = side * side
    assert figure(result, "busiest_link_load") == pytest.approx(expected * n / (n - 1))
    rate = figure(result, "saturation_throughput")
    assert rate == pytest.approx(BOTH_WAYS * (n - 1) / n / expected)


def test_a_switch_carries_all_its_ports() -> None:
    on = built("{kind: switch, nodes: 8}")
    for pattern in (workloads.Uniform(), workloads.Shift(k=3)):
        assert throughput(on, pattern) == pytest.approx(BOTH_WAYS)
    assert throughput(on, workloads.Incast()) == pytest.approx(WIRE / 7)


def test_a_narrow_backplane_is_the_bottleneck() -> None:
    on = built("{kind: switch, nodes: 8}", ", switch: {backplane_mbps: 200, ports: [16]}")
    result = saturated(on, workloads.Shift(k=1))
    # Frames cross it without preamble and gap.
    assert figure(result, "saturation_throughput") == pytest.approx(
        25_000_000 * 1460 / (1518 + 64 / 2) / 8
    )
    assert parameters(result)["bottleneck"] == "backplane 0"


def test_a_hub_is_shared_by_all() -> None:
    result = saturated(built("{kind: hub, nodes: 10}"), workloads.Uniform())
    assert parameters(result)["bottleneck"].startswith("hub ")
    # Collisions leave between 0.85 and 1 of the rate.
    assert 0.85 < figure(result, "saturation_throughput") * 10 / BOTH_WAYS < 1


def test_forwarders_are_the_bottleneck_where_relaying_is_slow() -> None:
    on = built("{kind: mesh, shape: [3]}")
    result = saturated(on, workloads.Uniform(), calibration=PENTIUM_PRO)
    assert parameters(result)["bottleneck"].startswith("processor ")
    assert figure(result, "busiest_forwarder_load") == 1.0


def test_the_worst_case_is_a_permutation_and_knows_when_it_is_a_bound() -> None:
    small = built("{kind: torus, shape: [4, 4]}")
    source, destination = pairs_of(small, workloads.WorstCase())
    assert len(set(source.tolist())) == len(source) == len(set(destination.tolist()))
    assert (source != destination).all()
    assert parameters(saturated(small, workloads.WorstCase()))["exact"] is True
    large = built("{kind: torus, shape: [30, 30]}")
    assert parameters(saturated(large, workloads.WorstCase()))["exact"] is False


def test_a_worst_case_cannot_be_played() -> None:
    with pytest.raises(UsageError, match="depends on the routes"):
        workloads.WorstCase().steps(4)
    with pytest.raises(UsageError, match="unknown workload"):
        workloads.parse("worst-case")


@pytest.mark.parametrize(
    ("kind", "pattern", "within"),
    [
        ("{kind: switch, nodes: 12}", workloads.Shift(k=5, size_bytes=4_000_000), 0.1),
        ("{kind: switch, nodes: 12}", workloads.Incast(size_bytes=1_000_000), 0.1),
        ("{kind: ring, shape: [8]}", workloads.Shift(k=3, size_bytes=4_000_000), 0.1),
        ("{kind: torus, shape: [4, 4]}", workloads.Shift(k=4, size_bytes=4_000_000), 0.1),
        ("{kind: tree, nodes: 16, uplinks: 1}", workloads.Shift(k=8, size_bytes=1_000_000), 0.1),
        # The stations do not share evenly: the last one sends alone.
        ("{kind: hub, nodes: 6}", workloads.Shift(k=1, size_bytes=1_000_000), 0.15),
    ],
)
def test_the_packet_engine_comes_to_what_the_loads_say(
    kind: str, pattern: Pattern, within: float
) -> None:
    """Where the load is even all the time, and windows and queues are large enough for it."""
    on = built(kind, ", switch: {queue_bytes: 10000000, backplane_mbps: null, ports: [16]}")
    result = engines.run(on, pattern, calibration="ideal-reno")
    n = on.n_compute
    per_node = len(pattern.pairs(n)[0]) / len(set(pattern.pairs(n)[0].tolist()))
    measured = per_node * pattern.size_bytes / figure(result, "time")
    assert measured == pytest.approx(throughput(on, pattern), rel=within)
