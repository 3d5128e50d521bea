"""Routed switches in every engine: the time of the same switch without routes, and no processor.

A switch that forwards by routes delays a packet as one that learns, so that both give the same
times in each engine; the packet engine is the reference where it is exact (test_idle_path.py).
"""

from __future__ import annotations

from typing import Any

import pytest

import linkwright
from linkwright import calibrations, engines, workloads
from linkwright.engines.inputs import Run
from linkwright.engines.packet import counts
from linkwright.errors import CapabilityError
from linkwright.network import Network

ENGINES = ["analytic", "flow", "packet"]
STORED, CUT = {"part": "crs309"}, {"part": "switch-10g-48"}
SIZES = (1, 1000, 1460, 10_000, 65_536, 1_000_000)
LEAVES = (
    ("n0:eth0", "leaf0"),
    ("n1:eth0", "leaf0"),
    ("n2:eth0", "leaf1"),
    ("n3:eth0", "leaf1"),
    ("leaf0", "spine"),
    ("leaf1", "spine"),
)
PAIR = (("n0:eth0", "leaf0"), ("n1:eth0", "leaf0"))


def built(
    *, routed: bool, part: dict[str, str], cables: tuple[Any, ...] = LEAVES, nic: str = "nic-10g"
) -> Network:
    names = sorted({end.split(":")[0] for cable in cables for end in cable[:2]})
    boxes = [name for name in names if not name.startswith("n")]
    fields = {
        "kind": "custom",
        "nodes": {n: {"nics": {"eth0": nic}} for n in names if n not in boxes},
        "switches": {name: {**part, "routed": routed} for name in boxes},
        "cables": cables,
    }
    sections = {"topology": fields, "parts": {"catalogue": "ethernet-2026"}}
    return linkwright.compile(linkwright.Cluster.from_fields(sections))


def both(engine: str, workload: workloads.Workload, **options: Any) -> tuple[Any, Any]:
    found = [
        engines.run(built(routed=routed, **options), workload, engine=engine)
        for routed in (True, False)
    ]
    return found[0], found[1]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("part", [STORED, CUT], ids=["stored", "cut"])
@pytest.mark.parametrize("nic", ["nic-10g", "nic-25g-dual", "nic-2-5g"])
@pytest.mark.parametrize(("cables", "dst"), [(PAIR, 1), (LEAVES, 3)], ids=["one", "three"])
def test_a_message_takes_the_time_of_a_switch_that_learns(
    engine: str, part: dict[str, str], nic: str, cables: tuple[Any, ...], dst: int
) -> None:
    ping = workloads.PingPong(src=0, dst=dst, size_bytes=SIZES, repeats=4)
    routed, learning = both(engine, ping, part=part, cables=cables, nic=nic)
    times = [one.filter(metric="latency").values().tolist() for one in (routed, learning)]
    assert times[0] == times[1]


@pytest.mark.parametrize("engine", ["analytic", "flow"])
@pytest.mark.parametrize("part", [STORED, CUT], ids=["stored", "cut"])
def test_an_idle_path_is_that_of_the_packet_engine(engine: str, part: dict[str, str]) -> None:
    network = built(routed=True, part=part)
    ping = workloads.PingPong(src=0, dst=3, size_bytes=SIZES, repeats=4)
    found, expected = (
        engines.run(network, ping, engine=one, calibration="linux-6-server")
        for one in (engine, "packet")
    )
    values = found.filter(metric="latency").values().tolist()
    assert values == pytest.approx(expected.filter(metric="latency").values(), rel=0.002)


@pytest.mark.parametrize("engine", ["flow", "packet"])
def test_flows_that_meet_share_links_as_behind_a_switch_that_learns(engine: str) -> None:
    routed, learning = both(engine, workloads.Incast(size_bytes=200_000), part=STORED)
    assert routed.filter(metric="time").values().tolist() == pytest.approx(
        learning.filter(metric="time").values(), rel=0.02
    )


def test_no_processor_forwards() -> None:
    """Each packet is relayed three times, and none waits for a processor in between."""
    network = built(routed=True, part=STORED)
    hosts = calibrations.load(network.calibration)
    ping = workloads.PingPong(src=0, dst=3, size_bytes=(1,), repeats=1)
    found = counts(Run(network=network, workload=ping, hosts=hosts, seed=0))
    n_ends = found["frames_consumed"]
    assert found["forwards"] == 3 * n_ends
    slow = hosts.changed({"host.forward.us": 1000.0})
    times = [
        engines.run(network, ping, calibration=one).filter(metric="latency").values().tolist()
        for one in (hosts, slow)
    ]
    assert times[0] == times[1]


def test_saturation_is_that_of_switches_that_learn() -> None:
    routed, learning = (engines.saturate(built(routed=one, part=STORED)) for one in (True, False))
    metric = "saturation_throughput"
    assert (
        routed.filter(metric=metric).values().tolist()
        == learning.filter(metric=metric).values().tolist()
    )


def test_backup_routes_take_over_where_a_routed_switch_dies() -> None:
    cables = (*LEAVES, ("leaf0", "other"), ("leaf1", "other"))
    names = {"leaf0": {}, "leaf1": {}, "spine": {}, "other": {}}
    fields = {
        "kind": "custom",
        "nodes": {f"n{k}": {"nics": {"eth0": None}} for k in range(4)},
        "switches": {name: {"routed": True} for name in names},
        "cables": cables,
    }
    network = linkwright.compile(
        linkwright.Cluster.from_fields(
            {
                "topology": fields,
                "parts": {"catalogue": "ethernet-2026"},
                "routing": {"fallback": True},
            }
        )
    )
    shift = workloads.Shift(k=2, size_bytes=2_000_000)
    for name in ("spine", "other"):
        result = engines.run(network, shift, faults=[f"switch:{name} down at 500us"])
        assert result.filter(metric="time").values().tolist()


@pytest.mark.parametrize("part", [STORED, CUT], ids=["stored", "cut"])
def test_pause_frames_hold_packets_back_as_at_a_switch_that_learns(part: dict[str, str]) -> None:
    network = [built(routed=one, part=part) for one in (True, False)]
    hosts = calibrations.load(network[0].calibration)
    pausing = hosts.changed({"links.flow_control": "pause"})
    incast = workloads.Incast(size_bytes=500_000)
    times = [
        engines.run(one, incast, calibration=pausing).filter(metric="time").values().tolist()
        for one in network
    ]
    assert times[0] == pytest.approx(times[1], rel=0.02)


def test_cold_neighbours_are_refused() -> None:
    network = built(routed=True, part=STORED)
    cold = calibrations.load(network.calibration).changed({"links.arp": "cold"})
    with pytest.raises(CapabilityError, match="does not resolve addresses"):
        engines.run(network, workloads.Barrier(), calibration=cold)
    assert engines.run(built(routed=False, part=STORED), workloads.Barrier(), calibration=cold)
