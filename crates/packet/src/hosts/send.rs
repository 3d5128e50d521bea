//! From a connection to the wire: segments and acknowledgements become frames. `host::tcp` decides
//! when TCP may send; timers are in `timers`.

use host::tcp::{Endpoint, Flags, Outgoing};
use host::transport::EndpointId;
use host::{HostModel, TsoBurst, frame_sizes};
use network::{AddressId, Hop, NodeId, PortId};
use program::Rank;
use quantity::{Id, Time};
use simulation::RunError;

use super::path::{Path, flow_hash};
use super::processes::first_on;
use super::stack::Stack;
use crate::arena::FrameId;
use crate::bonds::Interface;
use crate::event::Event;
use crate::frame::{Frame, IpHeader, Payload, Segment};
use crate::ids::ProcessId;
use crate::medium::Medium;
use crate::observer::{Observer, Work};
use crate::wires::Place;

impl<'a, M: Medium<'a>> Stack<'a, M> {
    /// Returns a process's end of its connection to rank `to`, which is made on first use.
    pub(crate) fn connection(&mut self, process: ProcessId, to: Rank) -> Option<EndpointId> {
        let connections = &self.hosts.nodes[process].connections;
        if let Ok(place) = connections.binary_search_by_key(&to, |&(rank, _)| rank) {
            return Some(connections[place].1);
        }
        let peer_process = self.hosts.processes.of_rank(to);
        let here = EndpointId::new(self.hosts.endpoints.n());
        self.add_endpoint(process, peer_process, here.following())?;
        self.add_endpoint(peer_process, process, here)?;
        Some(here)
    }

    fn add_endpoint(
        &mut self,
        process: ProcessId,
        peer_process: ProcessId,
        peer: EndpointId,
    ) -> Option<()> {
        let [node, to] = [process, peer_process].map(|one| self.hosts.processes.node(one));
        let address = self.hosts.identities[to];
        // A dead route is better than none: it may come back.
        let hop = self.hop(node, address).or_else(|| self.network.next_hop(node, address));
        let Some(hop) = hop else {
            self.link.clock.fail(RunError::NoRoute { from: node, to });
            return None;
        };
        let peer_rank = self.hosts.rank_on(peer_process);
        let is_v6 = self.network.addressing.address(address).ip.is_v6;
        let tcp = &self.host.tcp;
        let segment_bytes = tcp.largest_payload(is_v6);
        let mut end = Endpoint::new(peer, segment_bytes, tcp);
        if tcp.is_linux_2_0() {
            end.begin_at(self.hosts.first_sequence(EndpointId::new(self.hosts.endpoints.n())));
        }
        let id = self.hosts.endpoints.push(end);
        let processors = &self.host.processors;
        let cpu = self.hosts.processes.kernel_cpu(process, processors, flow_hash(id));
        let Hop { port, via } = hop;
        self.hosts.paths.push(Path {
            node,
            process,
            port,
            via,
            address,
            is_v6,
            flow: 0,
            cpu,
            departed: Time::ZERO,
            drained: Time::ZERO,
        });
        self.take_route(id, hop);
        let connections = &mut self.hosts.nodes[process].connections;
        let place = connections.partition_point(|&(rank, _)| rank < peer_rank);
        connections.insert(place, (peer_rank, id));
        Some(())
    }

    /// Charges the kernel with work on a connection from `now` on; returns the time at which it is
    /// done.
    #[inline]
    pub(crate) fn charge(
        &mut self,
        endpoint: EndpointId,
        now: Time,
        work: Time,
        kind: Work,
    ) -> Time {
        let Path { node, cpu, .. } = self.hosts.paths[endpoint];
        let done = self.charge_kernel((node, cpu), now, work);
        self.observer().worked(node, cpu, (done - work, done), kind);
        done
    }

    /// Sets the route of the frames of one connection end.
    pub(crate) fn take_route(&mut self, endpoint: EndpointId, hop: Hop) {
        let path = &mut self.hosts.paths[endpoint];
        let to = self.network.addressing.address(path.address).node;
        let is_direct = self.network.fabric.port(hop.via).device == to.into();
        path.flow = if is_direct { 0 } else { endpoint.get() + 1 };
        (path.port, path.via) = (hop.port, hop.via);
    }

    /// Returns the next hop of a node towards an address.
    #[inline]
    pub(crate) fn hop(&self, node: NodeId, address: AddressId) -> Option<Hop> {
        self.link.wires.next_hop(self.network, node, address)
    }

    /// Returns the next hop of a node towards an address from its route cache, or finds and caches
    /// it.
    #[inline]
    pub(crate) fn cached_hop(&mut self, node: NodeId, address: AddressId) -> Option<Hop> {
        let (network, wires) = (self.network, &self.link.wires);
        let find = || wires.next_hop(network, node, address);
        self.hosts.nodes[first_on(node)].route(address, find)
    }

    /// Sends buffered segments as far as the windows allow, at the kernel's expense.
    pub(crate) fn send_buffered(&mut self, endpoint: EndpointId, now: Time) {
        if self.hosts.endpoints[endpoint].is_held {
            return self.arm_timeout(endpoint);
        }
        let HostModel { costs, queues, tcp, .. } = self.host;
        let mut burst = TsoBurst::new(now);
        while self.hosts.endpoints[endpoint].sender.may_send(tcp) {
            if !tcp.extensions.local_drops && !self.has_tx_space(endpoint) {
                self.hold(endpoint);
                return self.arm_timeout(endpoint);
            }
            let time = self.charge(endpoint, burst.time(), burst.work(costs), Work::Send);
            burst.worked_until(time);
            let Some(segment) = self.hosts.endpoints[endpoint].send(time, tcp) else {
                break;
            };
            burst.sent(segment.payload, queues);
            self.transmit(endpoint, segment, time);
        }
        let end = &mut self.hosts.endpoints[endpoint];
        end.sender.watch_closed_window(burst.time(), tcp);
        self.arm_timeout(endpoint);
    }

    /// Sends a pure acknowledgement at `time`.
    pub(crate) fn send_acknowledgement(&mut self, endpoint: EndpointId, time: Time) {
        let segment = self.hosts.endpoints[endpoint].without_data(false);
        self.transmit(endpoint, segment, time);
    }

    /// Sends a segment at `time`.
    pub(crate) fn transmit(&mut self, endpoint: EndpointId, segment: Outgoing, time: Time) {
        let Outgoing { sequence, payload, mut flags } = segment;
        let path = &mut self.hosts.paths[endpoint];
        path.departed = time.max(path.departed);
        let path = *path;
        let state = &mut self.hosts.endpoints[endpoint];
        let tcp = &self.host.tcp;
        let mut header = None;
        if tcp.extensions.has_options() {
            header = state.header(payload, time, tcp);
            flags = flags.with_if(header.is_some(), Flags::OPTIONS);
        }
        flags = flags.with_if(state.receiver.is_echoing(), Flags::ECHO);
        let (acknowledged, window) = state.receiver.acknowledge(tcp);
        let option_bytes = header.map_or(0, |header| header.header_bytes());
        let (ip_bytes, bytes) = frame_sizes(payload + option_bytes, path.is_v6);
        let ip = IpHeader { destination: path.address, bytes: ip_bytes, ttl: self.host.links.ttl };
        let segment =
            Segment { to: state.peer, bytes: payload, window, sequence, acknowledged, flags };
        let frame = self.link.wires.plain_mut().create(
            &mut self.link.clock,
            Frame {
                source: path.port,
                target: path.via.into(),
                bytes,
                flow: path.flow,
                is_damaged: false,
                payload: Payload::Segment(ip, segment),
            },
        );
        if let Some(header) = header {
            self.link.wires.plain_mut().frames.set_options(frame, header);
        }
        self.leave_node(path.port, frame, path.departed);
        if payload > 0 {
            self.tell_windows(endpoint, time);
        }
        if payload > 0 && self.host.tcp.extensions.rack {
            self.hosts.paths[endpoint].drained = self.drained(path.port);
        }
    }

    /// Sends a packet out of an interface of a node, at `time`, which may lie ahead.
    #[inline]
    pub(crate) fn leave_node(&mut self, port: PortId, frame: FrameId, time: Time) {
        match self.hosts.neighbours.is_empty() {
            true => self.leave_interface(port, frame, time),
            false => self.leave_when_resolved(port, frame, time),
        }
    }

    /// Sends a frame, whose target on the segment is known, out of an interface.
    #[inline]
    pub(crate) fn leave_interface(&mut self, port: PortId, frame: FrameId, time: Time) {
        match self.link.bonds.interface(port) {
            Interface::Port => self.leave_port(port, frame, time),
            // The ports that have room are known only then.
            Interface::Bond => {
                self.link.clock.events.push(time, Event::OfferToBond { port, frame })
            }
            Interface::PortToBond => {
                self.link.wires.plain_mut().address_on_wire(port, frame);
                self.leave_port(port, frame, time);
            }
        }
    }

    /// Sends a frame out of a port. A frame that a processor sends behind other work may be
    /// overtaken by that of another processor, so it joins the queue only then.
    #[inline]
    fn leave_port(&mut self, port: PortId, frame: FrameId, time: Time) {
        if self.hosts.rx.is_used() && time > self.link.clock.now {
            self.link.clock.events.push(time, Event::Offer { port, frame });
        } else {
            self.link.wires.send(&mut self.link.clock, port, frame, time);
        }
    }

    /// Charges a node for the interrupt at the end of a frame that it has sent.
    pub(crate) fn has_sent(&mut self, port: PortId) {
        if let Place::Node(node) = self.link.wires.plain().place(port) {
            let now = self.link.clock.now;
            self.charge_node(node, now, self.host.costs.sent, Work::Kernel);
        }
    }
}
