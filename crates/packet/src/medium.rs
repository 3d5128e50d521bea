//! The wires as switches and hosts see them, sound or faulty.
//!
//! On [`Wires`] nothing fails: every step that faults can change has its fault-free default here.
//! `faults` wraps the wires and overrides these steps.

use std::collections::BTreeSet;

use host::transport::EndpointId;
use network::{AddressId, Hop, Multipath, Network, NodeId, PortId};
use quantity::Time;

use crate::arena::FrameId;
use crate::clock::Clock;
use crate::event::Event;
use crate::loss::LostFrame;
use crate::observer::{Fate, Observer};
use crate::wires::{Broadcast, Wires};

/// Ports and devices whose state has changed.
#[derive(Debug, Default)]
pub struct Change {
    /// Ports of links that failed or returned.
    pub ports: Vec<PortId>,
    /// Nodes that noticed a failure or return at a port of their own.
    pub(crate) noticed_by: BTreeSet<NodeId>,
    /// Nodes that die.
    pub(crate) dying: Vec<NodeId>,
}

/// The medium that frames travel on.
pub trait Medium<'a> {
    /// The observer that every frame is reported to.
    type Observer: Observer;

    /// Returns the fault-free wires.
    fn plain(&self) -> &Wires<'a, Self::Observer>;

    /// Returns the fault-free wires for modification.
    fn plain_mut(&mut self) -> &mut Wires<'a, Self::Observer>;

    /// Returns the observer, which has seen every frame.
    fn into_observer(self) -> Self::Observer;

    /// Queues a frame at `port` from `time` on, which may lie ahead; returns whether the queue
    /// takes it.
    #[inline]
    fn offer(&mut self, clock: &mut Clock<'_>, port: PortId, frame: FrameId, time: Time) -> bool {
        self.plain_mut().offer(clock, port, frame, time)
    }

    /// Returns whether a frame can get from one port to another without passing a node.
    #[inline]
    fn joins(&self, _from: PortId, _to: PortId) -> bool {
        true
    }

    /// Returns the shortest paths between the switches that forward on all of them.
    #[inline]
    fn multipath<'s>(&'s self) -> &'s Multipath
    where
        'a: 's,
    {
        let network = self.plain().network;
        network.bridging().multipath(&network.fabric)
    }

    /// Returns the next hop of a node towards an address, by the ports that the node takes to be
    /// up.
    #[inline]
    fn next_hop(&self, network: &Network, node: NodeId, address: AddressId) -> Option<Hop> {
        network.next_hop(node, address)
    }

    /// Returns the next hop of a packet that came to a node by a port, if the node has a table for
    /// that port; without faults none comes back by one.
    #[inline]
    fn hop_behind(&self, _: &Network, _came_by: PortId, _: NodeId, _: AddressId) -> Option<Hop> {
        None
    }

    /// Returns whether any part of the network may fail.
    fn may_fail(&self) -> bool {
        false
    }

    /// Returns whether a bond skips one of its ports.
    fn passes_over(&self, _port: PortId) -> bool {
        false
    }

    /// Carries a frame from a station to its hub; returns whether it arrives.
    fn carry_to_hub(&mut self, _clock: &mut Clock<'_>, _broadcast: &Broadcast) -> bool {
        true
    }

    /// Carries a frame from a hub to a station; returns whether it arrives.
    fn carry_from_hub(
        &mut self,
        _clock: &mut Clock<'_>,
        _port: PortId,
        _frame: FrameId,
        _heard: Time,
    ) -> bool {
        true
    }

    /// Removes a frame on a hub that no station takes.
    fn end_unheard(&mut self, clock: &mut Clock<'_>, frame: FrameId, _is_addressed: bool) {
        self.plain_mut().consume(clock, frame);
    }

    /// Notes that a switch floods a frame received at a port.
    fn note_flood(&mut self, _now: Time, _from: PortId, _frame: FrameId) {}

    /// Drops a frame whose target a switch can no longer reach.
    fn drop_unreachable(&mut self, clock: &mut Clock<'_>, frame: FrameId) {
        self.plain_mut().drop_at_queue(clock, frame);
    }

    /// Drops a packet for which a node has no route.
    fn drop_without_route(&mut self, clock: &mut Clock<'_>, frame: FrameId) {
        clock.counters.dropped_without_route += 1;
        self.plain_mut().drop(clock.now, frame, Fate::NoRoute);
    }

    /// Notes that an end of a connection has received all data before `received`.
    #[inline]
    fn note_progress(&mut self, _now: Time, _endpoint: EndpointId, _received: u64) {}

    /// Applies the failures and returns of links that are due now.
    fn change(&mut self, _clock: &mut Clock<'_>) -> Change {
        Change::default()
    }

    /// Returns whether a port is still wired, or never was.
    fn is_in_use(&self, _port: PortId) -> bool {
        true
    }

    /// Accounts for a frame that is lost now.
    fn lose(&mut self, _clock: &mut Clock<'_>, _lost: LostFrame) {}

    /// Queues a frame at `port` from `time` on, or drops it if the queue is full.
    #[inline]
    fn send(&mut self, clock: &mut Clock<'_>, port: PortId, frame: FrameId, time: Time) {
        if !self.offer(clock, port, frame, time) {
            self.plain_mut().drop_at_queue(clock, frame);
        }
    }

    /// Delivers a frame on a hub to the stations that do more than filter it.
    fn repeat(&mut self, clock: &mut Clock<'_>, broadcast: &Broadcast) {
        self.plain_mut().tell_broadcast(broadcast);
        if !self.carry_to_hub(clock, broadcast) {
            return;
        }
        let addressed = self.plain().addressed(broadcast);
        let mut original = Some(broadcast.frame);
        if let Some(port) = addressed {
            self.repeat_to(clock, broadcast, port, &mut original);
        }
        let mut n = 0;
        while let Some(port) = self.plain().listener(broadcast, n) {
            self.repeat_to(clock, broadcast, port, &mut original);
            n += 1;
        }
        if let Some(frame) = original {
            self.end_unheard(clock, frame, addressed.is_some());
        }
    }

    /// Delivers a frame on a hub to one station: the `original`, or a copy where that is taken.
    #[inline]
    fn repeat_to(
        &mut self,
        clock: &mut Clock<'_>,
        broadcast: &Broadcast,
        port: PortId,
        original: &mut Option<FrameId>,
    ) {
        let &Broadcast { sender, frame, heard, .. } = broadcast;
        if port == sender || !self.joins(sender, port) {
            return;
        }
        let copy = original.take().unwrap_or_else(|| self.plain_mut().copy(clock, frame));
        if self.carry_from_hub(clock, port, copy, heard) {
            clock.events.push(heard, Event::Arrive { port, frame: copy });
        }
    }
}

impl<'a, O: Observer> Medium<'a> for Wires<'a, O> {
    type Observer = O;

    #[inline]
    fn plain(&self) -> &Wires<'a, O> {
        self
    }

    #[inline]
    fn plain_mut(&mut self) -> &mut Wires<'a, O> {
        self
    }

    fn into_observer(self) -> O {
        self.observer
    }
}
