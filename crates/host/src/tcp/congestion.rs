//! The congestion window of one direction of a connection: slow start, recovery from losses, and
//! the response to marks. Growth beyond slow start is in `control`, the time-out in `clock`.
//!
//! Without SACK, recovery is Reno's with the NewReno response to partial acknowledgements (RFC
//! 5681, RFC 6582). With SACK, the window equals the threshold until all data sent before the loss
//! are acknowledged (RFC 6675), or shrinks to it as data arrive (RFC 6937), and `scoreboard` counts
//! the segments in the network. Windows are counted in segments, as in Linux. Linux 2.0 counts
//! duplicates by its own rule (`control::linux_2_0`).

use crate::constants::TcpOptions;
use quantity::Time;

use super::clock::Clock;
use super::control::{Control, Growth, Marks, Sample, burst};
use super::undo::Undo;

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
    /// The next sequence number to be sent.
    pub next: u64,
    /// The round trip of the last segment acknowledged, if times are kept and it was sent once.
    pub round_trip: Option<Time>,
    pub now: Time,
    /// Data outstanding before the acknowledgement.
    pub before: Outstanding,
}

/// The segments that arrive with an acknowledgement during recovery.
#[derive(Clone, Copy, Debug)]
pub(super) struct Delivery {
    /// Segments that have arrived, in or out of order.
    pub n_arrived: u32,
    /// True if the first segment was among them and no new loss was found.
    pub is_good: bool,
    /// Segments in the network now.
    pub in_flight: u32,
}

/// The reduction of the window during recovery, in proportion to the data that arrive (RFC 6937).
#[derive(Clone, Copy, Debug, Default)]
struct Reduction {
    /// The window before recovery.
    window: u32,
    n_arrived: u32,
    n_sent: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Congestion {
    /// Segments that may be in flight.
    pub window: u32,
    threshold: u32,
    duplicates: u32,
    is_recovering: bool,
    reduction: Reduction,
    /// The state before the last reduction for a loss, if it may be undone.
    pub undo: Option<Box<Undo>>,
    /// The sequence number whose acknowledgement ends fast recovery. Before it no recovery begins,
    /// because the duplicates after a loss or a time-out respond to retransmissions (RFC 6582, sec.
    /// 3.2).
    recover: u64,
    /// The first sequence number on the wire (Linux 2.0).
    initial_sequence: u32,
    /// Number of time-outs without progress.
    pub n_timeouts: u32,
    /// The sequence number until whose acknowledgement further marks have no effect.
    answered_to: u64,
    control: Control,
    pub clock: Clock,
}

impl Congestion {
    /// Returns the state of a new connection.
    pub fn new(options: &TcpOptions) -> Congestion {
        Congestion {
            window: options.initial_window,
            threshold: UNLIMITED,
            duplicates: 0,
            is_recovering: false,
            reduction: Reduction::default(),
            undo: None,
            recover: 0,
            initial_sequence: 1,
            n_timeouts: 0,
            answered_to: 0,
            control: Control::new(options.congestion),
            clock: Clock::new(options),
        }
    }

    pub fn heap_bytes(&self) -> usize {
        self.control.heap_bytes()
    }

    pub fn is_recovering(&self) -> bool {
        self.is_recovering
    }

    /// Returns whether neither recovery nor a time-out is in progress, with data before
    /// `acknowledged` acknowledged.
    #[inline]
    pub fn is_open(&self, acknowledged: u64) -> bool {
        !self.is_recovering && acknowledged >= self.recover
    }

    /// Returns the sequence number whose acknowledgement ends a repair.
    pub fn recover(&self) -> u64 {
        self.recover
    }

    /// Returns to the state before the last reduction, which has proved spurious.
    pub fn revert(&mut self, acknowledged: u64) {
        if let Some(undo) = self.undo.take() {
            self.window = self.window.max(undo.window);
            self.threshold = self.threshold.max(undo.threshold);
            self.is_recovering = false;
            self.recover = acknowledged;
        }
    }

