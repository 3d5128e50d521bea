//! The state before a reduction of the window, to which a sender returns when the reduction proves
//! spurious (Linux, `tcp_may_undo`, `tcp_process_loss`).
//!
//! There are three proofs: an acknowledgement that echoes a time before the first retransmission
//! (Eifel, RFC 3522), the arrival of data that were not sent again after a time-out (F-RTO, RFC
//! 5682), and reports that every retransmission arrived twice (D-SACK, RFC 3708).

use quantity::Time;

/// The resolution of time stamps in Linux (`TCP_TS_HZ`).
const TIMESTAMP_TICK: Time = Time::from_ms(1);

#[derive(Clone, Copy, Debug)]
pub(super) struct Undo {
    pub window: u32,
    pub threshold: u32,
    /// The time of the first retransmission.
    resent_at: Option<Time>,
    /// Retransmissions that are not known to be superfluous.
    n_needed: u32,
    /// True while new data may show that a time-out was spurious (F-RTO).
    pub is_tentative: bool,
    /// True if new data leave before lost ones, to that end.
    pub prefers_new: bool,
}

impl Undo {
    /// Returns the state before a reduction; `is_tentative` if a time-out makes it outside of a
    /// repair.
    pub fn new(window: u32, threshold: u32, is_tentative: bool) -> Undo {
        // As in Linux, the threshold of a connection that grows is not far below its window.
        let threshold = threshold.max(window - window / 4);
        Undo { window, threshold, resent_at: None, n_needed: 0, is_tentative, prefers_new: false }
    }

    /// Notes a retransmission.
    pub fn resent(&mut self, now: Time) {
        self.resent_at.get_or_insert(now);
        self.n_needed += 1;
    }

    /// Notes that the peer has received a segment twice; returns whether all retransmissions were
    /// superfluous.
    pub fn duplicated(&mut self) -> bool {
        let was_needed = self.n_needed > 0;
        self.n_needed = self.n_needed.saturating_sub(1);
        was_needed && self.n_needed == 0
    }

    /// Returns whether an acknowledgement that echoes the time `echo` answers data from before the
    /// first retransmission.
    pub fn is_answered_early(&self, echo: Time) -> bool {
        let tick = |time: Time| time.ps() / TIMESTAMP_TICK.ps();
        echo > Time::ZERO && self.resent_at.is_some_and(|resent| tick(echo) < tick(resent))
    }
}
