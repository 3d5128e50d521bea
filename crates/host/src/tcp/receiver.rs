//! The receiving half of a connection end: unread data, the advertised window, and the
//! acknowledgement that is owed.
//!
//! The [`AckRule`] of the options decides whether an acknowledgement leaves at once or is delayed,
//! `delay` for how long; the engine arms the timer.

use std::collections::VecDeque;

use crate::constants::{AckRule, CongestionControl, TcpOptions};
use quantity::Time;

use crate::prefetch::prefetch;
use crate::transfer::{Head, Transfer};

use super::clock::Clock;
use super::delay::Delay;
use super::full_segment::FullSegment;
use super::growing_buffer::GrowingBuffer;
use super::ranges::Ranges;
use super::segment::{Flags, Incoming, SegmentOptions};

/// Transfers on their way for which a connection has room from the first on; few have more.
const USUAL_TRANSFERS: usize = 2;

/// A transfer being received.
#[derive(Debug)]
struct Expected {
    /// The sequence number after its last byte.
    end: u64,
    head: Head,
    header: u32,
}

/// The receiving half of a connection end.
#[derive(Debug)]
pub struct Receiver {
    /// Largest payload of a segment of this connection, the unit of windows.
    segment_bytes: u32,
    /// The sequence number before which everything has arrived.
    pub(super) expected: u64,
    /// The first sequence number beyond the advertised window.
    pub(super) advertised: u64,
    /// Payloads of unread segments, in order.
    pub(super) unread: VecDeque<u32>,
    /// Bytes already read of the first of them.
    pub(super) first_read: u32,
    /// Bytes of the receive buffer that are taken.
    used_bytes: u32,
    /// The buffer, if it grows.
    pub(super) growing: Option<Box<GrowingBuffer>>,
    pub(super) out_of_order: Vec<(u64, u32)>,
    pub(super) owed_bytes: u32,
    pub(super) owed_segments: u32,
    pub(super) ack_at: Time,
    /// The time at which a second acknowledgement of data out of order is due, once the first has
    /// left; `Time::MAX` for none.
    pub(super) repeat_at: Time,
    pub(super) delay: Delay,
    pub(super) full_segment: FullSegment,
    /// The data out of order as ranges, used under SACK only.
    pub(super) ranges: Ranges,
    /// True while marks are echoed to the peer.
    is_echoing: bool,
    /// The time stamp to be echoed, and the last sequence number that was acknowledged.
    timestamp: Time,
    pub(super) acknowledged_to: u64,
    pub(super) read_to: u64,
    /// Transfers being received.
    transfers: VecDeque<Expected>,
    /// Segments that the call by which the process reads has not copied yet.
    in_call: usize,
    /// True between transfers: the next call reads the header alone.
    is_between: bool,
}

impl Receiver {
    /// Returns a receiver that has advertised its first window.
    pub(super) fn new(segment_bytes: u32, options: &TcpOptions) -> Receiver {
        let mut receiver = Receiver {
            segment_bytes,
            expected: 0,
            advertised: 0,
            unread: VecDeque::new(),
            first_read: 0,
            used_bytes: 0,
            growing: GrowingBuffer::new(segment_bytes, options),
            out_of_order: Vec::new(),
            owed_bytes: 0,
            owed_segments: 0,
            ack_at: Time::MAX,
            repeat_at: Time::MAX,
            delay: Delay::new(),
            full_segment: FullSegment::new(segment_bytes, options.is_adaptive()),
            ranges: Ranges::default(),
            is_echoing: false,
            timestamp: Time::ZERO,
            acknowledged_to: 0,
            read_to: 0,
            transfers: VecDeque::new(),
            in_call: 0,
            is_between: true,
        };
        receiver.advertise(options);
        receiver
    }

    /// Prefetches the memory that segments read, by fields that lie apart.
    #[inline]
    pub(super) fn prefetch(&self) {
        prefetch(&self.ack_at);
        prefetch(&self.expected);
        prefetch(&self.unread);
        prefetch(&self.delay);
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.unread.capacity() * size_of::<u32>()
            + self.out_of_order.capacity() * size_of::<(u64, u32)>()
            + self.transfers.capacity() * size_of::<Expected>()
            + self.ranges.heap_bytes()
            + self.growing.as_ref().map_or(0, |growing| size_of_val(&**growing))
    }

    /// Returns the sequence number before which everything has arrived.
    pub fn expected(&self) -> u64 {
        self.expected
    }

    /// Returns the first sequence number beyond the advertised window.
    pub fn advertised(&self) -> u64 {
        self.advertised
    }

