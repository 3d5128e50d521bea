//! The length of a full segment of the peer, as Linux 2.2 estimates it (`tcp_measure_rcv_mss`):
//! that of the longest received, or of two in a row of the same length. A peer with shorter
//! segments than this end is acknowledged by its own length.

/// The shortest payload that counts as a full segment: the least MTU minus the headers.
const SHORTEST: u32 = 536;

#[derive(Clone, Copy, Debug)]
pub(super) struct FullSegment {
    bytes: u32,
    /// Payload of the last segment; zero if it was short.
    last: u32,
}

impl FullSegment {
    pub fn new(segment_bytes: u32) -> FullSegment {
        FullSegment { bytes: segment_bytes, last: 0 }
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
    pub fn measure(&mut self, payload: u32) {
        self.bytes = self.bytes.max(payload);
        let last = std::mem::replace(&mut self.last, 0);
        if payload >= SHORTEST {
            if payload == last {
                self.bytes = payload;
            }
            self.last = payload;
        }
    }
}
