"""Cases with background traffic of the front end at a known rate, which takes a known share.

Blocks are paced so that one is over long before the next begins, whatever it meets on its way.
"""

from __future__ import annotations

from tests.conformance import by_hand
from tests.conformance.cases import HUB, MEGABYTE, Case, ping

from linkwright import workloads

RATE_BPS = 100e6
BLOCK_BYTES = 1472
"""Fills a frame, over UDP."""
FULL_BYTES = 1518 + by_hand.PREAMBLE_BYTES + by_hand.GAP_BYTES
ANSWER_BYTES = by_hand.SHORTEST_BYTES + by_hand.PREAMBLE_BYTES + by_hand.GAP_BYTES


def pushed(share: float, n_bytes: int) -> workloads.FileServer:
    """Return a server by datagrams; `n_bytes` on a wire for each of a node are a share of it."""
    spacing_s = by_hand.served(n_bytes, RATE_BPS) / share
    return workloads.FileServer(
        block_bytes=BLOCK_BYTES, request_bytes=1, cached=True, spacing_s=spacing_s
    )


def links_of_a_switch() -> list[Case]:
    """Return a message whose last cable carries blocks too; their replies go the other way."""
    size_bytes = 10 * MEGABYTE
    on_wire = by_hand.wire_bytes(size_bytes, with_acks=False)
    return [
        Case(
            title=f"a cable of which {share:.0%} are taken from the front end",
            topology="{kind: switch, nodes: 2}",
            workload=ping(1, size_bytes),
            background=pushed(share, FULL_BYTES),
            metric="latency",
            expected=by_hand.served(on_wire, RATE_BPS * (1 - share)),
            # Blocks that arrive while the last window is in the switch are too late to delay it.
            tolerance={"packet": 0.01},
        )
        for share in (0.1, 0.25, 0.4)
    ]


def hub() -> Case:
    """Return a station that always has a full frame to send, with blocks and their replies."""
    share, n_clients = 0.2, 2
    left = 0.983 * FULL_BYTES / 1518 - share
    return Case(
        title="a hub of which a fifth is taken by the front end",
        topology=f"{{kind: hub, nodes: {n_clients}}}",
        parts=HUB,
        workload=workloads.DatagramStream(pattern="incast", count=3000),
        background=pushed(share, n_clients * (FULL_BYTES + ANSWER_BYTES)),
        metric="goodput",
        # The share of the rate that two stations carry as frame bits [ETHERNET, sec. 3].
        expected=left * RATE_BPS / 8 * BLOCK_BYTES / FULL_BYTES,
        # Answers collide as often as full frames do, and carry little. Without the front end it
        # would be a quarter more.
        tolerance={"packet": 0.05},
        n_seeds=7,
    )


def cable_of_a_mesh() -> Case:
    """Return a message over a cable that files cross on the path to the last node, a client."""
    size_bytes, block_bytes, spacing_s = 10 * MEGABYTE, 64_000, 0.04
    block_s = by_hand.served(by_hand.wire_bytes(block_bytes, with_acks=False), RATE_BPS)
    on_wire = by_hand.wire_bytes(size_bytes, with_acks=False)
    return Case(
        title="a cable under files for a node behind it",
        topology="{kind: mesh, shape: [3]}",
        workload=workloads.Broadcast(ranks=2, size_bytes=size_bytes, repeats=1),
        background=workloads.FileServer(
            protocol="tcp", block_bytes=block_bytes, cached=True, spacing_s=spacing_s
        ),
        metric="time",
        expected=by_hand.served(on_wire, RATE_BPS * (1 - block_s / spacing_s)),
        # One of about twenty blocks more or less falls into the time.
        tolerance={"flow": 0.01, "packet": 0.01},
    )


CASES = [*links_of_a_switch(), hub(), cable_of_a_mesh()]
