//! The sending half of a connection end: what waits to be sent or acknowledged, what the windows
//! let leave, and the timer that sends again or probes.
//!
//! Segments keep the boundaries of the writes they came from, because every socket modelled here
//! sets TCP_NODELAY. The congestion window and the time-out are in `congestion`.

use std::collections::VecDeque;

use quantity::Time;
use simulation::{SendBuffer, TcpOptions};

use super::congestion::Congestion;
use super::segment::{Flags, Incoming, Outgoing};

/// What a time-out asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeoutAction {
    /// Nothing was due.
    Nothing,
    /// Send again what the window allows, from the first unacknowledged segment.
    Retransmit,
    /// Ask whether the closed window has opened.
    Probe,
    /// Too many retransmissions of one segment.
    GiveUp(u32),
}

#[derive(Clone, Copy, Debug)]
struct Segment {
    payload: u32,
    push: bool,
}

impl Segment {
    fn outgoing(self, sequence: u64) -> Outgoing {
        let flags = Flags { push: self.push, probe: false };
        Outgoing { sequence, payload: self.payload, flags }
    }
}

/// The sending half of a connection end.
#[derive(Debug)]
pub struct Sender {
    congestion: Congestion,
    timeout_at: Time,
    /// Probes sent since the window last opened; each waits twice as long as the one before.
    n_probes: u32,
    /// Probes sent since the peer was last heard.
    n_unanswered: u32,
    /// Whether the peer will never open its window again.
    is_abandoned: bool,
    last_sent: Time,
    /// Everything before this is acknowledged; sequence number of the front of `queue`.
    acknowledged: u64,
    next: u64,
    /// The highest sequence number ever sent.
    highest: u64,
    /// First sequence number the peer does not allow.
    edge: u64,
    /// Segments not acknowledged; the first `n_sent` are in flight.
    queue: VecDeque<Segment>,
    n_sent: u32,
    queued_bytes: u32,
}

