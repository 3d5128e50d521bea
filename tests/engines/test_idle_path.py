"""Ping-pongs of hosts of today: the engines without frames against the packet engine.

One transfer is exact (crates/packet/tests/idle.rs). Of a ping-pong the times of acknowledgements
that went ahead are rounded. Where a link is so fast that receive queues overflow, frames are lost,
which is said of every such run (test_unmodelled.py) and not tried here.
"""

from __future__ import annotations

from itertools import product

import pytest

import linkwright
from linkwright import engines, workloads

# Sizes on both sides of a segment, of what is put together and of the rendezvous.
SIZES = (1, 1000, 1418, 1460, 10_000, 64_000, 65_535, 65_536, 250_000, 1_000_000, 16_000_000)


def chain(n_hops: int, mbps: int) -> linkwright.Network:
    shape = {"kind": "direct"} if n_hops == 1 else {"kind": "mesh", "shape": [n_hops + 1]}
    parts = {"nic": {"rate_mbps": mbps}, "cable": {"rate_mbps": mbps, "delay_us": 0.01}}
    return linkwright.compile(linkwright.Cluster.from_fields({"topology": shape, "parts": parts}))


@pytest.mark.parametrize("engine", ["analytic", "flow"])
@pytest.mark.parametrize("n_hops", [1, 2, 3])
@pytest.mark.parametrize(
    ("hosts", "mbps", "sizes"),
    [
        *product(["linux-6-desktop"], [1_000, 2_500, 10_000], [SIZES]),
        *product(["linux-6-desktop"], [100_000, 400_000], [SIZES[:8]]),
        *product(["linux-6-server"], [1_000, 10_000, 25_000], [SIZES]),
        *product(["linux-6-server"], [100_000, 400_000], [SIZES[:10]]),
    ],
)
def test_a_ping_pong_is_that_of_the_packet_engine(
    engine: str, n_hops: int, hosts: str, mbps: int, sizes: tuple[int, ...]
) -> None:
    built = chain(n_hops, mbps)
    ping = workloads.PingPong(src=0, dst=n_hops, size_bytes=sizes, repeats=4)
    found, expected = (
        engines.run(built, ping, engine=one, calibration=hosts).filter(metric="latency")
        for one in (engine, "packet")
    )
    assert found.values() == pytest.approx(expected.values(), rel=0.001)