    /// Returns the sequence number before which the process has read everything.
    pub fn read_to(&self) -> u64 {
        self.read_to
    }

    /// Returns the last arrival of new data.
    pub(super) fn last_arrival(&self) -> Time {
        self.delay.last_arrival()
    }

    /// Notes that this end sends data.
    #[inline]
    pub(super) fn sent_data(&mut self, now: Time) {
        self.delay.sent_data(now);
    }

    /// Returns the largest payload of a segment, which is the same in both directions.
    #[inline]
    pub fn segment_bytes(&self) -> u32 {
        self.segment_bytes
    }

    /// Returns the time at which an acknowledgement is due; `Time::MAX` for never.
    pub fn ack_at(&self) -> Time {
        self.ack_at
    }

    /// Notes that the peer has begun a transfer, which follows the previous one.
    pub fn expect_transfer(&mut self, transfer: Transfer) {
        let Transfer { head, header, body } = transfer;
        let start = self.transfers.back().map_or(self.read_to, |last| last.end);
        let end = start + u64::from(header) + body;
        if self.transfers.capacity() == 0 {
            self.transfers.reserve_exact(USUAL_TRANSFERS);
        }
        self.transfers.push_back(Expected { end, head, header });
    }

    /// Receives data; returns whether an acknowledgement must leave at once.
    ///
    /// `clock` is that of this end: its retransmission time-out is the longest time that it expects
    /// to wait for data.
    pub(super) fn on_data(
        &mut self,
        segment: &Incoming,
        now: Time,
        clock: &Clock,
        options: &TcpOptions,
    ) -> bool {
        let &Incoming { sequence, payload, flags, .. } = segment;
        let push = flags.has(Flags::PUSH);
        let timeout = clock.timeout(options);
        self.delay.follow(now, timeout, options);
        self.delay.limit_to_round_trip(clock.round_trip(), options);
        if sequence < self.expected {
            self.note_repeated(sequence, payload, options);
            return true;
        }
        self.delay.arrived(now);
        if sequence > self.expected {
            if !self.keep_out_of_order(sequence, payload) {
                self.note_repeated(sequence, payload, options);
            } else if options.counts_out_of_order() {
                self.used_bytes += options.buffered(payload);
            }
            self.prune(options);
            self.delay.disturbed();
            if options.extensions.sack {
                self.ranges.insert(sequence, sequence + u64::from(payload));
            }
            match options.ack_rule {
                // A second acknowledgement leaves a time-out later (Linux 2.0, `tcp_queue`).
                AckRule::OnRead { .. } => self.repeat_at = now + timeout,
                _ => self.owe(0, push, now, options),
            }
            return true;
        }
        // Filling part of a gap is enough: a sender in recovery waits for each of these (RFC 5681,
        // 4.2).
        let fills_a_gap = !self.out_of_order.is_empty();
        self.accept(payload);
        self.used_bytes += options.buffered(payload);
        self.accept_kept(options);
        self.prune(options);
        if let Some(growing) = &mut self.growing {
            let window = self.advertised - self.acknowledged_to;
            growing.arrived(payload, self.expected, self.used_bytes, window, now);
        }
        self.owe(payload, push, now, options);
        match options.ack_rule {
            AckRule::EverySegment => true,
            AckRule::EverySecond { .. } => fills_a_gap || self.owed_segments >= 2,
            AckRule::Adaptive { .. } => fills_a_gap || self.must_answer(payload, push, now),
            AckRule::FullPairs { .. } => self.must_answer_in_pairs(payload, options),
            AckRule::OnRead { .. } => false,
        }
    }

    /// Returns whether Linux since 2.4 acknowledges data at once (`__tcp_ack_snd_check`).
    fn must_answer(&mut self, payload: u32, push: bool, now: Time) -> bool {
        let length = self.full_segment.measure(payload.min(self.segment_bytes));
        self.delay.note_end(length, push);
        self.owed_bytes > self.full_segment.bytes()
            || self.delay.is_quick()
            || self.delay.is_nearly_due(self.ack_at, now)
    }

    /// Returns whether Linux 2.2 acknowledges data at once (`__tcp_ack_snd_check`).
    fn must_answer_in_pairs(&mut self, payload: u32, options: &TcpOptions) -> bool {
        self.full_segment.measure(payload.min(self.segment_bytes));
        let left = self.advertised - self.expected;
        self.expected - self.acknowledged_to >= 2 * u64::from(self.full_segment.bytes())
            || u64::from(self.window(options)) > 2 * left
            || self.delay.is_first()
            || !self.out_of_order.is_empty()
    }

