//! Real time as a program counts it: from a common start, slowed down by the dilation. All ranks of
//! a machine read the same clock.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use nix::sys::prctl::set_timerslack;
use nix::time::{ClockId, clock_gettime};
use quantity::Time;

/// Processor time, waiting time and number of slices of the reading thread.
const SCHEDULED: &str = "/proc/thread-self/schedstat";

/// The clock that all processes of a machine share.
#[derive(Clone, Copy, Debug)]
pub struct RealTime {
    start: Duration,
    dilation: f64,
}

impl RealTime {
    /// Returns the time from `start` on, on the machine's monotonic clock.
    pub fn new(start: Duration, dilation: f64) -> RealTime {
        RealTime { start, dilation }
    }

    /// Returns the machine's monotonic clock.
    pub fn machine() -> Duration {
        clock_gettime(ClockId::CLOCK_MONOTONIC).map(Duration::from).unwrap_or_default()
    }

    /// Returns the time for which the calling thread has been ready and had no processor; zero if
    /// the kernel does not count it.
    pub fn waited() -> Duration {
        let counts = fs::read_to_string(SCHEDULED).unwrap_or_default();
        let waited_ns = counts.split(' ').nth(1).and_then(|field| field.parse().ok());
        Duration::from_nanos(waited_ns.unwrap_or(0))
    }

    /// Returns the present time; zero before the start.
    pub fn now(&self) -> Time {
        let passed = Self::machine().saturating_sub(self.start);
        Time::from_seconds(passed.as_secs_f64() / self.dilation)
    }

    /// Lets sleeps of the calling thread end as near to their times as the kernel can.
    pub fn sleep_exactly() {
        // Refused by no kernel; without it, sleeps are 50 us longer.
        let _ = set_timerslack(1);
    }

    /// Sleeps until a time.
    pub fn sleep_until(&self, time: Time) {
        sleep(self.until(time));
    }

    /// Returns the real time until a time, zero if it has passed.
    pub fn until(&self, time: Time) -> Duration {
        let end = self.start + Duration::from_secs_f64(time.seconds() * self.dilation);
        end.saturating_sub(Self::machine())
    }
}
