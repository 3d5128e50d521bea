//! HyStart [HYSTART-2011] as in Linux 6 (`hystart_update`): slow start ends before it overruns a
//! queue, by one of two signs in the acknowledgements of a round trip.
//!
//! - *Trains.* Acknowledgements in close succession have come for half of the shortest round trip
//!   and of the time that large bursts take: the path is full.
//! - *Delay.* The shortest of the first round trips measured is longer than it ever was by an
//!   eighth, at least 4 and at most 16 ms: a queue has formed.

use quantity::Time;

/// The smallest window that is tested (`hystart_low_window`).
const LEAST_WINDOW: u32 = 16;
/// The longest time between acknowledgements of a train (`hystart_ack_delta_us`).
const LONGEST_GAP: Time = Time::from_us(2_000);
/// Round trips measured before their delay counts (`HYSTART_MIN_SAMPLES`).
const LEAST_SAMPLES: u32 = 8;
/// The part of the shortest round trip that a round may be longer, and its bounds.
const DELAY_SHARE: u64 = 8;
const LEAST_DELAY: Time = Time::from_ms(4);
const MOST_DELAY: Time = Time::from_ms(16);
/// Bytes of the bursts whose time is allowed for, four of the largest packets, and the most of it
/// (`hystart_ack_delay`).
const BURST_BYTES: u64 = 4 * 65_536;
const MOST_BURST: Time = Time::from_ms(1);

/// An acknowledgement during slow start.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct Sample {
    pub acknowledged: u64,
    /// The next sequence number to be sent.
    pub next: u64,
    pub now: Time,
    /// The round trip of the last segment acknowledged.
    pub round_trip: Time,
    /// The congestion window, in segments.
    pub window: u32,
    /// The time that as many bytes as four of the largest packets take.
    pub burst: Time,
}

/// Returns the time that bursts of the largest packets take, at a rate of `bytes` per `round_trip`.
pub(in crate::tcp) fn burst(bytes: u64, round_trip: Time) -> Time {
    let time = u128::from(round_trip.ps()) * u128::from(BURST_BYTES) / u128::from(bytes.max(1));
    MOST_BURST.min(Time::from_ps(time.min(u128::from(u64::MAX)) as u64))
}

#[derive(Clone, Copy, Debug)]
pub(super) struct HyStart {
    is_over: bool,
    shortest: Time,
    /// Start of the present round, and the sequence number that ends it.
    begun: Time,
    end: u64,
    /// The last acknowledgement of the train.
    train_at: Time,
    shortest_in_round: Time,
    n_samples: u32,
}

impl Default for HyStart {
    fn default() -> HyStart {
        HyStart {
            is_over: false,
            shortest: Time::MAX,
            begun: Time::ZERO,
            end: 0,
            train_at: Time::ZERO,
            shortest_in_round: Time::MAX,
            n_samples: 0,
        }
    }
}

impl HyStart {
    /// Leaves slow start to the threshold from now on.
    pub fn settle(&mut self) {
        self.is_over = true;
    }

    /// Processes an acknowledgement during slow start; returns whether slow start ends with it.
    pub fn ends(&mut self, sample: &Sample) -> bool {
        if self.is_over {
            return false;
        }
        self.shortest = self.shortest.min(sample.round_trip);
        if sample.acknowledged > self.end {
            (self.begun, self.train_at) = (sample.now, sample.now);
            self.end = sample.next;
            (self.shortest_in_round, self.n_samples) = (Time::MAX, 0);
        }
        if sample.window >= LEAST_WINDOW {
            self.is_over = self.is_long_train(sample) | self.is_delayed(sample.round_trip);
        }
        self.is_over
    }

    fn is_long_train(&mut self, sample: &Sample) -> bool {
        if sample.now.saturating_sub(self.train_at) > LONGEST_GAP {
            return false;
        }
        self.train_at = sample.now;
        let limit = Time::from_ps((self.shortest + sample.burst).ps() / 2);
        sample.now.saturating_sub(self.begun) > limit
    }

    fn is_delayed(&mut self, round_trip: Time) -> bool {
        self.shortest_in_round = self.shortest_in_round.min(round_trip);
        if self.n_samples < LEAST_SAMPLES {
            self.n_samples += 1;
            return false;
        }
        let share = Time::from_ps(self.shortest.ps() / DELAY_SHARE);
        self.shortest_in_round > self.shortest + share.clamp(LEAST_DELAY, MOST_DELAY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: u64 = 1_000_000;

    /// One round of acknowledgements `gap` apart, with these round trips, after another that showed
    /// `shortest`; returns how many come before slow start ends.
    fn n_before_the_end(shortest: Time, gap: Time, round_trips: &[Time], window: u32) -> usize {
        let mut hystart = HyStart::default();
        let mut sample = Sample {
            acknowledged: 1,
            next: 1_000_000,
            now: Time::from_ms(10_000),
            round_trip: shortest,
            window: LEAST_WINDOW - 1,
            burst: Time::ZERO,
        };
        assert!(!hystart.ends(&sample));
        (sample.acknowledged, sample.next) = (1_000_001, 9_000_000);
        (sample.now, sample.window) = (Time::from_ms(20_000), window);
        let ends = round_trips.iter().position(|&round_trip| {
            sample.round_trip = round_trip;
            let ends = hystart.ends(&sample);
            sample.now += gap;
            sample.acknowledged += 1;
            ends
        });
        ends.unwrap_or(round_trips.len())
    }

    #[test]
    fn a_delay_of_an_eighth_but_4_to_16_ms_ends_it_after_eight_samples() {
        let gap = LONGEST_GAP + Time::from_us(1);
        for (shortest_ms, limit_us) in [(1, 5_000), (8, 12_000), (80, 90_000), (400, 416_000)] {
            let ends = |us| {
                let round_trips = [Time::from_us(us); 20];
                n_before_the_end(Time::from_ms(shortest_ms), gap, &round_trips, LEAST_WINDOW)
            };
            assert_eq!(ends(limit_us), 20, "{shortest_ms} ms");
            assert_eq!(ends(limit_us + 1), 8, "{shortest_ms} ms");
        }
    }

    #[test]
    fn one_short_round_trip_among_the_first_shows_that_no_queue_stands() {
        let gap = LONGEST_GAP + Time::from_us(1);
        let mut round_trips = [Time::from_ms(100); 20];
        round_trips[5] = Time::from_ms(10);
        assert_eq!(n_before_the_end(Time::from_ms(10), gap, &round_trips, LEAST_WINDOW), 20);
    }

    #[test]
    fn a_train_of_half_the_shortest_round_trip_ends_it_unless_it_has_a_gap() {
        let round_trip = Time::from_ms(10);
        let ends = |gap| n_before_the_end(round_trip, gap, &[round_trip; 20], LEAST_WINDOW);
        // The first acknowledgement beyond 5 ms.
        assert_eq!(ends(Time::from_ms(1)), 6);
        assert_eq!(ends(LONGEST_GAP), 3);
        assert_eq!(ends(LONGEST_GAP + Time::from_us(1)), 20);
    }

    #[test]
    fn small_windows_are_not_tested() {
        let round_trips = [Time::from_ms(100); 20];
        let gap = Time::from_ms(1);
        assert_eq!(n_before_the_end(Time::from_ms(10), gap, &round_trips, LEAST_WINDOW - 1), 20);
    }

    #[test]
    fn bursts_take_their_time_but_a_millisecond_at_most() {
        let round_trip = Time::from_us(100);
        assert_eq!(burst(RATE, round_trip), Time::from_ps(26_214_400));
        assert_eq!(burst(1_000, round_trip), MOST_BURST);
    }
}
