//! The congestion window of one direction of a connection: slow start, recovery from losses, and
//! the response to marks. Growth beyond slow start is in `control`, the time-out in `clock`.
//!
//! Without SACK, recovery is Reno's with the NewReno response to partial acknowledgements (RFC
//! 5681, RFC 6582). With SACK, the window equals the threshold until all data sent before the loss
//! are acknowledged (RFC 6675), and `scoreboard` counts the segments in the network. Windows are
//! counted in segments, as in Linux. Linux 2.0 counts duplicates by its own rule
//! (`control::linux_2_0`).

use crate::constants::TcpOptions;
use quantity::Time;

use super::clock::Clock;
use super::control::{Control, Growth, Marks};

/// Initial slow-start threshold, beyond any window that matters.
const UNLIMITED: u32 = 1 << 30;

/// Data sent and not acknowledged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outstanding {
    /// Number of segments, with those that have arrived or are lost.
    pub n_sent: u32,
    /// The highest sequence number sent.
    pub highest: u64,
}

/// An acknowledgement of new data.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    pub acknowledged: u64,
    /// Segments newly acknowledged.
    pub n_released: u32,
    pub now: Time,
    /// Data outstanding before the acknowledgement.
    pub before: Outstanding,
}

#[derive(Clone, Debug)]
pub(super) struct Congestion {
    /// Segments that may be in flight.
    pub window: u32,
    threshold: u32,
    duplicates: u32,
    is_recovering: bool,
    /// The sequence number whose acknowledgement ends fast recovery. Before it no recovery begins,
    /// because the duplicates after a loss or a time-out respond to retransmissions (RFC 6582, sec.
    /// 3.2).
    recover: u64,
    /// The sequence number until whose acknowledgement further marks have no effect.
    answered_to: u64,
    control: Control,
    pub clock: Clock,
}

impl Congestion {
    /// Returns the state of a connection whose first byte has the sequence number `first_sequence`.
    pub fn new(first_sequence: u32, options: &TcpOptions) -> Congestion {
        Congestion {
            window: options.initial_window,
            threshold: UNLIMITED,
            duplicates: 0,
            is_recovering: false,
            recover: 0,
            answered_to: 0,
            control: Control::new(options.congestion, first_sequence),
            clock: Clock::new(options),
        }
    }

    pub fn heap_bytes(&self) -> usize {
        self.control.heap_bytes()
    }

    pub fn is_recovering(&self) -> bool {
        self.is_recovering
    }

    /// Advances the state by `span` and `bytes` of data in which everything repeats itself.
    pub fn shift(&mut self, span: Time, bytes: u64) {
        self.recover += bytes;
        self.answered_to += bytes;
        self.clock.shift(span, bytes);
    }

    /// Appends to `state` everything that the future depends on, with data before `acknowledged`
    /// acknowledged; a window of `most` segments or more does not limit. Growth beyond slow start
    /// is left out: it is slower than the repetition.
    pub fn describe(&self, acknowledged: u64, most: u32, state: &mut Vec<u64>) {
        let windows = [self.window, self.threshold].map(|window| u64::from(window.min(most)));
        state.extend(windows);
        let recover = self.recover.saturating_sub(acknowledged);
        state.extend([u64::from(self.duplicates), u64::from(self.is_recovering), recover]);
    }

    /// Returns the number of segments that may be in flight now: one more for each of the first two
    /// duplicates, under limited transmit (RFC 3042).
    #[inline]
    pub fn allowed(&self, options: &TcpOptions) -> u32 {
        let is_limited = options.extensions.limited_transmit && !self.is_recovering;
        self.window + if is_limited { self.duplicates.min(2) } else { 0 }
    }

    /// Returns to slow start after the connection was idle for a time-out.
    pub fn restart(&mut self, idle: Time, options: &TcpOptions) {
        self.window = self.window.min(options.initial_window);
        self.control.restart(idle);
    }

    /// Processes an acknowledgement of new data; returns whether the next segment must be
    /// retransmitted at once.
    pub fn acknowledged(&mut self, progress: Progress, options: &TcpOptions) -> bool {
        self.duplicates = 0;
        self.clock.acknowledged(progress.acknowledged, progress.now, options);
        if !self.is_recovering {
            self.grow(progress, options);
        } else if progress.acknowledged >= self.recover {
            self.is_recovering = false;
            self.window = self.threshold;
        } else if !options.extensions.sack {
            // A partial acknowledgement makes room for one segment only.
            self.window = (self.window + 1).saturating_sub(progress.n_released).max(1);
            return true;
        }
        false
    }

