//! Resolution of hardware addresses: ARP [RFC-826] and the address resolution of IPv6 neighbour
//! discovery [RFC-4861, sec. 7.2].
//!
//! The first packet to a neighbour triggers a request to every node on the segment. The target
//! replies to the requester alone, and both know each other afterwards.

use device::ethernet::SHORTEST_FRAME_BYTES;
use host::Neighbours;
use network::{NodeId, PortId};
use quantity::Time;

use super::neighbour_table::{Lookup, Patience};
use super::stack::Stack;
use crate::arena::FrameId;
use crate::event::Event;
use crate::frame::{Frame, Payload, Resolution};
use crate::medium::Medium;
use crate::observer::{Fate, Work};

/// A solicitation or advertisement with its option: Ethernet 14, IPv6 40, ICMPv6 24, option 8 and
/// the frame check sequence 4 bytes [RFC-4861, sec. 4.3].
const DISCOVERY_FRAME_BYTES: u32 = 90;

impl<'a, M: Medium<'a>> Stack<'a, M> {
    /// Sends a packet once the hardware address of its target is known.
    pub(crate) fn leave_when_resolved(&mut self, port: PortId, packet: FrameId, time: Time) {
        let Neighbours::Cold { waiting, .. } = self.host.links.neighbours else { return };
        let fabric = &self.network.fabric;
        let node = fabric.node_of(port);
        let target = self.link.wires.plain().frames.get(packet).target.get();
        let neighbour = fabric.interface(target.expect("a packet is for one neighbour"));
        match self.hosts.neighbours[node].look_up(neighbour, packet, waiting) {
            Lookup::Known => self.leave_interface(port, packet, time),
            Lookup::Ask => self.ask(node, neighbour, time),
            Lookup::Waits { dropped } => dropped.into_iter().for_each(|id| self.drop_waiting(id)),
        }
    }

    /// Requests a neighbour through the interface of a waiting packet, again and again while one
    /// waits.
    fn ask(&mut self, node: NodeId, neighbour: PortId, time: Time) {
        let Neighbours::Cold { retry, .. } = self.host.links.neighbours else { return };
        let Some(packet) = self.hosts.neighbours[node].newest(neighbour) else { return };
        let packet = *self.link.wires.plain().frames.get(packet);
        let Some(ip) = packet.ip() else { return };
        let is_v6 = self.network.addressing.address(ip.destination).ip.is_v6;
        let fabric = &self.network.fabric;
        let port = fabric.interface(packet.source);
        // A fabric of multipath switches does not flood: its control plane knows all stations and
        // forwards the request to its target [RFC-9161, sec. 3.4].
        let is_led = fabric.is_multipath(fabric.port(port).segment);
        let target = is_led.then_some(neighbour);
        let about = Resolution { about: neighbour, is_v6, is_answer: false };
        let question = resolution(port, target, about);
        let again_at = time.max(self.link.clock.now) + retry;
        self.link.clock.events.push(again_at, Event::Unanswered { node, neighbour });
        self.resolve(node, question, time);
    }

    /// Makes a request or a reply and sends it.
    fn resolve(&mut self, node: NodeId, frame: Frame, time: Time) {
        let made = self.charge_node(node, time, self.host.costs.make_ack, Work::Kernel);
        let id = self.link.wires.plain_mut().create(&mut self.link.clock, frame);
        self.leave_interface(frame.source, id, made);
    }

    pub(crate) fn unanswered(&mut self, node: NodeId, neighbour: PortId) {
        let Neighbours::Cold { tries, .. } = self.host.links.neighbours else { return };
        match self.hosts.neighbours[node].lose_patience(neighbour, tries) {
            Patience::Answered => {}
            Patience::AskAgain => self.ask(node, neighbour, self.link.clock.now),
            Patience::GiveUp(packets) => packets.into_iter().for_each(|id| self.drop_waiting(id)),
        }
    }

    fn drop_waiting(&mut self, packet: FrameId) {
        self.link.clock.counters.dropped_unresolved += 1;
        self.link.wires.plain_mut().drop(self.link.clock.now, packet, Fate::NoRoute);
    }

    /// Receives a request for a hardware address, or a reply.
    ///
    /// Every node's processor receives an ARP request; a solicitation goes to a group of addresses
    /// that the interfaces of other nodes filter.
    pub(crate) fn take_resolution(
        &mut self,
        node: NodeId,
        port: PortId,
        sender: PortId,
        message: Resolution,
    ) {
        let fabric = &self.network.fabric;
        let Resolution { about, is_v6, is_answer } = message;
        let is_mine = fabric.interface(port) == about;
        let asker = fabric.interface(sender);
        if is_v6 && !is_answer && !is_mine {
            return;
        }
        let (now, work) = (self.link.clock.now, self.host.costs.take_ack);
        let done = self.charge_node(node, now, work, Work::Kernel);
        self.keep_waiting(port, done);
        // A target of a request learns the address of the requester too [RFC-826].
        let is_news = is_v6 || is_answer || is_mine;
        if is_news || self.hosts.neighbours[node].asks_for(asker) {
            for packet in self.hosts.neighbours[node].learn(asker) {
                let from = self.link.wires.plain().frames.get(packet).source;
                self.leave_interface(fabric.interface(from), packet, done);
            }
        }
        if is_mine && !is_answer {
            let answer = Resolution { is_answer: true, ..message };
            self.resolve(node, resolution(fabric.interface(port), Some(asker), answer), done);
        }
    }
}

/// Returns a request or a reply from one port to another, or to all.
fn resolution(source: PortId, target: Option<PortId>, message: Resolution) -> Frame {
    Frame {
        source,
        target: target.into(),
        bytes: if message.is_v6 { DISCOVERY_FRAME_BYTES } else { SHORTEST_FRAME_BYTES },
        flow: 0,
        is_damaged: false,
        payload: Payload::Resolution(message),
    }
}
