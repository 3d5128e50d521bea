"""The reach of packets, in every engine: a TTL of 64 allows 63 forwards."""

from __future__ import annotations

import pytest
from tests.kinds import figure

import linkwright
from linkwright import calibrations, engines, workloads
from linkwright.errors import RunError

IDEAL = calibrations.load("ideal-reno")


def farthest(n_hops: int) -> tuple[linkwright.Network, workloads.PingPong]:
    """Return a ring and an exchange of its nodes that are the farthest apart."""
    ring = f"{{name: far, topology: {{kind: ring, shape: [{2 * n_hops}]}}}}"
    exchange = workloads.PingPong(dst=n_hops, size_bytes=1000)
    return linkwright.compile(linkwright.Cluster.parse(ring)), exchange


@pytest.mark.parametrize("engine", engines.predictive())
def test_63_forwards_pass_and_64_do_not(engine: str) -> None:
    built, exchange = farthest(64)
    assert figure(engines.run(built, exchange, engine=engine, calibration=IDEAL), "latency") > 0
    built, exchange = farthest(65)
    with pytest.raises(RunError) as caught:
        engines.run(built, exchange, engine=engine, calibration=IDEAL)
    assert caught.value.message == (
        "packets from node n000 to node n065 do not arrive: a TTL of 64 allows 63 forwards, their "
        "route has 64"
    )
    assert caught.value.hint == "set --host links.ttl=255, or choose a shape with shorter paths"


@pytest.mark.parametrize("engine", engines.predictive())
def test_another_ttl_is_another_limit(engine: str) -> None:
    built, exchange = farthest(65)
    longer = IDEAL.changed({"links.ttl": 65})
    assert figure(engines.run(built, exchange, engine=engine, calibration=longer), "latency") > 0
    built, exchange = farthest(256)
    with pytest.raises(RunError, match=r"route has 255\n  the largest TTL allows 254 forwards"):
        engines.run(built, exchange, engine=engine, calibration=IDEAL.changed({"links.ttl": 255}))
