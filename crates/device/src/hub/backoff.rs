//! The truncated binary exponential back-off of one station, with its own stream of random numbers.
//!
//! The waits of a station depend only on its own number of collisions, not on the order in which
//! the stations of a hub are served.

use crate::random::Random;

/// A frame is given up at this collision (IEEE 802.3, attemptLimit).
pub const MOST_ATTEMPTS: u32 = 16;
/// The range of waits stops doubling here (IEEE 802.3, backOffLimit).
const BACKOFF_LIMIT: u32 = 10;
/// Keeps these streams apart from other random streams of the same seed ("csma/cd").
const PURPOSE: u64 = 0x63_736D_612F_6364;

/// The collisions of the frame at the head of one station's queue.
#[derive(Clone, Debug)]
pub(super) struct Backoff {
    random: Random,
    attempts: u32,
    /// True if the first collision of the frame followed a frame of the same station.
    has_captured: bool,
}

impl Backoff {
    pub(super) fn new(seed: u64, hub_id: u32, station: u32) -> Backoff {
        let words = [PURPOSE, u64::from(hub_id), u64::from(station)];
        Backoff { random: Random::new(seed, &words), attempts: 0, has_captured: false }
    }

    /// Forgets the collisions so far: the next frame starts from zero.
    pub(super) fn reset(&mut self) {
        self.attempts = 0;
    }

    /// Counts a collision; returns the slots to wait, or `None` when the frame is to be given up.
    ///
    /// A station that `has_captured` the medium before the first collision of a frame lets others
    /// go first: it waits two slots, then none, and continues as in the standard.
    pub(super) fn collide(&mut self, has_captured: bool) -> Option<u64> {
        self.attempts += 1;
        self.has_captured =
            has_captured && self.attempts == 1 || self.has_captured && self.attempts == 2;
        if self.has_captured {
            return Some(if self.attempts == 1 { 2 } else { 0 });
        }
        if self.attempts == MOST_ATTEMPTS {
            return None;
        }
        let exponent = self.attempts.min(BACKOFF_LIMIT);
        Some(self.random.next_u64() >> (64 - exponent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_range_doubles_to_1024_slots_and_the_sixteenth_collision_gives_up() {
        let mut most = [0; 16];
        for station in 0..20_000 {
            let mut backoff = Backoff::new(1, 0, station);
            for (attempt, most) in (1..MOST_ATTEMPTS).zip(&mut most[1..]) {
                let slots = backoff.collide(false).unwrap();
                assert!(slots < 1 << attempt.min(10));
                *most = slots.max(*most);
            }
            assert_eq!(backoff.collide(false), None);
        }
        let full: Vec<u64> = (1u32..16).map(|attempt| (1 << attempt.min(10)) - 1).collect();
        assert_eq!(most[1..], full);
    }

    #[test]
    fn waits_are_uniform_and_streams_differ() {
        let first = |seed, hub, station| {
            let mut backoff = Backoff::new(seed, hub, station);
            (0..9).fold(0, |waits, _| waits << 10 | backoff.collide(false).unwrap())
        };
        let all = [first(1, 1, 1), first(2, 1, 1), first(1, 2, 1), first(1, 1, 2)];
        for (i, a) in all.iter().enumerate() {
            assert!(all[i + 1..].iter().all(|b| a != b));
        }
        let zeros =
            (0..10_000).filter(|&id| Backoff::new(3, 0, id).collide(false) == Some(0)).count();
        assert!((4_800..5_200).contains(&zeros), "{zeros}");
    }

    #[test]
    fn a_station_that_has_captured_the_medium_waits_two_slots_then_none() {
        let (mut captured, mut other) = (Backoff::new(1, 0, 0), Backoff::new(1, 0, 0));
        assert_eq!([captured.collide(true), captured.collide(false)], [Some(2), Some(0)]);
        let waits = |backoff: &mut Backoff| (0..9).map(|_| backoff.collide(false)).max();
        assert!(waits(&mut captured) > Some(Some(7)), "then as in the standard");
        other.collide(false);
        other.collide(true);
        assert!(!other.has_captured, "only the first collision of a frame counts");
        captured.reset();
        assert!((0..20).any(|_| {
            captured.reset();
            captured.collide(false) == Some(1)
        }));
    }
}
