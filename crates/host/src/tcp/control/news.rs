//! What the algorithms are told: of acknowledgements, and of marks.

use quantity::Time;

/// No loss leaves a threshold below this (RFC 5681, equation 4).
pub(super) const LEAST: u32 = 2;

/// What an acknowledgement says to the algorithm.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct Growth {
    /// The congestion window, in segments.
    pub window: u32,
    /// Segments acknowledged, or one for the acknowledgement as such.
    pub n: u32,
    pub now: Time,
    pub round_trip: Time,
}

/// What an acknowledgement says of marks.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct Marks {
    /// Bytes newly acknowledged.
    pub bytes: u64,
    /// Whether the peer tells of marks.
    pub is_echo: bool,
    pub acknowledged: u64,
    /// The sequence number of what is sent next.
    pub next: u64,
}
