//! Written data before they are sent: the queue, the segment that waits at its end, which later
//! writes fill up under Linux 6, and the held tail of Linux 2.0.
//!
//! The tail are data shorter than a segment, which stay with the connection (`sk->partial`) while
//! anything is unacknowledged, although the socket has TCP_NODELAY. They leave at the end of their
//! write only if the written data end before the right edge of the peer's window. Otherwise they
//! leave when all data before them are acknowledged, or when the next write has filled them to a
//! segment. A window that opens does not release them (`do_tcp_sendmsg`, `tcp_sendmsg` and
//! `tcp_ack` of 2.0.30). Without TCP_NODELAY, they wait wherever the window ends (`tcp_write` of
//! 1.2.13).

use crate::constants::{SendBuffer, TcpOptions};

use super::super::memory;
use super::super::scoreboard::Segment;
use super::Sender;

impl Sender {
    /// Buffers a piece that the process wrote: a full segment, or the end of a write, which is
    /// pushed.
    pub(in crate::tcp) fn buffer(&mut self, payload: u32, push: bool, options: &TcpOptions) {
        let payload = payload - self.fill_waiting(payload, push, options);
        if payload == 0 {
            return;
        }
        let (is_held, joins) = (self.holds(payload, options), self.held > 0);
        let is_short = payload < self.segment_bytes && self.awaits();
        let is_roomy = self.counts_memory() && (joins || is_short);
        if !joins {
            self.queued_memory += self.memory_of(payload, is_roomy);
        }
        self.queued_bytes += payload;
        let payload = std::mem::take(&mut self.held) + payload;
        if is_held {
            self.held = payload;
        } else {
            self.queue.push_back(Segment::new(payload, push || joins).in_buffer(is_roomy));
        }
    }

    /// Fills the last segment up, if it has not been sent; returns the bytes that it took.
    #[inline]
    fn fill_waiting(&mut self, payload: u32, push: bool, options: &TcpOptions) -> u32 {
        if !options.fills_waiting || self.queue.len() <= self.n_sent as usize {
            return 0;
        }
        let written = self.written();
        let Some(last) = self.queue.back_mut() else { return 0 };
        if written - u64::from(last.payload) < self.highest {
            return 0;
        }
        let taken = payload.min(self.segment_bytes - last.payload);
        last.payload += taken;
        last.push |= push && taken == payload;
        self.queued_bytes += taken;
        taken
    }

    /// Returns the bytes by which the next write fills the held tail; `None` if none is held.
    #[inline]
    pub fn room_in_tail(&self) -> Option<u32> {
        (self.held > 0).then(|| self.segment_bytes - self.held)
    }

    /// Returns the bytes of the held tail.
    pub(in crate::tcp) fn held_bytes(&self) -> u32 {
        self.held
    }

    /// Returns whether a piece of `payload` bytes, buffered now, would be held.
    #[inline]
    pub(super) fn holds(&self, payload: u32, options: &TcpOptions) -> bool {
        let ends_in_window = self.written() + u64::from(payload) < self.edge;
        (options.nagle || options.holds_tail && !ends_in_window)
            && self.held + payload < self.segment_bytes
            && self.awaits()
    }

    /// Queues the held tail once everything before it is acknowledged.
    pub(super) fn release_tail(&mut self) {
        if self.held > 0 && self.queue.is_empty() {
            let tail = Segment::new(std::mem::take(&mut self.held), true);
            self.queue.push_back(tail.in_buffer(self.counts_memory()));
        }
    }

    /// Returns the memory that a segment takes in the send buffer, if that counts memory.
    #[inline]
    pub(super) fn memory_of(&self, payload: u32, is_roomy: bool) -> u32 {
        if !self.counts_memory() {
            return 0;
        }
        memory::sent(payload, is_roomy, self.segment_bytes)
    }

    #[inline]
    fn counts_memory(&self) -> bool {
        matches!(self.buffer, SendBuffer::Memory(_))
    }

    /// Returns whether anything that was sent is unacknowledged.
    #[inline]
    fn awaits(&self) -> bool {
        self.highest > self.acknowledged
    }
}
