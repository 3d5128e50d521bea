//! Loss detection by time (RACK, RFC 8985; Linux, `tcp_recovery.c`): a segment is lost when another
//! that was sent after it has arrived, and a round trip and a reordering window have passed since.
//! So a lost retransmission is found like any other loss, and one segment that arrives is enough.
//!
//! The times lie beside the queue, because other connections do not need them.

use std::collections::VecDeque;

use quantity::Time;

use super::{LOST, REORDERING, RESENT, SACKED, SENT_AGAIN, Scoreboard, Segment};

/// The part of the shortest round trip that a segment may be late (RFC 8985, sec. 7.1).
const REORDERING_SHARE: u64 = 4;

/// The times at which segments were sent, and the latest of those that have arrived.
#[derive(Clone, Debug)]
pub(in crate::tcp) struct Rack {
    /// The time at which each segment in flight was last sent.
    sent: VecDeque<Time>,
    /// The time and the end of the segment sent last among those that have arrived.
    latest: (Time, u64),
    /// The round trip of the segment that arrived last.
    round_trip: Time,
    shortest_round_trip: Time,
    /// The round trip of the segment that arrived last with the present acknowledgement, if it was
    /// sent once.
    pub measured: Option<Time>,
    /// True if a segment has arrived since the last judgement.
    has_news: bool,
    /// True if a segment that was sent once has arrived after later ones.
    has_reordering: bool,
    /// The lowest end of data that arrived with the present acknowledgement without having been
    /// sent again.
    original: u64,
    /// The end of all data that have arrived, in or out of order, now and at the last judgement.
    reaching: u64,
    reached: u64,
    /// Segments that have arrived with the present acknowledgement.
    pub n_arrived: u32,
    pub tail_probe: Option<TailProbe>,
    /// The time that the peer echoed last, kept only where reductions are undone.
    pub echo: Time,
}

/// A probe of the tail that is not acknowledged.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct TailProbe {
    /// The end of the data sent before or with it.
    pub end: u64,
    /// True if it repeats the last segment.
    pub is_repetition: bool,
}

/// The moment of a judgement.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct Moment {
    pub now: Time,
    /// The smoothed round trip.
    pub round_trip: Time,
    /// True while losses are being repaired, when nothing is waited for.
    pub is_repairing: bool,
}

/// The result of a judgement by time.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::tcp) struct Judgement {
    /// Segments found lost.
    pub n_lost: u32,
    /// True if some of them had been sent again.
    pub is_lost_again: bool,
    /// The time until the last segment in doubt counts as lost; zero for none.
    pub wait: Time,
}

impl Rack {
    pub fn new(first_round_trip: Time) -> Rack {
        let unknown = first_round_trip == Time::ZERO;
        Rack {
            sent: VecDeque::new(),
            latest: (Time::ZERO, 0),
            round_trip: Time::ZERO,
            shortest_round_trip: if unknown { Time::MAX } else { first_round_trip },
            measured: None,
            has_news: false,
            has_reordering: false,
            original: u64::MAX,
            reaching: 0,
            reached: 0,
            n_arrived: 0,
            tail_probe: None,
            echo: Time::ZERO,
        }
    }

    pub fn heap_bytes(&self) -> usize {
        size_of::<Rack>() + self.sent.capacity() * size_of::<Time>()
    }

    /// Advances the state by `span` and `bytes` of data in which everything repeats itself.
    pub fn shift(&mut self, span: Time, bytes: u64) {
        self.sent.iter_mut().for_each(|time| *time += span);
        self.latest = (self.latest.0 + span, self.latest.1 + bytes);
        self.reaching += bytes;
        self.reached += bytes;
    }

    /// Notes that a new segment is sent.
    #[inline]
    pub fn sent(&mut self, now: Time) {
        self.sent.push_back(now);
    }

    /// Notes that the segment at `place` is sent again.
    pub fn sent_again(&mut self, place: u32, now: Time) {
        self.sent[place as usize] = now;
    }

    /// Returns the time at which the first segment in flight was last sent.
    pub fn first_sent(&self) -> Option<Time> {
        self.sent.front().copied()
    }

