//! The two ends of a connection on which nothing is lost: what waits to be sent or acknowledged,
//! and what waits to be read. The rules are those of the options of TCP; losses, and what answers
//! them, are for the packet engine.

use std::collections::VecDeque;

use host::{AckRule, TcpOptions, Waiting};
use quantity::Time;

/// What the sending end knows of an acknowledgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ack {
    /// Everything before has arrived.
    pub acknowledged: u64,
    /// The first sequence number that is not allowed.
    pub edge: u64,
}

/// A buffered segment, and whether it is the last of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Segment {
    pub payload: u32,
    pub push: bool,
}

/// The end that writes.
#[derive(Clone, Debug)]
pub(super) struct Sending {
    /// What is left of the present write, and whether its system call has been charged.
    pub left: u64,
    pub is_entered: bool,
    /// The write that follows.
    pub body: u64,
    /// Segments not acknowledged; the first `n_sent` are in flight.
    queue: VecDeque<Segment>,
    n_sent: u32,
    queued_bytes: u32,
    has_first: bool,
    pub acknowledged: u64,
    next: u64,
    edge: u64,
    /// Segments that may be in flight.
    pub congestion_window: u32,
}

impl Sending {
    pub fn new(header: u32, body: u64, edge: u64, congestion_window: u32) -> Sending {
        let (left, body) = match header {
            0 => (body, 0),
            header => (u64::from(header), body),
        };
        Sending {
            left,
            is_entered: false,
            body,
            queue: VecDeque::new(),
            n_sent: 0,
            queued_bytes: 0,
            has_first: false,
            acknowledged: 0,
            next: 0,
            edge,
            congestion_window,
        }
    }

    /// Moves on to the next write where the present one is done; returns whether something is left.
    pub fn has_more(&mut self) -> bool {
        if self.left == 0 && self.body > 0 {
            self.left = std::mem::take(&mut self.body);
            self.is_entered = false;
        }
        self.left > 0
    }

    pub fn has_room(&self, payload: u32, options: &TcpOptions) -> bool {
        options.send_buffer.has_room(self.waiting(), payload)
    }

    pub fn would_leave(&self, payload: u32) -> bool {
        self.n_sent as usize == self.queue.len() && self.window_allows(payload)
    }

    pub fn may_send(&self) -> bool {
        let next = self.queue.get(self.n_sent as usize);
        next.is_some_and(|next| self.window_allows(next.payload))
    }

    fn window_allows(&self, payload: u32) -> bool {
        self.n_sent < self.congestion_window && self.next + u64::from(payload) <= self.edge
    }

    /// Returns how many full segments the send buffer still takes.
    pub fn room(&self, segment_bytes: u32, options: &TcpOptions) -> u32 {
        options.send_buffer.room(self.waiting(), segment_bytes)
    }

    fn waiting(&self) -> Waiting {
        let n_segments = self.queue.len() as u32;
        Waiting { n_segments, bytes: self.queued_bytes, has_first: self.has_first }
    }

    /// Buffers what the process writes at once, in segments.
    pub fn buffer(&mut self, bytes: u32, segment_bytes: u32) {
        self.is_entered = true;
        self.left -= u64::from(bytes);
        self.has_first |= self.queue.is_empty();
        let mut rest = bytes;
        while rest > 0 {
            let payload = rest.min(segment_bytes);
            rest -= payload;
            self.queue.push_back(Segment { payload, push: rest == 0 && self.left == 0 });
        }
        self.queued_bytes += bytes;
    }

    /// Returns the bytes that are not acknowledged.
    pub fn in_flight(&self) -> u64 {
        self.next - self.acknowledged
    }

    /// Returns an acknowledgement of all that was sent.
    pub fn all_acknowledged(&self) -> Ack {
        Ack { acknowledged: self.next, edge: self.edge }
    }

    /// Takes the next buffered segment to send.
    pub fn send(&mut self) -> Option<Segment> {
        let segment = *self.queue.get(self.n_sent as usize)?;
        self.n_sent += 1;
        self.next += u64::from(segment.payload);
        Some(segment)
    }

    /// Takes an acknowledgement; every one of new data opens the congestion window by a segment, or
    /// by as many as it acknowledges where that window was used, up to `most`, beyond which it does
    /// not limit.
    pub fn acknowledge(&mut self, ack: Ack, most: u32, options: &TcpOptions) {
        self.edge = self.edge.max(ack.edge);
        let (n_sent, is_new) = (self.n_sent, ack.acknowledged > self.acknowledged);
        self.release(ack);
        let n_more = match options.extensions.counts_segments {
            true if self.congestion_window >= 2 * n_sent => 0,
            true => n_sent - self.n_sent,
            false => u32::from(is_new),
        };
        self.congestion_window = (self.congestion_window + n_more).min(most);
    }

    fn release(&mut self, ack: Ack) {
        while self.acknowledged < ack.acknowledged {
            let Some(Segment { payload, .. }) = self.queue.pop_front() else { break };
            self.acknowledged += u64::from(payload);
            self.has_first = false;
            self.queued_bytes -= payload;
            self.n_sent -= 1;
        }
    }

