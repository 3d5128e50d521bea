//! The clock of the wires: real time, slowed down by the dilation.

use std::time::{Duration, Instant};

use quantity::Time;

/// Real time as the wires count it: from zero, one second of theirs for `dilation` real ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    begin: Instant,
    dilation: f64,
}

impl Pace {
    /// Starts the clock.
    pub fn new(dilation: f64) -> Pace {
        Pace { begin: Instant::now(), dilation }
    }

    /// Returns the present time.
    pub fn now(&self) -> Time {
        Time::from_seconds(self.begin.elapsed().as_secs_f64() / self.dilation)
    }

    /// Returns the real time that a span takes.
    pub fn real(&self, span: Time) -> Duration {
        Duration::from_secs_f64(span.seconds() * self.dilation)
    }
}
