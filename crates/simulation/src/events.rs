//! The event queue: a radix heap over integer times, first in first out among equal times.
//!
//! Simulated time never runs backwards, so a monotone queue serves: an event is kept in the bucket
//! of the highest bit in which its time differs from the last time taken, and moves to lower
//! buckets as time comes closer (Ahuja, Mehlhorn, Orlin, Tarjan 1990). Pushing is a shift and an
//! append, an event is moved a few times in all, and buckets keep their room, so that a running
//! simulation allocates nothing.
//!
//! Order among equal times: two events of one time are always in one bucket, and a bucket keeps its
//! order when it is spread over lower ones. So events leave in order of (time, push).

use quantity::Time;

/// Times differ in one of 64 bits, or not at all.
const BUCKETS: usize = 65;

/// Events in order of time, then of insertion.
#[derive(Debug)]
pub struct EventQueue<E> {
    last: u64,
    len: usize,
    /// Bit `i` says that bucket `i + 1` holds something.
    occupied: u64,
    /// Events at exactly `last`, from `next` on.
    current: Vec<E>,
    next: usize,
    buckets: [Vec<(u64, E)>; BUCKETS],
    spare: Vec<(u64, E)>,
}

impl<E: Copy> Default for EventQueue<E> {
    fn default() -> Self {
        EventQueue::new()
    }
}

impl<E: Copy> EventQueue<E> {
    /// Returns an empty queue at time zero.
    pub fn new() -> EventQueue<E> {
        EventQueue {
            last: 0,
            len: 0,
            occupied: 0,
            current: Vec::new(),
            next: 0,
            buckets: std::array::from_fn(|_| Vec::new()),
            spare: Vec::new(),
        }
    }

    /// Returns the number of events waiting.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether nothing is waiting.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds an event.
    ///
    /// # Panics
    /// In debug builds, when `time` lies before the last event taken.
    #[inline]
    pub fn push(&mut self, time: Time, event: E) {
        debug_assert!(time.ps() >= self.last, "an event in the past");
        self.len += 1;
        self.place(time.ps(), event);
    }

    #[inline]
    fn place(&mut self, time: u64, event: E) {
        let differing = time ^ self.last;
        if differing == 0 {
            self.current.push(event);
            return;
        }
        let bit = 63 - differing.leading_zeros();
        self.occupied |= 1 << bit;
        self.buckets[bit as usize].push((time, event));
    }

    /// Takes the earliest event.
    #[inline]
    pub fn pop(&mut self) -> Option<(Time, E)> {
        if self.next == self.current.len() {
            self.refill()?;
        }
        let event = self.current[self.next];
        self.next += 1;
        self.len -= 1;
        Some((Time::from_ps(self.last), event))
    }

    /// Moves on to the next time at which something happens.
    fn refill(&mut self) -> Option<()> {
        self.current.clear();
        self.next = 0;
        if self.occupied == 0 {
            return None;
        }
        let bit = self.occupied.trailing_zeros();
        self.occupied &= !(1 << bit);
        let mut bucket = std::mem::take(&mut self.spare);
        std::mem::swap(&mut bucket, &mut self.buckets[bit as usize]);
        self.last = bucket.iter().map(|&(time, _)| time).min()?;
        for &(time, event) in &bucket {
            self.place(time, event);
        }
        bucket.clear();
        self.spare = bucket;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig {
            rng_seed: proptest::test_runner::RngSeed::Fixed(0),
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        /// Against a sorted list: any mixture of pushes and pops leaves in order of (time, push).
        #[test]
        fn events_leave_in_order_of_time_then_push(
            steps in prop::collection::vec((0u64..5_000, 0usize..3), 1..300)
        ) {
            let mut queue = EventQueue::new();
            let mut reference: Vec<(u64, usize)> = Vec::new();
            let mut now = 0;
            for (id, &(delay, pops)) in steps.iter().enumerate() {
                let time = now + delay;
                queue.push(Time::from_ps(time), id);
                reference.push((time, id));
                for _ in 0..pops {
                    reference.sort_unstable();
                    let expected = (!reference.is_empty()).then(|| reference.remove(0));
                    let got = queue.pop().map(|(time, id)| (time.ps(), id));
                    prop_assert_eq!(got, expected);
                    now = got.map_or(now, |(time, _)| time);
                }
                prop_assert_eq!(queue.len(), reference.len());
            }
        }
    }
}
