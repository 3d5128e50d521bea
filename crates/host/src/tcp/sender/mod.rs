//! The sending half of a connection end: the data that wait to be sent or acknowledged, and the
//! windows that limit them. Acknowledgements are in `acknowledgement`, the timer that retransmits
//! or probes in `timeout`.
//!
//! Segments keep the boundaries of the writes they came from, because every modelled socket sets
//! TCP_NODELAY, except where a tail is `held` or a later write fills a waiting segment up. The
//! congestion window is in `congestion`, the state of SACK in `scoreboard`.

mod acknowledgement;
mod held;
mod spurious;
mod tail;
mod timeout;
mod timer;

use std::collections::VecDeque;

use crate::constants::{SendBuffer, TcpOptions, Waiting};
use quantity::Time;

use crate::prefetch::prefetch;

use super::congestion::Congestion;
use super::scoreboard::{Scoreboard, Segment};
use super::segment::{Flags, Outgoing};

use timer::Purpose;

pub use timer::TimeoutAction;

/// The segment that leaves next.
#[derive(Clone, Copy, Debug)]
enum Choice {
    /// The first segment that has not been sent.
    New,
    /// A retransmission of the segment at this position.
    Again(u32),
}

/// The sending half of a connection end.
#[derive(Debug)]
pub struct Sender {
    /// Largest payload of a segment of this connection.
    segment_bytes: u32,
    pub(super) congestion: Congestion,
    pub(super) timeout_at: Time,
    purpose: Purpose,
    /// Number of probes sent since the window last opened; each waits twice as long as the one
    /// before.
    n_probes: u32,
    /// Number of probes sent since the last segment from the peer.
    n_unanswered: u32,
    /// True if the peer will never open its window again.
    is_abandoned: bool,
    pub(super) last_sent: Time,
    /// The last segment from the peer, of any kind.
    pub(super) last_heard: Time,
    /// The times at which the segments of `queue` were last sent, where the kernel keeps them
    /// (Linux 2.0, `skb->when`).
    pub(super) sent_at: VecDeque<Time>,
    /// The sequence number before which everything is acknowledged, that of the front of `queue`.
    pub(super) acknowledged: u64,
    pub(super) next: u64,
    /// The highest sequence number ever sent.
    pub(super) highest: u64,
    /// The first sequence number beyond the peer's window.
    pub(super) edge: u64,
    /// Segments not acknowledged; the first `n_sent` have been sent.
    pub(super) queue: VecDeque<Segment>,
    pub(super) n_sent: u32,
    /// Number of retransmitted segments.
    n_resent: u32,
    pub(super) scoreboard: Scoreboard,
    /// True while the reduction of the window has yet to be reported to the peer (CWR).
    owes_reduced: bool,
    /// Payload of `queue` and of the held tail.
    queued_bytes: u32,
    /// Memory of the same, where the send buffer counts it.
    queued_memory: u32,
    /// Payload of the held tail, which is not in `queue`; zero for none.
    held: u32,
    pub(super) buffer: SendBuffer,
}

impl Sender {
    /// Returns a sender that has sent nothing, to a peer whose window ends at `edge`.
    pub(super) fn new(segment_bytes: u32, edge: u64, options: &TcpOptions) -> Sender {
        Sender {
            segment_bytes,
            congestion: Congestion::new(options),
            timeout_at: Time::MAX,
            purpose: Purpose::Retransmission,
            n_probes: 0,
            n_unanswered: 0,
            is_abandoned: false,
            last_sent: Time::ZERO,
            last_heard: Time::ZERO,
            sent_at: VecDeque::new(),
            acknowledged: 0,
            next: 0,
            highest: 0,
            edge,
            queue: VecDeque::new(),
            n_sent: 0,
            n_resent: 0,
            scoreboard: Scoreboard::new(options),
            owes_reduced: false,
            queued_bytes: 0,
            queued_memory: 0,
            held: 0,
            buffer: options.send_buffer_for(options.initial_window),
        }
    }

    pub(super) fn begin_at(&mut self, sequence: u32) {
        self.congestion.begin_at(sequence);
    }

