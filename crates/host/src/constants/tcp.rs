//! Options of TCP, by which the modelled kernels differ.
//!
//! The options cover two families: standard TCP (an acknowledgement for every second segment or
//! after a delay), and Linux 2.0, which acknowledges when the process reads, when a reverse segment
//! leaves, or by timer [MPITCP, sec. 2]. The values are in the calibrations.

use quantity::Time;

use super::table::constants;
use super::tcp_rules::{
    AckRule, CONGESTION_CONTROLS, CongestionControl, MOST_SEGMENT_BYTES, SendBuffer, WINDOW_RULES,
    WindowRule, grown_send_buffer, in_window_units, marks, receive_buffer,
};
use super::{ANY, SOME};
use crate::frame_sizes::{frame_sizes, largest_payload};
use crate::tcp::memory;

/// The largest window that fits its field without scaling.
const LARGEST_UNSCALED: u32 = 65_535;
/// Bytes of time stamps, with two bytes of padding (RFC 7323, appendix A).
const TIMESTAMP_BYTES: u32 = 12;
/// The largest window that Linux 2.0 advertises, for any buffer [MPITCP, sec. 2].
const LARGEST_HALF_WINDOW: u32 = 32_767;

constants! {
    /// Extensions of TCP; both ends of every connection have the same.
    pub struct TcpExtensions from table {
        /// Selective acknowledgements (RFC 2018) with the loss recovery of RFC 6675.
        pub sack: bool = table.flag("sack"),
        /// Loss detection by time, probes of a tail that is perhaps lost (RFC 8985), and a window
        /// that shrinks in proportion to what arrives during recovery (RFC 6937); needs SACK.
        pub rack: bool = table.flag("rack"),
        /// Reductions of the window that prove spurious are undone, and segments that arrive twice
        /// are reported (RFC 2883, RFC 5682); needs `rack`.
        pub undo: bool = table.flag("undo"),
        /// CUBIC ends slow start before it overruns a queue (HyStart); needs `rack`.
        pub hystart: bool = table.flag("hystart"),
        /// New segments on the first two duplicate acknowledgements (RFC 3042).
        pub limited_transmit: bool = table.flag("limited_transmit"),
        /// Time stamps in every segment, and a round trip measured by every acknowledgement of new
        /// data (RFC 7323, sec. 3).
        pub timestamps: bool = table.flag("timestamps"),
        /// Windows beyond 65,535 bytes (RFC 7323, sec. 2).
        pub window_scaling: bool = table.flag("window_scaling"),
        /// Explicit congestion notification: queues mark segments instead of dropping them, and
        /// senders answer marks (RFC 3168; under DCTCP, RFC 8257).
        pub ecn: bool = marks(table),
        /// True if the congestion window grows by the segments acknowledged, and only while it
        /// limits the sender; false if by one per acknowledgement.
        pub counts_segments: bool = table.flag("window_counts_segments"),
        /// True if a segment that finds the queue of its own interface full is dropped; false if a
        /// half-full queue holds TCP back.
        pub local_drops: bool = table.flag("local_drops"),
    }
}

impl TcpExtensions {
    /// Window scaling and local drops, and no other extension.
    pub const PLAIN: TcpExtensions = TcpExtensions {
        sack: false,
        rack: false,
        undo: false,
        hystart: false,
        limited_transmit: false,
        timestamps: false,
        window_scaling: true,
        ecn: false,
        counts_segments: false,
        local_drops: true,
    };

    /// Returns whether segments can carry TCP options.
    #[inline]
    pub fn has_options(&self) -> bool {
        self.sack || self.timestamps
    }
}

constants! {
    /// TCP options of every connection.
    pub struct TcpOptions from table {
        /// Largest payload of a segment over IPv4 without options. Over IPv6 it is smaller by the
        /// longer header, and time stamps take 12 bytes of it.
        pub segment_bytes: u32 = table.count("segment_bytes", 1..=MOST_SEGMENT_BYTES),
        /// Receive buffer.
        pub receive_buffer: u32 = receive_buffer(table),
        /// Receive buffer of a new connection, from which it grows to `receive_buffer` by what the
        /// process reads; zero if it does not grow.
        pub first_receive_buffer: u32 = table.count("first_receive_buffer_bytes", ANY),
        /// Rule by which the advertised window follows from the receive buffer.
        pub window_rule: WindowRule = table.choice("window_rule", &WINDOW_RULES),
        /// Length of the longest received frame whose memory is that of its length.
        pub copied_frame: u32 = table.count("copied_frame_bytes", ANY),
        /// Rule by which received data are acknowledged.
        pub ack_rule: AckRule = AckRule::read(table),
        /// Limit of the data that wait to be sent or acknowledged.
        pub send_buffer: SendBuffer = SendBuffer::read(table),
        /// True if the send buffer grows with the congestion window, up to `send_buffer`.
        pub send_buffer_grows: bool = table.flag("send_buffer_grows"),
        /// Congestion window of a new or idle connection, in segments.
        pub initial_window: u32 = table.count("initial_window", SOME),
        /// True if three duplicate acknowledgements indicate a loss.
        pub fast_retransmit: bool = table.flag("fast_retransmit"),
        /// True if the end of a write that is shorter than a segment waits while anything is
        /// unacknowledged and the peer's window ends before it (Linux 2.0, `sk->partial`).
        pub holds_tail: bool = table.flag("holds_tail"),
        /// True if the end of a write that is shorter than a segment waits while anything is
        /// unacknowledged, wherever the window ends: a socket without TCP_NODELAY.
        pub nagle: bool = table.flag("nagle"),
        /// True if a write fills the last segment up that has not been sent (Linux 6,
        /// `tcp_sendmsg_locked`).
        pub fills_waiting: bool = table.flag("fills_waiting"),
        /// True if an idle connection falls back to the initial window.
        pub restart_when_idle: bool = table.flag("restart_when_idle"),
        /// Period of the kernel's clock; timers fire on its ticks. Zero for a clock without ticks.
        pub tick: Time = table.time("tick_us"),
        /// Retransmission time-out before the first measurement.
        pub first_timeout: Time = table.time("first_timeout_us"),
        /// Round trip that the handshake measured, the first measurement; zero for none.
        pub first_round_trip: Time = table.time("first_round_trip_us"),
        /// Time that loss probes and tests for late segments wait beyond round trips.
        pub timer_margin: Time = table.time("timer_margin_us"),
        /// Floor of the retransmission time-out.
        pub shortest_timeout: Time = table.time("shortest_timeout_us"),
        /// Ceiling of the retransmission time-out.
        pub longest_timeout: Time = table.time("longest_timeout_us"),
        /// Number of retransmissions of one segment before the connection is given up.
        pub most_retransmissions: u32 = table.count("most_retransmissions", ANY),
        /// Congestion control.
        pub congestion: CongestionControl = table.choice("congestion", &CONGESTION_CONTROLS),
        /// Extensions that both ends support.
        pub extensions: TcpExtensions = TcpExtensions::read(table),
    }
}

