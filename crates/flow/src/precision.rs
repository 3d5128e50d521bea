//! Deferral of rate updates, so that many changes are settled as one.
//!
//! On a dense network a change affects rates nearly everywhere, and changes come one by one: exact
//! shares cost (flows) x (changes). With a bound, a change waits for others for a fixed fraction of
//! the duration of the shortest transfer that now drains, starts or ends, at its present rate.
//! Meanwhile new transfers do not drain, and capacity that others have released is not shared out;
//! no resource is ever overbooked, and no flow leaves a resource idle for more than that fraction
//! of the time that it held it. If no flow drains, no change waits. Without a bound, all changes of
//! one time are settled at that time.

use quantity::Time;

use crate::units::{FlowRate, Volume, duration};

/// Classes of durations: four to every doubling.
const CLASSES: usize = 4 * 64;
const MILLION: u64 = 1_000_000;

/// How long a rate update may be deferred.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deferral {
    /// In millionths of a transfer's duration; 0 is exact.
    pub millionths: u32,
    /// Number of flows up to which no update is deferred: exact rates of a few cost little.
    pub most_exact: u32,
}

/// The bound, and the durations that it applies to.
#[derive(Debug)]
pub(crate) struct Precision {
    deferral: Deferral,
    /// Time at which deferred changes are due; `Time::MAX` for none.
    pub due: Time,
    /// Number of draining flows by class of duration.
    n_lasting: Vec<u32>,
    /// The shortest duration that has started or ended since the last rate update.
    expected: Time,
}

impl Precision {
    pub fn new(deferral: Deferral) -> Precision {
        Precision { deferral, due: Time::MAX, n_lasting: vec![0; CLASSES], expected: Time::MAX }
    }

    /// Returns whether changes may be deferred at all.
    #[inline]
    pub fn is_bounded(&self) -> bool {
        self.deferral.millionths > 0
    }

    /// Counts a flow that has started and has no rate yet.
    pub fn expect(&mut self, volume: Volume, rate: FlowRate) {
        self.expected = self.expected.min(duration(volume, rate).unwrap_or(Time::MAX));
    }

    /// Counts a flow by its new rate instead of its old one.
    pub fn change(&mut self, volume: Volume, (old, new): (FlowRate, FlowRate)) {
        if let Some(span) = duration(volume, old) {
            self.n_lasting[class(span)] -= 1;
            if new == 0 {
                // The capacity that it releases waits no longer than a fraction of its own
                // duration.
                self.expected = self.expected.min(span);
            }
        }
        if let Some(span) = duration(volume, new) {
            self.n_lasting[class(span)] += 1;
        }
    }

    /// Records that no change is deferred.
    pub fn settled(&mut self) {
        (self.due, self.expected) = (Time::MAX, Time::MAX);
    }

    /// Returns the longest deferral of a change while `n_flows` drain.
    pub fn wait(&self, n_flows: usize) -> Time {
        let Deferral { millionths, most_exact } = self.deferral;
        if millionths == 0 || n_flows <= most_exact as usize {
            return Time::ZERO;
        }
        let shortest = self.n_lasting.iter().position(|&n| n > 0).map_or(Time::MAX, least);
        match shortest {
            // No draining flow's share can change, so new flows need not wait.
            Time::MAX => Time::ZERO,
            shortest => {
                Time::from_ps(shortest.min(self.expected).ps() / MILLION * u64::from(millionths))
            }
        }
    }
}

/// Returns the class of a duration: its highest bit and the two below.
fn class(span: Time) -> usize {
    let ps = span.ps().max(4);
    let highest = ps.ilog2();
    (4 * highest) as usize + (ps >> (highest - 2) & 3) as usize
}

/// Returns the shortest duration of a class.
fn least(class: usize) -> Time {
    let (highest, below) = (class as u32 / 4, class as u64 % 4);
    Time::from_ps((4 + below) << (highest - 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn precise(millionths: u32, most_exact: u32) -> Precision {
        Precision::new(Deferral { millionths, most_exact })
    }

    #[test]
    fn the_rates_of_a_few_flows_do_not_wait() {
        let mut precision = precise(10_000, 5);
        precision.change(1 << 40, (0, 1));
        assert_eq!(precision.wait(5), Time::ZERO);
        assert!(precision.wait(6) > Time::ZERO);
    }

    #[test]
    fn a_duration_is_not_below_its_class_and_below_the_next() {
        for ps in [4, 5, 7, 8, 1_000, 84_000_000_000, u64::MAX / 2] {
            let (least, next) = (least(class(Time::from_ps(ps))), class(Time::from_ps(ps)) + 1);
            assert!(least.ps() <= ps && ps < super::least(next).ps(), "{ps}");
            assert!(ps - least.ps() <= ps / 4, "{ps}");
        }
    }

    #[test]
    fn exact_shares_do_not_wait() {
        let mut precision = precise(0, 0);
        precision.expect(1_000_000, 1);
        assert_eq!(precision.wait(1), Time::ZERO);
    }

    #[test]
    fn nothing_waits_where_nobody_drains() {
        let mut precision = precise(10_000, 0);
        precision.expect(1 << 40, 1);
        assert_eq!(precision.wait(1), Time::ZERO);
        precision.change(1 << 40, (0, 1));
        assert!(precision.wait(1) > Time::ZERO);
    }

    #[test]
    fn a_change_waits_for_a_part_of_the_shortest_transfer() {
        let mut precision = precise(10_000, 0);
        precision.change(1 << 40, (0, 1));
        precision.change(1 << 50, (0, 1));
        assert_eq!(precision.wait(1).ps(), (1 << 40) / MILLION * 10_000);
        precision.change(1 << 40, (1, 0));
        // The capacity that a flow releases is bounded as well.
        assert_eq!(precision.wait(1).ps(), (1 << 40) / MILLION * 10_000);
        precision.settled();
        assert_eq!(precision.wait(1).ps(), (1 << 50) / MILLION * 10_000);
        precision.expect(1 << 30, 1);
        assert_eq!(precision.wait(1).ps(), (1 << 30) / MILLION * 10_000);
    }
}
