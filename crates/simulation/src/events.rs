//! The event queue: a radix heap over integer times with a short sorted list in front; equal times
//! in the order of their sequence numbers.
//!
//! Simulated time never runs backwards, so a monotone queue serves: an event is kept in the bucket
//! of the highest bit in which its time differs from one of the near ones, and moves to lower
//! buckets as time comes closer (Ahuja, Mehlhorn, Orlin, Tarjan 1990). A bucket with few events is
//! not spread further but sorted: it becomes the end of the near list, and events pushed before
//! that end are inserted into the list. So the next few events are known ahead. Buckets keep their
//! memory, so that a running simulation does not allocate.
//!
//! Order among equal times: every event has a sequence number. A push takes the next one; an event
//! known earlier than it needs to be queued here can take its number then and be pushed later. So
//! events leave in order of (time, sequence number), and one that waits in another queue need not
//! be queued here as well.

use quantity::Time;

/// Times differ in one of 64 bits; equal times share the bucket of the lowest.
const BUCKETS: usize = 64;
/// Most events of a bucket that is sorted; larger ones are spread.
const MOST_SORTED: usize = 32;
/// Number of taken events at which the near list is compacted.
const MOST_TAKEN: usize = 64;

/// Position of an event among those of the same time.
pub type SequenceNumber = u64;

#[derive(Clone, Copy, Debug)]
struct Entry<E> {
    time: u64,
    number: SequenceNumber,
    event: E,
}

impl<E> Entry<E> {
    #[inline]
    fn key(&self) -> (u64, SequenceNumber) {
        (self.time, self.number)
    }
}

