"""One parameter changed at a time, here and in ns-3: which of them moves the simulated time.

Every row starts from equal parameters (`equal.py`). A parameter that only one of the two has is
changed there alone; the other's cell stays empty.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import linkwright
from linkwright import calibrations
from linkwright.calibrations import Calibration
from linkwright.engines import packet
from peers.contenders import EQUAL, PLAYED, ns3_command
from peers.drivers import NS3, missing
from peers.equal import FRAME_BYTES_HERE, QUEUE_FRAMES, ns3_arguments
from peers.measured import Figures, measured

__all__ = ["ABLATIONS", "ABLATION_CASES", "Ablation", "rows"]

ABLATION_CASES = ("w1", "w2-16", "w3-144")


@dataclass(frozen=True)
class Ablation:
    """A parameter with another value."""

    parameter: str
    both: Mapping[str, object] = field(default_factory=dict)
    """Constants of the calibration, from which ns-3's attributes follow."""
    ours: Mapping[str, object] = field(default_factory=dict)
    """Constants of the calibration, here alone."""
    ns3: Mapping[str, str] = field(default_factory=dict)
    """Arguments of ns-3's driver alone."""
    queue_frames: int = QUEUE_FRAMES
    """Full frames in the queue of a switch port and of an interface."""
    has_ours: bool = True
    has_ns3: bool = True
    cases: tuple[str, ...] = ABLATION_CASES


def tcp(name: str, value: str) -> dict[str, str]:
    """Return an attribute of ns-3's sockets."""
    return {f"ns3::TcpSocketBase::{name}": value}


ABLATIONS = (
    Ablation("all equal"),
    Ablation("initial window 2 segments, not 10", both={"tcp.initial_window": 2}),
    Ablation("initial window 4 segments", both={"tcp.initial_window": 4}),
    Ablation(
        "buffers of 64 KiB, not 128",
        both={"tcp.receive_buffer_bytes": 65536, "tcp.send_buffer_bytes": 65536},
    ),
    Ablation("delayed acknowledgement 200 ms, not 40", both={"tcp.ack_delay_us": 200_000}),
    Ablation(
        "every segment acknowledged",
        ours={"tcp.ack_delay_us": 0},
        ns3={"ns3::TcpSocket::DelAckCount": "1"},
    ),
    Ablation(
        "shortest time-out 1 s, not 200 ms",
        both={"tcp.shortest_timeout_us": 1_000_000, "tcp.first_timeout_us": 1_000_000},
    ),
    Ablation("queues of 50 frames, not 100", both={"queues.transmit_frames": 50}, queue_frames=50),
    Ablation(
        "no fast retransmit",
        ours={"tcp.fast_retransmit": False},
        ns3=tcp("ReTxThreshold", "1000000"),
    ),
    Ablation(
        "the higher rank waits while its write is blocked",
        ours={"messages.both_drain": False},
        has_ns3=False,
    ),
    Ablation("SACK", ns3=tcp("Sack", "true"), has_ours=False),
    Ablation("time stamps, segments of 1448 bytes", ns3=tcp("Timestamp", "true"), has_ours=False),
    Ablation("limited transmit", ns3=tcp("LimitedTransmit", "true"), has_ours=False),
    Ablation(
        "proportional rate reduction",
        ns3={"ns3::TcpL4Protocol::RecoveryType": "ns3::TcpPrrRecovery"},
        has_ours=False,
    ),
    Ablation("CUBIC", ns3={"ns3::TcpL4Protocol::SocketType": "ns3::TcpCubic"}, has_ours=False),
    Ablation("headers of 2 bytes, no preamble and gap", ns3={"gap": "0"}, has_ours=False),
    Ablation("connections open within the time", ns3={"handshake": "1"}, has_ours=False),
    Ablation(
        "half-duplex wires on a bridge", ns3={"medium": "csma"}, has_ours=False, cases=("w1",)
    ),
)


def rows(cases: Sequence[str]) -> list[dict[str, object]]:
    """Return the rows of the table: each parameter, each case, ours and ns-3's figures."""
    found: list[dict[str, object]] = []
    for ablation in ABLATIONS:
        row: dict[str, object] = {"parameter": ablation.parameter}
        for case in cases:
            row[case] = both_figures(ablation, case)
        print(row, flush=True)
        found.append(row)
    return found


def both_figures(ablation: Ablation, case: str) -> dict[str, object]:
    """Return the figures of one parameter and case; None where there is no such parameter."""
    if case not in ablation.cases:
        return {"ours": None, "ns3": None}
    hosts = calibrations.load(EQUAL).changed(ablation.both) if ablation.both else equal()
    own = hosts.changed(ablation.ours) if ablation.ours else hosts
    return {
        "ours": our_figures(case, own, ablation.queue_frames) if ablation.has_ours else None,
        "ns3": ns3_figures(case, ablation, hosts) if ablation.has_ns3 else None,
    }


def equal() -> Calibration:
    """Return the hosts of equal parameters."""
    return calibrations.load(EQUAL)


def our_figures(case: str, hosts: Calibration, queue_frames: int) -> Figures:
    """Play a case with the packet engine and return what it counted."""
    full, wanted = (f"queue_bytes: {FRAME_BYTES_HERE * n}" for n in (QUEUE_FRAMES, queue_frames))
    design = PLAYED[case].design
    assert full in design
    network = linkwright.compile(linkwright.Cluster.parse(design.replace(full, wanted)))
    counts: Figures = packet.counts(network, PLAYED[case].workload, hosts, seed=1)
    return {name: counts[name] for name in KEPT if name in counts} | {
        "dropped": counts["frames_dropped"]
    }


KEPT = ("simulated_s", "frame_hops", "retransmissions", "timeouts")


def ns3_figures(case: str, ablation: Ablation, hosts: Calibration) -> Figures | str:
    """Play a case in ns-3 and return what it counted, or how it failed."""
    if missing(NS3):
        return "not installed"
    arguments = {
        **ns3_arguments(hosts, ablation.queue_frames),
        **ablation.ns3,
        "count": "1",
    }
    try:
        return measured(ns3_command(case, arguments))
    except RuntimeError as error:
        return "crashes" if "exits with -" in str(error) else str(error)
