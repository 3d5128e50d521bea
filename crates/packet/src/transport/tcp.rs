//! One end of a TCP connection: send queue, windows, acknowledgements, timers.
//!
//! Data are counted, not carried. Segments keep the boundaries of the writes they came from,
//! because every socket modelled here sets TCP_NODELAY. Two families of behaviour are chosen by
//! [`TcpOptions`]: the standard one (an acknowledgement for every second segment or after a delay),
//! and Linux 2.0's, which acknowledges when the process reads, when a reverse segment leaves, or by
//! timer [MPITCP, sec. 2]. Connections are established and long-lived: there is no handshake and no
//! close.

use std::collections::VecDeque;

use program::Rank;
use quantity::Time;
use simulation::TransferId;

use super::EndpointId;
use super::congestion::Congestion;

/// Linux 2.0 advertises no window beyond this, whatever the buffer [MPITCP, sec. 2].
const LARGEST_HALF_WINDOW: u32 = 32_767;

/// How the advertised window follows from the receive buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowRule {
    /// What is free of the buffer.
    Free,
    /// Half of the buffer less half of what is queued, rounded down to whole segments (Linux 2.0).
    HalfInSegments,
}

/// When received data are acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AckRule {
    /// At once for every second segment and for anything out of order, else after `delay` (RFC
    /// 5681).
    EverySecond {
        /// The longest an acknowledgement is held back.
        delay: Time,
    },
    /// With reverse data, when the process has read so much that the window at least doubles, or by
    /// timer: after `pushed` for the last segment of a write, at the next tick once two full
    /// segments wait (Linux 2.0).
    OnRead {
        /// Delay after the last segment of a write.
        pushed: Time,
        /// The longest an acknowledgement is held back.
        longest: Time,
    },
}

/// What a send buffer can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendBuffer {
    /// Segments, whatever their payload: each occupies a full-size buffer (Linux 2.0).
    Segments(u32),
    /// Bytes of payload.
    Bytes(u32),
}

/// Options of every connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TcpOptions {
    /// Largest payload of a segment.
    pub segment_bytes: u32,
    /// Receive buffer.
    pub receive_buffer: u32,
    /// How the advertised window follows from it.
    pub window_rule: WindowRule,
    /// When received data are acknowledged.
    pub ack_rule: AckRule,
    /// What may wait to be sent or acknowledged.
    pub send_buffer: SendBuffer,
    /// Congestion window of a new or idle connection, in segments.
    pub initial_window: u32,
    /// Whether three duplicate acknowledgements stand for a loss.
    pub fast_retransmit: bool,
    /// Whether an idle connection falls back to the initial window.
    pub restart_when_idle: bool,
    /// Period of the kernel's clock; timers fire on its ticks. Zero for a clock without ticks.
    pub tick: Time,
    /// Retransmission time-out before the first measurement.
    pub first_timeout: Time,
    /// Floor of the retransmission time-out.
    pub shortest_timeout: Time,
    /// Ceiling of the retransmission time-out.
    pub longest_timeout: Time,
    /// Retransmissions of one segment before the connection is given up.
    pub most_retransmissions: u32,
}

/// What a segment is, beside its numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// Last segment of a write.
    pub push: bool,
    /// Asks for an acknowledgement although it carries nothing new.
    pub probe: bool,
}

/// A segment to be sent; the acknowledgement it carries is filled in when it leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// Sequence number of its first byte.
    pub sequence: u64,
    /// Payload.
    pub payload: u32,
    /// What it is.
    pub flags: Flags,
}

/// A segment that has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Incoming {
    /// Sequence number of its first byte.
    pub sequence: u64,
    /// Payload.
    pub payload: u32,
    /// What it is.
    pub flags: Flags,
    /// Everything before this has arrived at the peer.
    pub acknowledged: u64,
    /// Bytes beyond `acknowledged` that the peer allows.
    pub window: u32,
}

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

/// One end of a connection.
#[derive(Debug)]
pub struct Endpoint {
    /// The process it belongs to.
    pub rank: Rank,
    /// The other end.
    pub peer: EndpointId,
    /// When the pending retransmission or probe timer event fires; `Time::MAX` for none.
    pub timeout_event: Time,
    /// When the pending acknowledgement timer event fires; `Time::MAX` for none.
    pub ack_event: Time,
    /// Segments sent again.
    pub n_retransmitted: u64,
    congestion: Congestion,
    timeout_at: Time,
    /// Probes sent since the window last opened; each waits twice as long as the one before.
    n_probes: u32,
    /// Probes sent since the peer was last heard.
    n_unanswered: u32,
    /// Whether the peer will never open its window again.
    is_abandoned: bool,
    /// The last segment either way: a connection idles when nothing moves in either direction.
    last_active: Time,
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

