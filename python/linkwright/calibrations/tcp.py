"""The behaviour of TCP: the section ``[tcp]`` of a calibration.

``crates/host/src/tcp`` models each option, ``crates/host/src/constants/tcp.rs`` gives its form. An
option that a file leaves out is off.
"""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from linkwright.calibrations.kinds import Count, Flag, Frozen

__all__ = ["SEND_BUFFERS", "AckRule", "TcpOptions", "WindowRule"]


LEAST_SEGMENT_BYTES = 88
"""Smallest segment that Linux accepts (TCP_MIN_MSS): room for all options and some data."""

SEND_BUFFERS = ("send_buffer_segments", "send_buffer_memory_bytes", "send_buffer_bytes")
"""The limits of a send buffer, one of which is given."""

_NEVER_ZERO = ("initial_window", "first_timeout_us", "shortest_timeout_us", *SEND_BUFFERS)

_WINDOW_UNIT = 1024
"""Unit of the windows of Linux 2.0.30, in bytes."""


class WindowRule(Frozen):
    """Rule for the advertised window, given the receive buffer."""

    value: Literal["free", "half-in-segments", "half-of-memory"]
    origin: str

    @property
    def share(self) -> int:
        """The window is one in this many bytes of the buffer."""
        return 1 if self.value == "free" else 2

    def least_buffer_bytes(self, segment_bytes: int) -> int:
        """Return the smallest receive buffer whose window holds a segment."""
        if self.value == "half-of-memory" and segment_bytes > _WINDOW_UNIT:
            segment_bytes += -segment_bytes % _WINDOW_UNIT
        return self.share * segment_bytes


class AckRule(Frozen):
    """Rule for the time at which received data are acknowledged."""

    value: Literal["every-segment", "every-second", "adaptive", "full-pairs", "on-read"]
    origin: str

    @property
    def is_in_ticks(self) -> bool:
        """Whether waits follow Linux 2.0 and 2.2."""
        return self.value in ("full-pairs", "on-read")

    @property
    def has_delay(self) -> bool:
        """Whether waits are no longer, or no shorter, than a given time."""
        return self.value in ("every-second", "adaptive")


class Congestion(Frozen):
    """Rule for the growth of the congestion window and its reduction after a loss."""

    value: Literal["reno", "cubic", "dctcp", "linux-2.0"]
    origin: str


def _off() -> Flag:
    return Flag(value=False, origin="default: off")


def _on() -> Flag:
    return Flag(value=True, origin="default: on")


