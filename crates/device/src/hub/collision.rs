//! The arithmetic of one collision: when each station stops sending, and when each hears the medium
//! fall silent.
//!
//! Every pair of stations is one domain delay apart. A station detects the collision when the first
//! foreign bit reaches it while it sends, completes its preamble, sends the jam and stops (IEEE
//! 802.3, 4.2.3.2.4). The station that started first detects it last: one delay after the second
//! station started.

use quantity::Time;

/// The fixed times of one collision domain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timing {
    /// Delay from any station to any other.
    pub(super) delay: Time,
    pub(super) gap: Time,
    pub(super) slot: Time,
    pub(super) preamble: Time,
    pub(super) jam: Time,
}

/// The stations of a collision, reduced to the four times that decide for all of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Collision {
    timing: Timing,
    first: Time,
    second: Time,
    /// When the last station stops sending.
    last_end: Time,
    /// When the last but one stops; equal to `last_end` when two stop together.
    end_before: Time,
}

impl Collision {
    /// Returns the collision of the stations that start at `starts`; the earliest two are `first`
    /// and `second`.
    pub(super) fn new(
        timing: Timing,
        first: Time,
        second: Time,
        starts: impl Iterator<Item = Time>,
    ) -> Collision {
        let unknown = Time::ZERO;
        let mut collision =
            Collision { timing, first, second, last_end: unknown, end_before: unknown };
        for start in starts {
            let end = collision.end_of(start);
            collision.end_before = collision.end_before.max(end.min(collision.last_end));
            collision.last_end = collision.last_end.max(end);
        }
        collision
    }

    /// Returns when the station that started at `start` has sent its jam.
    pub(super) fn end_of(&self, start: Time) -> Time {
        let foreign_start = if start == self.first { self.second } else { self.first };
        let detected = foreign_start + self.timing.delay;
        detected.max(start + self.timing.preamble) + self.timing.jam
    }

    /// Returns when a station that took part, and sent until `end`, may start again.
    pub(super) fn gap_end_of(&self, end: Time) -> Time {
        let foreign_end = if end == self.last_end { self.end_before } else { self.last_end };
        end.max(foreign_end + self.timing.delay) + self.timing.gap
    }

    /// Returns when the medium is silent at the stations that only listened.
    pub(super) fn silence(&self) -> Time {
        self.last_end + self.timing.delay
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAST: Timing = Timing {
        delay: Time::from_ns(600),
        gap: Time::from_ns(960),
        slot: Time::from_ns(5_120),
        preamble: Time::from_ns(640),
        jam: Time::from_ns(320),
    };

    fn of(starts: &[u64]) -> Collision {
        let times: Vec<Time> = starts.iter().map(|&ns| Time::from_ns(ns)).collect();
        Collision::new(FAST, times[0], times[1], times.iter().copied())
    }

    #[test]
    fn stations_that_start_together_finish_the_preamble_and_jam() {
        let collision = of(&[1_000, 1_000]);
        let end = collision.end_of(Time::from_ns(1_000));
        assert_eq!(end, Time::from_ns(1_000 + 640 + 320));
        assert_eq!(collision.gap_end_of(end), end + Time::from_ns(600 + 960));
        assert_eq!(collision.silence(), end + Time::from_ns(600));
    }

    #[test]
    fn the_first_to_start_detects_it_last() {
        // The second starts as the first bit of the first reaches it; the news takes the delay to
        // travel back.
        let collision = of(&[1_000, 1_600]);
        let (first, second) =
            (collision.end_of(Time::from_ns(1_000)), collision.end_of(Time::from_ns(1_600)));
        assert_eq!(first, Time::from_ns(1_600 + 600 + 320));
        assert_eq!(second, Time::from_ns(1_600 + 640 + 320));
        assert_eq!(collision.gap_end_of(second), Time::from_ns(2_520 + 600 + 960));
        assert_eq!(collision.gap_end_of(first), Time::from_ns(2_560 + 600 + 960));
    }
}
