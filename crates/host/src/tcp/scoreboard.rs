//! The scoreboard of a sender: the segments in flight that SACK blocks and retransmissions have
//! marked as arrived, lost or sent again (RFC 6675).
//!
//! A segment is lost when three that were sent after it have arrived. The marks are in the segments
//! themselves; the counts here give the number of segments in the network.

use std::collections::VecDeque;

use super::segment::{Flags, Outgoing};

/// Number of segments above a hole that make it a loss (RFC 6675, DupThresh).
const REORDERING: u32 = 3;

const SACKED: u8 = 1;
const LOST: u8 = 2;
const RESENT: u8 = 4;

/// A segment that is not acknowledged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub payload: u32,
    pub push: bool,
    marks: u8,
}

impl Segment {
    pub fn new(payload: u32, push: bool) -> Segment {
        Segment { payload, push, marks: 0 }
    }

    pub fn outgoing(self, sequence: u64) -> Outgoing {
        let flags = Flags::default().with_if(self.push, Flags::PUSH);
        Outgoing { sequence, payload: self.payload, flags }
    }
}

/// Counts of the marks on the segments in flight, and positions from which searches continue.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scoreboard {
    n_sacked: u32,
    n_lost: u32,
    n_resent: u32,
    /// No segment before this place is lost and not sent again.
    search_from: u32,
    /// Every segment before this place has arrived or is lost.
    judged_to: u32,
    /// No segment from this place on has arrived.
    sacked_to: u32,
}

impl Scoreboard {
    /// Returns the number of segments in the network, of `n_sent`.
    #[inline]
    pub fn in_flight(&self, n_sent: u32) -> u32 {
        n_sent + self.n_resent - self.n_sacked - self.n_lost
    }

    /// Returns whether a known loss has not been retransmitted.
    #[inline]
    pub fn has_losses(&self) -> bool {
        self.n_lost > 0
    }

    /// Marks the segments in a SACK block, given that the queue begins at `acknowledged`; returns
    /// whether any mark is new.
    pub fn take(
        &mut self,
        queue: &mut VecDeque<Segment>,
        n_sent: u32,
        acknowledged: u64,
        (start, end): (u64, u64),
    ) -> bool {
        let before = self.n_sacked;
        let mut sequence = acknowledged;
        for (place, segment) in (0..n_sent).zip(queue.iter_mut()) {
            let next = sequence + u64::from(segment.payload);
            if sequence >= end {
                break;
            }
            if sequence >= start && next <= end && segment.marks & SACKED == 0 {
                self.forget(segment.marks);
                segment.marks = SACKED;
                self.n_sacked += 1;
                self.sacked_to = self.sacked_to.max(place + 1);
            }
            sequence = next;
        }
        self.n_sacked > before
    }

    /// Marks the segments that count as lost.
    pub fn judge(&mut self, queue: &mut VecDeque<Segment>) {
        let mut above = 0;
        let mut place = self.sacked_to;
        while place > self.judged_to && above < REORDERING {
            place -= 1;
            above += u32::from(queue[place as usize].marks & SACKED != 0);
        }
        if above < REORDERING {
            return;
        }
        for segment in queue.range_mut(self.judged_to as usize..place as usize) {
            if segment.marks & (SACKED | LOST) == 0 {
                segment.marks |= LOST;
                self.n_lost += 1;
            }
        }
        self.judged_to = self.judged_to.max(place);
    }

    /// Marks all segments that have not arrived as lost and not retransmitted, as after a time-out.
    pub fn give_up(&mut self, queue: &mut VecDeque<Segment>, n_sent: u32) {
        for segment in queue.range_mut(..n_sent as usize) {
            segment.marks = if segment.marks & SACKED != 0 { SACKED } else { LOST };
        }
        self.n_lost = n_sent - self.n_sacked;
        self.n_resent = 0;
        self.search_from = 0;
        self.judged_to = n_sent;
    }

