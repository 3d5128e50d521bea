//! Local back-pressure: a queue that is half full holds the connections of its own node back and
//! drops nothing that they send, as the byte limits of Linux do (TSQ, BQL). The other half is left
//! to acknowledgements and to forwarded packets.
//!
//! Connections wait in order of arrival and get a turn each time a frame has left. Only hosts
//! without local drops use it.

use std::collections::VecDeque;

use host::transport::EndpointId;
use network::PortId;
use quantity::Time;

use super::stack::Stack;
use crate::event::Event;
use crate::medium::Medium;

impl<'a, M: Medium<'a>> Stack<'a, M> {
    /// Returns whether a segment that a process writes to a connection may go straight to the
    /// interface.
    #[inline]
    pub(crate) fn goes_out_at_once(&mut self, endpoint: EndpointId) -> bool {
        self.host.tcp.extensions.local_drops
            || (!self.hosts.endpoints[endpoint].is_held && self.has_tx_space(endpoint))
    }

    /// Returns whether the interface of a connection accepts one more of its segments.
    pub(crate) fn has_tx_space(&mut self, endpoint: EndpointId) -> bool {
        let port = self.hosts.paths[endpoint].port;
        self.link.ports_of_interface(port).any(|port| self.port_has_tx_space(port))
    }

    /// Holds a connection back until its interface has room.
    pub(crate) fn hold(&mut self, endpoint: EndpointId) {
        self.hosts.endpoints[endpoint].is_held = true;
        let port = self.hosts.paths[endpoint].port;
        let waiting = self.hosts.held.entry(port).or_default();
        waiting.push_back(endpoint);
        if waiting.len() == 1 {
            self.expect_tx_space(port);
        }
    }

    /// Lets the connections held at a port send, one after the other, while there is room.
    pub(crate) fn tx_space(&mut self, port: PortId) {
        while let Some(&endpoint) = self.hosts.held.get(&port).and_then(VecDeque::front) {
            if !self.has_tx_space(endpoint) {
                return self.expect_tx_space(port);
            }
            self.hosts.held.entry(port).and_modify(|waiting| {
                waiting.pop_front();
            });
            self.hosts.endpoints[endpoint].is_held = false;
            self.send_buffered(endpoint, self.link.clock.now);
        }
    }

    /// Retries the connections held at a port from which a frame has left.
    #[inline]
    pub(crate) fn wake(&mut self, port: PortId) {
        if !self.hosts.held.is_empty() {
            self.tx_space(self.network.fabric.interface(port));
        }
    }

    /// Schedules a retry of the connections held at a port: when a link will have sent enough, or
    /// on a hub, where that time is unknown, after the time of a full frame.
    fn expect_tx_space(&mut self, port: PortId) {
        let (now, most) = (self.link.clock.now, self.tx_limit());
        let ports = self.link.ports_of_interface(port);
        let wires = self.link.wires.plain_mut();
        let time = ports.filter_map(|port| wires.time_below(now, port, most));
        if let Some(time) = time.min() {
            self.link.clock.events.push(time.max(now), Event::TxSpace { port });
        }
    }

    /// Returns the time at which the queue of an interface will be empty if nothing else joins it.
    #[inline]
    pub(crate) fn drained(&mut self, port: PortId) -> Time {
        let now = self.link.clock.now;
        let ports = self.link.ports_of_interface(port);
        let wires = self.link.wires.plain_mut();
        ports.map(|port| wires.drained(now, port)).max().unwrap_or(now)
    }

    fn port_has_tx_space(&mut self, port: PortId) -> bool {
        let (now, most) = (self.link.clock.now, self.tx_limit());
        self.link.wires.plain_mut().n_queued(now, port) < most
    }

    /// Returns the number of frames that TCP may keep in a transmit queue.
    fn tx_limit(&self) -> u32 {
        (self.host.queues.transmit / 2).max(1)
    }
}
