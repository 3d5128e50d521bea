//! When the timers of a connection end are to be asked for: the answers of the two halves, moved to
//! ticks of the kernel's clock, and only where that is sooner than what was answered before.

use quantity::Time;

use crate::tick_clock::TickClock;

use super::endpoint::Endpoint;

/// What an acknowledgement timer says when it was to be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AckTimer {
    /// Another answer has overtaken this one.
    Overtaken,
    /// An acknowledgement leaves.
    Due,
    /// Not yet, or nothing is owed any more.
    NotDue,
}

impl Endpoint {
    /// Returns whether nobody will ask for the retransmission timer before it is due.
    #[inline]
    pub fn must_arm_timeout(&self) -> bool {
        self.sender.timeout_at() < self.timeout_event
    }

    /// Returns when the retransmission timer is to be asked for, if nobody will before.
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

    /// Returns whether the retransmission timer is asked for at the time that was last answered.
    #[inline]
    pub fn is_timeout_expected(&mut self, now: Time) -> bool {
        let is_expected = self.timeout_event == now;
        if is_expected {
            self.timeout_event = Time::MAX;
        }
        is_expected
    }

    /// Returns whether an acknowledgement is owed, which leaves by its timer at the latest.
    #[inline]
    pub fn owes_ack(&self) -> bool {
        self.receiver.ack_at() < Time::MAX
    }

    /// Returns when the acknowledgement timer is to be asked for, if nobody will before.
    #[inline]
    pub fn arm_ack(&mut self, now: Time, ticks: TickClock) -> Option<Time> {
        let time = self.ack_due(now, ticks)?;
        (time < self.ack_event).then(|| {
            self.ack_event = time;
            time
        })
    }

    /// Returns when an acknowledgement that is owed leaves by its timer; `None` when none is.
    #[inline]
    pub fn ack_due(&self, now: Time, ticks: TickClock) -> Option<Time> {
        let due = self.receiver.ack_at();
        (due < Time::MAX).then(|| ticks.at_or_before(due).max(ticks.at_or_after(now)))
    }

    /// Answers the acknowledgement timer at `now`.
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
}
