//! The backplane of a switch chassis: one server of fixed rate, shared by all frames that cross it.
//!
//! Arbitration is a delay and belongs to the latency of the switch; what counts here is occupancy
//! alone, the bits of the frame over the rate. Preamble and gap do not cross a backplane. Separate
//! from [`crate::Switch`] because the logical switches that share a chassis share its backplane.

use crate::ethernet::ByteTime;
use quantity::{Rate, Time};

/// A first-come, first-served server of fixed rate.
#[derive(Clone, Debug)]
pub struct Backplane {
    byte_time: ByteTime,
    free: Time,
    frames: u64,
}

impl Backplane {
    /// Returns an idle backplane.
    pub fn new(rate: Rate) -> Backplane {
        Backplane { byte_time: ByteTime::new(rate), free: Time::ZERO, frames: 0 }
    }

    /// Takes a frame that is ready to cross at `now` and returns when its turn comes.
    ///
    /// The output port may start at that time: a backplane is faster than any of its ports, so that
    /// the bits arrive before the port needs them. An idle backplane thus delays nothing. Frames
    /// are served in the order of the calls.
    #[inline]
    pub fn transit(&mut self, now: Time, frame_bytes: u32) -> Time {
        let start = now.max(self.free);
        self.free = start + self.byte_time.of(frame_bytes);
        self.frames += 1;
        start
    }

    /// Returns the number of frames that crossed.
    pub fn frames(&self) -> u64 {
        self.frames
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_idle_backplane_delays_nothing_and_a_busy_one_by_what_is_ahead() {
        let mut backplane = Backplane::new(Rate::from_mbps(1_200));
        let now = Time::from_us(3);
        let frame = Rate::from_mbps(1_200).time_of_bytes(1518);
        assert_eq!(backplane.transit(now, 1518), now);
        assert_eq!(backplane.transit(now, 64), now + frame);
        assert_eq!(backplane.transit(Time::from_us(100), 64), Time::from_us(100));
        assert_eq!(backplane.frames(), 3);
    }

    #[test]
    fn a_saturated_backplane_carries_its_rate() {
        let mut backplane = Backplane::new(Rate::from_mbps(1_000));
        let starts: Vec<Time> = (0..1000).map(|_| backplane.transit(Time::ZERO, 125)).collect();
        assert_eq!(starts[999], Time::from_us(999));
    }
}
