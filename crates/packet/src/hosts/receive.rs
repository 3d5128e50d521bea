//! From the wire to the process: frames arrive at nodes, and are received by TCP or forwarded. The
//! other direction is in `send`; `host::tcp` decides how TCP reacts to a segment.

use host::tcp::{Flags, Incoming};
use host::transport::EndpointId;
use network::{NodeId, PortId};
use quantity::Time;
use simulation::RunError;
use simulation::path::RouteTracer;

use super::stack::Stack;
use crate::arena::FrameId;
use crate::event::Event;
use crate::frame::{Frame, IpHeader, Payload};
use crate::medium::Medium;
use crate::observer::{Fate, Work};

impl<'a, M: Medium<'a>> Stack<'a, M> {
    /// Receives a frame at the interface of a node.
    pub(crate) fn arrive_at_node(&mut self, node: NodeId, port: PortId, id: FrameId) {
        if !self.link.wires.plain_mut().take_in(&mut self.link.clock, port, id, true) {
            return;
        }
        let Frame { source, target, payload, .. } = *self.link.wires.plain().frames.get(id);
        if target != port.into() && target.is_some() {
            // A flooded or overheard frame, which the interface filters without the processor.
            return self.consume(id);
        }
        match payload {
            Payload::Segment(..) if self.hosts.rx.is_used() => {
                self.queue_received(node, port, id);
            }
            _ if !self.has_receive_descriptor(port) => self.drop_at_receiver(id),
            Payload::Segment(ip, segment) if self.is_for(node, &ip) => {
                self.consume(id);
                let work = self.host.costs.receive_segment(segment.bytes);
                let kind = if segment.bytes == 0 { Work::Acknowledge } else { Work::Receive };
                let done = self.charge_node(node, self.link.clock.now, work, kind);
                self.keep_waiting(port, done);
                self.take_segment(id, segment.to, &segment.incoming(), done);
                self.step(self.hosts.paths[segment.to].process);
            }
            // Frames without a TCP segment are rare, and bypass the receive queues.
            Payload::Fragment(ip, fragment) if self.is_for(node, &ip) => {
                self.consume(id);
                self.take_fragment(node, port, fragment);
            }
            Payload::Segment(ip, _) | Payload::Fragment(ip, _) => {
                let work = self.host.costs.forward.of(u64::from(ip.bytes));
                let done = self.charge_node(node, self.link.clock.now, work, Work::Forward);
                self.keep_waiting(port, done);
                self.forward(node, id, done);
            }
            Payload::Resolution(message) => {
                self.consume(id);
                self.take_resolution(node, port, source, message);
            }
            // A PAUSE frame ends at the port, and no real frame is on the wires of simulated hosts.
            Payload::Pause(_) | Payload::Contents => self.consume(id),
        }
    }

    #[inline]
    fn consume(&mut self, frame: FrameId) {
        self.link.wires.plain_mut().consume(&mut self.link.clock, frame);
    }

    /// Returns whether a packet received by a node is for its process, and not to be forwarded.
    #[inline]
    pub(crate) fn is_for(&self, node: NodeId, ip: &IpHeader) -> bool {
        self.network.addressing.address(ip.destination).node == node
    }

    pub(crate) fn drop_at_receiver(&mut self, frame: FrameId) {
        self.link.clock.counters.dropped_at_receivers += 1;
        self.link.wires.plain_mut().drop(self.link.clock.now, frame, Fate::ReceiverFull);
    }

    /// Returns whether the interface can keep one more frame until the processor takes it.
    fn has_receive_descriptor(&mut self, port: PortId) -> bool {
        let waiting = &mut self.hosts.waiting[port];
        while waiting.front().is_some_and(|&done| done <= self.link.clock.now) {
            waiting.pop_front();
        }
        waiting.len() < self.host.queues.receive as usize
    }

    /// Forwards a packet at the time when the kernel is `done` with it.
    pub(crate) fn forward(&mut self, node: NodeId, id: FrameId, done: Time) {
        let frame = self.link.wires.plain().frames.get(id);
        let Some(&IpHeader { destination, ttl, .. }) = frame.ip() else { return };
        let (wires, came_by) = (&self.link.wires, frame.target.get());
        let behind =
            came_by.and_then(|port| wires.hop_behind(self.network, port, node, destination));
        match behind.or_else(|| self.cached_hop(node, destination)) {
            Some(hop) if ttl > 1 => {
                self.link.wires.plain_mut().frames.get_mut(id).forward(hop.port, hop.via);
                self.link.clock.counters.forwards += 1;
                self.leave_node(hop.port, id, done);
            }
            _ => self.drop_unrouted(id),
        }
    }

    /// Drops a packet without a route. If nothing can fail, no other packet of the same route
    /// arrives either, so the run ends.
    #[cold]
    pub(crate) fn drop_unrouted(&mut self, id: FrameId) {
        let payload = self.link.wires.plain().frames.get(id).payload;
        if !self.link.wires.may_fail()
            && let Some(reason) = self.route_error(payload)
        {
            self.link.clock.fail(reason);
        }
        self.link.wires.drop_without_route(&mut self.link.clock, id);
    }

    /// Returns the error in the route of a packet, if there is one.
    fn route_error(&self, packet: Payload) -> Option<RunError> {
        let (from, ip) = match packet {
            Payload::Segment(ip, segment) => {
                let sender = self.hosts.endpoints[segment.to].peer;
                (self.hosts.paths[sender].node, ip)
            }
            Payload::Fragment(ip, fragment) => {
                (self.network.addressing.address(fragment.source).node, ip)
            }
            Payload::Resolution(_) | Payload::Pause(_) | Payload::Contents => return None,
        };
        let route = RouteTracer::new(self.network).route(from, ip.destination);
        route.and_then(|route| route.within(self.host.links.ttl)).err()
    }

    /// Reports the fill level of a receive ring, where ports pause each other.
    #[inline]
    pub(crate) fn watch_ring(&mut self, port: PortId) {
        if self.link.wires.plain().pauses() {
            self.report_ring(port);
        }
    }

    fn report_ring(&mut self, port: PortId) {
        let now = self.link.clock.now;
        let waiting = &mut self.hosts.waiting[port];
        while waiting.front().is_some_and(|&done| done <= now) {
            waiting.pop_front();
        }
        let n_waiting = waiting.len() as u32;
        let n_held = n_waiting.max(self.hosts.fullest_rx_queue(port));
        if let Some(low) =
            self.link.wires.plain_mut().note_waiting(&mut self.link.clock, port, n_held)
            && n_waiting > low
        {
            let time = self.hosts.waiting[port][(n_waiting - low) as usize - 1];
            self.link.clock.events.push(time, Event::PauseLifted { port });
        }
    }

    /// Keeps a frame in the receive ring of its interface until the processor is `done` with it.
    /// The compiler does not inline this on its own, though every frame passes it.
    #[inline(always)]
    pub(crate) fn keep_waiting(&mut self, port: PortId, done: Time) {
        if done > self.link.clock.now {
            self.hosts.waiting[port].push_back(done);
            self.watch_ring(port);
        }
    }

    /// Hands a segment to TCP at the time when the kernel is `done` with it, and replies at the
    /// kernel's expense. The arena keeps the options of the segment under the frame `kept`.
    pub(crate) fn take_segment(
        &mut self,
        kept: FrameId,
        endpoint: EndpointId,
        segment: &Incoming,
        done: Time,
    ) {
        let tcp = &self.host.tcp;
        let end = &mut self.hosts.endpoints[endpoint];
        if let Some(header) = self.link.wires.plain().frames.options(kept) {
            end.on_options(segment, header, done, tcp);
        }
        if end.sender.on_acknowledgement(segment, done, tcp)
            && let Some(first) = end.sender.resend_first(done, tcp)
        {
            let at = self.charge(endpoint, done, self.host.costs.send_fixed, Work::Send);
            self.transmit(endpoint, first, at);
        }
        self.tell_windows(endpoint, done);
        self.may_have_room(endpoint);
        if segment.payload > 0 {
            self.take_data(endpoint, segment, done);
            let received = self.hosts.endpoints[endpoint].receiver.expected();
            self.link.wires.note_progress(self.link.clock.now, endpoint, received);
        } else if segment.flags.has(Flags::PROBE) {
            self.acknowledge_now(endpoint, done);
        }
        self.send_buffered(endpoint, done);
    }

    fn take_data(&mut self, endpoint: EndpointId, segment: &Incoming, done: Time) {
        let receiver = &self.hosts.endpoints[endpoint].receiver;
        if receiver.must_acknowledge_first(segment.flags, &self.host.tcp) {
            self.acknowledge_now(endpoint, done);
        }
        let end = &mut self.hosts.endpoints[endpoint];
        let had_unread = end.receiver.next_unread().is_some();
        let must_acknowledge = end.on_data(segment, done, &self.host.tcp);
        if !had_unread && end.receiver.next_unread().is_some() {
            let process = self.hosts.paths[endpoint].process;
            let key = self.read_key(endpoint);
            self.hosts.nodes[process].order.arrived(endpoint, key);
        }
        if must_acknowledge {
            self.acknowledge_now(endpoint, done);
        }
        self.arm_ack(endpoint);
    }
}
