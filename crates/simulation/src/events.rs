//! The event queue: a radix heap over integer times; equal times in the order of their turns.
//!
//! Simulated time never runs backwards, so a monotone queue serves: an event is kept in the bucket
//! of the highest bit in which its time differs from the last time taken, and moves to lower
//! buckets as time comes closer (Ahuja, Mehlhorn, Orlin, Tarjan 1990). Pushing is a shift and an
//! append, an event is moved a few times in all, and buckets keep their room, so that a running
//! simulation allocates nothing.
//!
//! Order among equal times: every event has a turn. A push takes the next one; who knows of an
//! event before it needs to wait here can take its turn then and push it later. So events leave in
//! order of (time, turn), and what waits in line elsewhere need not wait here as well.

use quantity::Time;

/// The highest bit in which two times differ is one of 64.
const BUCKETS: usize = 64;

/// An event's place among those of its time.
pub type Turn = u64;

#[derive(Clone, Copy, Debug)]
struct Entry<E> {
    time: u64,
    turn: Turn,
    event: E,
}

/// Events in order of time, then of turn.
#[derive(Debug)]
pub struct EventQueue<E> {
    /// The present time.
    last: u64,
    len: usize,
    next_turn: Turn,
    /// Bit `i` says that bucket `i` holds something.
    occupied: u64,
    /// Events at exactly `last`, from `next` on.
    current: Vec<Entry<E>>,
    next: usize,
    buckets: [Vec<Entry<E>>; BUCKETS],
    spare: Vec<Entry<E>>,
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
            next_turn: 0,
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

    /// Returns whether something is left at the time of the event last taken.
    #[inline]
    pub fn has_more_now(&self) -> bool {
        self.next < self.current.len()
    }

    /// Adds an event, whose turn is the next.
    ///
    /// # Panics
    /// In debug builds, when `time` lies before the last event taken.
    #[inline]
    pub fn push(&mut self, time: Time, event: E) {
        let turn = self.take_turn();
        self.push_in_turn(time, turn, event);
    }

    /// Takes the turn that an event pushed now would have.
    #[inline]
    pub fn take_turn(&mut self) -> Turn {
        self.next_turn += 1;
        self.next_turn - 1
    }

    /// Adds an event whose turn was taken before. Its time lies ahead: those of the present time
    /// are in order already.
    ///
    /// # Panics
    /// In debug builds, when an event of the present time is not the last in turn.
    #[inline]
    pub fn push_in_turn(&mut self, time: Time, turn: Turn, event: E) {
        let time = time.ps();
        debug_assert!(time >= self.last, "an event in the past");
        debug_assert!(
            time > self.last || self.current.last().is_none_or(|entry| entry.turn < turn),
            "a turn that is over"
        );
        self.len += 1;
        self.place(Entry { time, turn, event });
    }

    #[inline]
    fn place(&mut self, entry: Entry<E>) {
        let differing = entry.time ^ self.last;
        if differing == 0 {
            self.current.push(entry);
            return;
        }
        let bit = 63 - differing.leading_zeros();
        self.occupied |= 1 << bit;
        self.buckets[bit as usize].push(entry);
    }

    /// Takes the earliest event.
    #[inline]
    pub fn pop(&mut self) -> Option<(Time, E)> {
        if self.next == self.current.len() {
            self.refill()?;
        }
        let event = self.current[self.next].event;
        self.next += 1;
        self.len -= 1;
        Some((Time::from_ps(self.last), event))
    }

    /// Keeps only those events of later times that `is_wanted`.
    pub fn retain(&mut self, mut is_wanted: impl FnMut(Time, E) -> bool) {
        for (bit, bucket) in self.buckets.iter_mut().enumerate() {
            let before = bucket.len();
            bucket.retain(|entry| is_wanted(Time::from_ps(entry.time), entry.event));
            self.len -= before - bucket.len();
            if bucket.is_empty() && before > 0 {
                self.occupied &= !(1 << bit);
            }
        }
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
        self.last = bucket.iter().map(|entry| entry.time).min()?;
        for &entry in &bucket {
            self.place(entry);
        }
        if !self.current.is_sorted_by_key(|entry| entry.turn) {
            self.current.sort_unstable_by_key(|entry| entry.turn);
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

        /// Against a sorted list: any mixture of pushes, turns taken early and pops leaves in order
        /// of (time, turn).
        #[test]
        fn events_leave_in_order_of_time_then_turn(
            steps in prop::collection::vec((0u64..5_000, 0usize..3, any::<bool>()), 1..300)
        ) {
            let mut queue = EventQueue::new();
            let mut reference: Vec<(u64, usize)> = Vec::new();
            let mut late: Vec<(u64, Turn)> = Vec::new();
            let mut now = 0;
            for (id, &(delay, pops, is_late)) in steps.iter().enumerate() {
                let time = now + delay;
                if is_late && delay > 100 {
                    late.push((time, queue.take_turn()));
                } else {
                    queue.push(Time::from_ps(time), id);
                }
                reference.push((time, id));
                for _ in 0..pops {
                    // What may be the next must be in the queue by now.
                    reference.sort_unstable();
                    let next = reference.first().map_or(u64::MAX, |&(time, _)| time);
                    for (time, turn) in late.extract_if(.., |&mut (time, _)| time <= next) {
                        queue.push_in_turn(Time::from_ps(time), turn, turn as usize);
                    }
                    let expected = (!reference.is_empty()).then(|| reference.remove(0));
                    let got = queue.pop().map(|(time, id)| (time.ps(), id));
                    prop_assert_eq!(got, expected);
                    now = got.map_or(now, |(time, _)| time);
                }
                prop_assert_eq!(queue.len() + late.len(), reference.len());
            }
        }

        /// What is thrown out does not come, and all else comes as if it had been alone.
        #[test]
        fn events_that_are_not_wanted_leave_no_trace(
            delays in prop::collection::vec(1u64..5_000, 1..300), divisor in 2u64..5
        ) {
            let mut queue = EventQueue::new();
            let mut reference = EventQueue::new();
            let is_wanted = |time: u64| !time.is_multiple_of(divisor);
            for (id, &delay) in delays.iter().enumerate() {
                queue.push(Time::from_ps(delay), id);
                if is_wanted(delay) {
                    reference.push(Time::from_ps(delay), id);
                }
            }
            queue.retain(|time, _| is_wanted(time.ps()));
            prop_assert_eq!(queue.len(), reference.len());
            while let Some(next) = reference.pop() {
                prop_assert_eq!(queue.pop(), Some(next));
            }
            prop_assert!(queue.is_empty() && queue.pop().is_none());
        }
    }
}
