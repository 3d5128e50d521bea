//! The part of a run in which at least one connection waits for a retransmission time-out, or as
//! long for the probe of a lost tail.
//!
//! Waits of several connections overlap, so their total is the length of their union. A wait is
//! known when it ends, so waits come in order of their ends, and only those that overlap the newest
//! are compared.

use quantity::Time;

/// The union of all waits so far.
#[derive(Debug, Default)]
pub(crate) struct Waits {
    /// Begin and end of each part of the union, disjoint and in order.
    parts: Vec<(Time, Time)>,
    /// Number of waits.
    pub n: u64,
}

impl Waits {
    /// Adds a wait that ends no earlier than all added before.
    pub(crate) fn add(&mut self, mut begin: Time, end: Time) {
        self.n += 1;
        while let Some(last) = self.parts.pop_if(|last| last.1 >= begin) {
            begin = begin.min(last.0);
        }
        self.parts.push((begin, end));
    }

    /// Returns the length of the union.
    pub(crate) fn total(&self) -> Time {
        self.parts.iter().fold(Time::ZERO, |sum, &(begin, end)| sum + (end - begin))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total_us(waits: &[(u64, u64)]) -> u64 {
        let mut union = Waits::default();
        for &(begin, end) in waits {
            union.add(Time::from_us(begin), Time::from_us(end));
        }
        union.total().ps() / 1_000_000
    }

    #[test]
    fn waits_that_overlap_count_once() {
        assert_eq!(total_us(&[]), 0);
        assert_eq!(total_us(&[(10, 30)]), 20);
        assert_eq!(total_us(&[(10, 30), (40, 50)]), 30);
        assert_eq!(total_us(&[(10, 30), (20, 50)]), 40);
        assert_eq!(total_us(&[(10, 30), (30, 50), (15, 50)]), 40);
        assert_eq!(total_us(&[(10, 20), (30, 40), (50, 60), (5, 70)]), 65);
        assert_eq!(total_us(&[(10, 20), (30, 40), (35, 60), (55, 70)]), 50);
    }
}
