//! Datagrams between sockets and wires: the jobs of a process at its socket, and the kernel's work
//! for them. `process` fits these jobs in with the others.

use host::frame_bytes;
use host::process::Job;
use host::transport::EndpointId;
use network::{NodeId, PortId};
use program::{DatagramProtocol, Rank};
use quantity::Time;
use simulation::{Datagram, Notice, RunError};

use super::processes::first_on;
use super::stack::Stack;
use crate::datagram::{Cut, DatagramId, Delivery, Piece, Sending, Socket};
use crate::event::Event;
use crate::frame::{Fragment, Frame, IpHeader, Payload};
use crate::medium::Medium;
use crate::observer::Work;

/// Bit that keeps the flow numbers of datagrams apart from those of connections, where paths are
/// chosen by flow.
const DATAGRAM_FLOWS: u32 = 1 << 31;

impl<'a, M: Medium<'a>> Stack<'a, M> {
    pub(crate) fn begin_datagram(&mut self, from: Rank, datagram: Datagram) {
        let node = self.hosts.node_of_rank[from];
        if self.hosts.sockets.is_empty() {
            self.hosts.sockets.as_mut_vec().resize_with(self.hosts.nodes.len(), Socket::default);
        }
        let began = self.hosts.sockets[node].began;
        let sent = began
            .map_or(self.link.clock.now, |began| self.link.clock.now.max(began + datagram.spacing));
        let Some(sending) = self.make_datagram(from, datagram, sent) else { return };
        let socket = &mut self.hosts.sockets[node];
        socket.began = Some(sent);
        socket.sending = Some(sending);
        self.step(first_on(node));
    }

    /// Returns a datagram to be sent from `sent` on; fails the run without a route.
    fn make_datagram(&mut self, from: Rank, datagram: Datagram, sent: Time) -> Option<Sending> {
        let Datagram { to: rank, bytes, answer, protocol, .. } = datagram;
        let (node, to) = (self.hosts.node_of_rank[from], self.hosts.node_of_rank[rank]);
        let Some(hop) = self.cached_hop(node, self.hosts.identities[to]) else {
            self.link.clock.fail(RunError::NoRoute { from: node, to });
            return None;
        };
        let (arrived, received) = (0, None);
        let delivery =
            Delivery { from, to: rank, bytes, protocol, answer, arrived, sent, received };
        let datagram = self.hosts.deliveries.push(delivery);
        Some(Sending { datagram, to, protocol, cut: self.cut(to, bytes, protocol), hop })
    }

    /// Returns the cut of a datagram for a node into packets.
    fn cut(&self, to: NodeId, bytes: u32, protocol: DatagramProtocol) -> Cut {
        let is_v6 = self.network.addressing.address(self.hosts.identities[to]).ip.is_v6;
        Cut::new(bytes, protocol, is_v6, self.host.tcp.mtu_bytes())
    }

    /// Returns the next job of an idle process at its socket, and its processor time: to read a
    /// datagram, or to send one that is due and has room.
    pub(crate) fn next_datagram_job(&mut self, node: NodeId) -> Option<(Job<EndpointId>, Time)> {
        let socket = &self.hosts.sockets[node];
        if let Some(&datagram) = socket.unread.front() {
            return Some((Job::ReadDatagram, self.reading_work(datagram)));
        }
        let Sending { datagram, cut, hop, .. } = socket.sending?;
        let due = self.hosts.deliveries[datagram].sent;
        let begin = match due <= self.link.clock.now {
            true => self.room_at(hop.port, cut.n_fragments()),
            false => due,
        };
        if begin <= self.link.clock.now {
            return Some((Job::SendDatagram, self.sending_work(cut)));
        }
        let socket = &mut self.hosts.sockets[node];
        if begin != Time::MAX && socket.wake != begin {
            socket.wake = begin;
            self.link.clock.events.push(begin, Event::Wake { node });
        }
        None
    }

    /// Returns the time at which a port will have room for `frames` more.
    fn room_at(&mut self, port: PortId, frames: u32) -> Time {
        let limit = self.host.queues.transmit;
        self.link.wires.plain_mut().room_at(self.link.clock.now, port, frames, limit)
    }

    /// Wakes the process of a node port from which a frame will have left at `time`.
    pub(crate) fn tx_space_made(&mut self, port: PortId, time: Time) {
        let node = self.network.fabric.port(port).device;
        if self.is_sending(NodeId::new(node.get())) {
            self.link.clock.events.push(time, Event::Wake { node: NodeId::new(node.get()) });
        }
    }

    /// Returns the processor time of sending: a system call that copies all and makes each packet.
    fn sending_work(&self, cut: Cut) -> Time {
        let costs = &self.host.costs;
        let copy = costs.send_copy.of(u64::from(cut.total_bytes));
        costs.write_call + copy + costs.send_fixed * u64::from(cut.n_fragments())
    }

    /// Returns whether a process has a datagram to send.
    pub(crate) fn is_sending(&self, node: NodeId) -> bool {
        self.hosts.sockets.get(node).is_some_and(|socket| socket.sending.is_some())
    }

    pub(crate) fn datagram_written(&mut self, node: NodeId) {
        let Some(sending) = self.hosts.sockets[node].sending.take() else { return };
        self.send_fragments(node, sending);
        self.notify(first_on(node), Notice::Written);
    }

    fn send_fragments(&mut self, node: NodeId, sending: Sending) {
        let Sending { datagram, to, protocol, cut, hop } = sending;
        let is_direct = self.network.fabric.port(hop.via).device == to.into();
        let flow =
            if is_direct { 0 } else { DATAGRAM_FLOWS ^ node.get() ^ to.get().rotate_left(15) };
        let (source, destination) = (self.hosts.identities[node], self.hosts.identities[to]);
        let (ttl, total_bytes) = (self.host.links.ttl, cut.total_bytes);
        for Piece { offset, bytes, ip_bytes } in cut.pieces() {
            let ip = IpHeader { destination, bytes: ip_bytes, ttl };
            let fragment = Fragment { protocol, source, datagram, offset, bytes, total_bytes };
            let frame = self.link.wires.plain_mut().create(
                &mut self.link.clock,
                Frame {
                    source: hop.port,
                    target: hop.via.into(),
                    bytes: frame_bytes(ip_bytes),
                    flow,
                    is_damaged: false,
                    payload: Payload::Fragment(ip, fragment),
                },
            );
            self.leave_node(hop.port, frame, self.link.clock.now);
        }
    }

    /// Takes a fragment into the kernel, and the datagram that it completes into the socket.
    pub(crate) fn take_fragment(&mut self, node: NodeId, port: PortId, fragment: Fragment) {
        let Fragment { datagram, bytes, total_bytes, .. } = fragment;
        let work = self.host.costs.receive.of(u64::from(bytes));
        let done = self.charge_node(node, self.link.clock.now, work, Work::Receive);
        self.keep_waiting(port, done);
        let delivery = &mut self.hosts.deliveries[datagram];
        delivery.arrived += bytes;
        if delivery.arrived < total_bytes {
            return;
        }
        let socket = &mut self.hosts.sockets[node];
        let filled = socket.unread_bytes.saturating_add(delivery.bytes);
        if filled > self.host.links.datagram_buffer {
            self.link.clock.counters.datagrams_overflowed += 1;
            return;
        }
        socket.unread_bytes = filled;
        socket.unread.push_back(datagram);
        self.step(first_on(node));
    }

    /// Returns the processor time of reading a datagram, and of replying to it.
    fn reading_work(&self, datagram: DatagramId) -> Time {
        let Delivery { from, bytes, answer, protocol, .. } = self.hosts.deliveries[datagram];
        let reading = self.host.costs.read.of(u64::from(bytes));
        match answer {
            0 => reading,
            _ => {
                let to = self.hosts.node_of_rank[from];
                reading + self.sending_work(self.cut(to, answer, protocol))
            }
        }
    }

    pub(crate) fn datagram_read(&mut self, node: NodeId) {
        let socket = &mut self.hosts.sockets[node];
        let Some(datagram) = socket.unread.pop_front() else { return };
        let delivery = &mut self.hosts.deliveries[datagram];
        socket.unread_bytes -= delivery.bytes;
        delivery.received = Some(self.link.clock.now);
        let Delivery { from, to, answer, protocol, .. } = *delivery;
        if answer > 0 {
            let spacing = Time::ZERO;
            let back = Datagram { to: from, bytes: answer, answer: 0, protocol, spacing };
            if let Some(sending) = self.make_datagram(to, back, self.link.clock.now) {
                self.send_fragments(node, sending);
            }
        }
    }
}
