//! The input of the algorithms: acknowledgements and marks.

use quantity::Time;

/// The lowest threshold after a loss (RFC 5681, equation 4).
pub(super) const LEAST: u32 = 2;

/// An acknowledgement, as input of an algorithm.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct Growth {
    /// The congestion window, in segments.
    pub window: u32,
    /// Number of segments acknowledged, or one if acknowledgements are counted.
    pub n: u32,
    pub now: Time,
    pub round_trip: Time,
}

/// The marks reported by an acknowledgement.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct Marks {
    /// Bytes newly acknowledged.
    pub bytes: u64,
    /// True if the peer reports marks.
    pub is_echo: bool,
    pub acknowledged: u64,
    /// The next sequence number to be sent.
    pub next: u64,
}