impl Sender {
    /// Returns a sender that has sent nothing, to a peer that allows what is before `edge`.
    pub(super) fn new(edge: u64, options: &TcpOptions) -> Sender {
        Sender {
            congestion: Congestion::new(options),
            timeout_at: Time::MAX,
            n_probes: 0,
            n_unanswered: 0,
            is_abandoned: false,
            last_sent: Time::ZERO,
            acknowledged: 0,
            next: 0,
            highest: 0,
            edge,
            queue: VecDeque::new(),
            n_sent: 0,
            queued_bytes: 0,
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.queue.capacity() * size_of::<Segment>()
    }

    /// Returns the sequence number after the last byte that the process wrote.
    pub(super) fn written(&self) -> u64 {
        self.acknowledged + u64::from(self.queued_bytes)
    }

    pub(super) fn acknowledged(&self) -> u64 {
        self.acknowledged
    }

    /// Returns the sequence number of the next byte to leave.
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    /// Returns when the retransmission timer is due; `Time::MAX` for never.
    pub fn timeout_at(&self) -> Time {
        self.timeout_at
    }

    /// Returns the retransmission time-out in force.
    pub(super) fn timeout(&self, options: &TcpOptions) -> Time {
        self.congestion.timeout(options)
    }

    /// Returns whether the peer will never open its window again.
    pub fn is_abandoned(&self) -> bool {
        self.is_abandoned
    }

    /// Returns whether the send buffer takes another segment of `payload` bytes.
    #[inline]
    pub fn has_room(&self, payload: u32, options: &TcpOptions) -> bool {
        options.send_buffer.has_room(self.queue.len() as u32, self.queued_bytes, payload)
    }

    /// Returns the number of full segments that the send buffer still takes.
    pub fn room(&self, segment_bytes: u32, options: &TcpOptions) -> u32 {
        match options.send_buffer {
            SendBuffer::Segments(most) => most.saturating_sub(self.queue.len() as u32),
            SendBuffer::Bytes(most) => most.saturating_sub(self.queued_bytes) / segment_bytes,
        }
    }

    /// Returns whether a segment of `payload` bytes, buffered now, could leave at once.
    #[inline]
    pub fn would_leave(&self, payload: u32) -> bool {
        self.n_sent as usize == self.queue.len() && self.window_allows(payload)
    }

    /// Returns whether a buffered segment may leave now.
    #[inline]
    pub fn may_send(&self) -> bool {
        match self.queue.get(self.n_sent as usize) {
            Some(segment) => self.window_allows(segment.payload),
            None => false,
        }
    }

    #[inline]
    fn window_allows(&self, payload: u32) -> bool {
        self.n_sent < self.congestion.window && self.next + u64::from(payload) <= self.edge
    }

    /// Buffers a segment that the process wrote.
    pub(super) fn buffer(&mut self, payload: u32, push: bool) {
        self.queue.push_back(Segment { payload, push });
        self.queued_bytes += payload;
    }

    /// Takes the next segment to send, if the windows allow one.
    pub(super) fn send(&mut self, now: Time, options: &TcpOptions) -> Option<Outgoing> {
        let segment = *self.queue.get(self.n_sent as usize)?;
        if !self.window_allows(segment.payload) {
            return None;
        }
        let sequence = self.next;
        self.next += u64::from(segment.payload);
        if self.next > self.highest {
            self.highest = self.next;
            self.congestion.sent(self.next, now);
        }
        if self.n_sent == 0 || self.timeout_at == Time::MAX {
            self.start_timer(now, options);
        }
        self.n_sent += 1;
        self.last_sent = now;
        Some(segment.outgoing(sequence))
    }

    /// Lets a connection that was idle begin slowly again; the peer's data last came at
    /// `last_arrival`.
    #[inline]
    pub(super) fn restart_when_idle(
        &mut self,
        now: Time,
        last_arrival: Time,
        options: &TcpOptions,
    ) {
        let last_active = self.last_sent.max(last_arrival);
        if self.n_sent == 0
            && options.restart_when_idle
            && now > last_active + self.congestion.timeout(options)
        {
            self.congestion.restart(options);
        }
    }

    fn start_timer(&mut self, now: Time, options: &TcpOptions) {
        self.timeout_at = now + self.congestion.timeout(options);
    }

    /// Starts the probe timer when the window is closed and nothing is in flight that could open
    /// it.
    pub fn watch_closed_window(&mut self, now: Time, options: &TcpOptions) {
        let is_idle = self.n_sent == 0 && self.timeout_at == Time::MAX;
        if is_idle && !self.queue.is_empty() && !self.is_abandoned {
            self.start_timer(now, options);
        }
    }

    /// Returns the first unacknowledged segment, to be sent again.
    pub fn resend_first(&mut self, now: Time, options: &TcpOptions) -> Option<Outgoing> {
        let segment = *self.queue.front()?;
        self.start_timer(now, options);
        Some(segment.outgoing(self.acknowledged))
    }

    /// Takes what a segment from the peer says about this end's data; returns whether the first
    /// unacknowledged segment must be sent again at once.
    pub fn on_acknowledgement(
        &mut self,
        segment: &Incoming,
        now: Time,
        options: &TcpOptions,
    ) -> bool {
        let &Incoming { acknowledged, window, payload, .. } = segment;
        self.n_unanswered = 0;
        let has_opened = self.open_to(acknowledged + u64::from(window));
        if acknowledged > self.acknowledged {
            return self.on_progress(acknowledged, now, options);
        }
        let is_duplicate =
            acknowledged == self.acknowledged && self.n_sent > 0 && payload == 0 && !has_opened;
        is_duplicate && self.congestion.duplicate(acknowledged, self.n_sent, self.highest, options)
    }

    /// Lets everything before `edge` be sent; returns whether that is more than before.
    fn open_to(&mut self, edge: u64) -> bool {
        let has_opened = edge > self.edge;
        if has_opened {
            self.edge = edge;
            self.n_probes = 0;
        }
        has_opened
    }

    fn on_progress(&mut self, acknowledged: u64, now: Time, options: &TcpOptions) -> bool {
        let n_released = self.release(acknowledged);
        let resend = self.congestion.acknowledged(acknowledged, n_released, now, options);
        match self.n_sent {
            0 => self.timeout_at = Time::MAX,
            _ => self.start_timer(now, options),
        }
        resend && self.n_sent > 0
    }

    /// Forgets what has been acknowledged; returns the number of segments.
    fn release(&mut self, acknowledged: u64) -> u32 {
        let mut n_released = 0;
        while self.acknowledged < acknowledged {
            let Some(segment) = self.queue.pop_front() else { break };
            self.acknowledged += u64::from(segment.payload);
            self.queued_bytes -= segment.payload;
            self.n_sent = self.n_sent.saturating_sub(1);
            n_released += 1;
        }
        self.next = self.next.max(self.acknowledged);
        n_released
    }

    /// Answers the retransmission timer at `now`.
    pub fn on_timeout(&mut self, now: Time, options: &TcpOptions) -> TimeoutAction {
        if self.timeout_at > now {
            return TimeoutAction::Nothing;
        }
        self.timeout_at = Time::MAX;
        if self.queue.is_empty() {
            return TimeoutAction::Nothing;
        }
        if self.n_sent == 0 { self.probe(now, options) } else { self.retransmit(options) }
    }

    fn probe(&mut self, now: Time, options: &TcpOptions) -> TimeoutAction {
        if self.n_unanswered >= options.most_retransmissions {
            return TimeoutAction::GiveUp(self.n_unanswered);
        }
        self.n_unanswered += 1;
        self.n_probes += 1;
        // Without the doubling, probes that meet other traffic of the same period are lost for
        // ever.
        let wait = self.congestion.timeout(options) * (1 << self.n_probes.min(16));
        self.timeout_at = now + wait.min(options.longest_timeout);
        TimeoutAction::Probe
    }

    fn retransmit(&mut self, options: &TcpOptions) -> TimeoutAction {
        if self.congestion.backoff >= options.most_retransmissions {
            return TimeoutAction::GiveUp(self.congestion.backoff);
        }
        self.congestion.timed_out(self.n_sent, self.highest);
        self.n_sent = 0;
        self.next = self.acknowledged;
        TimeoutAction::Retransmit
    }

    /// Stops probing, because the process at the other end will never read again.
    pub fn abandon(&mut self) {
        self.timeout_at = Time::MAX;
        self.is_abandoned = true;
    }
}