/// Events in order of time, then of sequence number.
#[derive(Debug)]
pub struct EventQueue<E> {
    /// The present time.
    now: u64,
    len: usize,
    next_number: SequenceNumber,
    /// All events before `until`, in order; those before `next` are taken.
    near: Vec<Entry<E>>,
    next: usize,
    until: u64,
    /// A time before `until`; each entry of a bucket differs from it in no bit above the bucket's.
    origin: u64,
    /// Number of events known ahead, if the queue holds that many.
    known_ahead: usize,
    /// Bit `i` is set if bucket `i` holds events.
    occupied: u64,
    buckets: [Vec<Entry<E>>; BUCKETS],
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
            now: 0,
            len: 0,
            next_number: 0,
            near: Vec::new(),
            next: 0,
            until: 0,
            origin: 0,
            known_ahead: 0,
            occupied: 0,
            buckets: std::array::from_fn(|_| Vec::new()),
        }
    }

    /// Returns an empty queue that knows `n` events ahead of the next, at a small cost.
    pub fn knowing_ahead(n: usize) -> EventQueue<E> {
        EventQueue { known_ahead: n, ..EventQueue::new() }
    }

    /// Returns the number of events waiting.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether no event is waiting.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns whether another event is due at the time of the event last taken.
    #[inline]
    pub fn has_more_now(&mut self) -> bool {
        self.know_ahead();
        self.near.get(self.next).is_some_and(|entry| entry.time == self.now)
    }

    /// Returns the event that will be taken after `n` others if none is pushed before it; `None` if
    /// it is not known yet.
    #[inline]
    pub fn ahead(&self, n: usize) -> Option<E> {
        self.near.get(self.next + n).map(|entry| entry.event)
    }

    /// Adds an event under the next sequence number.
    ///
    /// # Panics
    /// In debug builds, when `time` lies before the last event taken.
    #[inline]
    pub fn push(&mut self, time: Time, event: E) {
        let number = self.take_number();
        self.push_numbered(time, number, event);
    }

    /// Takes the sequence number that an event pushed now would have.
    #[inline]
    pub fn take_number(&mut self) -> SequenceNumber {
        self.next_number += 1;
        self.next_number - 1
    }

    /// Adds an event whose sequence number was taken earlier.
    ///
    /// # Panics
    /// In debug builds, when it comes before the last event taken.
    #[inline]
    pub fn push_numbered(&mut self, time: Time, number: SequenceNumber, event: E) {
        let entry = Entry { time: time.ps(), number, event };
        debug_assert!(entry.time >= self.now, "an event in the past");
        debug_assert!(
            self.near[..self.next].last().is_none_or(|taken| taken.key() < entry.key()),
            "a sequence number that is over"
        );
        self.len += 1;
        if entry.time < self.until {
            self.insert(entry);
        } else {
            self.place(entry);
        }
    }

    /// Inserts an event into the near list, searching from its end.
    fn insert(&mut self, entry: Entry<E>) {
        let waiting = self.near[self.next..].iter().rev().take(2 * MOST_SORTED);
        let n_later = waiting.take_while(|later| later.key() > entry.key()).count();
        if n_later == 2 * MOST_SORTED {
            self.spread_near();
            self.place(entry);
        } else {
            self.near.insert(self.near.len() - n_later, entry);
        }
    }

    #[inline]
    fn place(&mut self, entry: Entry<E>) {
        let bit = differing_bit(entry.time, self.origin);
        self.occupied |= 1 << bit;
        self.buckets[bit as usize].push(entry);
    }

    /// Takes the earliest event.
    #[inline]
    pub fn pop(&mut self) -> Option<(Time, E)> {
        self.know_ahead();
        let &Entry { time, event, .. } = self.near.get(self.next)?;
        self.now = time;
        self.next += 1;
        self.len -= 1;
        Some((Time::from_ps(time), event))
    }

    /// Returns all events in the order in which they will leave.
    pub fn in_order(&self) -> Vec<(Time, E)> {
        self.sorted().iter().map(|entry| (Time::from_ps(entry.time), entry.event)).collect()
    }

    /// Skips a span of time without events: all events are delayed by it, each modified by
    /// `change`.
    pub fn shift(&mut self, span: Time, mut change: impl FnMut(&mut E)) {
        let entries = self.sorted();
        let empty = EventQueue::knowing_ahead(self.known_ahead);
        *self = EventQueue { now: self.now + span.ps(), next_number: self.next_number, ..empty };
        for Entry { time, number, mut event } in entries {
            change(&mut event);
            self.push_numbered(Time::from_ps(time) + span, number, event);
        }
    }

    fn sorted(&self) -> Vec<Entry<E>> {
        let waiting = self.near[self.next..].iter().chain(self.buckets.iter().flatten());
        let mut entries: Vec<Entry<E>> = waiting.copied().collect();
        entries.sort_unstable_by_key(Entry::key);
        entries
    }

    /// Removes the events of later times that are not `is_wanted`.
    pub fn retain(&mut self, mut is_wanted: impl FnMut(Time, E) -> bool) {
        let now = self.now;
        let mut stays = |entry: &Entry<E>| {
            entry.time == now || is_wanted(Time::from_ps(entry.time), entry.event)
        };
        self.near.drain(..std::mem::take(&mut self.next));
        self.near.retain(&mut stays);
        self.len = self.near.len();
        for (bit, bucket) in self.buckets.iter_mut().enumerate() {
            bucket.retain(&mut stays);
            self.len += bucket.len();
            if bucket.is_empty() {
                self.occupied &= !(1 << bit);
            }
        }
    }

    #[inline]
    fn know_ahead(&mut self) {
        let is_short = self.near.len() - self.next <= self.known_ahead && self.occupied != 0;
        if is_short || self.next == MOST_TAKEN {
            self.refill();
        }
    }

    /// Drops taken events from the near list and refills it from the lowest buckets.
    fn refill(&mut self) {
        self.near.drain(..self.next);
        self.next = 0;
        while self.near.len() <= self.known_ahead && self.occupied != 0 {
            let bit = self.occupied.trailing_zeros();
            self.occupied &= !(1 << bit);
            self.origin = (self.origin >> bit | 1) << bit;
            let mut bucket = std::mem::take(&mut self.buckets[bit as usize]);
            if bit > 0 && bucket.len() > MOST_SORTED {
                bucket.iter().for_each(|&entry| self.place(entry));
            } else {
                self.until = self.origin.saturating_add(1 << bit);
                let n_before = self.near.len();
                self.near.extend_from_slice(&bucket);
                self.near[n_before..].sort_unstable_by_key(Entry::key);
            }
            bucket.clear();
            self.buckets[bit as usize] = bucket;
        }
    }

    /// Returns the near list to the buckets, when pushes have made it much longer than it was when
    /// it was sorted.
    #[cold]
    fn spread_near(&mut self) {
        // Entries that differed from the origin in a lower bit than the present time does now
        // differ from the present time in the same bit as the origin.
        let bit = differing_bit(self.now, self.origin);
        for lower in 0..bit as usize {
            let mut bucket = std::mem::take(&mut self.buckets[lower]);
            self.buckets[bit as usize].append(&mut bucket);
            self.buckets[lower] = bucket;
        }
        if self.occupied & ((1 << bit) - 1) != 0 {
            self.occupied = self.occupied >> bit << bit | 1 << bit;
        }
        (self.origin, self.until) = (self.now, self.now);
        let mut near = std::mem::take(&mut self.near);
        near.drain(..std::mem::take(&mut self.next));
        near.drain(..).for_each(|entry| self.place(entry));
        self.near = near;
    }
}

