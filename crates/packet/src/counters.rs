//! Counts of everything that happens in a run.

/// Counts of everything that happened in a run so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Events handled.
    pub events: u64,
    /// Frames put on a wire, once per wire.
    pub frame_hops: u64,
    /// Frames created: sent by hosts, or copied by flooding.
    pub frames_created: u64,
    /// Frames taken in, filtered, or replaced by copies.
    pub frames_consumed: u64,
    /// Frames that found a transmit queue full.
    pub dropped_at_queues: u64,
    /// Frames that found all receive descriptors taken.
    pub dropped_at_receivers: u64,
    /// Frames given up after too many collisions.
    pub dropped_by_collisions: u64,
    /// Packets without a route, or forwarded too often.
    pub dropped_without_route: u64,
    /// Packets dropped because the hardware address of the next hop was not found, or too many
    /// waited for it.
    pub dropped_unresolved: u64,
    /// Frames lost on a wire, by its failure or by its loss rate.
    pub lost_on_wire: u64,
    /// Frames that waited at a port that lost its carrier, or came to one without.
    pub no_carrier: u64,
    /// Frames whose check sequence was wrong.
    pub corrupted: u64,
    /// Frames inside a device that died.
    pub at_dead_device: u64,
    /// Datagrams that found the buffer of their socket full; their frames are taken in.
    pub datagrams_overflowed: u64,
    /// PAUSE frames that full receivers sent.
    pub pauses: u64,
    /// Collisions on hubs.
    pub collisions: u64,
    /// Packets relayed by nodes.
    pub forwards: u64,
    /// Retransmission time-outs.
    pub timeouts: u64,
    /// Interrupts for received frames, on hosts with receive queues.
    pub interrupts: u64,
}

impl Counters {
    /// Returns the frames lost for any reason.
    pub fn frames_dropped(&self) -> u64 {
        self.dropped_at_queues
            + self.dropped_at_receivers
            + self.dropped_by_collisions
            + self.dropped_without_route
            + self.dropped_unresolved
            + self.lost_on_wire
            + self.no_carrier
            + self.corrupted
            + self.at_dead_device
    }
}
