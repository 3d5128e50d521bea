//! The finite queue in front of a transmitter: its limit and its present length.

/// The most that may wait at a transmitter, including the frame being sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueLimit {
    /// A number of frames, as in the descriptor ring of a NIC.
    Frames(u32),
    /// A number of bytes (header to frame check sequence), as in the buffer of a switch port.
    Bytes(u32),
}

impl QueueLimit {
    /// Returns whether a frame of `frame_bytes` still fits behind `backlog`.
    #[inline]
    pub(crate) fn admits(self, backlog: Backlog, frame_bytes: u32) -> bool {
        match self {
            QueueLimit::Frames(most) => backlog.frames < most,
            QueueLimit::Bytes(most) => backlog.bytes + u64::from(frame_bytes) <= u64::from(most),
        }
    }
}

/// The frames a transmitter has accepted and not completely sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Number of frames.
    pub frames: u32,
    /// Total bytes, header to frame check sequence.
    pub bytes: u64,
}

impl Backlog {
    #[inline]
    pub(crate) fn add(&mut self, frame_bytes: u32) {
        self.frames += 1;
        self.bytes += u64::from(frame_bytes);
    }

    #[inline]
    pub(crate) fn remove(&mut self, frame_bytes: u32) {
        self.frames -= 1;
        self.bytes -= u64::from(frame_bytes);
    }
}