class TcpOptions(Frozen):
    """Options of every connection."""

    segment_bytes: Count | None = None
    """Largest payload of a segment over IPv4 without options. Default: as large as the MTU allows.
    Over IPv6 it is less by the longer header, and time stamps take 12 bytes of it."""
    receive_buffer_bytes: Count
    """Receive buffer of a connection."""
    first_receive_buffer_bytes: Count | None = None
    """Receive buffer of a new connection, which grows to `receive_buffer_bytes` by what the process
    reads in a round trip. Default: it does not grow. Only the packet engine models the growth."""
    window_rule: WindowRule
    """Rule for the advertised window: `free` is the free space of the receive buffer,
    `half-in-segments` half of it in whole segments, `half-of-memory` half of it in units of 1024
    bytes, where unread segments occupy the memory that Linux 2.0.30 gives them."""
    ack_rule: AckRule
    """Rule for acknowledging received data: `every-segment` at once; `every-second`, others after a
    delay;
    `adaptive`, every second full segment, the first segments at once and others after the expected
    interval to the next; `full-pairs`, after as many bytes as two full segments have, when the
    window doubles, or after that interval in ticks; or `on-read`, when the process reads, reverse
    data leave or a timer expires."""
    ack_delay_us: Count | None = None
    """Longest wait of an acknowledgement under `every-second`, shortest under `adaptive`."""
    ack_pushed_us: Count | None = None
    """Longest wait after the last segment of a write under `on-read`, and after a short segment
    under `full-pairs`."""
    ack_longest_us: Count | None = None
    """Longest wait of an acknowledgement under `on-read`, `full-pairs` and `adaptive`."""
    send_buffer_segments: Count | None = None
    """Send buffer in segments of any payload. Give one of three send buffers."""
    send_buffer_memory_bytes: Count | None = None
    """Send buffer in bytes of memory as Linux 2.0.30 counts them, of which a full segment takes
    1764. It takes a segment as long as it is not full before."""
    send_buffer_bytes: Count | None = None
    """Send buffer in bytes of payload."""
    send_buffer_grows: Flag = _off()
    """Whether the send buffer grows with the congestion window, up to `send_buffer_bytes`. Only the
    packet engine models the growth."""
    initial_window: Count
    """Congestion window of a new or idle connection, in segments."""
    fast_retransmit: Flag
    """Whether three duplicate acknowledgements indicate a loss."""
    holds_tail: Flag = _off()
    """Whether the end of a write that is shorter than a segment waits for the last acknowledgement,
    or for the next write, if the peer's window ends before it (Linux 2.0). The analytic engine
    models the wait on an idle connection only, the flow engine likewise."""
    nagle: Flag = _off()
    """Whether the end of a write that is shorter than a segment waits for the last acknowledgement,
    or for the next write, wherever the window ends: sockets without TCP_NODELAY. The analytic and
    the flow engine model it as `holds_tail`."""
    fills_waiting: Flag = _off()
    """Whether a write fills the last segment up that waits for a window (Linux 6); otherwise each
    write begins a segment. The analytic engine does not model it."""
    restart_when_idle: Flag
    """Whether a connection that was idle for a time-out falls back to the initial window."""
    tick_us: Count
    """Period of the kernel's clock, on whose ticks timers fire; 0 for a clock without ticks."""
    first_timeout_us: Count
    """Retransmission time-out before the first measurement."""
    first_round_trip_us: Count | None = None
    """Round trip that the handshake measured, the first measurement of a connection."""
    timer_margin_us: Count | None = None
    """Time that `rack` waits beyond round trips, before it probes a tail or gives late segments
    up."""
    shortest_timeout_us: Count
    """Floor of the retransmission time-out."""
    longest_timeout_us: Count
    """Ceiling of the retransmission time-out."""
    most_retransmissions: Count
    """Retransmissions of one segment before the connection is closed."""
    congestion: Congestion = Congestion(value="reno", origin="default")
    """Growth of the congestion window: `reno` [RFC-5681], `cubic` [RFC-9438], `dctcp` [RFC-8257],
    which needs queues that mark (`queues.mark_above_frames`), or `linux-2.0`, Reno to which two
    duplicate acknowledgements indicate a loss."""
    sack: Flag = _off()
    """Selective acknowledgements [RFC-2018] with the loss recovery of [RFC-6675]."""
    rack: Flag = _off()
    """Loss detection by time and probes of a tail that is perhaps lost [RFC-8985], with a window
    that shrinks in proportion to what arrives during recovery [RFC-6937]; needs `sack`."""
    undo: Flag = _off()
    """Whether reductions of the window that prove spurious are undone, by time stamps, new data
    after a time-out [RFC-5682] and reports of data that arrived twice [RFC-2883]; needs `rack`."""
    hystart: Flag = _off()
    """Whether `cubic` ends slow start before it overruns a queue, by trains of acknowledgements and
    by the delay [HYSTART-2011]; needs `rack`. Only the packet engine models it."""
    limited_transmit: Flag = _off()
    """New segments on the first two duplicate acknowledgements [RFC-3042]; SACK includes this."""
    timestamps: Flag = _off()
    """Time stamps in every segment, 12 bytes, and a round-trip measurement by every acknowledgement
    of new data [RFC-7323]."""
    window_scaling: Flag = _on()
    """Windows beyond 65535 bytes [RFC-7323]."""
    ecn: Flag = _off()
    """Explicit congestion notification: queues mark segments instead of dropping them, and TCP
    responds to marks [RFC-3168]; always on under `dctcp`."""
    window_counts_segments: Flag = _off()
    """Whether the congestion window grows by the acknowledged segments, if the window was used, and
    not by one per acknowledgement."""
    local_drops: Flag = _on()
    """Whether a segment is dropped if the queue of its own interface is full; otherwise TCP waits
    while that queue is more than half full."""

    @model_validator(mode="after")
    def _is_complete(self) -> TcpOptions:
        given = [name for name in SEND_BUFFERS if getattr(self, name) is not None]
        if len(given) != 1:
            several = " and ".join(given)
            raise ValueError(
                f"{several} exclude each other; give one"
                if given
                else f"none of {', '.join(SEND_BUFFERS)} is given; give one"
            )
        in_ticks = self.ack_rule.is_in_ticks
        if in_ticks and (self.ack_pushed_us is None or self.ack_longest_us is None):
            raise ValueError(
                f"ack_rule {self.ack_rule.value} needs ack_pushed_us and ack_longest_us; add them, "
                "or choose every-second or adaptive"
            )
        if self.ack_rule.has_delay and self.ack_delay_us is None:
            raise ValueError(
                f"ack_rule {self.ack_rule.value} needs ack_delay_us; add it, 40000 as in Linux"
            )
        if self.rack.value and not self.sack.value:
            raise ValueError("rack needs sack; switch it on, or rack off")
        if self.undo.value and not self.rack.value:
            raise ValueError("undo needs rack; switch it on, or undo off")
        if self.hystart.value and not self.rack.value:
            raise ValueError("hystart needs rack; switch it on, or hystart off")
        if self.congestion.value == "linux-2.0":
            later = [
                name for name in ("sack", "limited_transmit", "ecn") if getattr(self, name).value
            ]
            if later:
                raise ValueError(
                    f"congestion linux-2.0 has no {later[0]}; switch it off, or choose reno"
                )
        return self

    @model_validator(mode="after")
    def _grows(self) -> TcpOptions:
        """Refuse buffers that cannot grow."""
        first = self.first_receive_buffer_bytes
        if first is not None:
            if self.window_rule.value != "free" or not self.window_scaling.value:
                raise ValueError(
                    "first_receive_buffer_bytes needs window_rule free and window_scaling; leave "
                    "it out, or choose both"
                )
            least = self.segment_bytes.value if self.segment_bytes else 1460
            if first.value < least:
                raise ValueError(
                    f"first_receive_buffer_bytes of {first.value} hold no segment; give {least} or "
                    "more"
                )
        if self.send_buffer_grows.value and self.send_buffer_bytes is None:
            raise ValueError("send_buffer_grows needs send_buffer_bytes; add it, or switch it off")
        return self

    @model_validator(mode="after")
    def _moves_data(self) -> TcpOptions:
        """Refuse options with which a sender would wait forever."""
        if self.segment_bytes and self.segment_bytes.value < LEAST_SEGMENT_BYTES:
            raise ValueError(
                f"segment_bytes of {self.segment_bytes.value} leave no room for data beside "
                f"the options; "
                f"give {LEAST_SEGMENT_BYTES} or more"
            )
        for name in _NEVER_ZERO:
            constant = getattr(self, name)
            if constant and constant.value == 0:
                raise ValueError(f"{name} must not be zero; give 1 or more")
        segment_bytes = self.segment_bytes.value if self.segment_bytes else 1460
        least = self.window_rule.least_buffer_bytes(segment_bytes)
        if self.receive_buffer_bytes.value < least:
            raise ValueError(
                f"receive_buffer_bytes of {self.receive_buffer_bytes.value} make a window that "
                f"holds no segment; give {least} or more"
            )
        if self.longest_timeout_us.value < self.shortest_timeout_us.value:
            raise ValueError(
                "longest_timeout_us must not be less than shortest_timeout_us; give "
                f"{self.shortest_timeout_us.value} or more, or a smaller shortest_timeout_us"
            )
        return self
