//! The timer of a sender: retransmissions, and probes of a closed window. `congestion` reduces the
//! window, `clock` computes the time-out. Probes of the tail and late segments, for which the same
//! timer is used, are in `tail`.

use crate::constants::TcpOptions;
use quantity::Time;

use super::Sender;
use super::timer::{Purpose, TimeoutAction};

/// Time by which Linux 2.0 puts a timer off.
const POSTPONED: Time = Time::from_ms(1_000);

impl Sender {
    /// Returns the time at which the retransmission timer is due; `Time::MAX` for never.
    pub fn timeout_at(&self) -> Time {
        self.timeout_at
    }

    /// Returns the retransmission time-out in force.
    pub fn timeout(&self, options: &TcpOptions) -> Time {
        self.congestion.clock.timeout(options)
    }

    /// Returns whether the peer will never open its window again.
    pub fn is_abandoned(&self) -> bool {
        self.is_abandoned
    }

    pub(super) fn start_timer(&mut self, now: Time, options: &TcpOptions) {
        let timeout = self.congestion.clock.timeout(options);
        self.timeout_at = match options.is_linux_2_0() {
            true => self.due_in_ticks(now, timeout, options.tick),
            false => now + timeout,
        };
        self.purpose = Purpose::Retransmission;
    }

    /// Returns the due time of Linux 2.0 (`tcp_reset_xmit_timer`): the time-out counts from the
    /// tick before the sending of the oldest segment, and never less than one tick from now.
    fn due_in_ticks(&self, now: Time, timeout: Time, tick: Time) -> Time {
        let begin = self.sent_at.front().copied().unwrap_or(now);
        let due = (begin + timeout).saturating_sub(tick);
        if due + tick < now { now + tick } else { due }
    }

    /// Puts a timer that is due off, because the process is in a call on this connection (Linux
    /// 2.0, `tcp_retransmit_timer`).
    pub fn postpone(&mut self, now: Time) {
        if self.timeout_at <= now {
            self.timeout_at = now + POSTPONED;
        }
    }

    /// Notes that the segment at `place` is sent.
    pub(super) fn note_departure(&mut self, place: u32, now: Time) {
        match self.sent_at.get_mut(place as usize) {
            Some(time) => *time = now,
            None => self.sent_at.push_back(now),
        }
    }

    /// Starts the probe timer if the window is closed and nothing is in flight that could open it.
    pub fn watch_closed_window(&mut self, now: Time, options: &TcpOptions) {
        let is_idle = self.n_sent == 0 && self.timeout_at == Time::MAX;
        if is_idle && !self.queue.is_empty() && !self.is_abandoned {
            self.start_timer(now, options);
        }
    }

    /// Processes the retransmission timer at `now`.
    pub fn on_timeout(&mut self, now: Time, options: &TcpOptions) -> TimeoutAction {
        if self.timeout_at > now {
            return TimeoutAction::Nothing;
        }
        self.timeout_at = Time::MAX;
        if self.queue.is_empty() {
            return TimeoutAction::Nothing;
        }
        match self.purpose {
            _ if self.n_sent == 0 => self.probe(now, options),
            Purpose::Retransmission => self.retransmit(now, options),
            Purpose::TailProbe => self.on_tail_timer(now, options),
            Purpose::LateSegments => self.on_late_segments(now, options),
        }
    }

    fn probe(&mut self, now: Time, options: &TcpOptions) -> TimeoutAction {
        if self.n_unanswered >= options.most_retransmissions {
            return TimeoutAction::GiveUp(self.n_unanswered);
        }
        self.n_unanswered += 1;
        self.n_probes += 1;
        // Without doubling, probes that coincide with other traffic of the same period are always
        // lost.
        let wait = self.congestion.clock.timeout(options) * (1 << self.n_probes.min(16));
        self.timeout_at = now + wait.min(options.longest_timeout);
        TimeoutAction::Probe
    }

    fn retransmit(&mut self, now: Time, options: &TcpOptions) -> TimeoutAction {
        let n_times = self.congestion.n_timeouts;
        if n_times >= options.most_retransmissions {
            return TimeoutAction::GiveUp(n_times);
        }
        let outstanding = self.outstanding();
        if options.extensions.sack {
            self.scoreboard.set_tail_probe(None);
            self.scoreboard.give_up(&mut self.queue, self.n_sent, now);
        } else {
            self.n_sent = 0;
            self.next = self.acknowledged;
        }
        let in_flight = self.scoreboard.in_flight(self.n_sent);
        self.congestion.timed_out(self.acknowledged, outstanding, in_flight, options);
        TimeoutAction::Retransmit
    }

    /// Stops probing, because the process at the other end will never read again.
    pub fn abandon(&mut self) {
        self.timeout_at = Time::MAX;
        self.is_abandoned = true;
    }
}
