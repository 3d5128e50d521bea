//! How long a full segment of the peer is, as Linux 2.2 sees it (`tcp_measure_rcv_mss`): as long as
//! the longest that has come, or as two in a row of the same length. A peer whose segments are
//! shorter than this end's is acknowledged by its own.

/// What is shorter says nothing about the length of segments: the least MTU less the headers.
const SHORTEST: u32 = 536;

#[derive(Clone, Copy, Debug)]
pub(super) struct FullSegment {
    bytes: u32,
    /// The payload of the last segment, zero where it was short.
    last: u32,
}

impl FullSegment {
    pub fn new(segment_bytes: u32) -> FullSegment {
        FullSegment { bytes: segment_bytes, last: 0 }
    }

    /// Appends to `state` all that the future depends on.
    pub fn describe(&self, state: &mut Vec<u64>) {
        state.extend([u64::from(self.bytes), u64::from(self.last)]);
    }

    /// Returns its payload.
    pub fn bytes(&self) -> u32 {
        self.bytes
    }

    /// Takes note of the payload of a segment that has come.
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
