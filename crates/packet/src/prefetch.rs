//! Memory of the events to come. In a large network most of what an event looks at is in no cache,
//! and each look waits for the one before it: the frame says for whom it is, the node or switch by
//! which port it leaves, the port which frame was sent there last. The event queue knows some
//! events ahead, and with every event one such step is made for each of a few that follow, so that
//! they wait together. Only memory is asked for: a guess that turns out wrong changes nothing.

use host::prefetch;
use network::{Fabric, Network, PortId};

use crate::arena::FrameId;
use crate::clock::Clock;
use crate::event::Event;
use crate::frame::Payload;
use crate::hosts::Hosts;
use crate::medium::Medium;
use crate::switches::Switches;
use crate::wires::Place;

/// Ports of a network whose data are more than the nearest caches hold.
const MANY_PORTS: usize = 4096;
/// How many events before its own each step is made.
const FRAME_AHEAD: usize = 12;
const PLACE_AHEAD: usize = 9;
const OUTLET_AHEAD: usize = 6;
const QUEUE_AHEAD: usize = 3;

/// Returns how many events the queue has to know for looking ahead.
pub(crate) fn known_ahead(fabric: &Fabric) -> usize {
    if is_worth_it(fabric) { FRAME_AHEAD } else { 0 }
}

/// Returns whether looking ahead gives more than it takes; tests do it in small networks too.
pub(crate) fn is_worth_it(fabric: &Fabric) -> bool {
    cfg!(debug_assertions) || fabric.ports().len() >= MANY_PORTS
}

/// All that the next events look at.
pub(crate) struct Ahead<'s, 'a, M> {
    pub network: &'s Network,
    pub wires: &'s M,
    pub switches: &'s Switches,
    pub hosts: &'s Hosts<'a>,
    pub clock: &'s Clock<'a>,
}

impl<'a, M: Medium<'a>> Ahead<'_, 'a, M> {
    /// Asks for memory that the next events look at.
    #[inline]
    pub fn prefetch(&self) {
        let arrival = |n| match self.clock.events.ahead(n) {
            Some(Event::Arrive { port, frame }) => Some((port, frame)),
            _ => None,
        };
        if let Some((port, frame)) = arrival(FRAME_AHEAD) {
            self.prefetch_frame(port, frame);
        } else if let Some(Event::JobEnd { node }) = self.clock.events.ahead(FRAME_AHEAD) {
            self.hosts.nodes[node as usize].prefetch();
        }
        if let Some((port, frame)) = arrival(PLACE_AHEAD) {
            self.prefetch_place(port, frame);
        }
        if let Some((port, frame)) = arrival(OUTLET_AHEAD)
            && let Some(out) = self.port_out(port, frame)
        {
            self.wires.plain().prefetch_outlet(out);
        }
        if let Some((port, frame)) = arrival(QUEUE_AHEAD)
            && let Some(out) = self.port_out(port, frame)
        {
            self.wires.plain().prefetch_last(out);
        }
    }

    #[inline]
    fn prefetch_frame(&self, port: PortId, frame: FrameId) {
        self.wires.plain().frames.prefetch(frame);
        if let Place::Node(node) = self.wires.plain().place(port) {
            self.hosts.nodes[node as usize].prefetch();
            prefetch(&self.hosts.waiting[port as usize]);
        }
    }

    /// Asks for the connection that a segment is for, or the route that the node remembers.
    #[inline]
    fn prefetch_place(&self, port: PortId, id: FrameId) {
        let frame = self.wires.plain().frames.get(id);
        let Place::Node(node) = self.wires.plain().place(port) else { return };
        let Payload::Segment(ip, segment) = &frame.payload else { return };
        if self.network.addressing.address(ip.destination).node == node {
            prefetch(&self.hosts.paths[segment.to as usize]);
            self.hosts.endpoints[segment.to as usize].prefetch();
        } else {
            self.hosts.nodes[node as usize].prefetch_route(ip.destination);
        }
    }

    /// Returns the port by which a frame that arrives at `port` will probably leave.
    #[inline]
    fn port_out(&self, port: PortId, id: FrameId) -> Option<PortId> {
        let frame = self.wires.plain().frames.get(id);
        match self.wires.plain().place(port) {
            Place::Node(node) => {
                self.hosts.nodes[node as usize].known_route(frame.ip()?.destination)
            }
            Place::Switch(switch) => self.switches.port_towards(switch, frame.target),
            Place::Hub => None,
        }
    }
}
