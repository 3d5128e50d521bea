//! The length of a full segment of the peer, as Linux since 2.2 estimates it
//! (`tcp_measure_rcv_mss`): that of the longest received, or of two in a row of the same length. A
//! peer with shorter segments than this end is acknowledged by its own length.

/// The shortest payload that counts as a full segment: the least MTU minus the headers.
const SHORTEST: u32 = 536;

/// The length of a received segment beside that of a full one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    /// As long as a full segment, or longer.
    Full,
    /// As long as the one before it, which makes it the length of a full segment.
    Repeated,
    Short,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct FullSegment {
    bytes: u32,
    /// Payload of the last segment; zero if it was short.
    last: u32,
}

impl FullSegment {
    /// Returns the estimate before the first segment: `segment_bytes`, or under Linux since 2.4,
    /// which `begins_short`, the least that it can be (`tcp_initialize_rcv_mss`).
    pub fn new(segment_bytes: u32, begins_short: bool) -> FullSegment {
        let bytes = if begins_short { segment_bytes.min(SHORTEST) } else { segment_bytes };
        FullSegment { bytes, last: 0 }
    }

    /// Appends to `state` everything that the future depends on.
    pub fn describe(&self, state: &mut Vec<u64>) {
        state.extend([u64::from(self.bytes), u64::from(self.last)]);
    }

    /// Returns the payload of a full segment.
    pub fn bytes(&self) -> u32 {
        self.bytes
    }

    /// Notes the payload of a received segment.
    #[inline]
    pub fn measure(&mut self, payload: u32) -> Length {
        let last = std::mem::replace(&mut self.last, if payload < SHORTEST { 0 } else { payload });
        if payload >= self.bytes {
            self.bytes = payload;
            return Length::Full;
        }
        if payload != last || payload < SHORTEST {
            return Length::Short;
        }
        self.bytes = payload;
        Length::Repeated
    }
}
