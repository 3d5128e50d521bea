//! Rules of TCP by which kernels differ, and their reading from a table: the name of the rule, and
//! its numbers.

use quantity::Time;

use crate::error::HostError;
use crate::tcp::memory;

use super::table::{Table, Value};
use super::{ANY, SOME};

/// The rule by which the advertised window follows from the receive buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowRule {
    /// The free part of the buffer.
    Free,
    /// Half of the buffer minus half of the queued bytes, rounded down to whole segments (Linux
    /// since 2.0.31, and 1.2).
    HalfInSegments,
    /// Half of the buffer minus half of the memory of the queued segments, rounded down to 1,024
    /// bytes (Linux 2.0.30, `tcp_new_window`).
    HalfOfMemory,
}

/// The rule by which received data are acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AckRule {
    /// Immediately, every segment (Linux 1.2, `tcp_data`).
    EverySegment,
    /// Immediately for every second segment and for anything out of order, else after `delay` (RFC
    /// 5681).
    EverySecond {
        /// The longest an acknowledgement is held back.
        delay: Time,
    },
    /// Immediately for every second full segment, for anything out of order and for the first
    /// segments of a connection or after a pause; else after the expected time to the next data
    /// (Linux since 2.4).
    Adaptive {
        /// The shortest an acknowledgement is held back.
        shortest: Time,
        /// The longest an acknowledgement is held back.
        longest: Time,
    },
    /// Immediately for the bytes of two full segments, for the very first data, while anything is
    /// out of order, and when the window more than doubles; when reading at least doubles the
    /// window; else after the expected time to the next data, in ticks (Linux 2.2).
    FullPairs {
        /// The longest an acknowledgement is held back after a short last segment of a write.
        pushed: Time,
        /// The longest an acknowledgement is held back.
        longest: Time,
    },
    /// With reverse data, when reading at least doubles the window, or by timer: after `pushed` for
    /// the last segment of a write, at the next tick once two full segments wait (Linux 2.0).
    OnRead {
        /// Delay after the last segment of a write.
        pushed: Time,
        /// The longest an acknowledgement is held back.
        longest: Time,
    },
}

/// The limit of a send buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendBuffer {
    /// Segments of any payload, because each occupies a full-size buffer (Linux 2.2).
    Segments(u32),
    /// Bytes of memory, which may be full when a segment is allocated but not before (Linux 2.0,
    /// `sock_wmalloc`).
    Memory(u32),
    /// Bytes of payload.
    Bytes(u32),
}

/// The contents of a send buffer.
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    /// Number of segments.
    pub n_segments: u32,
    /// Payload of all segments, in bytes.
    pub bytes: u32,
    /// Memory of all segments, where the buffer counts it.
    pub memory: u32,
}

/// The congestion control: growth of the window, and its reduction after a loss or a mark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CongestionControl {
    /// Reno (RFC 5681).
    #[default]
    Reno,
    /// CUBIC (RFC 9438).
    Cubic,
    /// DCTCP (RFC 8257).
    Dctcp,
    /// Reno as in Linux 2.0, to which two duplicate acknowledgements indicate a loss.
    Linux20,
}

impl SendBuffer {
    /// Returns whether there is room for `payload` bytes.
    #[inline]
    pub fn has_room(self, waiting: Waiting, payload: u32) -> bool {
        match self {
            SendBuffer::Segments(most) => waiting.n_segments < most,
            SendBuffer::Memory(most) => waiting.memory < most,
            SendBuffer::Bytes(most) => waiting.n_segments == 0 || waiting.bytes + payload <= most,
        }
    }

    /// Returns the larger of two buffers that count bytes.
    pub fn larger(self, other: SendBuffer) -> SendBuffer {
        match (self, other) {
            (SendBuffer::Bytes(this), SendBuffer::Bytes(other)) => {
                SendBuffer::Bytes(this.max(other))
            }
            _ => self,
        }
    }

    /// Returns the number of full segments that an empty buffer takes.
    pub fn most_segments(self, segment_bytes: u32) -> u32 {
        self.room(Waiting { n_segments: 0, bytes: 0, memory: 0 }, segment_bytes)
    }

    /// Returns the number of full segments that there is room for.
    pub fn room(self, waiting: Waiting, segment_bytes: u32) -> u32 {
        match self {
            SendBuffer::Segments(most) => most.saturating_sub(waiting.n_segments),
            SendBuffer::Memory(most) => {
                let each = memory::sent(segment_bytes, false, segment_bytes);
                most.saturating_sub(waiting.memory).div_ceil(each)
            }
            SendBuffer::Bytes(most) => most.saturating_sub(waiting.bytes) / segment_bytes,
        }
    }
}

/// The largest TCP segment: an IP packet is at most 65,535 bytes long.
pub(super) const MOST_SEGMENT_BYTES: u64 = 65_495;
/// Unit of the windows of Linux 2.0.30.
const WINDOW_UNIT: u32 = 1024;
/// The largest window of a receiver that TCP can scale [RFC-7323].
const MOST_WINDOW_BYTES: u32 = 1 << 30;

