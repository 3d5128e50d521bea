//! Timer events of a connection end. Due times of the two halves are moved to ticks of the kernel's
//! clock, and an event is requested only if it is earlier than the pending one.

use quantity::Time;

use crate::constants::TcpOptions;
use crate::tick_clock::TickClock;

use super::endpoint::Endpoint;

/// The outcome of an event of the acknowledgement timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AckTimer {
    /// An earlier event has replaced this one.
    Overtaken,
    /// An acknowledgement must leave now.
    Due,
    /// The acknowledgement is due later, or not at all.
    NotDue,
}

impl Endpoint {
    /// Returns whether the retransmission timer is due before its pending event.
    #[inline]
    pub fn must_arm_timeout(&self) -> bool {
        self.sender.timeout_at() < self.timeout_event
    }

    /// Returns the time of a new event of the retransmission timer, unless an earlier one is
    /// pending.
    #[inline]
    pub fn arm_timeout(&mut self, now: Time, ticks: TickClock) -> Option<Time> {
        if !self.must_arm_timeout() {
            return None;
        }
        let time = ticks.at_or_after(self.sender.timeout_at()).max(now);
        (time < self.timeout_event).then(|| {
            self.timeout_event = time;
            time
        })
    }

    /// Returns whether an event of the retransmission timer at `now` is the pending one.
    #[inline]
    pub fn is_timeout_expected(&mut self, now: Time) -> bool {
        let is_expected = self.timeout_event == now;
        if is_expected {
            self.timeout_event = Time::MAX;
        }
        is_expected
    }

    /// Returns whether an acknowledgement is owed, which leaves by timer at the latest.
    #[inline]
    pub fn owes_ack(&self) -> bool {
        self.receiver.ack_at() < Time::MAX
    }

    /// Returns the time of a new event of the acknowledgement timer, unless an earlier one is
    /// pending.
    #[inline]
    pub fn arm_ack(&mut self, now: Time, ticks: TickClock) -> Option<Time> {
        let time = self.ack_due(now, ticks)?;
        (time < self.ack_event).then(|| {
            self.ack_event = time;
            time
        })
    }

    /// Returns the time at which an owed acknowledgement leaves by timer; `None` if none is owed.
    #[inline]
    pub fn ack_due(&self, now: Time, ticks: TickClock) -> Option<Time> {
        let due = self.receiver.ack_at();
        (due < Time::MAX).then(|| ticks.at_or_before(due).max(ticks.at_or_after(now)))
    }

    /// Processes an event of the acknowledgement timer at `now`.
    pub fn on_ack_timer(&mut self, now: Time, ticks: TickClock) -> AckTimer {
        if self.ack_event != now {
            return AckTimer::Overtaken;
        }
        self.ack_event = Time::MAX;
        match ticks.at_or_before(self.receiver.ack_at()) <= now {
            true => AckTimer::Due,
            false => AckTimer::NotDue,
        }
    }

    /// Notes that an acknowledgement that was due leaves by timer.
    pub fn note_late_ack(&mut self, options: &TcpOptions) {
        self.receiver.delay.missed(self.sender.timeout(options), options);
    }
}