    #[inline]
    fn grow(&mut self, progress: Progress, options: &TcpOptions) {
        let mut n = 1;
        if options.extensions.counts_segments {
            // Linux does not grow a window that was not used (`tcp_is_cwnd_limited`).
            let used = progress.before.n_sent;
            let is_starting = self.window < self.threshold;
            if used < self.window && !(is_starting && self.window < 2 * used) {
                return;
            }
            n = progress.n_released;
        }
        if self.control.starts_slowly(self.window, self.threshold) {
            let more = n.min((self.threshold - self.window).max(1));
            self.window += more;
            n -= more;
        }
        if n > 0 {
            let (window, round_trip) = (self.window, self.clock.round_trip());
            let growth = Growth { window, n, now: progress.now, round_trip };
            self.window += self.control.growth(growth);
        }
    }

    /// Returns whether a segment with `payload` that acknowledges nothing new is a duplicate
    /// acknowledgement, in the absence of SACK.
    #[inline]
    pub fn counts(&self, payload: u32, options: &TcpOptions) -> bool {
        let has_data = payload > 0;
        has_data == matches!(self.control, Control::Linux20(_)) && !options.extensions.sack
    }

    /// Processes a duplicate acknowledgement without SACK; returns whether the first segment must
    /// be retransmitted at once.
    pub fn duplicate(
        &mut self,
        acknowledged: u64,
        outstanding: Outstanding,
        options: &TcpOptions,
    ) -> bool {
        if let Control::Linux20(own) = &mut self.control {
            if !options.fast_retransmit {
                return false;
            }
            let (threshold, window) = own.duplicate(acknowledged, self.window);
            self.window = window;
            self.threshold = threshold.unwrap_or(self.threshold);
            return threshold.is_some();
        }
        self.duplicates += 1;
        if self.is_recovering {
            self.window += 1;
            return false;
        }
        if !options.fast_retransmit || self.duplicates != 3 || acknowledged < self.recover {
            return false;
        }
        self.recover_from(outstanding);
        self.window += 3;
        true
    }

    /// Processes a segment that ends a row of duplicates of Linux 2.0.
    #[inline]
    pub fn end_data_duplicates(&mut self) {
        if let Control::Linux20(own) = &mut self.control
            && own.end_duplicates()
        {
            // After two time-outs the threshold is zero. The kernel continues by its probes, which
            // carry data; those of the model do not.
            self.window = self.threshold.max(1);
        }
    }

    /// Returns whether new data must wait until all data sent before a time-out are acknowledged,
    /// as in Linux 2.0.
    pub fn holds_new_data(&self, acknowledged: u64, next: u64) -> bool {
        acknowledged < self.recover
            && next >= self.recover
            && matches!(self.control, Control::Linux20(_))
    }

    /// Processes a loss detected by SACK; returns whether the first segment must be retransmitted
    /// at once.
    pub fn loss(
        &mut self,
        acknowledged: u64,
        outstanding: Outstanding,
        options: &TcpOptions,
    ) -> bool {
        if !options.fast_retransmit || self.is_recovering || acknowledged < self.recover {
            return false;
        }
        self.recover_from(outstanding);
        true
    }

    fn recover_from(&mut self, outstanding: Outstanding) {
        self.threshold = self.control.after_loss(self.window, outstanding.n_sent);
        self.window = self.threshold;
        self.is_recovering = true;
        self.recover = outstanding.highest;
        self.clock.forget();
    }

    /// Processes a retransmission time-out.
    pub fn timed_out(&mut self, outstanding: Outstanding) {
        self.threshold =
            self.control.after_timeout(self.window, outstanding.n_sent, outstanding.highest);
        self.window = 1;
        self.control.restart(Time::ZERO);
        self.duplicates = 0;
        self.is_recovering = false;
        self.recover = outstanding.highest;
        self.clock.forget();
        self.clock.backoff += 1;
    }

    /// Processes the marks reported by an acknowledgement; returns whether the window was reduced,
    /// at most once per window of data.
    pub fn take_marks(&mut self, marks: Marks, outstanding: Outstanding) -> bool {
        self.control.take_marks(marks);
        if !marks.is_echo || self.is_recovering || marks.acknowledged <= self.answered_to {
            return false;
        }
        self.threshold = self.control.after_marks(self.window, outstanding.n_sent);
        self.window = self.threshold.min(self.window);
        self.answered_to = outstanding.highest;
        true
    }
}