pub(super) const WINDOW_RULES: [(&str, WindowRule); 3] = [
    ("free", WindowRule::Free),
    ("half-in-segments", WindowRule::HalfInSegments),
    ("half-of-memory", WindowRule::HalfOfMemory),
];

pub(super) const CONGESTION_CONTROLS: [(&str, CongestionControl); 4] = [
    ("reno", CongestionControl::Reno),
    ("cubic", CongestionControl::Cubic),
    ("dctcp", CongestionControl::Dctcp),
    ("linux-2.0", CongestionControl::Linux20),
];

/// Memory that Linux keeps for the headers of a segment, and for the buffer that describes it
/// (`MAX_TCP_HEADER`, `skb_shared_info`, `sk_buff`), on a processor of 64 bits.
const HEADER_MEMORY: u32 = 640;
const BUFFER_MEMORY: u32 = 256;
/// The smallest congestion window that the send buffer is made for (`TCP_INIT_CWND`).
const LEAST_WINDOW: u32 = 10;

/// A limit of the send buffer from the number that a calibration gives.
type BufferOf = fn(u32) -> SendBuffer;

/// Limits of a send buffer other than bytes of payload, by the names of their numbers.
const SEND_BUFFERS: [(&str, BufferOf); 2] = [
    ("send_buffer_segments", SendBuffer::Segments),
    ("send_buffer_memory_bytes", SendBuffer::Memory),
];

#[derive(Clone, Copy)]
enum AckName {
    EverySegment,
    EverySecond,
    Adaptive,
    FullPairs,
    OnRead,
}

const ACK_NAMES: [(&str, AckName); 5] = [
    ("every-segment", AckName::EverySegment),
    ("every-second", AckName::EverySecond),
    ("adaptive", AckName::Adaptive),
    ("full-pairs", AckName::FullPairs),
    ("on-read", AckName::OnRead),
];

impl AckRule {
    pub(super) fn read<T: Table>(table: &T) -> Result<AckRule, T::Error> {
        let delay = table.time("ack_delay_us")?;
        let (pushed, longest) = (table.time("ack_pushed_us")?, table.time("ack_longest_us")?);
        Ok(match table.choice("ack_rule", &ACK_NAMES)? {
            AckName::EverySegment => AckRule::EverySegment,
            AckName::EverySecond => AckRule::EverySecond { delay },
            AckName::Adaptive => AckRule::Adaptive { shortest: delay, longest },
            AckName::FullPairs => AckRule::FullPairs { pushed, longest },
            AckName::OnRead => AckRule::OnRead { pushed, longest },
        })
    }
}

impl SendBuffer {
    pub(super) fn read<T: Table>(table: &T) -> Result<SendBuffer, T::Error> {
        for (name, limit) in SEND_BUFFERS {
            if table.get(name)? != Value::Off {
                return Ok(limit(table.count(name, ANY)?));
            }
        }
        Ok(SendBuffer::Bytes(table.count("send_buffer_bytes", ANY)?))
    }
}

/// Returns the send buffer of Linux for a congestion window of `window` segments
/// (`tcp_sndbuf_expand`): twice the window, in buffers that hold a segment with all its headers,
/// rounded up to a power of two.
pub(super) fn grown_send_buffer(segment_bytes: u32, window: u32) -> u32 {
    let per_segment = (segment_bytes + HEADER_MEMORY).next_power_of_two() + BUFFER_MEMORY;
    per_segment.saturating_mul(2 * window.clamp(LEAST_WINDOW, MOST_WINDOW_BYTES))
}

/// Returns a window in the units of Linux 2.0.30, if it is as large as one (`tcp_new_window`).
pub(super) fn in_window_units(bytes: u32) -> u32 {
    if bytes < WINDOW_UNIT { bytes } else { bytes / WINDOW_UNIT * WINDOW_UNIT }
}

/// Returns a receive buffer whose window holds at least a segment.
pub(super) fn receive_buffer<T: Table>(table: &T) -> Result<u32, T::Error> {
    let name = "receive_buffer_bytes";
    let buffer: u32 = table.count(name, ANY)?;
    let segment_bytes: u32 = table.count("segment_bytes", SOME)?;
    let window = match table.choice("window_rule", &WINDOW_RULES)? {
        WindowRule::Free => buffer,
        WindowRule::HalfInSegments => buffer / 2,
        WindowRule::HalfOfMemory => in_window_units(buffer / 2),
    };
    match (segment_bytes..=MOST_WINDOW_BYTES).contains(&window) {
        true => Ok(buffer),
        false => Err(table.refusal(HostError::BadWindow {
            name: name.to_owned(),
            most_bytes: MOST_WINDOW_BYTES,
        })),
    }
}

/// Returns whether segments may be marked, which DCTCP implies.
pub(super) fn marks<T: Table>(table: &T) -> Result<bool, T::Error> {
    let is_dctcp = table.choice("congestion", &CONGESTION_CONTROLS)? == CongestionControl::Dctcp;
    Ok(table.flag("ecn")? || is_dctcp)
}