    /// Moves all sequence numbers on, and what is left to write down.
    pub fn skip(&mut self, bytes: u64) {
        self.left -= bytes;
        for number in [&mut self.acknowledged, &mut self.next, &mut self.edge] {
            *number += bytes;
        }
    }

    pub fn describe(&self, state: &mut Vec<u64>) {
        let numbers = [self.next - self.acknowledged, self.edge - self.acknowledged];
        state.extend(numbers);
        state.extend([u64::from(self.n_sent), u64::from(self.congestion_window)]);
        state.push(u64::from(self.is_entered));
        let code = |of: &Segment| u64::from(of.payload) << 1 | u64::from(of.push);
        state.extend(self.queue.iter().map(code));
    }
}

/// The end that reads.
#[derive(Clone, Debug)]
pub(super) struct Receiving {
    segment_bytes: u32,
    expected: u64,
    advertised: u64,
    unread: VecDeque<u32>,
    unread_bytes: u32,
    owed_segments: u32,
    owed_bytes: u32,
    ack_at: Time,
    pub read_to: u64,
}

impl Receiving {
    pub fn new(segment_bytes: u32, options: &TcpOptions) -> Receiving {
        Receiving {
            segment_bytes,
            expected: 0,
            advertised: u64::from(options.window(0, segment_bytes)),
            unread: VecDeque::new(),
            unread_bytes: 0,
            owed_segments: 0,
            owed_bytes: 0,
            ack_at: Time::MAX,
            read_to: 0,
        }
    }

    /// Returns the first sequence number that is not allowed.
    pub fn edge(&self) -> u64 {
        self.advertised
    }

    /// Takes data; returns whether an acknowledgement must leave at once.
    pub fn take(&mut self, payload: u32, now: Time, options: &TcpOptions) -> bool {
        self.expected += u64::from(payload);
        self.unread.push_back(payload);
        self.unread_bytes += payload;
        // What has been put together counts as what it was.
        self.owed_segments += payload.div_ceil(self.segment_bytes).max(1);
        self.owed_bytes += payload;
        let (delay, is_due) = match options.ack_rule {
            AckRule::EverySecond { delay } => (delay, self.owed_segments >= 2),
            // A connection in use is past its first segments, and no gap on an idle path is long.
            AckRule::Adaptive { shortest, .. } => (shortest, self.owed_bytes > self.segment_bytes),
            AckRule::FullPairs { pushed, .. } => {
                (pushed, self.owed_bytes >= 2 * self.segment_bytes)
            }
            AckRule::OnRead { .. } if self.owed_bytes >= 2 * self.segment_bytes => {
                (Time::ZERO, false)
            }
            AckRule::OnRead { pushed, .. } => (pushed, false),
        };
        self.ack_at = self.ack_at.min(now + delay);
        is_due
    }

    /// Returns when an acknowledgement that is owed at `now` leaves by its timer, on a tick of a
    /// clock that first ticks after half a period; `None` when none is owed.
    pub fn timer(&self, now: Time, options: &TcpOptions) -> Option<Time> {
        if self.owed_segments == 0 {
            return None;
        }
        let tick = options.tick.ps();
        if tick == 0 {
            return Some(self.ack_at.max(now));
        }
        let half = tick / 2;
        let last = self.ack_at.ps().saturating_sub(half) / tick;
        let next = now.ps().saturating_sub(half).div_ceil(tick);
        Some(Time::from_ps(half + last.max(next) * tick))
    }

    pub fn next_unread(&self) -> Option<u32> {
        self.unread.front().copied()
    }

    /// Lets the process read a segment; returns whether the window has opened so far that an
    /// acknowledgement must leave.
    pub fn read(&mut self, options: &TcpOptions) -> bool {
        let payload = self.unread.pop_front().unwrap_or(0);
        self.unread_bytes -= payload;
        self.read_to += u64::from(payload);
        let window = options.window(self.unread_bytes, self.segment_bytes);
        let left = self.advertised - self.expected;
        options.must_update_window(left, window, self.segment_bytes)
    }

    /// Returns the acknowledgement that leaves now; nothing is owed afterwards.
    pub fn acknowledge(&mut self, options: &TcpOptions) -> Ack {
        let window = options.window(self.unread_bytes, self.segment_bytes);
        self.advertised = self.advertised.max(self.expected + u64::from(window));
        (self.owed_segments, self.owed_bytes, self.ack_at) = (0, 0, Time::MAX);
        Ack { acknowledged: self.expected, edge: self.advertised }
    }

    pub fn skip(&mut self, bytes: u64) {
        for number in [&mut self.expected, &mut self.advertised, &mut self.read_to] {
            *number += bytes;
        }
    }

    pub fn describe(&self, acknowledged: u64, state: &mut Vec<u64>) {
        let numbers = [self.expected, self.advertised, self.read_to];
        // What was read may lie before what was acknowledged.
        state.extend(numbers.map(|number| number.wrapping_sub(acknowledged)));
        state.extend([u64::from(self.owed_segments), u64::from(self.owed_bytes)]);
        state.extend(self.unread.iter().map(|&payload| u64::from(payload)));
    }
}
