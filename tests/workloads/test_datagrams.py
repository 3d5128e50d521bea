"""Streams of datagrams: who sends to whom, and what is made of what arrives.

How they travel is tested in the crate (crates/packet/tests/datagrams.rs).
"""

from __future__ import annotations

import numpy as np
import pytest

import linkwright
from linkwright import calibrations, engines
from linkwright.errors import CapabilityError, UsageError
from linkwright.workloads import Datagrams, DatagramStream, Marks
from linkwright.workloads.steps import StepKind

HOSTS = calibrations.load("ideal-reno")


def network(text: str) -> linkwright.Network:
    return linkwright.compile(linkwright.Cluster.parse(f"{{name: test, topology: {text}}}"))


def figures(
    workload: DatagramStream, topology: str = "{kind: switch, nodes: 5}"
) -> dict[str, float]:
    result = engines.run(network(topology), workload, calibration=HOSTS)
    metrics = ("offered", "delivered", "loss", "goodput", "latency", "latency_p99")
    return {name: float(result.filter(metric=name).values()[0]) for name in metrics}


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"pattern": "shift", "k": 2}, [(0, 2), (1, 3), (2, 0), (3, 1)]),
        ({"pattern": "incast", "dst": 1}, [(0, 1), (2, 1), (3, 1)]),
        ({"pattern": "permutation", "seed": 4}, [(0, 3), (1, 0), (2, 1), (3, 2)]),
    ],
)
def test_each_pattern_names_its_pairs(settings: dict, expected: list) -> None:
    steps = DatagramStream(**settings).steps(4)
    sends = steps.kind == StepKind.DATAGRAM
    assert list(zip(steps.rank[sends], steps.peer[sends], strict=True)) == expected


def test_a_rate_becomes_the_time_between_datagrams() -> None:
    steps = DatagramStream(size_bytes=1250, rate_bps="1e6", protocol="raw").steps(2)
    sends = steps.kind == StepKind.RAW_DATAGRAM
    assert steps.compute_s[sends] == pytest.approx([0.01, 0.01])


@pytest.mark.parametrize(
    ("settings", "rule"),
    [
        ({"pattern": "incast", "dst": 5}, "rank 5 is not among the 5 nodes"),
        ({"k": 10}, "leaves each of 5 nodes in place"),
        (
            {"size_bytes": 65_508},
            "datagrams: size_bytes of 65508 .* udp datagram has room for 65507",
        ),
        ({"size_bytes": 65_516, "protocol": "raw"}, "raw datagram has room for 65515"),
    ],
)
def test_what_cannot_be_sent_is_refused(settings: dict, rule: str) -> None:
    with pytest.raises(UsageError, match=rule):
        figures(DatagramStream(**settings))


def test_what_is_lost_counts_in_the_loss_alone() -> None:
    sent = Datagrams(
        source=np.array([0, 0, 1, 1]),
        destination=np.array([1, 1, 0, 0]),
        size_bytes=np.full(4, 100),
        sent_s=np.array([0.0, 1.0, 0.0, 1.0]),
        received_s=np.array([0.5, 2.0, np.nan, 1.75]),
    )
    passed = Marks(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1.5]), sent)
    found = {m.metric: m.value for m in DatagramStream(size_bytes=100).measure(passed)}
    assert found["offered"] == 4
    assert (found["delivered"], found["loss"]) == (0.75, 0.25)
    assert found["goodput"] == 300 / 2.0
    assert found["time"] == 1.5
    assert found["latency"] == pytest.approx(0.75)
    assert found["latency_p99"] == pytest.approx(np.percentile([0.5, 0.75, 1.0], 99))


def test_without_any_delivered_there_is_no_latency() -> None:
    lost = np.array([np.nan])
    one = np.array([0])
    sent = Datagrams(source=one, destination=one + 1, size_bytes=one, sent_s=one, received_s=lost)
    passed = Marks(np.array([0, 1]), np.array([0, 0]), np.array([0.0, 1.0]), sent)
    found = {m.metric: m.value for m in DatagramStream().measure(passed)}
    assert (found["loss"], found["goodput"]) == (1, 0)
    assert "latency" not in found


def test_a_shift_loses_nothing_and_an_incast_all_but_the_share_of_one_link() -> None:
    shift = figures(DatagramStream(count=400))
    assert (shift["offered"], shift["loss"]) == (2000, 0)
    # 1472 of 1538 bytes at 100 Mb/s from each of five, except for the path of the last one.
    assert shift["goodput"] == pytest.approx(5 * 12.5e6 * 1472 / 1538, rel=0.01)
    incast = figures(DatagramStream(count=400, pattern="incast"))
    assert incast["offered"] == 1600
    assert incast["goodput"] == pytest.approx(12.5e6 * 1472 / 1538, rel=0.01)
    # A quarter, and the 86 frames that the queue of the switch holds at the end of all sends.
    assert incast["delivered"] == pytest.approx((400 + 86) / 1600, rel=0.01)


def test_below_the_rate_of_the_link_latency_is_the_sum_of_its_parts() -> None:
    found = figures(DatagramStream(count=50, rate_bps=50e6), "{kind: direct}")
    assert found["latency"] == pytest.approx(found["latency_p99"]) == pytest.approx(122.13e-6)


def test_an_engine_that_moves_none_says_so() -> None:
    pair = network("{kind: direct}")
    with pytest.raises(CapabilityError, match="engine flow does not model") as raised:
        engines.run(pair, DatagramStream(), engine="flow", calibration=HOSTS)
    assert raised.value.hint == "choose --engine packet"