    /// Keeps the state before a reduction.
    fn keep(&mut self, is_tentative: bool, options: &TcpOptions) {
        if options.extensions.undo {
            let undo = Undo::new(self.window, self.threshold, is_tentative);
            self.undo = Some(Box::new(undo));
        }
    }

    /// Sets the state of a connection that has been in use, with a window of `window` segments.
    /// HyStart would end slow start when the path is full, so that an idle path has the same rate.
    pub fn settle(&mut self, window: u32) {
        self.window = window;
        self.control.settle();
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
        if options.extensions.hystart {
            // Keep the window that slow start found (`tcp_current_ssthresh`).
            self.threshold = self.threshold.max(self.window / 4 * 3);
        }
        self.window = self.window.min(options.initial_window);
        self.control.restart(idle);
    }

    /// Processes an acknowledgement of new data; returns whether the next segment must be
    /// retransmitted at once.
    pub fn acknowledged(&mut self, progress: Progress, options: &TcpOptions) -> bool {
        self.duplicates = 0;
        self.n_timeouts = 0;
        self.clock.acknowledged(progress.acknowledged, progress.now, options);
        if !self.is_recovering {
            if options.extensions.hystart {
                self.watch_slow_start(progress, options);
            }
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

    /// Ends slow start when HyStart demands it.
    fn watch_slow_start(&mut self, progress: Progress, options: &TcpOptions) {
        let Progress { acknowledged, next, now, before, .. } = progress;
        let (Some(round_trip), true) = (progress.round_trip, self.window < self.threshold) else {
            return;
        };
        // The rate with which Linux would pace (`tcp_update_pacing_rate`).
        let percent = if self.window < self.threshold / 2 { 200 } else { 120 };
        let segment_bytes = u64::from(options.largest_payload(false));
        let bytes = segment_bytes * u64::from(self.window.max(before.n_sent)) * percent / 100;
        let burst = burst(bytes, self.clock.round_trip());
        let window = self.window;
        let sample = Sample { acknowledged, next, now, round_trip, window, burst };
        if self.control.ends_slow_start(&sample) {
            self.threshold = self.window;
        }
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
        payload == 0 && !options.extensions.sack
    }

    /// Processes a duplicate acknowledgement without SACK; returns whether the first segment must
    /// be retransmitted at once.
    pub fn duplicate(
        &mut self,
        acknowledged: u64,
        outstanding: Outstanding,
        options: &TcpOptions,
    ) -> bool {
        let counts = options.fast_retransmit && self.is_beyond_repair(acknowledged);
        if let Control::Linux20(own) = &mut self.control {
            // Floyd's rule, as in RFC 6582, sec. 3.2, but for data beyond those sent before a
            // time-out only (`after(ack, high_seq)`).
            if !counts {
                return false;
            }
            let (threshold, window) = own.duplicate(self.window);
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

    /// Returns whether duplicates of `acknowledged` count in Linux 2.0 (`after(ack, high_seq)`).
    /// The other number is zero until the first time-out, and the comparison signed, so that they
    /// do not count before it in the upper half of all sequence numbers.
    fn is_beyond_repair(&self, acknowledged: u64) -> bool {
        match self.recover {
            0 => self.initial_sequence.wrapping_add(acknowledged as u32).cast_signed() > 0,
            recover => acknowledged > recover,
        }
    }

    /// Sets the first sequence number on the wire.
    pub fn begin_at(&mut self, sequence: u32) {
        self.initial_sequence = sequence;
    }

    /// Processes a segment that ends a row of duplicates of Linux 2.0.
    #[inline]
    pub fn end_duplicates(&mut self) {
        if let Control::Linux20(own) = &mut self.control
            && own.end_duplicates()
        {
            // After two time-outs the threshold is zero. The kernel continues by its probes, which
            // carry data; those of the model do not.
            self.window = self.threshold.max(1);
        }
    }

    /// Returns whether data sent before a time-out are unacknowledged, with those before
    /// `acknowledged` acknowledged.
    pub fn is_repairing(&self, acknowledged: u64) -> bool {
        acknowledged < self.recover
    }

    /// Returns whether new data must wait until all data sent before a time-out are acknowledged,
    /// as in Linux 2.0.
    pub fn holds_new_data(&self, acknowledged: u64, next: u64) -> bool {
        acknowledged < self.recover
            && next >= self.recover
            && matches!(self.control, Control::Linux20(_))
    }

    /// Processes a loss detected by SACK; returns whether recovery begins. After a time-out it
    /// begins only if a retransmission was lost.
    pub fn loss(
        &mut self,
        acknowledged: u64,
        is_lost_again: bool,
        outstanding: Outstanding,
        options: &TcpOptions,
    ) -> bool {
        let is_known = acknowledged < self.recover && !is_lost_again;
        if !options.fast_retransmit || self.is_recovering || is_known {
            return false;
        }
        self.keep(false, options);
        self.recover_from(outstanding);
        true
    }

    /// Sets the window for what arrives during recovery (Linux, `tcp_cwnd_reduction`): above the
    /// threshold it shrinks in proportion, below it as many segments leave as arrive, and one more
    /// where the repair advances.
    pub fn reduce(&mut self, delivery: Delivery) {
        let Delivery { n_arrived, is_good, in_flight } = delivery;
        if !self.is_recovering || n_arrived == 0 {
            return;
        }
        let reduction = &mut self.reduction;
        reduction.n_arrived += n_arrived;
        let n = match self.threshold.checked_sub(in_flight) {
            Some(room) => {
                let balance = reduction.n_arrived.saturating_sub(reduction.n_sent);
                room.min(balance.max(n_arrived) + u32::from(is_good))
            }
            None => {
                let share = u64::from(self.threshold) * u64::from(reduction.n_arrived);
                let due = share.div_ceil(u64::from(reduction.window.max(1)));
                (due as u32).saturating_sub(reduction.n_sent)
            }
        };
        self.window = in_flight + n.max(u32::from(reduction.n_sent == 0));
    }

    /// Notes that a segment is sent again.
    pub fn resent(&mut self, now: Time) {
        if let Some(undo) = &mut self.undo {
            undo.resent(now);
        }
    }

    /// Returns whether new data leave before lost ones.
    #[inline]
    pub fn prefers_new(&self) -> bool {
        self.undo.as_ref().is_some_and(|undo| undo.prefers_new)
    }

    /// Notes that a segment is sent.
    #[inline]
    pub fn sent(&mut self) {
        self.reduction.n_sent += u32::from(self.is_recovering);
    }

    /// Processes the repair of a loss by a probe of the tail: the window is reduced as for a loss.
    pub fn probe_repaired(&mut self, outstanding: Outstanding) {
        self.threshold = self.control.after_loss(self.window, outstanding.n_sent);
        self.window = self.threshold;
    }

    fn recover_from(&mut self, outstanding: Outstanding) {
        self.reduction = Reduction { window: self.window, ..Reduction::default() };
        self.threshold = self.control.after_loss(self.window, outstanding.n_sent);
        self.window = self.threshold;
        self.is_recovering = true;
        self.recover = outstanding.highest;
        self.clock.forget();
    }

    /// Processes a retransmission time-out with data before `acknowledged` acknowledged and
    /// `in_flight` segments still in the network.
    pub fn timed_out(
        &mut self,
        acknowledged: u64,
        outstanding: Outstanding,
        in_flight: u32,
        options: &TcpOptions,
    ) {
        let is_known = self.clock.backoff > 0 && options.extensions.rack;
        if !is_known {
            self.keep(self.is_open(acknowledged), options);
            self.threshold = self.control.after_timeout(self.window, outstanding.n_sent);
        }
        self.window = in_flight + 1;
        self.control.timed_out();
        self.duplicates = 0;
        self.is_recovering = false;
        self.recover = outstanding.highest;
        self.clock.forget();
        self.clock.backoff += 1;
        self.n_timeouts += 1;
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