/// Returns the highest bit in which two times differ; the lowest bit for equal times.
#[inline]
fn differing_bit(time: u64, origin: u64) -> u32 {
    63 - ((time ^ origin) | 1).leading_zeros()
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

        /// Compared with a sorted list: events leave any mixture of pushes, numbers taken early and
        /// pops in order of (time, sequence number).
        #[test]
        fn events_leave_in_order_of_time_then_number(
            steps in prop::collection::vec((0u64..5_000, 0usize..3, any::<bool>()), 1..300),
            known in 0usize..16
        ) {
            let mut queue = EventQueue::knowing_ahead(known);
            let mut reference: Vec<(u64, usize)> = Vec::new();
            let mut late: Vec<(u64, SequenceNumber)> = Vec::new();
            let mut now = 0;
            for (id, &(delay, pops, is_late)) in steps.iter().enumerate() {
                let time = now + delay;
                if is_late && delay > 100 {
                    late.push((time, queue.take_number()));
                } else {
                    queue.push(Time::from_ps(time), id);
                }
                reference.push((time, id));
                for _ in 0..pops {
                    // The next event must be in the queue by now.
                    reference.sort_unstable();
                    let next = reference.first().map_or(u64::MAX, |&(time, _)| time);
                    for (time, number) in late.extract_if(.., |&mut (time, _)| time <= next) {
                        queue.push_numbered(Time::from_ps(time), number, number as usize);
                    }
                    let expected = (!reference.is_empty()).then(|| reference.remove(0));
                    let got = queue.pop().map(|(time, id)| (time.ps(), id));
                    prop_assert_eq!(got, expected);
                    now = got.map_or(now, |(time, _)| time);
                }
                prop_assert_eq!(queue.len() + late.len(), reference.len());
            }
        }

        /// After a skipped span the same events come in the same order, later.
        #[test]
        fn a_shift_keeps_the_order(
            delays in prop::collection::vec(1u64..5_000, 1..200),
            pops in 0usize..100,
            span in 0u64..1_000_000
        ) {
            let (mut queue, mut shifted) = (EventQueue::new(), EventQueue::new());
            for (id, &delay) in delays.iter().enumerate() {
                queue.push(Time::from_ps(delay), id);
                shifted.push(Time::from_ps(delay), id);
            }
            for _ in 0..pops {
                prop_assert_eq!(queue.pop(), shifted.pop());
            }
            let span = Time::from_ps(span);
            shifted.shift(span, |id| *id += 1_000);
            let expected: Vec<_> =
                queue.in_order().iter().map(|&(time, id)| (time + span, id + 1_000)).collect();
            prop_assert_eq!(shifted.in_order(), expected.clone());
            let taken: Vec<_> = std::iter::from_fn(|| shifted.pop()).collect();
            prop_assert_eq!(taken, expected);
        }

        /// Removed events never come, and the others come as if they had been alone.
        #[test]
        fn events_that_are_not_wanted_leave_no_trace(
            delays in prop::collection::vec(1u64..5_000, 1..300),
            divisor in 2u64..5,
            known in 0usize..16
        ) {
            let mut queue = EventQueue::knowing_ahead(known);
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
