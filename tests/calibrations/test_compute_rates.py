"""Rates of nodes that no run on one node gave: the run they were found from comes out as printed.

What a rate means and how it is interpolated is tested where it is computed.
"""

from __future__ import annotations

import pytest

from linkwright import calibrations
from linkwright.design.cluster import Cluster
from linkwright.engines import run
from linkwright.network import compile as compile_network
from linkwright.workloads import parse


def test_hpl_on_the_star_takes_as_long_as_printed() -> None:
    """436.78 s, 1.527 Gflop/s [STACK-2001]: calibration, not prediction."""
    star = {"topology": {"kind": "switch", "nodes": 8}, "parts": {"catalogue": "stack-2001"}}
    workload = parse("hpl", {"n": 10_000, "nb": 64, "p": 1, "q": 8})
    hosts = calibrations.load("pentium-ii-400-linux-2.2")
    result = run(
        compile_network(Cluster.model_validate({"name": "star", **star})),
        workload,
        calibration=hosts,
    )
    (time_s,) = result.filter(metric="time").values()
    assert time_s == pytest.approx(436.78, rel=0.005)
