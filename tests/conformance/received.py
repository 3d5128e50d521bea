"""Cases of processes that have several connections to read, or one while they write.

Under P4 a process reads one transfer to its end before it looks at the next [MPITCP, sec. 1].
Meanwhile the others flow until the receive buffer is full, then they stand, and their writers with
them once the send buffer is full too. Both buffers hold 128 KiB here, the one whole segments.
Libraries with non-blocking sockets read their connections in turn, so that all of them flow.
"""

from __future__ import annotations

from typing import ClassVar

from tests.conformance import by_hand
from tests.conformance.cases import MEGABYTE, Case

from linkwright.calibrations import Calibration, Flag, load
from linkwright.workloads import Marks, Measurement, Workload
from linkwright.workloads.steps import Steps, join, mark, receive, send

BUFFER_BYTES = 131_072
ROOM_BYTES = BUFFER_BYTES // by_hand.SEGMENT_BYTES * by_hand.SEGMENT_BYTES
# A window update, and the data still under way at the end.
CLOSE = {"flow": 0.001, "packet": 0.001}


class Gathered(Workload):
    """Messages of every rank to the first, which receives them sender by sender."""

    name: ClassVar[str] = "gathered"
    size_bytes: int
    count: int = 1
    is_reversed: bool = False

    def steps(self, n_ranks: int) -> Steps:
        """Return the sends, and the receives in order of the ranks or in the reverse one."""
        senders = list(range(1, n_ranks))
        order = senders[::-1] if self.is_reversed else senders
        sends = [send(rank, 0, self.size_bytes) for rank in senders for _ in range(self.count)]
        receives = [receive(0, rank) for rank in order for _ in range(self.count)]
        written = [mark(2, rank=rank) for rank in senders]
        return join(mark(0), *sends, *written, *receives, mark(1, rank=0))

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return when the last message is there, and when the last write has returned."""
        spans = {"time": marks.span_s(0, 1), "written": marks.span_s(0, 2)}
        return [self._measurement(name, span, "s") for name, span in spans.items()]


class Crossed(Workload):
    """Two ranks that write to each other before they receive."""

    name: ClassVar[str] = "crossed"
    size_bytes: int

    def steps(self, n_ranks: int) -> Steps:
        """Return the two sends, then the two receives."""
        sends = [send(0, 1, self.size_bytes), send(1, 0, self.size_bytes)]
        return join(mark(0), *sends, receive(0, 1), receive(1, 0), mark(1))

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return when both have received."""
        return [self._measurement("time", marks.span_s(0, 1), "s")]


def wire_s(size_bytes: int) -> float:
    """Return how long a message occupies a wire."""
    return by_hand.served(by_hand.wire_bytes(size_bytes, with_acks=False), 100e6)


def acknowledged_s(size_bytes: int) -> float:
    """Return when so much of a message is acknowledged, two segments at a time, over a cable."""
    pair = 2 * by_hand.SEGMENT_BYTES
    whole = -(-size_bytes // pair) * pair
    return wire_s(whole) + by_hand.stored(1, 1) + by_hand.WIRE_S


def one_by_one_s(size_bytes: int, n: int) -> float:
    """Return when n messages are there that come over as many wires and are read to their ends: the
    first all the way while the others fill their buffers, then of each what has had no room.
    """
    return wire_s(size_bytes) + (n - 1) * wire_s(max(size_bytes - ROOM_BYTES, 0))


def p4() -> Calibration:
    """Return hosts without cost whose library reads to the end of a transfer, and of which one
    reads while it writes.
    """
    ideal = load("ideal-reno")
    drain = Flag(value=False, origin="definition")
    return ideal.model_copy(
        update={"messages": ideal.messages.model_copy(update={"both_drain": drain})}
    )


LIBRARIES = {"in turn": load("ideal-reno"), "to the end of each": p4()}


def gathered(
    how: str, title: str, workload: Gathered, n: int, expected: float, metric: str = "time"
) -> Case:
    return Case(
        title=f"{n} senders over {n} cards into one that reads {how}, {title}",
        calibration=LIBRARIES[how],
        topology=f"{{kind: full-mesh, nodes: {n + 1}}}",
        workload=workload,
        metric=metric,
        expected=expected,
        tolerance=CLOSE,
    )


def side_by_side() -> list[Case]:
    """Return messages smaller and larger than the buffers, received in order and in reverse.

    In what order they are received does not matter: they are read as they come, and kept.
    """
    return [
        gathered(
            how,
            f"{size} bytes{', last first' if is_reversed else ''}",
            Gathered(size_bytes=size, is_reversed=is_reversed),
            n,
            wire_s(size) if how == "in turn" else one_by_one_s(size, n),
        )
        for how in LIBRARIES
        for size in (50_000, ROOM_BYTES, 200_000, MEGABYTE)
        for n in (2, 3, 5)
        for is_reversed in (False, True)
    ]


def small() -> list[Case]:
    """Return messages of which each fits: they never stand, whatever their number."""
    return [
        gathered(
            how,
            f"10 messages of {size} bytes each",
            Gathered(size_bytes=size, count=10),
            3,
            wire_s(10 * size),
        )
        for how in LIBRARIES
        for size in (14_600, 58_400, 116_800)
    ]


def writers() -> list[Case]:
    """Return when the last writer is free: what is left then fits its send buffer."""
    held, large = 200_000, MEGABYTE
    last = one_by_one_s(large, 2) + wire_s(large - BUFFER_BYTES - ROOM_BYTES)
    cases = [
        *((how, held, acknowledged_s(held - BUFFER_BYTES)) for how in LIBRARIES),
        ("in turn", large, acknowledged_s(large - BUFFER_BYTES)),
        ("to the end of each", large, last),
    ]
    return [
        gathered(
            how,
            f"the last write of {size} bytes{', that both buffers hold' if size == held else ''}",
            Gathered(size_bytes=size),
            3,
            expected,
            "written",
        )
        for how, size, expected in cases
    ]


def crossed() -> list[Case]:
    """Return two messages that cross, by who reads while it writes."""
    both_ways = by_hand.wire_bytes(MEGABYTE, with_acks=True)
    # The upper rank reads when all but its send buffer is acknowledged; until then what comes to it
    # stands. What is in that buffer stands in the queue of its interface, before the word that
    # there is room again.
    until_read = wire_s(MEGABYTE - BUFFER_BYTES) + wire_s(BUFFER_BYTES)
    cases = {
        "both of which read meanwhile": (load("ideal-reno"), by_hand.served(both_ways, 100e6)),
        "of which the lower reads meanwhile": (
            p4(),
            until_read + wire_s(MEGABYTE - ROOM_BYTES),
        ),
    }
    return [
        Case(
            title=f"two that write to each other, {title}",
            topology="{kind: direct}",
            workload=Crossed(size_bytes=MEGABYTE),
            metric="time",
            expected=expected,
            calibration=calibration,
            # Acknowledgements among the data of the other way.
            tolerance={"flow": 0.005, "packet": 0.005},
        )
        for title, (calibration, expected) in cases.items()
    ]


CASES = [*side_by_side(), *small(), *writers(), *crossed()]
