//! One transfer on an idle path, segment by segment, as the recurrence that the stages define: a
//! segment leaves a stage when it has come, when the one before it has left, and when window,
//! buffer and processor allow it.
//!
//! Such a recurrence falls into a period after a few round trips, however long the transfer (the
//! cyclicity of max-plus systems; Baccelli, Cohen, Olsder, Quadrat 1992, chapter 3), which `period`
//! looks for. So the time of a transfer costs a few dozen segments to work out, and its period is
//! the rate that the path keeps up for ever.

use host::HostModel;
use quantity::Time;

use super::connection_state::{ConnectionState, LastAcks};
use super::run::Run;
use super::timing::Path;

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

/// Returns the times of a transfer between hosts that do nothing else, on a connection of which
/// everything is acknowledged.
pub fn transfer_times(
    path: &Path,
    host: &HostModel,
    writes: Writes,
    state: ConnectionState,
) -> TransferTimes {
    let mut run = Run::new(path, host, writes, state.congestion_window);
    let begin = run.begin_behind(state.ahead.into_iter());
    run.play(writes.bytes());
    let times = run.times.since(begin);
    TransferTimes { congestion_window: run.window_at_rest(), ..times }
}

impl TransferTimes {
    /// Returns the same with times from `begin` on.
    fn since(self, begin: Time) -> TransferTimes {
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

/// Returns how long a path takes for how many bytes, again and again, once it is in its period.
pub(super) fn period(path: &Path, host: &HostModel) -> (Time, u64) {
    let endless = Writes { header: 0, body: u64::MAX / 4 };
    let mut run = Run::new(path, host, endless, SATURATED_WINDOW);
    run.jumps = false;
    run.play(endless.bytes());
    run.period
}