    /// Returns whether a segment was sent less than a round trip ago.
    pub fn is_recent(&self, place: u32, now: Time) -> bool {
        now.saturating_sub(self.sent[place as usize]) < self.round_trip
    }

    /// Notes that the segment at `place`, with data from `start` to `end`, has arrived.
    #[inline]
    pub fn arrived(&mut self, place: u32, marks: u8, (start, end): (u64, u64), now: Time) {
        let sent = self.sent[place as usize];
        let round_trip = now.saturating_sub(sent);
        self.reaching = self.reaching.max(end);
        self.n_arrived += 1;
        self.measured = (marks & SENT_AGAIN == 0).then_some(round_trip);
        if marks & SENT_AGAIN == 0 {
            self.shortest_round_trip = self.shortest_round_trip.min(round_trip);
            self.has_reordering |= start < self.reached;
            self.original = self.original.min(end);
        } else if round_trip < self.shortest_round_trip {
            // Too early for an answer to the retransmission.
            return;
        }
        self.round_trip = round_trip;
        self.latest = self.latest.max((sent, end));
        self.has_news = true;
    }

    /// Returns the lowest end of data that have arrived since this was last asked without having
    /// been sent again.
    #[inline]
    pub fn take_original(&mut self) -> u64 {
        std::mem::replace(&mut self.original, u64::MAX)
    }

    /// Notes that the first segment in flight is acknowledged.
    #[inline]
    pub fn release(&mut self) {
        self.sent.pop_front();
    }

    /// Returns how long after its time a segment may arrive (`tcp_rack_reo_wnd`).
    fn reordering_window(&self, n_sacked: u32, moment: Moment) -> Time {
        if !self.has_reordering && (moment.is_repairing || n_sacked >= REORDERING) {
            return Time::ZERO;
        }
        let share = Time::from_ps(self.shortest_round_trip.ps() / REORDERING_SHARE);
        share.min(moment.round_trip)
    }
}

impl Scoreboard {
    /// Marks the segments that count as lost by time, given that the queue begins at
    /// `acknowledged`.
    pub fn judge_by_time(
        &mut self,
        queue: &mut VecDeque<Segment>,
        acknowledged: u64,
        moment: Moment,
    ) -> Judgement {
        let mut judgement = Judgement::default();
        let Some(rack) = &mut self.rack else { return judgement };
        let due = rack.round_trip + rack.reordering_window(self.n_sacked, moment);
        let mut end = acknowledged;
        for (place, (segment, &sent)) in (0..).zip(queue.iter_mut().zip(&rack.sent)) {
            end += u64::from(segment.payload);
            if segment.marks & SACKED != 0 || segment.marks & (LOST | RESENT) == LOST {
                continue;
            }
            if (sent, end) >= rack.latest {
                // Segments that were sent once follow each other in time.
                if segment.marks & SENT_AGAIN == 0 {
                    break;
                }
                continue;
            }
            let passed = moment.now.saturating_sub(sent);
            if passed < due {
                judgement.wait = judgement.wait.max(due - passed);
                continue;
            }
            judgement.n_lost += 1;
            judgement.is_lost_again |= segment.marks & RESENT != 0;
            self.n_resent -= u32::from(segment.marks & RESENT != 0);
            self.n_lost += u32::from(segment.marks & LOST == 0);
            segment.marks = (segment.marks | LOST) & !RESENT;
            self.search_from = self.search_from.min(place);
            self.lost_to = self.lost_to.max(place + 1);
        }
        judgement
    }

    /// Judges by time if anything has arrived since the last time.
    #[inline]
    pub fn judge_news(
        &mut self,
        queue: &mut VecDeque<Segment>,
        acknowledged: u64,
        moment: Moment,
    ) -> Judgement {
        let Some(rack) = &mut self.rack else { return Judgement::default() };
        rack.reached = rack.reaching;
        match std::mem::take(&mut rack.has_news) {
            true => self.judge_by_time(queue, acknowledged, moment),
            false => Judgement::default(),
        }
    }
}
