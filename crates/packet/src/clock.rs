//! The clock of a run: the present time, the events to come, the notices for the ranks, and the
//! counters. What an event does is in `model`.

use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;

use network::{NodeId, PortId};
use quantity::Time;
use simulation::{EventQueue, Notice, RunError, next_event};

use crate::arena::FrameId;
use crate::faults::LostFrame;
use crate::lanes::{LaneId, ServerId};
use crate::transport::EndpointId;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Event {
    /// A frame has arrived at a port.
    Arrive {
        port: PortId,
        frame: FrameId,
    },
    /// A frame is handed to what is plugged into a port.
    Offer {
        port: PortId,
        frame: FrameId,
    },
    /// A frame is handed to the bond that a port belongs to.
    OfferToBond {
        port: PortId,
        frame: FrameId,
    },
    /// A receive queue has waited for more frames long enough.
    Interrupt {
        lane: LaneId,
    },
    /// A processor has done with what it took from a receive queue.
    Served {
        server: ServerId,
    },
    /// A contention on a hub is resolved.
    Decide {
        hub: u32,
    },
    /// A piece of process work may be over.
    JobEnd {
        node: NodeId,
    },
    AckTimer {
        endpoint: EndpointId,
    },
    /// The queue of an interface may have room for connections that it holds back.
    Room {
        port: PortId,
    },
    Timeout {
        endpoint: EndpointId,
    },
    /// The last bit of a frame has left a port that can be stopped.
    Sent {
        port: PortId,
    },
    /// The ring of an interface may be empty enough to lift a pause.
    Relief {
        port: PortId,
    },
    /// A process that sleeps may have something to do.
    Wake {
        node: NodeId,
    },
    /// A process has rested.
    Rested {
        node: NodeId,
    },
    /// An answer to a question for a hardware address has been waited for.
    Unanswered {
        node: NodeId,
        neighbour: PortId,
    },
    /// Links fail or return.
    Change,
    /// A frame is lost by a fault.
    Lost(LostFrame),
}

/// What a run did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Events handled.
    pub events: u64,
    /// Frames put on a wire, once per wire.
    pub frame_hops: u64,
    /// Frames that came into being: sent by hosts, or copied by flooding.
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
    /// Packets whose next hop's hardware address was not found, or waited for by too many.
    pub dropped_unresolved: u64,
    /// Frames on a wire that failed, or that lost them.
    pub lost_on_wire: u64,
    /// Frames that waited at a port that lost its carrier, or came to one without.
    pub no_carrier: u64,
    /// Frames whose check sequence was wrong.
    pub corrupted: u64,
    /// Frames inside a device that died.
    pub at_dead_device: u64,
    /// Datagrams that found the buffer of their socket full; their frames are taken in.
    pub datagrams_overflowed: u64,
    /// Pauses that full receivers asked for.
    pub pauses: u64,
    /// Collisions on hubs.
    pub collisions: u64,
    /// Packets relayed by nodes.
    pub forwards: u64,
    /// Retransmission time-outs.
    pub timeouts: u64,
    /// Interrupts for received frames, where they are counted apart from frames.
    pub interrupts: u64,
}

impl Counters {
    /// Returns the frames lost for whatever reason.
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

/// The time of a run, its events, and what it tells outside.
#[derive(Debug)]
pub(crate) struct Clock<'a> {
    pub now: Time,
    pub events: EventQueue<Event>,
    /// What the ranks have not been told yet.
    pub notices: VecDeque<Notice>,
    /// Why the run cannot go on, if it cannot.
    pub failure: Option<RunError>,
    pub counters: Counters,
    stop: &'a AtomicBool,
}

impl<'a> Clock<'a> {
    /// Returns a clock at time zero whose queue knows `known_ahead` events ahead of the next.
    pub fn new(stop: &'a AtomicBool, known_ahead: usize) -> Clock<'a> {
        Clock {
            now: Time::ZERO,
            events: EventQueue::knowing_ahead(known_ahead),
            notices: VecDeque::new(),
            failure: None,
            counters: Counters::default(),
            stop,
        }
    }

    /// Takes the next event and moves the time on to it.
    ///
    /// # Errors
    /// When the run is stopped from outside, or an event repeats for ever.
    #[inline]
    pub fn next(&mut self) -> Result<Option<Event>, RunError> {
        next_event(&mut self.events, &mut self.now, &mut self.counters.events, self.stop)
    }
}
