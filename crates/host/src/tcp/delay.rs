//! How long an acknowledgement may wait for company: the estimates of Linux, of when the next data
//! will come.
//!
//! Linux 2.0 waits as long as the next data are expected to stay away, in ticks
//! (`tcp_delack_estimator`); 2.2 too, but it answers the very first data at once. Later kernels
//! answer the first segments of a connection and those after a pause at once, and then wait for
//! that time too, between bounds (`tcp_event_data_recv`, `tcp_send_delayed_ack`); an end that sends
//! data itself answers nothing at once, because its data take the acknowledgement along.

use crate::constants::{AckRule, TcpOptions};
use quantity::Time;

/// What Linux 2.0 expects between the first two segments, a third of a second.
const FIRST_GAP: Time = Time::from_ms(330);
/// Segments that are answered at once at most (Linux, `TCP_MAX_QUICKACKS`).
const MOST_QUICK: u32 = 16;

#[derive(Clone, Copy, Debug)]
pub(super) struct Delay {
    /// When data last came that had not come before; zero for never.
    last_arrival: Time,
    /// How long the next data are expected to stay away (`ato`).
    expected_gap: Time,
    /// Segments that are still answered at once.
    n_quick: u32,
    /// Whether this end answers data with data.
    is_interactive: bool,
}

impl Delay {
    pub fn new() -> Delay {
        Delay {
            last_arrival: Time::ZERO,
            expected_gap: FIRST_GAP,
            n_quick: 0,
            is_interactive: false,
        }
    }

    /// Takes the connection for one that has been in use, with data in quick succession.
    pub fn settle(&mut self, options: &TcpOptions) {
        self.last_arrival = Time::from_ps(1);
        self.n_quick = 0;
        self.expected_gap = match options.ack_rule {
            AckRule::Adaptive { shortest, .. } => shortest,
            _ => options.tick * 2,
        };
    }

    /// Lets `span` pass in which everything repeats itself.
    pub fn shift(&mut self, span: Time) {
        self.last_arrival += span;
    }

    /// Appends to `state` all that the future depends on.
    pub fn describe(&self, state: &mut Vec<u64>) {
        let (n_quick, is_interactive) = (u64::from(self.n_quick), u64::from(self.is_interactive));
        state.extend([self.expected_gap.ps(), n_quick, is_interactive]);
    }

    pub fn last_arrival(&self) -> Time {
        self.last_arrival
    }

    /// Notes that new data have come.
    #[inline]
    pub fn arrived(&mut self, now: Time) {
        self.last_arrival = now;
    }

    /// Follows the time between data; `timeout` is the retransmission time-out of this end, as long
    /// as which it may expect to wait at most.
    #[inline]
    pub fn follow(&mut self, now: Time, timeout: Time, options: &TcpOptions) {
        match options.ack_rule {
            AckRule::EverySecond { .. } => {}
            AckRule::OnRead { .. } => self.follow_in_ticks(now, timeout, options.tick),
            // The first data of a connection (`tcp_enter_quickack_mode`). What is out of order
            // makes it quick as well, but is answered at once anyway, and the next data end that.
            AckRule::FullPairs { .. } if self.last_arrival == Time::ZERO => {
                (self.expected_gap, self.n_quick) = (options.tick, 1);
            }
            AckRule::FullPairs { .. } => {
                self.n_quick = 0;
                self.follow_in_ticks(now, timeout, options.tick);
            }
            AckRule::Adaptive { shortest, .. } => {
                self.follow_closely(now, timeout, shortest);
                let is_new = self.last_arrival == Time::ZERO;
                if is_new || now.saturating_sub(self.last_arrival) > timeout {
                    let half = options.receive_buffer / (2 * options.segment_bytes);
                    self.n_quick = half.clamp(2, MOST_QUICK);
                }
            }
        }
    }

    /// Half of what was expected and all of what came to pass, or the time-out where that is
    /// shorter.
    fn follow_in_ticks(&mut self, now: Time, timeout: Time, tick: Time) {
        if self.last_arrival == Time::ZERO {
            return;
        }
        let ticks = |time: Time| Time::from_ps(time.ps() - time.ps() % tick.ps().max(1));
        let gap = ticks(now.saturating_sub(self.last_arrival)).max(tick);
        let half = ticks(Time::from_ps(self.expected_gap.ps() / 2));
        self.expected_gap = if gap > timeout { timeout } else { half + gap };
    }

    /// The same, but at least `shortest` and not more than before.
    fn follow_closely(&mut self, now: Time, timeout: Time, shortest: Time) {
        let gap = now.saturating_sub(self.last_arrival);
        let half = |time: Time| Time::from_ps(time.ps() / 2);
        if self.last_arrival == Time::ZERO {
            self.expected_gap = shortest;
        } else if gap <= half(shortest) {
            self.expected_gap = half(self.expected_gap) + half(shortest);
        } else if gap < self.expected_gap {
            self.expected_gap = (half(self.expected_gap) + gap).min(timeout);
        }
    }

    /// Returns the estimate, not beyond `longest`.
    pub fn expected_gap(&self, longest: Time) -> Time {
        self.expected_gap.min(longest)
    }

    /// Expects the next data after `most` at the latest.
    pub fn limit(&mut self, most: Time) {
        self.expected_gap = self.expected_gap.min(most);
    }

    /// Returns whether the last data were the first of all.
    #[inline]
    pub fn is_first(&self) -> bool {
        self.n_quick > 0
    }

    /// Returns whether data are answered at once.
    #[inline]
    pub fn is_quick(&self) -> bool {
        self.n_quick > 0 && !self.is_interactive
    }

    /// Notes that an acknowledgement leaves.
    #[inline]
    pub fn acknowledged(&mut self, options: &TcpOptions) {
        if self.n_quick > 0 {
            self.n_quick -= 1;
            if let (0, AckRule::Adaptive { shortest, .. }) = (self.n_quick, options.ack_rule) {
                self.expected_gap = shortest;
            }
        }
    }

    /// Notes that this end sends data: soon after it has got some, it answers them.
    #[inline]
    pub fn sent_data(&mut self, now: Time) {
        self.is_interactive |= now.saturating_sub(self.last_arrival) < self.expected_gap;
    }

    /// Notes that data have come out of order, which the peer must learn at once.
    pub fn disturbed(&mut self) {
        self.is_interactive = false;
    }
}
