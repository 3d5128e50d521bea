//! The one timer of a sender: its purpose, and the action that it demands.

/// The purpose of the timer of a sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A retransmission, or a probe of a closed window.
    Retransmission,
    /// A probe of the tail.
    TailProbe,
    /// A test of segments that were sent before others that have arrived.
    LateSegments,
}

/// The action that a time-out demands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeoutAction {
    /// Nothing was due.
    Nothing,
    /// Retransmit as far as the window allows, from the first unacknowledged segment.
    Retransmit,
    /// Retransmit what has been found lost, as far as the window allows.
    Repair,
    /// Send the probe of the tail.
    ProbeTail,
    /// Probe the closed window.
    Probe,
    /// Give the connection up, after this many retransmissions of one segment.
    GiveUp(u32),
}