    expected: u64,
    /// First sequence number this end does not allow.
    advertised: u64,
    /// Payloads in order that the process has not read.
    unread: VecDeque<u32>,
    unread_bytes: u32,
    out_of_order: Vec<(u64, u32)>,
    owed_bytes: u32,
    owed_segments: u32,
    ack_at: Time,
    last_arrival: Time,
    gap: Time,
    read_to: u64,
    /// Transfers under way to this end, with the sequence number after their last byte.
    transfers: VecDeque<(u64, TransferId)>,
}

impl Endpoint {
    /// Returns an end of an established, silent connection.
    pub fn new(rank: Rank, peer: EndpointId, options: &TcpOptions) -> Endpoint {
        let mut endpoint = Endpoint {
            rank,
            peer,
            timeout_event: Time::MAX,
            ack_event: Time::MAX,
            n_retransmitted: 0,
            congestion: Congestion::new(options),
            timeout_at: Time::MAX,
            n_probes: 0,
            n_unanswered: 0,
            is_abandoned: false,
            last_active: Time::ZERO,
            acknowledged: 0,
            next: 0,
            highest: 0,
            edge: 0,
            queue: VecDeque::new(),
            n_sent: 0,
            queued_bytes: 0,
            expected: 0,
            advertised: 0,
            unread: VecDeque::new(),
            unread_bytes: 0,
            out_of_order: Vec::new(),
            owed_bytes: 0,
            owed_segments: 0,
            ack_at: Time::MAX,
            last_arrival: Time::ZERO,
            gap: Time::ZERO,
            read_to: 0,
            transfers: VecDeque::new(),
        };
        endpoint.advertise(options);
        endpoint.edge = endpoint.advertised;
        endpoint
    }

    /// Returns the bytes of memory this end holds.
    pub fn memory_bytes(&self) -> usize {
        size_of::<Endpoint>()
            + self.queue.capacity() * size_of::<Segment>()
            + self.unread.capacity() * size_of::<u32>()
            + self.out_of_order.capacity() * size_of::<(u64, u32)>()
            + self.transfers.capacity() * size_of::<(u64, TransferId)>()
    }

    /// Returns when the retransmission timer is due; `Time::MAX` for never.
    pub fn timeout_at(&self) -> Time {
        self.timeout_at
    }

    /// Returns when an acknowledgement is due; `Time::MAX` for never.
    pub fn ack_at(&self) -> Time {
        self.ack_at
    }

    /// Returns (bytes handed to this end, bytes acknowledged, bytes received in order, bytes read).
    pub fn totals(&self) -> (u64, u64, u64, u64) {
        let written = self.acknowledged + u64::from(self.queued_bytes);
        (written, self.acknowledged, self.expected, self.read_to)
    }

    /// Returns a segment without data: an acknowledgement, or a probe of a closed window.
    pub fn without_data(&self, probe: bool) -> Outgoing {
        let flags = Flags { push: false, probe };
        Outgoing { sequence: self.next, payload: 0, flags }
    }

    // Sending.

    /// Returns whether the send buffer takes another segment of `payload` bytes.
    #[inline]
    pub fn has_room(&self, payload: u32, options: &TcpOptions) -> bool {
        match options.send_buffer {
            SendBuffer::Segments(most) => (self.queue.len() as u32) < most,
            SendBuffer::Bytes(most) => self.queue.is_empty() || self.queued_bytes + payload <= most,
        }
    }

    /// Returns whether a segment of `payload` bytes, buffered now, could leave at once.
    #[inline]
    pub fn would_leave(&self, payload: u32) -> bool {
        self.n_sent as usize == self.queue.len() && self.window_allows(payload)
    }

    #[inline]
    fn window_allows(&self, payload: u32) -> bool {
        self.n_sent < self.congestion.window && self.next + u64::from(payload) <= self.edge
    }

    /// Buffers a segment that the process wrote.
    pub fn buffer(&mut self, payload: u32, push: bool) {
        self.queue.push_back(Segment { payload, push });
        self.queued_bytes += payload;
    }

