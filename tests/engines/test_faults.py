"""Faults in Python: the grammar, their rows in a result, and that a run repeats.

What faults do to frames is tested in crates/packet/tests/faults.rs.
"""

from __future__ import annotations

import json

import pytest

import linkwright
from linkwright import calibrations, workloads
from linkwright.errors import CapabilityError, RunError, UsageError
from linkwright.faults import Fault, fault_lines, parse
from linkwright.network import Network

SHIFT = workloads.Shift(k=1, size_bytes=200_000)


def compiled(design: str) -> Network:
    return linkwright.compile(linkwright.Cluster.parse(design))


@pytest.fixture(scope="module")
def ring() -> Network:
    return compiled("{name: ring, topology: {kind: torus, shape: [3]}, routing: {fallback: true}}")


@pytest.mark.parametrize(
    ("text", "canonical", "from_s", "until_s"),
    [
        ("cable:1 down at 1.5s", "cable:c1 down at 1.5s", 1.5, float("inf")),
        ("cable:c1 down", "cable:c1 down", 0.0, float("inf")),
        ("node:2 reboot at 2s for 30s", "node:n2 down at 2s up at 32s", 2.0, 32.0),
        ("node:n2 down at .2s up at 800ms", "node:n2 down at 0.2s up at 0.8s", 0.2, 0.8),
        ("cable:0 down for 2min", "cable:c0 down up at 120s", 0.0, 120.0),
        ("cable:0 loss 0.001", "cable:c0 loss 0.001", 0.0, float("inf")),
        (
            "nic:n1:0  corrupt 1e-6 from 30us to 2s",
            "nic:n1:eth0 corrupt 1e-06 from 3e-05s to 2s",
            30e-6,
            2.0,
        ),
    ],
)
def test_what_is_written_is_what_happens(
    text: str, canonical: str, from_s: float, until_s: float, ring: Network
) -> None:
    (fault,) = parse([text], ring)
    assert fault.text == canonical
    assert (fault.from_s, fault.until_s) == pytest.approx((from_s, until_s))
    assert _same(parse([canonical], ring)[0], fault)


def _same(one: Fault, other: Fault) -> bool:
    return one.text == other.text and one.parts == other.parts


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cable:0", ("names no part", "PART down")),
        ("cable:0 dwon", ("'dwon'", "'down'")),
        ("cabel:0 down", ("'cabel:0'", "'cable'")),
        ("cable:9 down", ("no cable '9' in 'ring'", "c0 to c2")),
        ("node:n02 down", ("no node 'n02'", "did you mean n2")),
        ("switch:s0 down", ("'ring' has no switch",)),
        ("nic:n1:eth7 down", ("node 'n1' has no NIC 'eth7'", "eth0, eth1")),
        ("cable:0 down at noon", ("'noon' is no time", "20ms")),
        ("cable:0 down at 2s up at 1s", ("does not end after it begins",)),
        ("cable:0 reboot at 1s for 2s", ("a cable does not reboot",)),
        ("cable:0 loss 2", ("'2' is no probability",)),
        ("cable:0 loss nan", ("'nan' is no probability",)),
        ("cable:0 corrupt 1e-6 from 1s", ("gives no probability",)),
    ],
)
def test_what_is_wrong_is_named(text: str, said: tuple[str, ...], ring: Network) -> None:
    with pytest.raises(UsageError) as caught:
        parse([text], ring)
    assert all(words in str(caught.value) for words in said), str(caught.value)


def test_boxes_are_named_as_they_are_racked() -> None:
    stack = compiled("topology: {kind: switch, nodes: 6, stack_units: 2}")
    unit, whole = parse(["switch:sw0.1 down", "switch:0 down"], stack)
    assert [code for code, _ in unit.parts] == [0, 0, 0]
    assert [code for code, _ in whole.parts] == [2]
    chassis = compiled("topology: {kind: p-mesh, shape: [4, 4], lines_per_switch: 2}")
    name = chassis.chassis_names[0]
    (fault,) = parse([f"switch:{name} down"], chassis)
    assert len(fault.parts) == 2


def test_a_file_holds_one_fault_per_line() -> None:
    text = "# what happens\ncable:0 down at 1s  # cut\n\n  cable:1 loss 0.1\n"
    assert fault_lines(text) == ["cable:0 down at 1s", "cable:1 loss 0.1"]


