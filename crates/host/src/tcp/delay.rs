//! The delay of acknowledgements: Linux's estimates of the time to the next data.
//!
//! Linux 2.0 waits for the expected time to the next data, in ticks (`tcp_delack_estimator`). Linux
//! 2.2 does too, but acknowledges the very first data at once. Later kernels acknowledge the first
//! segments of a connection and those after a pause at once, and then wait for that time, between
//! bounds (`tcp_event_data_recv`, `tcp_send_delayed_ack`); an end that sends data itself
//! acknowledges nothing at once, because its data carry the acknowledgement. The end of a write is
//! acknowledged as soon as a process has read everything, so that short messages do not wait.

use crate::constants::{AckRule, TcpOptions};
use quantity::Time;

use super::full_segment::Length;

/// The initial estimate of Linux 2.0, a third of a second.
const FIRST_GAP: Time = Time::from_ms(330);
/// Largest number of segments that are acknowledged at once (Linux, `TCP_MAX_QUICKACKS`).
const MOST_QUICK: u32 = 16;
/// Ends of writes that are acknowledged when they are read even by an end that responds with data.
const ENDS_ENOUGH: u32 = 2;

#[derive(Clone, Copy, Debug)]
pub(super) struct Delay {
    /// The last arrival of new data; zero for never.
    last_arrival: Time,
    /// The expected time to the next data (`ato`).
    expected_gap: Time,
    /// The wait of an acknowledgement under Linux since 2.4.
    wait: Time,
    /// Number of segments that are still acknowledged at once.
    n_quick: u32,
    /// True if this end responds to data with data.
    is_interactive: bool,
    /// Number of segments since the last acknowledgement that seem to end a write.
    n_ends: u32,
}

impl Delay {
    pub fn new() -> Delay {
        Delay {
            last_arrival: Time::ZERO,
            expected_gap: FIRST_GAP,
            wait: FIRST_GAP,
            n_quick: 0,
            is_interactive: false,
            n_ends: 0,
        }
    }

    /// Sets the state of a connection that has been in use, with data in quick succession in both
    /// directions.
    pub fn settle(&mut self, options: &TcpOptions) {
        self.last_arrival = Time::from_ps(1);
        self.n_quick = 0;
        self.is_interactive = true;
        self.expected_gap = match options.ack_rule {
            AckRule::Adaptive { shortest, .. } => shortest,
            _ => options.tick * 2,
        };
    }

    /// Advances the state by `span` in which everything repeats itself.
    pub fn shift(&mut self, span: Time) {
        self.last_arrival += span;
    }

    /// Appends to `state` everything that the future depends on.
    pub fn describe(&self, state: &mut Vec<u64>) {
        let (n_quick, is_interactive) = (u64::from(self.n_quick), u64::from(self.is_interactive));
        state.extend([self.expected_gap.ps(), self.wait.ps(), n_quick, is_interactive]);
        state.push(u64::from(self.n_ends));
    }

    pub fn last_arrival(&self) -> Time {
        self.last_arrival
    }

    /// Notes an arrival of new data.
    #[inline]
    pub fn arrived(&mut self, now: Time) {
        self.last_arrival = now;
    }

