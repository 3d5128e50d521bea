//! How those options of TCP are read from a table that are more than a number: rules by their
//! names, with the numbers that each needs.

use super::table::{Table, Value};
use super::tcp::{AckRule, CongestionControl, SendBuffer, WindowRule};
use super::{ANY, SOME};

/// The largest TCP segment: an IP packet is at most 65,535 bytes long.
pub(super) const MOST_SEGMENT_BYTES: u64 = 65_495;
/// The largest window of a receiver: what TCP can scale one to [RFC-7323].
const MOST_WINDOW_BYTES: u32 = 1 << 30;

pub(super) const WINDOW_RULES: [(&str, WindowRule); 2] =
    [("free", WindowRule::Free), ("half-in-segments", WindowRule::HalfInSegments)];

pub(super) const CONGESTION_CONTROLS: [(&str, CongestionControl); 4] = [
    ("reno", CongestionControl::Reno),
    ("cubic", CongestionControl::Cubic),
    ("dctcp", CongestionControl::Dctcp),
    ("linux-2.0", CongestionControl::Linux20),
];

#[derive(Clone, Copy)]
enum AckName {
    EverySecond,
    Adaptive,
    FullPairs,
    OnRead,
}

const ACK_NAMES: [(&str, AckName); 4] = [
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
            AckName::EverySecond => AckRule::EverySecond { delay },
            AckName::Adaptive => AckRule::Adaptive { shortest: delay, longest },
            AckName::FullPairs => AckRule::FullPairs { pushed, longest },
            AckName::OnRead => AckRule::OnRead { pushed, longest },
        })
    }
}

impl SendBuffer {
    pub(super) fn read<T: Table>(table: &T) -> Result<SendBuffer, T::Error> {
        if table.get("send_buffer_segments")? == Value::Off {
            return Ok(SendBuffer::Bytes(table.count("send_buffer_bytes", ANY)?));
        }
        let segments = table.count("send_buffer_segments", ANY)?;
        Ok(match table.flag("spares_first_segment")? {
            true => SendBuffer::SegmentsBehind(segments),
            false => SendBuffer::Segments(segments),
        })
    }
}

/// Returns a receive buffer whose window holds a segment.
pub(super) fn receive_buffer<T: Table>(table: &T) -> Result<u32, T::Error> {
    let name = "receive_buffer_bytes";
    let buffer: u32 = table.count(name, ANY)?;
    let segment_bytes: u32 = table.count("segment_bytes", SOME)?;
    let window = match table.choice("window_rule", &WINDOW_RULES)? {
        WindowRule::Free => buffer,
        WindowRule::HalfInSegments => buffer / 2,
    };
    match (segment_bytes..=MOST_WINDOW_BYTES).contains(&window) {
        true => Ok(buffer),
        false => Err(table.refusal(name, "its window holds a segment, at most 1 GiB")),
    }
}

/// Returns whether segments may be marked. DCTCP is nothing without marks.
pub(super) fn marks<T: Table>(table: &T) -> Result<bool, T::Error> {
    let is_dctcp = table.choice("congestion", &CONGESTION_CONTROLS)? == CongestionControl::Dctcp;
    Ok(table.flag("ecn")? || is_dctcp)
}
