//! A transfer on a path: its writes, and the times at which it passes each point. The times are
//! computed in `transfer_times`.

use quantity::Time;

use super::connection_state::LastAcks;

/// A window larger than any that matters, of a connection that has been in use for a while.
pub const SATURATED_WINDOW: u32 = 1 << 20;

/// The data of one send, as two writes; a part of zero bytes is not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Writes {
    /// Bytes of the header.
    pub header: u32,
    /// Bytes of the body.
    pub body: u64,
}

impl Writes {
    /// Returns the bytes of header and body.
    pub fn bytes(&self) -> u64 {
        u64::from(self.header) + self.body
    }
}

/// The times at which a transfer that begins at zero passes each point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TransferTimes {
    /// The write has returned.
    pub written: Time,
    /// The first segment has been handed to the first wire.
    pub departed: Time,
    /// The receiving kernel has processed the first segment.
    pub reached: Time,
    /// The receiver has read all, or as many bytes as could be sent without any being read.
    pub opened: Time,
    /// The receiving kernel has processed the last segment.
    pub taken: Time,
    /// The receiving process, which listens all the time, has read the last byte.
    pub read: Time,
    /// The congestion window at the end, in segments.
    pub congestion_window: u32,
    /// Departure of the last acknowledgements from the receiving node.
    pub acks: LastAcks,
}

impl TransferTimes {
    /// Returns the same times relative to `begin`.
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
