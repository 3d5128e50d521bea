//! The constants of IEEE 802.3 and the time frames take on the wire.
//!
//! A frame's length counts header to frame check sequence, 64 to 1518 bytes without tags; preamble
//! and gap come on top of it. Lengths above 1518 are allowed, since jumbo frames exist. Source of
//! all values: IEEE 802.3, clauses 4.4 and 7; the same at 10 and 100 Mb/s, in bit times.

use quantity::{Rate, Time};

/// Preamble and start delimiter in front of every frame.
pub const PREAMBLE_BYTES: u32 = 8;
/// Silence after every frame, 96 bit times.
pub const GAP_BYTES: u32 = 12;
/// Length of the shortest frame; shorter content is padded by the sender.
pub const SHORTEST_FRAME_BYTES: u32 = 64;
/// Length of the longest frame without tag.
pub const LONGEST_FRAME_BYTES: u32 = 1518;
/// Slot time, the unit of the back-off.
pub const SLOT_BITS: u64 = 512;
/// Jam, sent by every station that detects a collision.
pub const JAM_BITS: u64 = 32;

/// The time of bytes at one rate: one multiplication where the rate divides 8 x 10^12, as all
/// Ethernet rates do.
#[derive(Clone, Copy, Debug)]
pub struct ByteTime {
    rate: Rate,
    /// Picoseconds per byte, or zero where that is no integer.
    exact_ps: u64,
}

impl ByteTime {
    /// Prepares for a rate.
    pub fn new(rate: Rate) -> ByteTime {
        const BYTE_PS: u64 = 8_000_000_000_000;
        let exact_ps = if BYTE_PS.is_multiple_of(rate.bps()) { BYTE_PS / rate.bps() } else { 0 };
        ByteTime { rate, exact_ps }
    }

    /// Returns how long `bytes` take, rounded up to the next picosecond.
    #[inline]
    pub fn of(self, bytes: u32) -> Time {
        if self.exact_ps != 0 {
            Time::from_ps(u64::from(bytes) * self.exact_ps)
        } else {
            self.rate.time_of_bytes(u64::from(bytes))
        }
    }

    /// Returns how long the bits of a frame and its preamble take.
    #[inline]
    pub fn of_frame(self, frame_bytes: u32) -> Time {
        debug_assert!(frame_bytes >= SHORTEST_FRAME_BYTES, "a frame of {frame_bytes} bytes");
        self.of(frame_bytes + PREAMBLE_BYTES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_and_general_arithmetic_agree() {
        for mbps in [10, 100, 1_000, 1_200, 2_500, 3_600, 400_000, 800_000] {
            let rate = Rate::from_mbps(mbps);
            for bytes in [0, 1, 64, 84, 1538, 9018] {
                assert_eq!(ByteTime::new(rate).of(bytes), rate.time_of_bytes(u64::from(bytes)));
            }
        }
    }
}
