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
from linkwright.engines.inputs import Run
from peers.contenders import EQUAL, PLAYED, ns3_command
from peers.drivers import NS3, missing
from peers.equal import FRAME_BYTES_HERE, QUEUE_FRAMES, ns3_arguments
from peers.measured import Figures, measured

__all__ = ["ABLATIONS", "ABLATION_CASES", "Ablation", "rows"]

MANY_CASES = ("w1", "w2-16", "w3-144")
"""Short enough for every parameter."""
ABLATION_CASES = ("w1", "w2-16", "w2", "w3-144")


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
    cases: tuple[str, ...] = MANY_CASES


NO_FAST: dict[str, object] = {"tcp.fast_retransmit": False}
SACK: dict[str, object] = {"tcp.sack": True}
CUBIC: dict[str, object] = {"tcp.congestion": "cubic"}
EVERY: dict[str, object] = {"tcp.ack_delay_us": 0}
"""Every segment acknowledged."""


def with_queues(n_frames: int, what: str, constants: Mapping[str, object]) -> Ablation:
    """Return other constants, and queues that hold other than 100 frames."""
    return Ablation(
        f"{what}queues of {n_frames} frames, not {QUEUE_FRAMES}",
        both={**constants, "queues.transmit_frames": n_frames},
        queue_frames=n_frames,
    )


ABLATIONS = (
    Ablation("all equal", cases=ABLATION_CASES),
    Ablation("initial window 2 segments, not 10", both={"tcp.initial_window": 2}),
    Ablation("initial window 4 segments", both={"tcp.initial_window": 4}),
    Ablation(
        "buffers of 64 KiB, not 128",
        both={"tcp.receive_buffer_bytes": 65536, "tcp.send_buffer_bytes": 65536},
    ),
    Ablation("delayed acknowledgement 200 ms, not 40", both={"tcp.ack_delay_us": 200_000}),
    Ablation("every segment acknowledged", both=EVERY, cases=ABLATION_CASES),
    Ablation(
        "shortest time-out 1 s, not 200 ms",
        both={"tcp.shortest_timeout_us": 1_000_000, "tcp.first_timeout_us": 1_000_000},
    ),
    with_queues(50, "", {}),
    Ablation("no fast retransmit", both=NO_FAST, cases=ABLATION_CASES),
    Ablation("no fast retransmit, every segment acknowledged", both=NO_FAST | EVERY),
    Ablation(
        "no fast retransmit, delayed acknowledgement 1 ms",
        both=NO_FAST | {"tcp.ack_delay_us": 1000},
    ),
    with_queues(98, "no fast retransmit, ", NO_FAST),
    with_queues(102, "no fast retransmit, ", NO_FAST),
    Ablation("SACK", both=SACK, cases=ABLATION_CASES),
    Ablation("SACK, every segment acknowledged", both=SACK | EVERY),
    with_queues(98, "SACK, ", SACK),
    with_queues(102, "SACK, ", SACK),
    Ablation("SACK, time stamps", both=SACK | {"tcp.timestamps": True}),
    Ablation("time stamps, segments of 1448 bytes", both={"tcp.timestamps": True}),
    Ablation("limited transmit", both={"tcp.limited_transmit": True}),
    Ablation("CUBIC", both=CUBIC),
    Ablation("CUBIC, SACK", both=CUBIC | SACK, cases=ABLATION_CASES),
    Ablation(
        "CUBIC with HyStart", both=CUBIC, ns3={"ns3::TcpCubic::HyStart": "true"}, has_ours=False
    ),
    Ablation(
        "proportional rate reduction",
        ns3={"ns3::TcpL4Protocol::RecoveryType": "ns3::TcpPrrRecovery"},
        has_ours=False,
    ),
    Ablation(
        "the higher rank waits while its write is blocked",
        ours={"messages.both_drain": False},
        has_ns3=False,
    ),
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
    counts: Figures = packet.counts(
        Run(network=network, workload=PLAYED[case].workload, hosts=hosts, seed=1)
    )
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
