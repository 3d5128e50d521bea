//! Routed switches: the routes of a node, and the passage through a switch. A packet takes no time
//! of a processor, waits in the queues of the switch and crosses its backplane.

use network::PortId;

use super::stack::Stack;
use crate::arena::FrameId;
use crate::frame::IpHeader;
use crate::ids::SwitchId;
use crate::medium::Medium;

impl<'a, M: Medium<'a>> Stack<'a, M> {
    /// Forwards a packet that arrives at a port of a routed switch. A frame for another station, or
    /// for all, ends here: each port is a station of its own segment.
    pub(crate) fn arrive_at_routed_switch(&mut self, switch: SwitchId, port: PortId, id: FrameId) {
        if !self.link.enters(switch, port, id) {
            return;
        }
        let node = self.network.fabric.node_of(port);
        let frame = self.link.wires.plain().frames.get(id);
        let is_for_port = frame.target == port.into();
        let packet = frame.ip().copied().filter(|ip| is_for_port && !self.is_for(node, ip));
        let Some(IpHeader { destination, ttl, .. }) = packet else {
            return self.link.wires.plain_mut().consume(&mut self.link.clock, id);
        };
        match self.cached_hop(node, destination) {
            Some(hop) if ttl > 1 => {
                self.link.wires.plain_mut().frames.get_mut(id).forward(hop.port, hop.via);
                self.link.clock.counters.forwards += 1;
                self.link.pass(switch, (port, hop.port), id);
            }
            _ => self.drop_unrouted(id),
        }
    }
}
