//! Options of TCP: what differs between the kernels that are modelled.
//!
//! Two families of behaviour come of them: the standard one (an acknowledgement for every second
//! segment or after a delay), and Linux 2.0's, which acknowledges when the process reads, when a
//! reverse segment leaves, or by timer [MPITCP, sec. 2]. The values are in the calibrations.

use quantity::Time;

/// Linux 2.0 advertises no window beyond this, whatever the buffer [MPITCP, sec. 2].
const LARGEST_HALF_WINDOW: u32 = 32_767;

/// How the advertised window follows from the receive buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowRule {
    /// What is free of the buffer.
    Free,
    /// Half of the buffer less half of what is queued, rounded down to whole segments (Linux 2.0).
    HalfInSegments,
}

/// When received data are acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AckRule {
    /// At once for every second segment and for anything out of order, else after `delay` (RFC
    /// 5681).
    EverySecond {
        /// The longest an acknowledgement is held back.
        delay: Time,
    },
    /// With reverse data, when the process has read so much that the window at least doubles, or by
    /// timer: after `pushed` for the last segment of a write, at the next tick once two full
    /// segments wait (Linux 2.0).
    OnRead {
        /// Delay after the last segment of a write.
        pushed: Time,
        /// The longest an acknowledgement is held back.
        longest: Time,
    },
}

/// What a send buffer can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendBuffer {
    /// Segments, whatever their payload: each occupies a full-size buffer (Linux 2.0).
    Segments(u32),
    /// Bytes of payload.
    Bytes(u32),
}

/// Options of every connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TcpOptions {
    /// Largest payload of a segment over IPv4; over IPv6 it is less by the longer header.
    pub segment_bytes: u32,
    /// Receive buffer.
    pub receive_buffer: u32,
    /// How the advertised window follows from it.
    pub window_rule: WindowRule,
    /// When received data are acknowledged.
    pub ack_rule: AckRule,
    /// What may wait to be sent or acknowledged.
    pub send_buffer: SendBuffer,
    /// Congestion window of a new or idle connection, in segments.
    pub initial_window: u32,
    /// Whether three duplicate acknowledgements stand for a loss.
    pub fast_retransmit: bool,
    /// Whether an idle connection falls back to the initial window.
    pub restart_when_idle: bool,
    /// Period of the kernel's clock; timers fire on its ticks. Zero for a clock without ticks.
    pub tick: Time,
    /// Retransmission time-out before the first measurement.
    pub first_timeout: Time,
    /// Floor of the retransmission time-out.
    pub shortest_timeout: Time,
    /// Ceiling of the retransmission time-out.
    pub longest_timeout: Time,
    /// Retransmissions of one segment before the connection is given up.
    pub most_retransmissions: u32,
}

impl SendBuffer {
    /// Returns whether there is room for `payload` bytes beside `n_segments` of `queued_bytes`.
    #[inline]
    pub fn has_room(self, n_segments: u32, queued_bytes: u32, payload: u32) -> bool {
        match self {
            SendBuffer::Segments(most) => n_segments < most,
            SendBuffer::Bytes(most) => n_segments == 0 || queued_bytes + payload <= most,
        }
    }
}

impl TcpOptions {
    /// Returns the window that is advertised while `unread_bytes` wait for the process, on a
    /// connection whose segments hold `segment_bytes`.
    pub fn window(&self, unread_bytes: u32, segment_bytes: u32) -> u32 {
        match self.window_rule {
            WindowRule::Free => self.receive_buffer.saturating_sub(unread_bytes),
            WindowRule::HalfInSegments => {
                let free = (self.receive_buffer / 2).saturating_sub(unread_bytes / 2);
                free.min(LARGEST_HALF_WINDOW) / segment_bytes * segment_bytes
            }
        }
    }

    /// Returns whether a process that has read must tell its peer of its `window`, of which `left`
    /// bytes are allowed already.
    pub fn must_update_window(&self, left: u64, window: u32, segment_bytes: u32) -> bool {
        let (window, segment) = (u64::from(window), u64::from(segment_bytes));
        match self.ack_rule {
            AckRule::OnRead { .. } => window >= 2 * left && window > left,
            // A receiver tells of a window that was nearly closed once it has opened by two
            // segments (RFC 1122).
            AckRule::EverySecond { .. } => left < 2 * segment && window >= left + 2 * segment,
        }
    }

    /// Returns the largest IP packet: the longest segment over IPv4 with its headers.
    pub fn mtu_bytes(&self) -> u32 {
        self.segment_bytes + 40
    }
}
