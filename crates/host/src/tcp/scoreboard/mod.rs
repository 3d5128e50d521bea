//! The scoreboard of a sender: the segments in flight that SACK blocks and retransmissions have
//! marked as arrived, lost or sent again (RFC 6675).
//!
//! A segment is lost when three that were sent after it have arrived, or by time (`rack`). The
//! marks are in the segments themselves; the counts here give the number of those in the network.

mod rack;

use std::collections::VecDeque;

use quantity::Time;

use crate::constants::TcpOptions;

use super::segment::{Flags, Outgoing};

pub(super) use rack::{Judgement, Moment, Rack, TailProbe};

/// Number of segments above a hole that make it a loss (RFC 6675, DupThresh).
const REORDERING: u32 = 3;

const SACKED: u8 = 1;
const LOST: u8 = 2;
/// Sent again and perhaps in the network.
const RESENT: u8 = 4;
/// Sent more than once.
const SENT_AGAIN: u8 = 8;

/// A segment that is not acknowledged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub payload: u32,
    pub push: bool,
    /// True if its buffer was made for a longer one (Linux 2.0).
    pub is_roomy: bool,
    marks: u8,
}

impl Segment {
    pub fn new(payload: u32, push: bool) -> Segment {
        Segment { payload, push, is_roomy: false, marks: 0 }
    }

    /// Returns all that the future without losses depends on, as one number.
    pub fn code(self) -> u64 {
        u64::from(self.payload) << 2 | u64::from(self.push) << 1 | u64::from(self.is_roomy)
    }

    /// Returns the segment in a buffer that was made for a longer one if it `is_roomy`.
    pub fn in_buffer(self, is_roomy: bool) -> Segment {
        Segment { is_roomy, ..self }
    }

    pub fn outgoing(self, sequence: u64) -> Outgoing {
        let flags = Flags::default().with_if(self.push, Flags::PUSH);
        Outgoing { sequence, payload: self.payload, flags }
    }
}

/// Counts of the marks on the segments in flight, and positions from which searches continue.
#[derive(Clone, Debug, Default)]
pub(super) struct Scoreboard {
    n_sacked: u32,
    n_lost: u32,
    n_resent: u32,
    /// No segment before this place is lost and not sent again.
    search_from: u32,
    /// No segment from this place on is lost; without RACK, each one before has arrived or is lost.
    lost_to: u32,
    /// No segment from this place on has arrived.
    sacked_to: u32,
    /// Loss detection by time; `None` for that by three later segments.
    rack: Option<Box<Rack>>,
}

impl Scoreboard {
    pub fn new(options: &TcpOptions) -> Scoreboard {
        let rack = || Box::new(Rack::new(options.first_round_trip));
        Scoreboard { rack: options.extensions.rack.then(rack), ..Scoreboard::default() }
    }

    pub fn heap_bytes(&self) -> usize {
        self.rack.as_ref().map_or(0, |rack| rack.heap_bytes())
    }

    /// Advances the state by `span` and `bytes` of data in which everything repeats itself.
    pub fn shift(&mut self, span: Time, bytes: u64) {
        if let Some(rack) = &mut self.rack {
            rack.shift(span, bytes);
        }
    }

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

