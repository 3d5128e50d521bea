//! A transfer on a path: what is written, and when it passes which point.

use quantity::Time;

use super::connection_state::LastAcks;

/// Beyond any window that matters: a connection that has been in use for a while.
pub const SATURATED_WINDOW: u32 = 1 << 20;

/// What a process writes in one go, as two writes; a part of zero bytes is not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Writes {
    /// Bytes of the header.
    pub header: u32,
    /// Bytes of the body.
    pub body: u64,
}

impl Writes {
    /// Returns the bytes of both.
    pub fn bytes(&self) -> u64 {
        u64::from(self.header) + self.body
    }
}

/// When a transfer that begins at zero passes which point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TransferTimes {
    /// The write has returned.
    pub written: Time,
    /// The first segment has been handed to the first wire.
    pub departed: Time,
    /// The first segment has been taken in by the receiving kernel.
    pub reached: Time,
    /// As much has been read as a receiver that never reads would let be sent, or all of it.
    pub opened: Time,
    /// The last segment has been taken in by the receiving kernel.
    pub taken: Time,
    /// The process at the other end, which listens all the time, has read the last byte.
    pub read: Time,
    /// The congestion window at the end, in segments.
    pub congestion_window: u32,
    /// When the last acknowledgements left the node that reads.
    pub acks: LastAcks,
}

impl TransferTimes {
    /// Returns the same with times from `begin` on.
    pub(super) fn since(self, begin: Time) -> TransferTimes {
        let since = |time: Time| time.saturating_sub(begin);
        TransferTimes {
            written: since(self.written),
            departed: since(self.departed),
            reached: since(self.reached),
            opened: since(self.opened),
            taken: since(self.taken),
            read: since(self.read),
            acks: self.acks.map(since),
            ..self
        }
    }
}