    /// Returns whether a buffered segment may leave now.
    #[inline]
    pub fn may_send(&self) -> bool {
        match self.queue.get(self.n_sent as usize) {
            Some(segment) => self.window_allows(segment.payload),
            None => false,
        }
    }

    /// Takes the next segment to send, if the windows allow one.
    pub fn send(&mut self, now: Time, options: &TcpOptions) -> Option<Outgoing> {
        if self.n_sent == 0
            && options.restart_when_idle
            && now > self.last_active + self.congestion.timeout(options)
        {
            self.congestion.restart(options);
        }
        let segment = *self.queue.get(self.n_sent as usize)?;
        if !self.window_allows(segment.payload) {
            return None;
        }
        let sequence = self.next;
        self.next += u64::from(segment.payload);
        if self.next > self.highest {
            self.highest = self.next;
            self.congestion.sent(self.next, now);
        } else {
            self.n_retransmitted += 1;
        }
        if self.n_sent == 0 || self.timeout_at == Time::MAX {
            self.timeout_at = now + self.congestion.timeout(options);
        }
        self.n_sent += 1;
        self.last_active = now;
        Some(segment.outgoing(sequence))
    }

    /// Starts the probe timer when the window is closed and nothing is in flight that could open
    /// it.
    pub fn watch_closed_window(&mut self, now: Time, options: &TcpOptions) {
        let is_idle = self.n_sent == 0 && self.timeout_at == Time::MAX;
        if is_idle && !self.queue.is_empty() && !self.is_abandoned {
            self.timeout_at = now + self.congestion.timeout(options);
        }
    }

    /// Returns the first unacknowledged segment, to be sent again.
    pub fn resend_first(&mut self, now: Time, options: &TcpOptions) -> Option<Outgoing> {
        let segment = *self.queue.front()?;
        self.n_retransmitted += 1;
        self.timeout_at = now + self.congestion.timeout(options);
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
        let &Incoming { acknowledged, window, .. } = segment;
        let old_edge = self.edge;
        self.edge = self.edge.max(acknowledged + u64::from(window));
        self.n_unanswered = 0;
        if self.edge > old_edge {
            self.n_probes = 0;
        }
        if acknowledged > self.acknowledged {
            let n_queued = self.queue.len();
            self.release(acknowledged);
            let n_released = (n_queued - self.queue.len()) as u32;
            let resend = self.congestion.acknowledged(acknowledged, n_released, now, options);
            self.timeout_at = match self.n_sent {
                0 => Time::MAX,
                _ => now + self.congestion.timeout(options),
            };
            return resend && self.n_sent > 0;
        }
        let is_duplicate = acknowledged == self.acknowledged
            && self.n_sent > 0
            && segment.payload == 0
            && self.edge == old_edge;
        is_duplicate && self.congestion.duplicate(acknowledged, self.n_sent, self.highest, options)
    }

