"""Every rate and MTU with hosts that cost nothing: what is left is the line, which is known.

A short message takes its frame and the cable, a stream has the share of its payload in the rate.
"""

from __future__ import annotations

import pytest

import linkwright
from linkwright import calibrations, workloads
from linkwright.errors import DesignError

OVERHEAD_BYTES = 14 + 4 + 8 + 12
"""Ethernet header, frame check sequence, preamble and gap."""
SHORTEST_BYTES = 64
WINDOW_BYTES = 60_000_000

# All rates of the catalogue ethernet-2026, those of older Ethernet and the next.
RATES = (10, 100, 1000, 2500, 5000, 10000, 25000, 40000, 50000, 59000, 100000, 200000, 400000)


def network(rate_mbps: float, mtu: int = 1500) -> linkwright.Network:
    return linkwright.compile(
        linkwright.Cluster.from_fields(
            {
                "topology": {"kind": "direct"},
                "mtu": mtu,
                "parts": {
                    "catalogue": "ethernet-2026",
                    "nic": {"rate_mbps": rate_mbps},
                    "cable": {"rate_mbps": rate_mbps, "delay_us": 1.0},
                },
            }
        )
    )


def hosts() -> calibrations.Calibration:
    """Hosts without cost whose windows and queues never fill, and who know it from the start."""
    changes = {
        "tcp.receive_buffer_bytes": WINDOW_BYTES,
        "tcp.send_buffer_bytes": WINDOW_BYTES,
        "tcp.initial_window": 100_000,
        "tcp.segment_bytes": 65_495,
        "queues.transmit_frames": 100_000,
        "tcp.first_timeout_us": 50_000_000,
        "tcp.shortest_timeout_us": 50_000_000,
    }
    return calibrations.load("ideal-reno").changed(changes)


def latency_s(net: linkwright.Network, size_bytes: int) -> float:
    workload = workloads.PingPong(size_bytes=size_bytes, repeats=2, warm_up=1)
    result = linkwright.run(net, workload, calibration=hosts())
    return float(result.filter(metric="latency").values()[0])


@pytest.mark.parametrize("rate_mbps", [*RATES, 800_000])
def test_a_short_message_takes_its_frame_and_the_cable(rate_mbps: float) -> None:
    on_wire = (SHORTEST_BYTES + 8) * 8 / (rate_mbps * 1e6)
    assert latency_s(network(rate_mbps), 1) == pytest.approx(on_wire + 1e-6, abs=2e-12)


@pytest.mark.parametrize("mtu", [1500, 9000])
@pytest.mark.parametrize("rate_mbps", [*RATES, 800_000])
def test_a_stream_has_the_share_of_its_payload_in_the_rate_of_the_line(
    rate_mbps: float, mtu: int
) -> None:
    payload = mtu - 40
    size = 400 * payload
    # Acknowledgements go the other way; the last frame has no gap behind it.
    bits = (400 * (mtu + OVERHEAD_BYTES) - 12) * 8
    expected = bits / (rate_mbps * 1e6) + 1e-6
    assert latency_s(network(rate_mbps, mtu), size) == pytest.approx(expected, rel=1e-3)


def test_an_mtu_that_a_part_does_not_carry_is_refused() -> None:
    with pytest.raises(DesignError, match="nic 'own-nic' carries packets of at most 9000 bytes"):
        network(10_000, 9001)
    with pytest.raises(DesignError, match="hub 'fast-ethernet-hub' carries"):
        linkwright.compile(
            linkwright.Cluster.from_fields(
                {
                    "topology": {"kind": "hub", "nodes": 4},
                    "mtu": 9000,
                    "parts": {"nic": {"mtu": 9000}},
                }
            )
        )


def test_segments_of_a_calibration_are_the_most() -> None:
    ideal = calibrations.load("ideal-reno")
    assert ideal.constants()["segment_bytes"] == 1460
    assert ideal.constants(9000)["segment_bytes"] == 1460
    assert ideal.constants(1280)["segment_bytes"] == 1240
    assert calibrations.load("linux-6-server").constants(9000)["segment_bytes"] == 8960


def test_interfaces_of_a_plan_have_the_mtu_of_the_design() -> None:
    from linkwright.plan import tables

    rows = tables(network(10_000, 9000))["interfaces.csv"].splitlines()[1:]
    assert {row.split(",")[5] for row in rows} <= {"9000", "65536"}
    assert any(row.split(",")[5] == "9000" for row in rows)