    /// Returns the position of the first segment that is lost and not retransmitted.
    pub fn next_lost(&mut self, queue: &VecDeque<Segment>) -> Option<u32> {
        if self.n_lost == 0 {
            return None;
        }
        let is_due = |place: u32| queue[place as usize].marks & (LOST | RESENT) == LOST;
        while self.search_from < self.judged_to && !is_due(self.search_from) {
            self.search_from += 1;
        }
        (self.search_from < self.judged_to).then_some(self.search_from)
    }

    /// Returns the position of the first segment that has neither arrived nor been retransmitted,
    /// below one that has arrived: perhaps lost (RFC 6675, NextSeg, rule 3).
    pub fn next_hole(&self, queue: &VecDeque<Segment>) -> Option<u32> {
        (0..self.sacked_to).find(|&place| queue[place as usize].marks & (SACKED | RESENT) == 0)
    }

    /// Marks a segment as retransmitted.
    pub fn resend(&mut self, queue: &mut VecDeque<Segment>, place: u32) {
        let segment = &mut queue[place as usize];
        if segment.marks & (RESENT | SACKED) == 0 {
            segment.marks |= RESENT;
            self.n_resent += 1;
        }
    }

    /// Notes that the front of the queue is acknowledged.
    #[inline]
    pub fn release(&mut self, segment: Segment) {
        self.forget(segment.marks);
        self.search_from = self.search_from.saturating_sub(1);
        self.judged_to = self.judged_to.saturating_sub(1);
        self.sacked_to = self.sacked_to.saturating_sub(1);
    }

    #[inline]
    fn forget(&mut self, marks: u8) {
        self.n_sacked -= u32::from(marks & SACKED != 0);
        self.n_lost -= u32::from(marks & LOST != 0);
        self.n_resent -= u32::from(marks & RESENT != 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ten() -> VecDeque<Segment> {
        (0..10).map(|_| Segment::new(100, false)).collect()
    }

    #[test]
    fn what_three_later_segments_passed_is_lost() {
        let (mut board, mut queue) = (Scoreboard::default(), ten());
        assert!(board.take(&mut queue, 10, 0, (100, 300)));
        board.judge(&mut queue);
        assert!(!board.has_losses());
        assert!(board.take(&mut queue, 10, 0, (100, 400)));
        assert!(!board.take(&mut queue, 10, 0, (100, 400)), "an old block is no news");
        board.judge(&mut queue);
        // One lost, three arrived, six in the network.
        assert_eq!((board.next_lost(&queue), board.in_flight(10)), (Some(0), 6));
        board.resend(&mut queue, 0);
        assert_eq!((board.next_lost(&queue), board.in_flight(10)), (None, 7));
        // The fifth is missing too, and is judged by those above it alone.
        board.take(&mut queue, 10, 0, (500, 700));
        board.judge(&mut queue);
        assert_eq!((board.next_lost(&queue), board.next_hole(&queue)), (None, Some(4)));
        board.take(&mut queue, 10, 0, (500, 800));
        board.judge(&mut queue);
        assert_eq!(board.next_lost(&queue), Some(4));
    }

    #[test]
    fn after_a_time_out_all_that_has_not_arrived_is_lost() {
        let (mut board, mut queue) = (Scoreboard::default(), ten());
        board.take(&mut queue, 10, 0, (300, 500));
        board.resend(&mut queue, 0);
        board.give_up(&mut queue, 10);
        assert_eq!(board.in_flight(10), 0);
        let mut places = Vec::new();
        while let Some(place) = board.next_lost(&queue) {
            board.resend(&mut queue, place);
            places.push(place);
        }
        assert_eq!(places, [0, 1, 2, 5, 6, 7, 8, 9]);
        while let Some(segment) = queue.pop_front() {
            board.release(segment);
        }
        assert_eq!(board.in_flight(0), 0);
    }
}