    /// Returns whether no segment has arrived out of order, is lost or has been sent again.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.n_sacked == 0 && self.n_lost == 0 && self.n_resent == 0
    }

    /// Returns the time at which the first segment in flight was last sent, if times are kept.
    pub fn first_sent(&self) -> Option<Time> {
        self.rack.as_ref().and_then(|rack| rack.first_sent())
    }

    /// Ends the present acknowledgement; returns the number of segments that arrived with it.
    pub fn take_arrived(&mut self) -> u32 {
        let Some(rack) = &mut self.rack else { return 0 };
        rack.measured = None;
        std::mem::take(&mut rack.n_arrived)
    }

    /// Returns the round trip of the last segment that has arrived with the present
    /// acknowledgement, if times are kept and it was sent once.
    pub fn round_trip(&self) -> Option<Time> {
        self.rack.as_ref().and_then(|rack| rack.measured)
    }

    /// Returns the probe of the tail that is not acknowledged.
    pub fn tail_probe(&self) -> Option<TailProbe> {
        self.rack.as_ref().and_then(|rack| rack.tail_probe)
    }

    /// Sets the probe of the tail.
    pub fn set_tail_probe(&mut self, probe: Option<TailProbe>) {
        if let Some(rack) = &mut self.rack {
            rack.tail_probe = probe;
        }
    }

    /// Returns the time that the peer echoed last; zero for none.
    pub fn echo(&self) -> Time {
        self.rack.as_ref().map_or(Time::ZERO, |rack| rack.echo)
    }

    /// Notes the time that the peer echoes.
    pub fn set_echo(&mut self, echo: Time) {
        if let Some(rack) = &mut self.rack {
            rack.echo = echo;
        }
    }

    /// Returns the lowest end of data that have arrived since this was last asked without having
    /// been sent again.
    #[inline]
    pub fn take_original(&mut self) -> u64 {
        self.rack.as_mut().map_or(u64::MAX, |rack| rack.take_original())
    }

    /// Returns all losses that were not sent again to the network.
    pub fn forget_losses(&mut self, queue: &mut VecDeque<Segment>) {
        queue.range_mut(..self.lost_to as usize).for_each(|segment| segment.marks &= !LOST);
        (self.n_lost, self.lost_to) = (0, 0);
    }

    /// Notes that a new segment is sent.
    #[inline]
    pub fn sent(&mut self, now: Time) {
        if let Some(rack) = &mut self.rack {
            rack.sent(now);
        }
    }

    /// Marks the segments in a SACK block, given that the queue begins at `acknowledged`; returns
    /// whether any mark is new.
    pub fn take(
        &mut self,
        queue: &mut VecDeque<Segment>,
        n_sent: u32,
        acknowledged: u64,
        (start, end): (u64, u64),
        now: Time,
    ) -> bool {
        let before = self.n_sacked;
        let mut sequence = acknowledged;
        for (place, segment) in (0..n_sent).zip(queue.iter_mut()) {
            let next = sequence + u64::from(segment.payload);
            if sequence >= end {
                break;
            }
            if sequence >= start && next <= end && segment.marks & SACKED == 0 {
                if let Some(rack) = &mut self.rack {
                    rack.arrived(place, segment.marks, (sequence, next), now);
                }
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
        while place > self.lost_to && above < REORDERING {
            place -= 1;
            above += u32::from(queue[place as usize].marks & SACKED != 0);
        }
        if above < REORDERING {
            return;
        }
        for segment in queue.range_mut(self.lost_to as usize..place as usize) {
            if segment.marks & (SACKED | LOST) == 0 {
                segment.marks |= LOST;
                self.n_lost += 1;
            }
        }
        self.lost_to = self.lost_to.max(place);
    }

    /// Marks the segments that have not arrived as lost and not retransmitted, as after a time-out:
    /// the first, and all others that could have been acknowledged.
    pub fn give_up(&mut self, queue: &mut VecDeque<Segment>, n_sent: u32, now: Time) {
        for (place, segment) in (0..n_sent).zip(queue.iter_mut()) {
            let is_recent = self.rack.as_ref().is_some_and(|rack| rack.is_recent(place, now));
            if segment.marks & SACKED == 0 && !(place > 0 && is_recent) {
                self.forget(segment.marks);
                segment.marks = segment.marks & SENT_AGAIN | LOST;
                self.n_lost += 1;
            }
        }
        self.search_from = 0;
        self.lost_to = n_sent;
    }

    /// Returns the position of the first segment that is lost and not retransmitted.
    pub fn next_lost(&mut self, queue: &VecDeque<Segment>) -> Option<u32> {
        if self.n_lost == 0 {
            return None;
        }
        let is_due = |place: u32| queue[place as usize].marks & (LOST | RESENT) == LOST;
        while self.search_from < self.lost_to && !is_due(self.search_from) {
            self.search_from += 1;
        }
        (self.search_from < self.lost_to).then_some(self.search_from)
    }

    /// Returns the position of the first segment that has neither arrived nor been retransmitted,
    /// below one that has arrived: perhaps lost (RFC 6675, NextSeg, rule 3).
    pub fn next_hole(&self, queue: &VecDeque<Segment>) -> Option<u32> {
        (0..self.sacked_to).find(|&place| queue[place as usize].marks & (SACKED | RESENT) == 0)
    }

    /// Notes that a segment is sent again.
    pub fn sent_again(&mut self, queue: &mut VecDeque<Segment>, place: u32, now: Time) {
        queue[place as usize].marks |= SENT_AGAIN;
        if let Some(rack) = &mut self.rack {
            rack.sent_again(place, now);
        }
    }

    /// Marks a segment as retransmitted.
    pub fn resend(&mut self, queue: &mut VecDeque<Segment>, place: u32, now: Time) {
        self.sent_again(queue, place, now);
        let segment = &mut queue[place as usize];
        if segment.marks & (RESENT | SACKED) == 0 {
            segment.marks |= RESENT;
            self.n_resent += 1;
        }
    }

    /// Notes that the front of the queue, with data from `start` on, is acknowledged.
    #[inline]
    pub fn release(&mut self, segment: Segment, start: u64, now: Time) {
        if let Some(rack) = &mut self.rack {
            if segment.marks & SACKED == 0 {
                rack.arrived(0, segment.marks, (start, start + u64::from(segment.payload)), now);
            }
            rack.release();
        }
        self.forget(segment.marks);
        self.search_from = self.search_from.saturating_sub(1);
        self.lost_to = self.lost_to.saturating_sub(1);
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

    const NOW: Time = Time::from_ms(1);

    fn ten() -> VecDeque<Segment> {
        (0..10).map(|_| Segment::new(100, false)).collect()
    }

    #[test]
    fn what_three_later_segments_passed_is_lost() {
        let (mut board, mut queue) = (Scoreboard::default(), ten());
        assert!(board.take(&mut queue, 10, 0, (100, 300), NOW));
        board.judge(&mut queue);
        assert!(!board.has_losses());
        assert!(board.take(&mut queue, 10, 0, (100, 400), NOW));
        assert!(!board.take(&mut queue, 10, 0, (100, 400), NOW), "an old block is no news");
        board.judge(&mut queue);
        // One lost, three arrived, six in the network.
        assert_eq!((board.next_lost(&queue), board.in_flight(10)), (Some(0), 6));
        board.resend(&mut queue, 0, NOW);
        assert_eq!((board.next_lost(&queue), board.in_flight(10)), (None, 7));
        // The fifth is missing too, and is judged by those above it alone.
        board.take(&mut queue, 10, 0, (500, 700), NOW);
        board.judge(&mut queue);
        assert_eq!((board.next_lost(&queue), board.next_hole(&queue)), (None, Some(4)));
        board.take(&mut queue, 10, 0, (500, 800), NOW);
        board.judge(&mut queue);
        assert_eq!(board.next_lost(&queue), Some(4));
    }

    #[test]
    fn after_a_time_out_all_that_has_not_arrived_is_lost() {
        let (mut board, mut queue) = (Scoreboard::default(), ten());
        board.take(&mut queue, 10, 0, (300, 500), NOW);
        board.resend(&mut queue, 0, NOW);
        board.give_up(&mut queue, 10, NOW);
        assert_eq!(board.in_flight(10), 0);
        let mut places = Vec::new();
        while let Some(place) = board.next_lost(&queue) {
            board.resend(&mut queue, place, NOW);
            places.push(place);
        }
        assert_eq!(places, [0, 1, 2, 5, 6, 7, 8, 9]);
        while let Some(segment) = queue.pop_front() {
            board.release(segment, 0, NOW);
        }
        assert_eq!(board.in_flight(0), 0);
    }
}