impl TcpOptions {
    /// Returns the length of the options that every segment carries, in bytes.
    pub fn option_bytes(&self) -> u32 {
        if self.extensions.timestamps { TIMESTAMP_BYTES } else { 0 }
    }

    /// Returns whether losses and time-outs are those of Linux 2.0.
    #[inline]
    pub fn is_linux_2_0(&self) -> bool {
        self.congestion == CongestionControl::Linux20
    }

    /// Returns whether acknowledgements are those of Linux since 2.4.
    #[inline]
    pub fn is_adaptive(&self) -> bool {
        matches!(self.ack_rule, AckRule::Adaptive { .. })
    }

    /// Returns the largest payload of a segment.
    pub fn largest_payload(&self, is_v6: bool) -> u32 {
        largest_payload(self.segment_bytes.saturating_sub(self.option_bytes()), is_v6)
    }

    /// Returns the sizes of the IP packet and the frame of a segment without options of its own.
    pub fn frame_sizes(&self, payload: u32, is_v6: bool) -> (u32, u32) {
        frame_sizes(payload + self.option_bytes(), is_v6)
    }

    /// Returns the send buffer for a congestion window of `window` segments.
    pub fn send_buffer_for(&self, window: u32) -> SendBuffer {
        match self.send_buffer {
            SendBuffer::Bytes(most) if self.send_buffer_grows => {
                SendBuffer::Bytes(grown_send_buffer(self.segment_bytes, window).min(most))
            }
            fixed => fixed,
        }
    }

    /// Returns the bytes that a segment takes in the receive buffer.
    #[inline]
    pub fn buffered(&self, payload: u32) -> u32 {
        match self.window_rule {
            WindowRule::Free | WindowRule::HalfInSegments => payload,
            WindowRule::HalfOfMemory => memory::received(payload, self.copied_frame),
        }
    }

    /// Returns whether segments out of order take room in the receive buffer.
    #[inline]
    pub fn counts_out_of_order(&self) -> bool {
        self.window_rule == WindowRule::HalfOfMemory
    }

    /// Returns the window that is advertised while `used` bytes of the receive buffer are taken, on
    /// a connection whose segments hold `segment_bytes`.
    pub fn window(&self, used: u32, segment_bytes: u32) -> u32 {
        let half = || (self.receive_buffer / 2).saturating_sub(used / 2);
        match self.window_rule {
            WindowRule::Free if self.extensions.window_scaling => {
                self.receive_buffer.saturating_sub(used)
            }
            WindowRule::Free => self.receive_buffer.saturating_sub(used).min(LARGEST_UNSCALED),
            WindowRule::HalfInSegments => {
                half().min(LARGEST_HALF_WINDOW) / segment_bytes * segment_bytes
            }
            WindowRule::HalfOfMemory if half() < segment_bytes => 0,
            WindowRule::HalfOfMemory => in_window_units(half()).min(LARGEST_HALF_WINDOW),
        }
    }

    /// Returns the data that a peer sends while nothing is read, in full segments, with those
    /// allowed meanwhile.
    pub fn most_unread(&self, segment_bytes: u32) -> u32 {
        let (mut n_unread, each) = (0, self.buffered(segment_bytes));
        loop {
            let n_more = self.window(n_unread * each, segment_bytes) / segment_bytes;
            if n_more == 0 {
                return n_unread * segment_bytes;
            }
            n_unread += n_more;
        }
    }

    /// Returns whether reading has opened the `window` so far that the peer must learn of it. The
    /// peer may still send `left` bytes.
    pub fn must_update_window(&self, left: u64, window: u32, segment_bytes: u32) -> bool {
        let (window, segment) = (u64::from(window), u64::from(segment_bytes));
        match self.ack_rule {
            AckRule::OnRead { .. } | AckRule::FullPairs { .. } => {
                window >= 2 * left && window > left
            }
            // A receiver announces a window that was nearly closed once it has opened by two
            // segments (RFC 1122).
            AckRule::EverySegment | AckRule::EverySecond { .. } | AckRule::Adaptive { .. } => {
                left < 2 * segment && window >= left + 2 * segment
            }
        }
    }

    /// Returns the largest IP packet: the longest segment over IPv4 with its headers.
    pub fn mtu_bytes(&self) -> u32 {
        self.segment_bytes + 40
    }
}
