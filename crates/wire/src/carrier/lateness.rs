//! The lateness of events: real time between the time at which one was due and its handling; and
//! the time for which frames for or from nodes waited for this machine.

use std::time::Duration;

use hdrhistogram::Histogram;
use quantity::Time;

/// The longest lateness that is counted exactly.
const LONGEST_NS: u64 = 10_000_000_000;
/// Decimal digits kept of each value.
const DIGITS: u8 = 3;
/// Longest time between two events of wires in use, in time of the network.
const IDLE: Time = Time::from_ms(10);

/// Counts of events by their lateness, and the time for which frames of nodes waited.
#[derive(Debug)]
pub(super) struct Lateness {
    counts: Histogram<u64>,
    /// The time at which the last event was handled.
    last: Time,
    /// The end of the last time for which a frame waited.
    waited: Time,
    behind: Time,
    busy: Time,
}

/// The lateness of most events, nearly all, and the worst one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LatenessReport {
    /// Median.
    pub median: Duration,
    /// 99th percentile.
    pub p99: Duration,
    /// The worst.
    pub worst: Duration,
    /// Number of events.
    pub n_events: u64,
    /// Time of the network during which a frame was overdue at a node, or could not be read from
    /// one. No chain of messages is later by more: events on the wires happen when they are due.
    pub behind: Time,
    /// Time of the network during which the wires were in use.
    pub busy: Time,
}

impl Lateness {
    /// Returns empty counts.
    pub fn new() -> Lateness {
        let counts = Histogram::new_with_bounds(1, LONGEST_NS, DIGITS);
        Lateness {
            counts: counts.expect("the bounds are in order"),
            last: Time::ZERO,
            waited: Time::ZERO,
            behind: Time::ZERO,
            busy: Time::ZERO,
        }
    }

    /// Counts an event that was due and is handled `now`, `late` in real time.
    pub fn note(&mut self, due: Time, now: Time, late: Duration) {
        self.counts.saturating_record(late.as_nanos() as u64);
        let since_last = now - self.last;
        self.busy += if since_last < IDLE { since_last } else { now - due.max(self.last) };
        self.last = now;
    }

    /// Counts a time for which a frame for or from a node may have waited. Times come in the order
    /// of their ends.
    pub fn keep_waiting(&mut self, from: Time, until: Time) {
        self.behind += until - from.max(self.waited);
        self.waited = until;
    }

    /// Returns the summary of the counts.
    pub fn report(&self) -> LatenessReport {
        LatenessReport {
            median: Duration::from_nanos(self.counts.value_at_quantile(0.5)),
            p99: Duration::from_nanos(self.counts.value_at_quantile(0.99)),
            worst: Duration::from_nanos(self.counts.max()),
            n_events: self.counts.len(),
            behind: self.behind,
            busy: self.busy,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn us(us: u64) -> Time {
        Time::from_us(us)
    }

    #[test]
    fn times_that_overlap_count_once() {
        let mut lateness = Lateness::new();
        for (from, until) in [(10, 30), (20, 40), (35, 40), (100, 101)] {
            lateness.keep_waiting(us(from), us(until));
        }
        assert_eq!(lateness.report().behind, us(31));
    }

    #[test]
    fn wires_are_in_use_between_events_that_are_close() {
        let mut lateness = Lateness::new();
        for (due, now) in [(1_000, 1_001), (2_000, 2_000), (90_000, 90_007), (95_000, 95_000)] {
            lateness.note(us(due), us(now), Duration::ZERO);
        }
        assert_eq!(lateness.report().busy, us(2_000 + 7 + 4_993));
    }
}
