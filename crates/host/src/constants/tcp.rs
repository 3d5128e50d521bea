//! Options of TCP: what differs between the kernels that are modelled.
//!
//! Two families of behaviour come of them: the standard one (an acknowledgement for every second
//! segment or after a delay), and Linux 2.0's, which acknowledges when the process reads, when a
//! reverse segment leaves, or by timer [MPITCP, sec. 2]. The values are in the calibrations.

use quantity::Time;

use super::table::constants;
use super::tcp_choices::{
    CONGESTION_CONTROLS, MOST_SEGMENT_BYTES, WINDOW_RULES, marks, receive_buffer,
};
use super::{ANY, SOME};
use crate::frame_sizes::{frame_sizes, largest_payload};

/// Beyond this a window does not fit its field unscaled.
const LARGEST_UNSCALED: u32 = 65_535;
/// Time stamps and the two bytes that fill up the word (RFC 7323, appendix A).
const TIMESTAMP_BYTES: u32 = 12;
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
    /// At once for every second full segment, for anything out of order and for the first segments
    /// of a connection or after a pause; else after the time that the next data are expected to
    /// stay away (Linux since 2.4).
    Adaptive {
        /// The shortest an acknowledgement is held back.
        shortest: Time,
        /// The longest.
        longest: Time,
    },
    /// At once for as many bytes as two full segments have, for the very first data, while anything
    /// is out of order and where the window more than doubles; when the process has read so much
    /// that it at least doubles; else after the time that the next data are expected to stay away,
    /// in ticks (Linux 2.2).
    FullPairs {
        /// The longest an acknowledgement is held back after a short last segment of a write.
        pushed: Time,
        /// The longest an acknowledgement is held back.
        longest: Time,
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
    /// Segments, whatever their payload: each occupies a full-size buffer (Linux 2.2).
    Segments(u32),
    /// The same, but for a segment that is written while nothing waits: its buffer is as small as
    /// itself and counts for nothing (Linux 2.0, `do_tcp_sendmsg`).
    SegmentsBehind(u32),
    /// Bytes of payload.
    Bytes(u32),
}

/// What waits in a send buffer.
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    /// Segments.
    pub n_segments: u32,
    /// Their payload.
    pub bytes: u32,
    /// Whether the first of them was written while nothing waited, and is still there.
    pub has_first: bool,
}

impl Waiting {
    fn n_behind(self) -> u32 {
        self.n_segments - u32::from(self.has_first)
    }
}

/// How the congestion window grows, and what a loss leaves of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CongestionControl {
    /// RFC 5681.
    #[default]
    Reno,
    /// RFC 9438.
    Cubic,
    /// RFC 8257.
    Dctcp,
    /// Reno as Linux 2.0 has it, which takes data for duplicate acknowledgements.
    Linux20,
}

constants! {
    /// Extensions of TCP that both ends of every connection have, or none.
    pub struct TcpExtensions from table {
        /// Selective acknowledgements (RFC 2018) with the loss recovery of RFC 6675.
        pub sack: bool = table.flag("sack"),
        /// New segments on the first two duplicate acknowledgements (RFC 3042).
        pub limited_transmit: bool = table.flag("limited_transmit"),
        /// Time stamps in every segment, and a round trip measured by every acknowledgement of new
        /// data (RFC 7323, sec. 3).
        pub timestamps: bool = table.flag("timestamps"),
        /// Windows beyond 65,535 bytes (RFC 7323, sec. 2).
        pub window_scaling: bool = table.flag("window_scaling"),
        /// Segments that queues mark instead of dropping, and the answer to marks (RFC 3168; under
        /// DCTCP that of RFC 8257).
        pub ecn: bool = marks(table),
        /// Whether the congestion window grows by the segments acknowledged, where it was used, and
        /// not by acknowledgements.
        pub counts_segments: bool = table.flag("window_counts_segments"),
        /// Whether a segment that finds the queue of its own interface full is dropped; otherwise a
        /// queue that is half full holds TCP back.
        pub local_drops: bool = table.flag("local_drops"),
    }
}

impl TcpExtensions {
    /// Windows of any size, and nothing else.
    pub const PLAIN: TcpExtensions = TcpExtensions {
        sack: false,
        limited_transmit: false,
        timestamps: false,
        window_scaling: true,
        ecn: false,
        counts_segments: false,
        local_drops: true,
    };

    /// Returns whether segments may have options in their header.
    #[inline]
    pub fn has_options(&self) -> bool {
        self.sack || self.timestamps
    }
}

