//! Prefetches the memory of events to come. In a large network most of the data of an event are in
//! no cache, and each read waits for the one before: the frame names its target, the target the
//! port it leaves by, the port the frame sent there last. The event queue knows some events ahead;
//! with every event, one step of this chain is taken for each of a few that follow, so that their
//! cache misses overlap. A wrong guess changes nothing.

use crate::arena::FrameId;
use crate::clock::Clock;
use crate::event::Event;
use crate::frame::Payload;
use crate::hosts::{Hosts, first_on};
use crate::medium::Medium;
use crate::switches::Switches;
use crate::wires::Place;
use host::prefetch;
use network::{Fabric, Network, PortId};

/// Number of ports from which on the data of a network exceed the nearest caches.
const MANY_PORTS: usize = 4096;
/// Lead of each step, in events before the one that it is for.
const FRAME_AHEAD: usize = 12;
const PLACE_AHEAD: usize = 9;
const OUTLET_AHEAD: usize = 6;
const QUEUE_AHEAD: usize = 3;

/// Returns the number of events that the queue must know ahead.
pub(crate) fn known_ahead(fabric: &Fabric) -> usize {
    if is_worth_it(fabric) { FRAME_AHEAD } else { 0 }
}

/// Returns whether prefetching saves more time than it takes; debug builds always prefetch, so that
/// tests of small networks cover it.
pub(crate) fn is_worth_it(fabric: &Fabric) -> bool {
    cfg!(debug_assertions) || fabric.ports().len() >= MANY_PORTS
}

/// Everything that the next events read.
pub(crate) struct Ahead<'s, 'a, M> {
    pub network: &'s Network,
    pub wires: &'s M,
    pub switches: &'s Switches,
    pub hosts: &'s Hosts<'a>,
    pub clock: &'s Clock<'a>,
}

impl<'a, M: Medium<'a>> Ahead<'_, 'a, M> {
    /// Prefetches memory of the next events, one step for each.
    #[inline]
    pub fn prefetch(&self) {
        let arrival = |n| match self.clock.events.ahead(n) {
            Some(Event::Arrive { port, frame }) => Some((port, frame)),
            _ => None,
        };
        if let Some((port, frame)) = arrival(FRAME_AHEAD) {
            self.prefetch_frame(port, frame);
        } else if let Some(Event::JobEnd { process }) = self.clock.events.ahead(FRAME_AHEAD) {
            self.hosts.nodes[process].prefetch();
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
            self.hosts.nodes[first_on(node)].prefetch();
            prefetch(&self.hosts.waiting[port]);
        }
    }

    /// Prefetches the connection that a segment is for, or the cached route of the node that
    /// forwards it.
    #[inline]
    fn prefetch_place(&self, port: PortId, id: FrameId) {
        let frame = self.wires.plain().frames.get(id);
        let Place::Node(node) = self.wires.plain().place(port) else { return };
        let Payload::Segment(ip, segment) = &frame.payload else { return };
        if self.network.addressing.address(ip.destination).node == node {
            prefetch(&self.hosts.paths[segment.to]);
            self.hosts.endpoints[segment.to].prefetch();
        } else {
            self.hosts.nodes[first_on(node)].prefetch_route(ip.destination);
        }
    }

    /// Returns the port by which a frame that arrives at `port` will probably leave.
    #[inline]
    fn port_out(&self, port: PortId, id: FrameId) -> Option<PortId> {
        let frame = self.wires.plain().frames.get(id);
        match self.wires.plain().place(port) {
            Place::Node(node) => {
                self.hosts.nodes[first_on(node)].known_route(frame.ip()?.destination)
            }
            Place::Switch(switch) => self.switches.port_towards(switch, frame.target),
            Place::RoutedSwitch(_) => {
                let node = self.network.fabric.node_of(port);
                self.hosts.nodes[first_on(node)].known_route(frame.ip()?.destination)
            }
            Place::Hub => None,
        }
    }
}
