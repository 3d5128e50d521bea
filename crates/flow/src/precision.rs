//! How late a change of shares may be felt, so that many changes are settled as one.
//!
//! On a dense network a change is felt nearly everywhere, and changes come one by one: exact
//! shares cost (flows) x (changes). With a bound, a change waits for others for a stated part of
//! the time that the shortest transfer takes which now drains, starts or ends, at its rate of now.
//! Meanwhile what starts does not drain, and what others have left is not shared out; nothing is
//! ever overbooked, and nobody leaves a resource idle for more than that part of the time for
//! which he had it. Where nobody drains, nothing waits. Without a bound, all changes of one time
//! are settled at that time.

use quantity::Time;

use crate::units::{Rate, Volume, duration};

/// Classes of durations: four to every doubling.
const CLASSES: usize = 4 * 64;
const MILLION: u64 = 1_000_000;

/// The bound, and the durations it goes by.
#[derive(Debug)]
pub(crate) struct Precision {
    /// In millionths.
    part: u32,
    /// When the changes that wait are due; `Time::MAX` for none.
    pub due: Time,
    /// How many flows that drain take how long, by class.
    n_lasting: Vec<u32>,
    /// The shortest that has started or ended since shares were last brought up to date.
    expected: Time,
}

impl Precision {
    pub fn new(part: u32) -> Precision {
        Precision { part, due: Time::MAX, n_lasting: vec![0; CLASSES], expected: Time::MAX }
    }

    /// Returns whether changes may wait at all.
    #[inline]
    pub fn is_bounded(&self) -> bool {
        self.part > 0
    }

    /// Counts a flow that has started and has no rate yet.
    pub fn expect(&mut self, volume: Volume, rate: Rate) {
        self.expected = self.expected.min(duration(volume, rate).unwrap_or(Time::MAX));
    }

    /// Counts a flow by its new rate, and no longer by its old one.
    pub fn change(&mut self, volume: Volume, (old, new): (Rate, Rate)) {
        if let Some(span) = duration(volume, old) {
            self.n_lasting[class(span)] -= 1;
            if new == 0 {
                // What it leaves waits no longer than for a part of what it took itself.
                self.expected = self.expected.min(span);
            }
        }
        if let Some(span) = duration(volume, new) {
            self.n_lasting[class(span)] += 1;
        }
    }

    /// Notes that nothing waits.
    pub fn settled(&mut self) {
        (self.due, self.expected) = (Time::MAX, Time::MAX);
    }

    /// Returns how long a change may wait.
    pub fn wait(&self) -> Time {
        if self.part == 0 {
            return Time::ZERO;
        }
        let shortest = self.n_lasting.iter().position(|&n| n > 0).map_or(Time::MAX, least);
        match shortest {
            // Nobody drains whose share could change, and who starts need not wait for that.
            Time::MAX => Time::ZERO,
            shortest => {
                Time::from_ps(shortest.min(self.expected).ps() / MILLION * u64::from(self.part))
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

/// Returns the least duration of a class.
fn least(class: usize) -> Time {
    let (highest, below) = (class as u32 / 4, class as u64 % 4);
    Time::from_ps((4 + below) << (highest - 2))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let mut precision = Precision::new(0);
        precision.expect(1_000_000, 1);
        assert_eq!(precision.wait(), Time::ZERO);
    }

    #[test]
    fn nothing_waits_where_nobody_drains() {
        let mut precision = Precision::new(10_000);
        precision.expect(1 << 40, 1);
        assert_eq!(precision.wait(), Time::ZERO);
        precision.change(1 << 40, (0, 1));
        assert!(precision.wait() > Time::ZERO);
    }

    #[test]
    fn a_change_waits_for_a_part_of_the_shortest_transfer() {
        let mut precision = Precision::new(10_000);
        precision.change(1 << 40, (0, 1));
        precision.change(1 << 50, (0, 1));
        assert_eq!(precision.wait().ps(), (1 << 40) / MILLION * 10_000);
        precision.change(1 << 40, (1, 0));
        // What it leaves, too.
        assert_eq!(precision.wait().ps(), (1 << 40) / MILLION * 10_000);
        precision.settled();
        assert_eq!(precision.wait().ps(), (1 << 50) / MILLION * 10_000);
        precision.expect(1 << 30, 1);
        assert_eq!(precision.wait().ps(), (1 << 30) / MILLION * 10_000);
    }
}