    /// Returns whether the owed acknowledgement must leave before a segment with a different mark
    /// is received, so that the share of marks is exact (RFC 8257, sec. 3.2).
    #[inline]
    pub fn must_acknowledge_first(&self, flags: Flags, options: &TcpOptions) -> bool {
        options.congestion == CongestionControl::Dctcp
            && flags.has(Flags::MARKED) != self.is_echoing
            && self.owed_segments > 0
    }

    /// Processes the mark of a segment: DCTCP echoes each mark as it is, standard ECN until the
    /// sender has responded (RFC 3168, sec. 6.1.3).
    pub(super) fn take_marks(&mut self, flags: Flags, options: &TcpOptions) {
        let is_marked = flags.has(Flags::MARKED);
        let goes_on = match options.congestion {
            CongestionControl::Dctcp => false,
            _ => self.is_echoing && !flags.has(Flags::REDUCED),
        };
        self.is_echoing = is_marked || goes_on;
    }

    /// Processes the time stamp of a segment, which is echoed if the segment is the first that is
    /// owed an acknowledgement (RFC 7323, sec. 4.3).
    pub(super) fn take_timestamp(&mut self, sequence: u64, timestamp: Time) {
        if sequence <= self.acknowledged_to {
            self.timestamp = timestamp;
        }
    }

    /// Processes the echo of a time stamp in a segment with `payload`; zero stands for none.
    #[inline]
    pub(super) fn take_echo(&mut self, payload: u32, echo: Time, now: Time) {
        if let Some(growing) = &mut self.growing
            && payload >= self.segment_bytes
            && echo > Time::ZERO
        {
            growing.echoed(echo, now);
        }
    }

    /// Returns whether marks are echoed to the peer.
    pub fn is_echoing(&self) -> bool {
        self.is_echoing
    }

    /// Writes the options of a segment from this end: the time stamp to be echoed, and, in a pure
    /// acknowledgement, which alone has room, the SACK blocks.
    pub(super) fn report(&self, payload: u32, header: &mut SegmentOptions) {
        header.echo = self.timestamp;
        if payload == 0 {
            self.ranges.report(header);
        }
    }

    fn accept(&mut self, payload: u32) {
        self.expected += u64::from(payload);
        self.unread.push_back(payload);
    }

    /// Keeps a segment out of order; returns whether it is new.
    fn keep_out_of_order(&mut self, sequence: u64, payload: u32) -> bool {
        let place = self.out_of_order.binary_search_by_key(&sequence, |&(start, _)| start);
        if let Err(place) = place {
            self.out_of_order.insert(place, (sequence, payload));
        }
        place.is_err()
    }

    /// Discards what arrived out of order if the buffer is more than full (Linux 2.0,
    /// `prune_queue`).
    fn prune(&mut self, options: &TcpOptions) {
        if options.counts_out_of_order() && self.used_bytes > options.receive_buffer {
            for (_, payload) in self.out_of_order.drain(..) {
                self.used_bytes -= options.buffered(payload);
            }
        }
    }

    /// Notes a segment that has arrived before, which the next acknowledgement reports.
    fn note_repeated(&mut self, sequence: u64, payload: u32, options: &TcpOptions) {
        if options.extensions.undo {
            self.ranges.repeated = Some((sequence, sequence + u64::from(payload)));
        }
    }

    fn accept_kept(&mut self, options: &TcpOptions) {
        let mut n = 0;
        while let Some(&(start, payload)) = self.out_of_order.get(n)
            && start <= self.expected
        {
            if start == self.expected {
                self.accept(payload);
                if !options.counts_out_of_order() {
                    self.used_bytes += options.buffered(payload);
                }
            }
            n += 1;
        }
        self.out_of_order.drain(..n);
        self.ranges.release(self.expected);
    }

    /// Notes that an acknowledgement is owed, and when it is due.
    fn owe(&mut self, payload: u32, push: bool, now: Time, options: &TcpOptions) {
        self.owed_bytes += payload;
        // A merged segment counts as the segments it was made of.
        self.owed_segments += payload.div_ceil(self.segment_bytes).max(1);
        let delay = match options.ack_rule {
            AckRule::EverySegment => Time::ZERO,
            AckRule::EverySecond { delay } => delay,
            AckRule::Adaptive { longest, .. } => self.delay.wait().min(longest),
            AckRule::FullPairs { pushed, longest } => {
                if push && payload < self.segment_bytes / 2 {
                    self.delay.limit(pushed);
                }
                self.delay.expected_gap(longest)
            }
            AckRule::OnRead { .. } if self.owed_bytes >= 2 * self.segment_bytes => Time::ZERO,
            AckRule::OnRead { pushed, .. } if push => self.delay.expected_gap(pushed),
            AckRule::OnRead { longest, .. } => self.delay.expected_gap(longest),
        };
        self.ack_at = self.ack_at.min(now + delay);
    }