    /// Prefetches the memory that segments read, by fields that lie apart.
    #[inline]
    pub(super) fn prefetch(&self) {
        prefetch(&self.congestion);
        prefetch(&self.acknowledged);
        prefetch(&self.queue);
        prefetch(&self.scoreboard);
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.queue.capacity() * size_of::<Segment>()
            + self.sent_at.capacity() * size_of::<Time>()
            + self.congestion.heap_bytes()
            + self.scoreboard.heap_bytes()
    }

    /// Returns the sequence number after the last byte that the process wrote.
    pub(super) fn written(&self) -> u64 {
        self.acknowledged + u64::from(self.queued_bytes)
    }

    /// Returns the sequence number before which everything has been acknowledged.
    pub fn acknowledged(&self) -> u64 {
        self.acknowledged
    }

    /// Returns the sequence number of the next byte to leave.
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    /// Returns the bytes that have been sent and not acknowledged.
    pub fn bytes_in_flight(&self) -> u64 {
        self.next - self.acknowledged
    }

    /// Returns the congestion window, in segments.
    pub fn congestion_window(&self) -> u32 {
        self.congestion.window
    }

    /// Returns the bytes beyond those acknowledged that the peer allows.
    pub fn peer_window(&self) -> u64 {
        self.edge.saturating_sub(self.acknowledged)
    }

    /// Returns the estimated number of segments in the network, and the number allowed.
    pub fn in_flight(&self, options: &TcpOptions) -> (u32, u32) {
        (self.scoreboard.in_flight(self.n_sent), self.congestion.allowed(options))
    }

    /// Returns the number of retransmitted segments.
    pub fn n_resent(&self) -> u32 {
        self.n_resent
    }

    /// Returns whether the send buffer takes another segment of `payload` bytes.
    #[inline]
    pub fn has_room(&self, payload: u32) -> bool {
        self.buffer.has_room(self.waiting(), payload)
    }

    /// Returns the bytes in the send buffer.
    #[inline]
    pub fn queued_bytes(&self) -> u32 {
        self.queued_bytes
    }

    /// Returns the number of full segments that the send buffer still takes.
    pub fn room(&self, segment_bytes: u32) -> u32 {
        self.buffer.room(self.waiting(), segment_bytes)
    }

    /// Grows the send buffer, which was full before the present acknowledgement, if less is in
    /// flight than the congestion window allows.
    fn grow_buffer(&mut self, options: &TcpOptions) {
        let window = self.congestion.window;
        if self.scoreboard.in_flight(self.n_sent) < window {
            self.buffer = self.buffer.larger(options.send_buffer_for(window));
        }
    }

    #[inline]
    fn waiting(&self) -> Waiting {
        let n_segments = self.queue.len() as u32 + u32::from(self.held > 0);
        Waiting { n_segments, bytes: self.queued_bytes, memory: self.queued_memory }
    }

    /// Returns whether a piece of `payload` bytes, buffered now, could leave at once, with the tail
    /// that it joins.
    #[inline]
    pub fn would_leave(&self, payload: u32, options: &TcpOptions) -> bool {
        self.n_sent as usize == self.queue.len()
            && !self.scoreboard.has_losses()
            && self.window_allows(self.held + payload, options)
            && !self.holds(payload, options)
    }

    /// Returns whether a segment may leave now.
    #[inline]
    pub fn may_send(&mut self, options: &TcpOptions) -> bool {
        self.choice(options).is_some()
    }

    /// Returns the segment that leaves next: a lost one, then a new one, then one that is perhaps
    /// lost (RFC 6675, NextSeg).
    #[inline]
    fn choice(&mut self, options: &TcpOptions) -> Option<Choice> {
        if self.scoreboard.has_losses() {
            return self.choice_after_losses(options);
        }
        let new = self.queue.get(self.n_sent as usize)?;
        self.window_allows(new.payload, options).then_some(Choice::New)
    }

