//! One end of a TCP connection: a sender, a receiver, and the operations that involve both.
//!
//! Connections are established and long-lived: there is no handshake and no close. The halves meet
//! in two places only: a sender's first window is the one that its peer's receiver begins with, and
//! a connection idles when nothing moves in either direction.

use crate::constants::TcpOptions;
use quantity::Time;

use crate::prefetch::prefetch;

use super::receiver::Receiver;
use super::segment::{Flags, Incoming, Outgoing, SegmentOptions};
use super::sender::Sender;
use crate::transport::EndpointId;

/// One end of a connection.
#[derive(Debug)]
pub struct Endpoint {
    /// The other end.
    pub peer: EndpointId,
    /// The sending half.
    pub sender: Sender,
    /// The receiving half.
    pub receiver: Receiver,
    /// The pending event of the retransmission or probe timer; `Time::MAX` for none.
    pub(super) timeout_event: Time,
    /// The pending event of the acknowledgement timer; `Time::MAX` for none.
    pub(super) ack_event: Time,
    /// True while the end waits for room in the queue of its interface.
    pub is_held: bool,
}

impl Endpoint {
    /// Returns an end of an established, silent connection whose segments hold `segment_bytes`.
    pub fn new(peer: EndpointId, segment_bytes: u32, options: &TcpOptions) -> Endpoint {
        let receiver = Receiver::new(segment_bytes, options);
        Endpoint {
            peer,
            // Both ends have the same options, so the peer's first window equals this end's.
            sender: Sender::new(segment_bytes, receiver.advertised(), options),
            receiver,
            timeout_event: Time::MAX,
            ack_event: Time::MAX,
            is_held: false,
        }
    }

    /// Sets the first sequence number of this end on the wire, on which only the duplicates of
    /// Linux 2.0 depend.
    pub fn begin_at(&mut self, sequence: u32) {
        self.sender.begin_at(sequence);
    }

    /// Prefetches the memory that segments read.
    #[inline]
    pub fn prefetch(&self) {
        prefetch(self);
        self.sender.prefetch();
        self.receiver.prefetch();
    }

    /// Returns the bytes of memory this end holds.
    pub fn memory_bytes(&self) -> usize {
        size_of::<Endpoint>() + self.sender.heap_bytes() + self.receiver.heap_bytes()
    }

    /// Returns (bytes handed to this end, bytes acknowledged, bytes received in order, bytes read).
    pub fn totals(&self) -> (u64, u64, u64, u64) {
        let (sender, receiver) = (&self.sender, &self.receiver);
        (sender.written(), sender.acknowledged(), receiver.expected(), receiver.read_to())
    }

    /// Takes the next segment to send, if the windows allow one.
    pub fn send(&mut self, now: Time, options: &TcpOptions) -> Option<Outgoing> {
        let segment = self.sender.send(now, options)?;
        self.receiver.sent_data(now);
        Some(segment)
    }

    /// Buffers a piece that the process writes: a segment, or with `push` the end of a write.
    ///
    /// Idleness is tested here and not when segments leave: data held back by a closed window leave
    /// with the congestion window that they had (Linux 2.0, `tcp_send_skb` against
    /// `tcp_write_xmit`; Linux 6, `tcp_slow_start_after_idle_check`).
    pub fn write(&mut self, payload: u32, push: bool, now: Time, options: &TcpOptions) {
        self.sender.restart_when_idle(now, self.receiver.last_arrival(), options);
        self.sender.buffer(payload, push, options);
    }

    /// Receives data; returns whether an acknowledgement must leave at once.
    pub fn on_data(&mut self, segment: &Incoming, now: Time, options: &TcpOptions) -> bool {
        if options.extensions.ecn {
            self.receiver.take_marks(segment.flags, options);
        }
        self.receiver.on_data(segment, now, &self.sender.congestion.clock, options)
    }

    /// Receives the options of a segment, before the segment itself.
    pub fn on_options(
        &mut self,
        segment: &Incoming,
        header: &SegmentOptions,
        now: Time,
        options: &TcpOptions,
    ) {
        self.receiver.take_timestamp(segment.sequence, header.timestamp);
        self.receiver.take_echo(segment.payload, header.echo, now);
        self.sender.take_options(segment, header, now, options);
    }

    /// Returns the options of a segment that leaves at `now`, if it has any.
    pub fn header(&self, payload: u32, now: Time, options: &TcpOptions) -> Option<SegmentOptions> {
        let mut header = SegmentOptions::default();
        if options.extensions.timestamps {
            // Zero stands for none.
            header.timestamp = now.max(Time::from_ps(1));
        }
        self.receiver.report(payload, &mut header);
        (header.header_bytes() > 0).then_some(header)
    }

    /// Returns a segment without data: an acknowledgement, or a probe of a closed window.
    pub fn without_data(&self, probe: bool) -> Outgoing {
        let flags = Flags::default().with_if(probe, Flags::PROBE);
        Outgoing { sequence: self.sender.next(), payload: 0, flags }
    }
}