def test_every_row_says_that_the_run_had_faults(ring: Network) -> None:
    faults = ["cable:0 down at 5ms up at 6ms", "cable:1 loss 0.01"]
    result = linkwright.run(ring, SHIFT, seed=1, faults=faults)
    whole = linkwright.run(ring, SHIFT, seed=1)
    said = ["cable:c0 down at 0.005s up at 0.006s", "cable:c1 loss 0.01"]
    assert all(row.parameters["faults"] == said for row in result)
    assert not any("faults" in row.parameters for row in whole)
    assert set(result.column("run")).isdisjoint(whole.column("run"))
    assert [row.parameters["fault"] for row in result.filter(metric="recovery_s")] == said
    json.loads(result.to_json())


def test_rows_repeat_on_any_number_of_threads(ring: Network) -> None:
    faults = ["cable:0 down at 5ms up at 6ms", "cable:1 loss 0.01", "cable:2 corrupt 1e-7"]
    together = linkwright.run(ring, SHIFT, seed=3, repeats=4, faults=faults).reproducible()
    alone = [linkwright.run(ring, SHIFT, seed=3 + i, faults=faults) for i in range(4)]
    values = [value for one in alone for value in one.reproducible().values().tolist()]
    assert together.values().tolist() == values


def test_a_fallback_route_takes_over(ring: Network) -> None:
    result = linkwright.run(ring, SHIFT, seed=1, faults=["cable:0 down at 5ms"])
    assert result.filter(metric="unrecovered_connections").values().tolist() == [0]
    plain = compiled("{name: ring, topology: {kind: torus, shape: [3]}}")
    with pytest.raises(RunError) as caught:
        linkwright.run(plain, SHIFT, seed=1, faults=["cable:0 down at 5ms"])
    for words in ("gave up after 15", "rank 1 in operation", "cable:c0 down at 0.005s"):
        assert words in caught.value.message


@pytest.mark.parametrize("cable", range(5))
def test_no_cut_stops_the_streams_of_a_ring_by_interface(cable: int) -> None:
    network = compiled(
        "{name: ring, topology: {kind: ring, shape: [5]}, routing: {fallback: by-interface}}"
    )
    result = linkwright.run(network, SHIFT, seed=1, faults=[f"cable:{cable} down at 5ms"])
    assert result.filter(metric="unrecovered_connections").values().tolist() == [0]


def test_three_cuts_stop_no_stream_of_a_torus() -> None:
    fallback = "{by: interface, failures: 3}"
    network = compiled(
        f"{{topology: {{kind: torus, shape: [4, 4]}}, routing: {{fallback: {fallback}}}}}"
    )
    cuts = [f"cable:{cable} down at 5ms" for cable in (0, 1, 2)]
    result = linkwright.run(network, SHIFT, seed=1, faults=cuts)
    assert result.filter(metric="unrecovered_connections").values().tolist() == [0] * 3


def test_a_forwarder_may_reboot_and_a_rank_may_not() -> None:
    stages = "{kind: stack-ring, stages: 3, nodes_per_stage: 1, extra_forwarders: 1}"
    network = compiled(f"{{name: stacks, topology: {stages}}}")
    forwarder = network.device_names[network.n_nodes - 1]
    times = "reboot at 3ms for 50ms"
    result = linkwright.run(network, SHIFT, seed=1, faults=[f"node:{forwarder} {times}"])
    assert len(result.filter(metric="time"))
    with pytest.raises(RunError, match=r"rank 1 died with its node at 3\.000 ms"):
        linkwright.run(network, SHIFT, seed=1, faults=[f"node:1 {times}"])


def test_other_engines_have_no_faults(ring: Network) -> None:
    with pytest.raises(CapabilityError, match="analytic"):
        linkwright.run(ring, SHIFT, engine="analytic", faults=["cable:0 down"])


def test_a_capture_shows_the_silence(ring: Network) -> None:
    whole = linkwright.engines.watch(ring, SHIFT, seed=1)[1].capture
    broken = linkwright.engines.watch(ring, SHIFT, seed=1, faults=["cable:0 down at 5ms"])[
        1
    ].capture
    assert whole != broken


def test_a_bond_that_looks_more_often_loses_less() -> None:
    net = compiled("{topology: {kind: bonded-dual-net, nodes: 4}}")
    lost = []
    for poll_us in (0, 10_000, 100_000):
        hosts = calibrations.load("ideal-reno").changed({"links.bond_poll_us": poll_us})
        result = linkwright.run(net, SHIFT, calibration=hosts, faults=["nic:n1:eth0 down at 1ms"])
        lost.append(float(result.filter(metric="frames_lost").values()[0]))
    assert lost[0] < lost[1] <= lost[2]
