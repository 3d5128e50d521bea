//! Losses that no later data show (RACK-TLP, RFC 8985): a probe when nothing arrives for two round
//! trips, and a test of late segments once they have had time to arrive. Both use the timer of
//! retransmissions (Linux, `tcp_schedule_loss_probe`, `tcp_send_loss_probe`,
//! `tcp_rack_reo_timeout`). `scoreboard` judges.

use crate::constants::TcpOptions;
use quantity::Time;

use super::super::congestion::{Delivery, Outstanding};
use super::super::scoreboard::{Judgement, Moment, TailProbe};
use super::super::segment::Outgoing;
use super::Sender;
use super::timer::{Purpose, TimeoutAction};

impl Sender {
    /// Starts the timer for a probe of the tail if no loss is known or suspected, and returns
    /// whether it did; at `timeout_at` the data would be retransmitted anyway.
    pub(super) fn await_tail(&mut self, now: Time, timeout_at: Time, options: &TcpOptions) -> bool {
        let is_open = self.congestion.is_open(self.acknowledged) && self.scoreboard.is_plain();
        if !options.extensions.rack || !is_open {
            return false;
        }
        let latest = if timeout_at > now { timeout_at } else { Time::MAX };
        let probe_at = (now + self.tail_wait(options)).min(latest);
        (self.timeout_at, self.purpose) = (probe_at, Purpose::TailProbe);
        true
    }

    /// Starts the timer for a probe of the tail after new data were sent.
    pub(super) fn await_tail_of_new(&mut self, now: Time, options: &TcpOptions) {
        let timeout_at = self.first_timeout_at(options).unwrap_or(Time::MAX);
        self.await_tail(now, timeout_at, options);
    }

    /// Returns the time after which the tail is probed.
    fn tail_wait(&self, options: &TcpOptions) -> Time {
        match (self.congestion.clock.round_trip(), self.n_sent) {
            (Time::ZERO, _) => options.first_timeout,
            // The acknowledgement of a single segment may be delayed.
            (round_trip, 1) => round_trip * 2 + options.shortest_timeout,
            (round_trip, _) => round_trip * 2 + options.timer_margin,
        }
    }

    /// Returns the time that the timer waits, by its purpose.
    pub fn wait(&self, options: &TcpOptions) -> Time {
        match self.purpose {
            Purpose::TailProbe => self.tail_wait(options),
            _ => self.timeout(options),
        }
    }

    /// Returns the time at which the first segment in flight is retransmitted, counted from when it
    /// was sent.
    fn first_timeout_at(&self, options: &TcpOptions) -> Option<Time> {
        self.scoreboard.first_sent().map(|sent| sent + self.timeout(options))
    }

    /// Starts the retransmission timer again, as if no other purpose had replaced it.
    fn resume_timer(&mut self, now: Time, options: &TcpOptions) {
        self.start_timer(now, options);
        if let Some(time) = self.first_timeout_at(options) {
            self.timeout_at = time.max(now);
        }
    }

    pub(super) fn on_tail_timer(&mut self, now: Time, options: &TcpOptions) -> TimeoutAction {
        if self.scoreboard.tail_probe().is_none() {
            return TimeoutAction::ProbeTail;
        }
        self.resume_timer(now, options);
        TimeoutAction::Nothing
    }

    /// Returns the probe of the tail: the next new segment if the peer's window has room for it,
    /// else the last one again.
    pub fn probe_tail(&mut self, now: Time, options: &TcpOptions) -> Option<Outgoing> {
        let new = self.queue.get(self.n_sent as usize);
        let is_new = new.is_some_and(|new| self.next + u64::from(new.payload) <= self.edge);
        let probe = match is_new {
            true => self.send_new(now, options)?,
            false => self.repeat_last(now)?,
        };
        let tail_probe = TailProbe { end: self.next, is_repetition: !is_new };
        self.scoreboard.set_tail_probe(Some(tail_probe));
        self.start_timer(now, options);
        Some(probe)
    }

    /// Postpones the probe, because the last segments are still in the queue of the own interface.
    pub fn postpone_probe(&mut self, now: Time, options: &TcpOptions) {
        self.resume_timer(now, options);
    }

    fn repeat_last(&mut self, now: Time) -> Option<Outgoing> {
        let place = self.n_sent.checked_sub(1)?;
        self.scoreboard.sent_again(&mut self.queue, place, now);
        self.last_sent = now;
        self.n_resent += 1;
        let last = self.queue[place as usize];
        Some(last.outgoing(self.next - u64::from(last.payload)))
    }

    /// Processes the acknowledgement of a probe of the tail: data beyond it show that a repetition
    /// was needed, unless it came back as a duplicate.
    pub(super) fn end_tail_probe(&mut self, before: Outstanding, is_duplicate: bool) {
        let Some(probe) = self.scoreboard.tail_probe() else { return };
        if self.acknowledged < probe.end {
            return;
        }
        let is_repaired = probe.is_repetition && self.acknowledged > probe.end;
        if is_repaired {
            self.congestion.probe_repaired(before);
        }
        if is_repaired || is_duplicate || !probe.is_repetition {
            self.scoreboard.set_tail_probe(None);
        }
    }

    pub(super) fn on_late_segments(&mut self, now: Time, options: &TcpOptions) -> TimeoutAction {
        let moment = self.moment(now);
        let judgement = self.scoreboard.judge_by_time(&mut self.queue, self.acknowledged, moment);
        self.resume_timer(now, options);
        if judgement.n_lost == 0 {
            return TimeoutAction::Nothing;
        }
        self.answer_losses(judgement, 1, false, options);
        TimeoutAction::Repair
    }

    fn moment(&self, now: Time) -> Moment {
        Moment {
            now,
            round_trip: self.congestion.clock.round_trip(),
            is_repairing: !self.congestion.is_open(self.acknowledged),
        }
    }

    /// Finds losses by time after an acknowledgement with which `n_arrived` segments arrived, and
    /// restarts the timer.
    pub(super) fn find_losses(
        &mut self,
        n_arrived: u32,
        has_advanced: bool,
        now: Time,
        options: &TcpOptions,
    ) {
        if self.n_sent == 0 {
            return;
        }
        let moment = self.moment(now);
        let judgement = self.scoreboard.judge_news(&mut self.queue, self.acknowledged, moment);
        self.answer_losses(judgement, n_arrived, has_advanced, options);
        if judgement.wait > Time::ZERO {
            let wait = (judgement.wait + options.timer_margin).min(self.timeout(options));
            (self.timeout_at, self.purpose) = (now + wait, Purpose::LateSegments);
        } else if has_advanced && !self.await_tail(now, now + self.timeout(options), options) {
            self.start_timer(now, options);
        }
    }

    fn answer_losses(
        &mut self,
        judgement: Judgement,
        n_arrived: u32,
        has_advanced: bool,
        options: &TcpOptions,
    ) {
        let Judgement { n_lost, is_lost_again, .. } = judgement;
        if self.scoreboard.has_losses() {
            let outstanding = self.outstanding();
            if self.congestion.loss(self.acknowledged, is_lost_again, outstanding, options) {
                self.scoreboard.set_tail_probe(None);
            }
        }
        let in_flight = self.scoreboard.in_flight(self.n_sent);
        let is_good = has_advanced && n_lost == 0;
        self.congestion.reduce(Delivery { n_arrived, is_good, in_flight });
    }
}