constants! {
    /// Options of every connection.
    pub struct TcpOptions from table {
        /// Largest payload of a segment over IPv4 without options; over IPv6 it is less by the
        /// longer header, and time stamps take 12 bytes of it.
        pub segment_bytes: u32 = table.count("segment_bytes", 1..=MOST_SEGMENT_BYTES),
        /// Receive buffer.
        pub receive_buffer: u32 = receive_buffer(table),
        /// How the advertised window follows from it.
        pub window_rule: WindowRule = table.choice("window_rule", &WINDOW_RULES),
        /// When received data are acknowledged.
        pub ack_rule: AckRule = AckRule::read(table),
        /// What may wait to be sent or acknowledged.
        pub send_buffer: SendBuffer = SendBuffer::read(table),
        /// Congestion window of a new or idle connection, in segments.
        pub initial_window: u32 = table.count("initial_window", SOME),
        /// Whether three duplicate acknowledgements stand for a loss.
        pub fast_retransmit: bool = table.flag("fast_retransmit"),
        /// Whether an idle connection falls back to the initial window.
        pub restart_when_idle: bool = table.flag("restart_when_idle"),
        /// Period of the kernel's clock; timers fire on its ticks. Zero for a clock without ticks.
        pub tick: Time = table.time("tick_us"),
        /// Retransmission time-out before the first measurement.
        pub first_timeout: Time = table.time("first_timeout_us"),
        /// Floor of the retransmission time-out.
        pub shortest_timeout: Time = table.time("shortest_timeout_us"),
        /// Ceiling of the retransmission time-out.
        pub longest_timeout: Time = table.time("longest_timeout_us"),
        /// Retransmissions of one segment before the connection is given up.
        pub most_retransmissions: u32 = table.count("most_retransmissions", ANY),
        /// How the congestion window grows.
        pub congestion: CongestionControl = table.choice("congestion", &CONGESTION_CONTROLS),
        /// What else both ends know.
        pub extensions: TcpExtensions = TcpExtensions::read(table),
    }
}

impl SendBuffer {
    /// Returns whether there is room for `payload` bytes.
    #[inline]
    pub fn has_room(self, waiting: Waiting, payload: u32) -> bool {
        match self {
            SendBuffer::Segments(most) => waiting.n_segments < most,
            SendBuffer::SegmentsBehind(most) => waiting.n_behind() < most,
            SendBuffer::Bytes(most) => waiting.n_segments == 0 || waiting.bytes + payload <= most,
        }
    }

    /// Returns how many full segments there is room for.
    pub fn room(self, waiting: Waiting, segment_bytes: u32) -> u32 {
        match self {
            SendBuffer::Segments(most) => most.saturating_sub(waiting.n_segments),
            SendBuffer::SegmentsBehind(most) => most.saturating_sub(waiting.n_behind()),
            SendBuffer::Bytes(most) => most.saturating_sub(waiting.bytes) / segment_bytes,
        }
    }
}

impl TcpOptions {
    /// Returns the bytes of options in the header of every segment.
    pub fn option_bytes(&self) -> u32 {
        if self.extensions.timestamps { TIMESTAMP_BYTES } else { 0 }
    }

    /// Returns the largest payload of a segment.
    pub fn largest_payload(&self, is_v6: bool) -> u32 {
        largest_payload(self.segment_bytes.saturating_sub(self.option_bytes()), is_v6)
    }

    /// Returns the IP packet and frame sizes of a segment without options of its own.
    pub fn frame_sizes(&self, payload: u32, is_v6: bool) -> (u32, u32) {
        frame_sizes(payload + self.option_bytes(), is_v6)
    }

    /// Returns the window that is advertised while `unread_bytes` wait for the process, on a
    /// connection whose segments hold `segment_bytes`.
    pub fn window(&self, unread_bytes: u32, segment_bytes: u32) -> u32 {
        match self.window_rule {
            WindowRule::Free if self.extensions.window_scaling => {
                self.receive_buffer.saturating_sub(unread_bytes)
            }
            WindowRule::Free => {
                self.receive_buffer.saturating_sub(unread_bytes).min(LARGEST_UNSCALED)
            }
            WindowRule::HalfInSegments => {
                let free = (self.receive_buffer / 2).saturating_sub(unread_bytes / 2);
                free.min(LARGEST_HALF_WINDOW) / segment_bytes * segment_bytes
            }
        }
    }

    /// Returns how much a peer sends of which nothing is read, in full segments: what is advertised
    /// while it waits included.
    pub fn most_unread(&self, segment_bytes: u32) -> u32 {
        let mut unread = 0;
        loop {
            let window = self.window(unread, segment_bytes);
            if window < segment_bytes {
                return unread;
            }
            unread += window - window % segment_bytes;
        }
    }

    /// Returns whether a process that has read must tell its peer of its `window`, of which `left`
    /// bytes are allowed already.
    pub fn must_update_window(&self, left: u64, window: u32, segment_bytes: u32) -> bool {
        let (window, segment) = (u64::from(window), u64::from(segment_bytes));
        match self.ack_rule {
            AckRule::OnRead { .. } | AckRule::FullPairs { .. } => {
                window >= 2 * left && window > left
            }
            // A receiver tells of a window that was nearly closed once it has opened by two
            // segments (RFC 1122).
            AckRule::EverySecond { .. } | AckRule::Adaptive { .. } => {
                left < 2 * segment && window >= left + 2 * segment
            }
        }
    }

    /// Returns the largest IP packet: the longest segment over IPv4 with its headers.
    pub fn mtu_bytes(&self) -> u32 {
        self.segment_bytes + 40
    }
}
