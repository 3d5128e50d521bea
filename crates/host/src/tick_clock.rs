//! The clock of a kernel; timers fire on its ticks.

use quantity::Time;

/// A clock with periodic ticks, or an exact one without.
#[derive(Clone, Copy, Debug)]
pub struct TickClock {
    tick: Time,
    offset: Time,
}

impl TickClock {
    /// Returns a clock with period `tick`, zero for an exact clock, that first ticks at `offset`.
    pub fn new(tick: Time, offset: Time) -> TickClock {
        TickClock { tick, offset }
    }

    /// Returns the first tick at `time` or later.
    pub fn at_or_after(&self, time: Time) -> Time {
        match self.tick.ps() {
            0 => time,
            tick => self.nth(time.ps().saturating_sub(self.offset.ps()).div_ceil(tick)),
        }
    }

    /// Returns the last tick that is not after `time`.
    ///
    /// A kernel counts a delay in ticks from the last one, which lies in the past: two ticks of 10
    /// ms are a wait of 10 to 20 ms [MPITCP, sec. 2].
    pub fn at_or_before(&self, time: Time) -> Time {
        match self.tick.ps() {
            0 => time,
            _ if time == Time::MAX => time,
            tick => self.nth(time.ps().saturating_sub(self.offset.ps()) / tick),
        }
    }

    fn nth(&self, n: u64) -> Time {
        Time::from_ps(self.offset.ps() + n * self.tick.ps())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timers_fire_on_ticks() {
        let clock = TickClock::new(Time::from_ms(10), Time::from_ms(3));
        let around =
            |ms| [clock.at_or_before(Time::from_ms(ms)), clock.at_or_after(Time::from_ms(ms))];
        assert_eq!(around(1), [Time::from_ms(3); 2]);
        assert_eq!(around(13), [Time::from_ms(13); 2]);
        assert_eq!(around(14), [Time::from_ms(13), Time::from_ms(23)]);
        let exact = TickClock::new(Time::ZERO, Time::ZERO);
        assert_eq!(exact.at_or_after(Time::from_ps(7)), Time::from_ps(7));
    }
}
