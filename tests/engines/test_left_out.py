"""What an engine does not know of the hosts is said with every run, and nothing else is."""

from __future__ import annotations

import pytest

import linkwright
from linkwright import calibrations, engines, workloads

PAIR = linkwright.compile(linkwright.Cluster.parse("topology: {kind: direct}"))


def remarks(engine: str, hosts: str, **changes: object) -> tuple[str, ...]:
    chosen = calibrations.load(hosts).changed({**changes})
    ping = workloads.PingPong(size_bytes=1)
    return engines.run(PAIR, ping, engine=engine, calibration=chosen).remarks


@pytest.mark.parametrize("engine", ["analytic", "flow"])
def test_each_constant_that_is_left_out_is_named_with_its_effect(engine: str) -> None:
    found = remarks(engine, "linux-6-desktop")
    for constant in ("interrupt_hold_us = 20", "tso_bytes", "gro_bytes", "cpus = 4"):
        assert sum(constant in remark for remark in found) == 1, constant
    assert all(f"the {engine} engine leaves out" in remark for remark in found)


def test_nothing_is_said_where_nothing_is_left_out() -> None:
    assert remarks("packet", "linux-6-desktop") == ()
    for engine in ("analytic", "flow", "packet"):
        assert remarks(engine, "pentium-pro-200-linux-2.0") == ()


def test_saturation_says_it_too() -> None:
    result = engines.saturate(PAIR, calibration="linux-6-server")
    assert any("tso_bytes" in remark for remark in result.remarks)