    fn choice_after_losses(&mut self, options: &TcpOptions) -> Option<Choice> {
        if !self.has_room_in_flight(options) {
            return None;
        }
        let lost = self.scoreboard.next_lost(&self.queue).map(Choice::Again);
        if lost.is_some() && !self.congestion.prefers_new() {
            return lost;
        }
        let new = self.queue.get(self.n_sent as usize);
        if new.is_some_and(|new| self.window_allows(new.payload, options)) {
            return Some(Choice::New);
        }
        if lost.is_some() {
            return None;
        }
        let is_recovering = self.congestion.is_recovering() && !options.extensions.rack;
        let hole = is_recovering.then(|| self.scoreboard.next_hole(&self.queue));
        hole.flatten().map(Choice::Again)
    }

    #[inline]
    fn window_allows(&self, payload: u32, options: &TcpOptions) -> bool {
        self.has_room_in_flight(options)
            && self.next + u64::from(payload) <= self.edge
            && !self.congestion.holds_new_data(self.acknowledged, self.next)
    }

    #[inline]
    fn has_room_in_flight(&self, options: &TcpOptions) -> bool {
        self.scoreboard.in_flight(self.n_sent) < self.congestion.allowed(options)
    }

    /// Takes the next segment to send, if the windows allow one.
    pub(super) fn send(&mut self, now: Time, options: &TcpOptions) -> Option<Outgoing> {
        if let Choice::Again(place) = self.choice(options)? {
            return Some(self.resend(place, now, options));
        }
        self.send_new(now, options)
    }

    #[inline]
    fn send_new(&mut self, now: Time, options: &TcpOptions) -> Option<Outgoing> {
        let segment = *self.queue.get(self.n_sent as usize)?;
        let sequence = self.next;
        self.next += u64::from(segment.payload);
        if self.next > self.highest {
            self.highest = self.next;
            self.congestion.clock.sent(self.next, now);
        } else {
            self.n_resent += 1;
        }
        if options.is_linux_2_0() {
            self.note_departure(self.n_sent, now);
        }
        if self.n_sent == 0 || self.timeout_at == Time::MAX {
            self.start_timer(now, options);
        }
        self.n_sent += 1;
        self.last_sent = now;
        self.congestion.sent();
        self.scoreboard.sent(now);
        if options.extensions.rack {
            self.await_tail_of_new(now, options);
        }
        let mut outgoing = segment.outgoing(sequence);
        if options.extensions.ecn {
            let told = std::mem::take(&mut self.owes_reduced);
            outgoing.flags = outgoing.flags.with(Flags::CAPABLE).with_if(told, Flags::REDUCED);
        }
        Some(outgoing)
    }

    fn resend(&mut self, place: u32, now: Time, options: &TcpOptions) -> Outgoing {
        if place == 0 || self.timeout_at == Time::MAX {
            self.start_timer(now, options);
        }
        self.last_sent = now;
        self.n_resent += 1;
        self.congestion.sent();
        self.congestion.resent(now);
        self.scoreboard.resend(&mut self.queue, place, now);
        let before = self.queue.range(..place as usize).map(|segment| u64::from(segment.payload));
        self.queue[place as usize].outgoing(self.acknowledged + before.sum::<u64>())
    }

    /// Restarts slow start on a connection that was idle; the peer's data last arrived at
    /// `last_arrival`. Linux 2.0 counts from the last segment received, of any kind (`idletime`).
    #[inline]
    pub(super) fn restart_when_idle(
        &mut self,
        now: Time,
        last_arrival: Time,
        options: &TcpOptions,
    ) {
        let last_active = match options.is_linux_2_0() {
            true => self.last_heard,
            false => self.last_sent.max(last_arrival),
        };
        if self.n_sent == 0
            && options.restart_when_idle
            && now > last_active + self.congestion.clock.timeout(options)
        {
            self.congestion.restart(now.saturating_sub(last_active), options);
        }
    }

    /// Returns the first unacknowledged segment, to be retransmitted.
    pub fn resend_first(&mut self, now: Time, options: &TcpOptions) -> Option<Outgoing> {
        self.queue.front()?;
        if options.is_linux_2_0() {
            self.note_departure(0, now);
        }
        self.start_timer(now, options);
        if options.extensions.sack {
            return Some(self.resend(0, now, options));
        }
        self.n_resent += 1;
        self.queue.front().map(|first| first.outgoing(self.acknowledged))
    }
}
