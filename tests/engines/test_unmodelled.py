"""Every run lists the properties of its hosts that the engine does not model, and no others."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import pytest

import linkwright
from linkwright import calibrations, engines, workloads


def remarks(
    engine: str, hosts: str, mbps: int, changes: Mapping[str, object] = MappingProxyType({})
) -> tuple[str, ...]:
    pair = linkwright.compile(
        linkwright.Cluster.from_fields(
            {
                "topology": {"kind": "direct"},
                "parts": {
                    "nic": {"rate_mbps": mbps, "nic_class": "multigigabit"},
                    "cable": {"rate_mbps": mbps},
                },
            }
        )
    )
    chosen = calibrations.load(hosts).changed(changes)
    ping = workloads.PingPong(size_bytes=1)
    return engines.run(pair, ping, engine=engine, calibration=chosen).remarks


@pytest.mark.parametrize("engine", ["analytic", "flow"])
def test_a_queue_that_a_window_overruns_is_named_with_the_effect(engine: str) -> None:
    (remark,) = remarks(engine, "linux-6-desktop", 100_000)
    assert remark.startswith(f"the {engine} engine does not model that queues.receive_frames = 256")
    assert "100 Gb/s" in remark
    assert "halve the rate of streams" in remark
    assert remarks(engine, "linux-6-desktop", 100_000, {"queues.receive_frames": 4_000}) == ()


@pytest.mark.parametrize("engine", ["analytic", "flow", "packet"])
def test_nothing_is_said_where_nothing_is_left_out(engine: str) -> None:
    assert remarks(engine, "linux-6-desktop", 10_000) == ()
    assert remarks(engine, "linux-6-server", 25_000) == ()
    assert remarks(engine, "pentium-ii-400-linux-2.2", 10_000) == ()
    assert remarks(engine, "pentium-pro-200-linux-2.0", 100) == ()
    assert remarks("packet", "linux-6-desktop", 100_000) == ()
