"""Times that are known by hand: frames through stores, and shared servers of a fixed rate.

All hosts here cost nothing unless a case says so, segments carry 1460 bytes, wires are 100 Mb/s and
1 us long. A frame adds 58 bytes of headers and check sequence to its segment, is at least 64 bytes
long, and takes 8 bytes of preamble before it and 12 bytes of gap behind it on a wire [ETHERNET,
sec. 1].
"""

from __future__ import annotations

SEGMENT_BYTES = 1460
HEADER_BYTES = 58
PREAMBLE_BYTES = 8
GAP_BYTES = 12
SHORTEST_BYTES = 64
BYTE_S = 8e-8
WIRE_S = 1e-6


def frames(size_bytes: int) -> list[int]:
    """Return the frame lengths of a message."""
    full, rest = divmod(size_bytes, SEGMENT_BYTES)
    payloads = [SEGMENT_BYTES] * full + ([rest] if rest else [])
    return [max(payload + HEADER_BYTES, SHORTEST_BYTES) for payload in payloads]


def stored(size_bytes: int, n_wires: int, *, delay_s: float = WIRE_S) -> float:
    """Return when a message is there that every station between its wires stores and sends on."""
    free = [0.0] * n_wires
    arrival = 0.0
    for frame in frames(size_bytes):
        arrival = 0.0
        for wire in range(n_wires):
            end = max(arrival, free[wire]) + (frame + PREAMBLE_BYTES) * BYTE_S
            free[wire] = end + GAP_BYTES * BYTE_S
            arrival = end + delay_s
    return arrival


def wire_bytes(size_bytes: int, *, with_acks: bool) -> int:
    """Return the occupancy of a wire by a message: its frames, and its ACKs if they share it.

    Every second segment is acknowledged.
    """
    lengths = frames(size_bytes)
    acks = [SHORTEST_BYTES] * (len(lengths) // 2) if with_acks else []
    return sum(length + PREAMBLE_BYTES + GAP_BYTES for length in lengths + acks)


def frame_bytes(size_bytes: int) -> int:
    """Return the frames of a message and of its acknowledgements, without preambles and gaps."""
    lengths = frames(size_bytes)
    return sum(lengths) + SHORTEST_BYTES * (len(lengths) // 2)


def served(n_bytes: int, rate_bps: float) -> float:
    """Return how long a server of a fixed rate is busy."""
    return n_bytes * 8 / rate_bps


def forwarded(size_bytes: int, cost_s: float) -> float:
    """Return how long a forwarder is busy with a message and its acknowledgements."""
    n_segments = len(frames(size_bytes))
    return (n_segments + n_segments // 2) * cost_s