    fn release(&mut self, acknowledged: u64) {
        while self.acknowledged < acknowledged {
            let Some(segment) = self.queue.pop_front() else { break };
            self.acknowledged += u64::from(segment.payload);
            self.queued_bytes -= segment.payload;
            self.n_sent = self.n_sent.saturating_sub(1);
        }
        self.next = self.next.max(self.acknowledged);
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
        if self.n_sent == 0 {
            // Without the doubling, probes that meet other traffic of the same period are lost for
            // ever.
            self.n_probes += 1;
            if self.n_unanswered >= options.most_retransmissions {
                return TimeoutAction::GiveUp(self.n_unanswered);
            }
            self.n_unanswered += 1;
            let wait = self.congestion.timeout(options) * (1 << self.n_probes.min(16));
            self.timeout_at = now + wait.min(options.longest_timeout);
            return TimeoutAction::Probe;
        }
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

    /// Returns whether the peer will never open its window again.
    pub fn is_abandoned(&self) -> bool {
        self.is_abandoned
    }

    // Receiving.

    /// Notes that the peer began a transfer whose last byte is `bytes` after the previous one's.
    pub fn expect_transfer(&mut self, bytes: u64, id: TransferId) {
        let start = self.transfers.back().map_or(self.read_to, |&(end, _)| end);
        self.transfers.push_back((start + bytes, id));
    }

    /// Takes data; returns whether an acknowledgement must leave at once.
    pub fn on_data(&mut self, segment: &Incoming, now: Time, options: &TcpOptions) -> bool {
        let &Incoming { sequence, payload, flags: Flags { push, .. }, .. } = segment;
        if sequence < self.expected {
            return true;
        }
        self.gap = now.saturating_sub(self.last_arrival);
        self.last_arrival = now;
        self.last_active = now;
        if sequence > self.expected {
            self.keep_out_of_order(sequence, payload);
            self.owe(0, push, now, options);
            return matches!(options.ack_rule, AckRule::EverySecond { .. });
        }
        self.accept(payload);
        let filled_a_hole = self.accept_kept();
        self.owe(payload, push, now, options);
        match options.ack_rule {
            AckRule::EverySecond { .. } => filled_a_hole || self.owed_segments >= 2,
            AckRule::OnRead { .. } => false,
        }
    }

    fn accept(&mut self, payload: u32) {
        self.expected += u64::from(payload);
        self.unread.push_back(payload);
        self.unread_bytes += payload;
    }

    fn keep_out_of_order(&mut self, sequence: u64, payload: u32) {
        if let Err(place) = self.out_of_order.binary_search_by_key(&sequence, |&(start, _)| start) {
            self.out_of_order.insert(place, (sequence, payload));
        }
    }

    fn accept_kept(&mut self) -> bool {
        let mut n = 0;
        while let Some(&(start, payload)) = self.out_of_order.get(n)
            && start <= self.expected
        {
            if start == self.expected {
                self.accept(payload);
            }
            n += 1;
        }
        self.out_of_order.drain(..n);
        n > 0
    }

    /// Notes an acknowledgement that is due some time.
    fn owe(&mut self, payload: u32, push: bool, now: Time, options: &TcpOptions) {
        self.owed_bytes += payload;
        self.owed_segments += 1;
        let delay = match options.ack_rule {
            AckRule::EverySecond { delay } => delay,
            AckRule::OnRead { .. } if self.owed_bytes >= 2 * options.segment_bytes => Time::ZERO,
            AckRule::OnRead { .. } if !self.out_of_order.is_empty() => Time::ZERO,
            AckRule::OnRead { pushed, .. } if push => pushed,
            AckRule::OnRead { longest, .. } => self.gap.min(longest),
        };
        self.ack_at = self.ack_at.min(now + delay);
    }

    /// Returns the payload of the next segment the process can read.
    #[inline]
    pub fn next_unread(&self) -> Option<u32> {
        self.unread.front().copied()
    }

    /// Lets the process read one segment; returns the transfer it completes and whether the window
    /// has opened so far that an acknowledgement must leave.
    pub fn read(&mut self, options: &TcpOptions) -> (Option<TransferId>, bool) {
        let payload = self.unread.pop_front().unwrap_or(0);
        self.unread_bytes -= payload;
        self.read_to += u64::from(payload);
        let completed = match self.transfers.front() {
            Some(&(end, id)) if self.read_to >= end => {
                self.transfers.pop_front();
                Some(id)
            }
            _ => None,
        };
        (completed, self.must_update_window(options))
    }

    fn must_update_window(&self, options: &TcpOptions) -> bool {
        let left = self.advertised - self.expected;
        let window = u64::from(self.window(options));
        match options.ack_rule {
            AckRule::OnRead { .. } => window >= 2 * left && window > left,
            // A receiver tells of a window that was nearly closed once it has opened by two
            // segments (RFC 1122).
            AckRule::EverySecond { .. } => {
                let segment = u64::from(options.segment_bytes);
                left < 2 * segment && window >= left + 2 * segment
            }
        }
    }

    fn window(&self, options: &TcpOptions) -> u32 {
        match options.window_rule {
            WindowRule::Free => options.receive_buffer.saturating_sub(self.unread_bytes),
            WindowRule::HalfInSegments => {
                let free = (options.receive_buffer / 2).saturating_sub(self.unread_bytes / 2);
                let free = free.min(LARGEST_HALF_WINDOW);
                free / options.segment_bytes * options.segment_bytes
            }
        }
    }

    fn advertise(&mut self, options: &TcpOptions) {
        self.advertised = self.advertised.max(self.expected + u64::from(self.window(options)));
    }

    /// Returns the acknowledgement number and window that any segment leaving now carries; nothing
    /// is owed afterwards.
    pub fn acknowledge(&mut self, options: &TcpOptions) -> (u64, u32) {
        self.advertise(options);
        self.owed_bytes = 0;
        self.owed_segments = 0;
        self.ack_at = Time::MAX;
        (self.expected, (self.advertised - self.expected) as u32)
    }
}
