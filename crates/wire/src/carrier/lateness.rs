//! The lateness of events: real time between the time at which one was due and its handling.

use std::time::Duration;

use hdrhistogram::Histogram;

/// The longest lateness that is told from longer ones.
const LONGEST_NS: u64 = 10_000_000_000;
/// Decimal digits kept of each value.
const DIGITS: u8 = 3;

/// Counts of events by their lateness.
#[derive(Debug)]
pub(super) struct Lateness(Histogram<u64>);

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
}

impl Lateness {
    /// Returns empty counts.
    pub fn new() -> Lateness {
        let counts = Histogram::new_with_bounds(1, LONGEST_NS, DIGITS);
        Lateness(counts.expect("the bounds are in order"))
    }

    /// Counts an event.
    pub fn note(&mut self, late: Duration) {
        self.0.saturating_record(late.as_nanos() as u64);
    }

    /// Returns the summary of the counts.
    pub fn report(&self) -> LatenessReport {
        LatenessReport {
            median: Duration::from_nanos(self.0.value_at_quantile(0.5)),
            p99: Duration::from_nanos(self.0.value_at_quantile(0.99)),
            worst: Duration::from_nanos(self.0.max()),
            n_events: self.0.len(),
        }
    }
}