    /// Returns the payload of the next segment that the process can read, up to the end of the
    /// transfer: a segment that joined a tail holds the beginning of the next one too.
    #[inline]
    pub fn next_unread(&self) -> Option<u32> {
        let segment = self.unread.front()? - self.first_read;
        let wanted = self.transfers.front().map_or(u64::MAX, |first| first.end - self.read_to);
        Some(u64::from(segment).min(wanted) as u32)
    }

    /// Begins to read one segment, as [`Receiver::next_unread`] has it, and a call of the process
    /// unless it is in one. A call takes all segments that are queued when it begins
    /// (`tcp_recvmsg` of Linux 2.0); those that arrive meanwhile wait for its end (`tcp_rcv`,
    /// `release_sock`). The header is a call of its own, which leaves the rest of a segment that
    /// joined a tail to the next one.
    #[inline]
    pub fn begin_read(&mut self) -> Option<u32> {
        let payload = self.next_unread()?;
        if self.in_call == 0 {
            let is_header = |first: &Expected| self.is_between && payload <= first.header;
            let is_header = self.transfers.front().is_some_and(is_header);
            self.in_call = if is_header { 1 } else { self.unread.len() };
        }
        Some(payload)
    }

    /// Reads one segment, up to the end of the transfer; returns the head of the transfer that it
    /// completes, and whether the window has opened so far that an acknowledgement must leave.
    pub fn read(&mut self, now: Time, options: &TcpOptions) -> (Option<Head>, bool) {
        let payload = self.begin_read().unwrap_or(0);
        self.first_read += payload;
        if let Some(segment) = self.unread.pop_front_if(|segment| *segment == self.first_read) {
            self.first_read = 0;
            self.used_bytes -= options.buffered(segment);
        }
        self.read_to += u64::from(payload);
        if let Some(growing) = &mut self.growing {
            growing.read(self.read_to, now, self.segment_bytes, options.receive_buffer);
        }
        let is_over = |first: &mut Expected| self.read_to >= first.end;
        let completed = self.transfers.pop_front_if(is_over).map(|first| first.head);
        self.is_between = completed.is_some();
        self.in_call = if self.is_between { 0 } else { self.in_call.saturating_sub(1) };
        let is_noticed = self.in_call == 0 || !matches!(options.ack_rule, AckRule::OnRead { .. });
        let must_update = is_noticed && self.must_update_window(options);
        (completed, must_update || self.answers_by_reading(options))
    }

    /// Returns whether Linux since 2.4 acknowledges data because a process has just read the last
    /// of them (`tcp_cleanup_rbuf`).
    fn answers_by_reading(&self, options: &TcpOptions) -> bool {
        options.is_adaptive()
            && self.ack_at < Time::MAX
            && self.unread.is_empty()
            && self.out_of_order.is_empty()
            && self.delay.is_answered_by_reading()
    }

    /// Returns the state of the call that the process reads with.
    pub(super) fn call(&self) -> [u64; 2] {
        [self.in_call as u64, u64::from(self.is_between)]
    }

    fn must_update_window(&self, options: &TcpOptions) -> bool {
        let left = self.advertised - self.expected;
        options.must_update_window(left, self.window(options), self.segment_bytes)
    }

    fn window(&self, options: &TcpOptions) -> u32 {
        match &self.growing {
            Some(growing) => growing.window(self.used_bytes),
            None => options.window(self.used_bytes, self.segment_bytes),
        }
    }

    fn advertise(&mut self, options: &TcpOptions) {
        self.advertised = self.advertised.max(self.expected + u64::from(self.window(options)));
    }

    /// Returns the acknowledgement number and window of a segment that leaves now; nothing is owed
    /// afterwards.
    pub fn acknowledge(&mut self, options: &TcpOptions) -> (u64, u32) {
        self.advertise(options);
        self.owed_bytes = 0;
        self.owed_segments = 0;
        self.ack_at = std::mem::replace(&mut self.repeat_at, Time::MAX);
        self.acknowledged_to = self.expected;
        self.ranges.repeated = None;
        self.delay.acknowledged(options);
        (self.expected, (self.advertised - self.expected) as u32)
    }
}