    /// Updates the estimate of the time between data. `timeout` is the retransmission time-out of
    /// this end, the longest time it expects to wait.
    #[inline]
    pub fn follow(&mut self, now: Time, timeout: Time, options: &TcpOptions) {
        match options.ack_rule {
            AckRule::EverySegment | AckRule::EverySecond { .. } => {}
            AckRule::OnRead { .. } => self.follow_in_ticks(now, timeout, options.tick),
            // The first data of a connection (`tcp_enter_quickack_mode`). Data out of order enter
            // that mode too, but are acknowledged at once anyway, and the next data end it.
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

    /// Sets the estimate to half of it plus the whole measured gap, or to the time-out if the gap
    /// is longer than that.
    fn follow_in_ticks(&mut self, now: Time, timeout: Time, tick: Time) {
        if self.last_arrival == Time::ZERO {
            return;
        }
        let ticks = |time: Time| Time::from_ps(time.ps() - time.ps() % tick.ps().max(1));
        let gap = ticks(now.saturating_sub(self.last_arrival)).max(tick);
        let half = ticks(Time::from_ps(self.expected_gap.ps() / 2));
        self.expected_gap = if gap > timeout { timeout } else { half + gap };
    }

    /// Sets the estimate to half of it plus the measured gap, or half of `shortest` if that is
    /// longer. A gap beyond the estimate leaves it unchanged.
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

    /// Sets the wait of an acknowledgement: as long as the next data are expected to stay away, but
    /// no longer than a measured round trip if that is longer than the shortest wait
    /// (`tcp_send_delayed_ack`).
    #[inline]
    pub fn limit_to_round_trip(&mut self, round_trip: Time, options: &TcpOptions) {
        if let AckRule::Adaptive { shortest, .. } = options.ack_rule {
            let most = if round_trip > Time::ZERO { round_trip.max(shortest) } else { Time::MAX };
            self.wait = self.expected_gap.min(most);
        }
    }

    /// Returns the wait of an acknowledgement under Linux since 2.4.
    #[inline]
    pub fn wait(&self) -> Time {
        self.wait
    }

    /// Returns whether an acknowledgement that is due at `ack_at` would wait for less than a
    /// quarter of its time, and leaves at once instead (`tcp_send_delayed_ack`).
    #[inline]
    pub fn is_nearly_due(&self, ack_at: Time, now: Time) -> bool {
        ack_at <= now + Time::from_ps(self.wait.ps() / 4)
    }

    /// Limits the estimate to `most`.
    pub fn limit(&mut self, most: Time) {
        self.expected_gap = self.expected_gap.min(most);
    }

    /// Returns whether the last data were the first of all.
    #[inline]
    pub fn is_first(&self) -> bool {
        self.n_quick > 0
    }

    /// Returns whether data are acknowledged at once.
    #[inline]
    pub fn is_quick(&self) -> bool {
        self.n_quick > 0 && !self.is_interactive
    }

    /// Notes whether a segment seems to end a write: it is short, or full and has the flag PUSH
    /// (`tcp_measure_rcv_mss`).
    #[inline]
    pub fn note_end(&mut self, length: Length, push: bool) {
        match length {
            Length::Short => self.n_ends = (self.n_ends + 1).min(ENDS_ENOUGH),
            Length::Full if push => self.n_ends = self.n_ends.max(1),
            Length::Full | Length::Repeated => {}
        }
    }

    /// Returns whether a process that has read everything acknowledges it: the end of a write is
    /// read, or two of them if this end responds with data (`tcp_cleanup_rbuf`).
    #[inline]
    pub fn is_answered_by_reading(&self) -> bool {
        self.n_ends >= if self.is_interactive { ENDS_ENOUGH } else { 1 }
    }

    /// Notes that a delayed acknowledgement leaves by timer, because no response has carried it:
    /// the next one waits twice as long, or no longer for a response
    /// (`tcp_delack_timer_handler`).
    pub fn missed(&mut self, timeout: Time, options: &TcpOptions) {
        let AckRule::Adaptive { shortest, .. } = options.ack_rule else { return };
        self.expected_gap = match std::mem::replace(&mut self.is_interactive, false) {
            true => shortest,
            false => (self.expected_gap * 2).min(timeout),
        };
    }

    /// Notes that an acknowledgement leaves.
    #[inline]
    pub fn acknowledged(&mut self, options: &TcpOptions) {
        self.n_ends = 0;
        if self.n_quick > 0 {
            self.n_quick -= 1;
            if let (0, AckRule::Adaptive { shortest, .. }) = (self.n_quick, options.ack_rule) {
                self.expected_gap = shortest;
            }
        }
    }

    /// Notes that this end sends data. Soon after an arrival, that counts as a response.
    #[inline]
    pub fn sent_data(&mut self, now: Time) {
        self.is_interactive |= self.last_arrival > Time::ZERO
            && now.saturating_sub(self.last_arrival) < self.expected_gap;
    }

    /// Notes that data have arrived out of order, which the peer must learn at once.
    pub fn disturbed(&mut self) {
        self.is_interactive = false;
    }
}
