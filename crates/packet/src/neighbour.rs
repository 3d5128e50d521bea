//! The hardware addresses that a node knows, and the packets that wait for one: ARP [RFC-826] and
//! the address resolution of IPv6 neighbour discovery [RFC-4861, sec. 7.2].
//!
//! The first packet to a neighbour asks everybody on the segment; the one that is asked answers the
//! asker alone, and both know each other then. What is known is never forgotten: Linux goes on to
//! use a stale entry while it is confirmed, so that nothing ever waits again.

use std::collections::VecDeque;

use device::ethernet::SHORTEST_FRAME_BYTES;
use host::{LinkOptions, Neighbours};
use network::{Fabric, NodeId, PortId};
use quantity::Time;

use crate::arena::FrameId;
use crate::event::Event;
use crate::frame::{Frame, NO_STATION, Payload, Resolution};
use crate::medium::Medium;
use crate::model::PacketModel;

/// A solicitation or advertisement with its option: Ethernet 14, IPv6 40, ICMPv6 24, option 8 and
/// the frame check sequence 4 bytes [RFC-4861, sec. 4.3].
const DISCOVERY_FRAME_BYTES: u32 = 90;

/// The neighbours that a node knows or asks for, ascending by the port that stands for their
/// interface.
#[derive(Debug, Default)]
pub(crate) struct NeighbourTable {
    entries: Vec<(PortId, State)>,
}

#[derive(Debug)]
enum State {
    Known,
    Asked { waiting: VecDeque<FrameId>, tries: u32 },
}

/// What becomes of a packet to a neighbour.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Lookup {
    Known,
    /// The packet waits, and somebody has to ask.
    Ask,
    /// The packet waits for an answer; the oldest one made room for it.
    Waits {
        dropped: Option<FrameId>,
    },
}

/// What becomes of a question that has waited for its answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Patience {
    Answered,
    AskAgain,
    GiveUp(VecDeque<FrameId>),
}

impl NeighbourTable {
    /// Looks a neighbour up for a packet, which is kept unless the neighbour is known.
    pub fn look_up(&mut self, neighbour: PortId, packet: FrameId, most: u32) -> Lookup {
        match self.place(neighbour) {
            Err(place) => {
                let state = State::Asked { waiting: VecDeque::from([packet]), tries: 1 };
                self.entries.insert(place, (neighbour, state));
                Lookup::Ask
            }
            Ok(place) => match &mut self.entries[place].1 {
                State::Known => Lookup::Known,
                State::Asked { waiting, .. } => {
                    waiting.push_back(packet);
                    let is_full = waiting.len() > most.max(1) as usize;
                    Lookup::Waits { dropped: if is_full { waiting.pop_front() } else { None } }
                }
            },
        }
    }

    /// Notes that a neighbour is known; returns the packets that waited for that.
    pub fn learn(&mut self, neighbour: PortId) -> VecDeque<FrameId> {
        match self.place(neighbour) {
            Err(place) => {
                self.entries.insert(place, (neighbour, State::Known));
                VecDeque::new()
            }
            Ok(place) => match std::mem::replace(&mut self.entries[place].1, State::Known) {
                State::Known => VecDeque::new(),
                State::Asked { waiting, .. } => waiting,
            },
        }
    }

    /// Returns whether a neighbour is asked for.
    pub fn asks_for(&self, neighbour: PortId) -> bool {
        let asked = |place: usize| matches!(self.entries[place].1, State::Asked { .. });
        self.place(neighbour).is_ok_and(asked)
    }

    /// Decides on a question whose answer has been waited for.
    pub fn lose_patience(&mut self, neighbour: PortId, most_tries: u32) -> Patience {
        let Ok(place) = self.place(neighbour) else { return Patience::Answered };
        match &mut self.entries[place].1 {
            State::Known => Patience::Answered,
            State::Asked { tries, .. } if *tries < most_tries => {
                *tries += 1;
                Patience::AskAgain
            }
            State::Asked { waiting, .. } => {
                let waiting = std::mem::take(waiting);
                self.entries.remove(place);
                Patience::GiveUp(waiting)
            }
        }
    }

    /// Returns the newest packet that waits for a neighbour.
    fn newest(&self, neighbour: PortId) -> Option<FrameId> {
        match &self.entries[self.place(neighbour).ok()?].1 {
            State::Known => None,
            State::Asked { waiting, .. } => waiting.back().copied(),
        }
    }

    fn place(&self, neighbour: PortId) -> Result<usize, usize> {
        self.entries.binary_search_by_key(&neighbour, |entry| entry.0)
    }
}

/// Returns a table per node that knows nobody, or none at all where everybody is known.
pub(crate) fn tables(fabric: &Fabric, links: &LinkOptions) -> Vec<NeighbourTable> {
    match links.neighbours {
        Neighbours::Warm => Vec::new(),
        Neighbours::Cold { .. } => (0..fabric.n_nodes()).map(|_| Default::default()).collect(),
    }
}

impl<'a, M: Medium<'a>> PacketModel<'a, M> {
    /// Sends a packet when the hardware address of its target is known.
    pub(crate) fn leave_when_resolved(&mut self, port: PortId, packet: FrameId, time: Time) {
        let Neighbours::Cold { waiting, .. } = self.host.links.neighbours else { return };
        let fabric = &self.network.fabric;
        let node = fabric.port(port).device;
        let neighbour = fabric.interface(self.wires.plain().frames.get(packet).target);
        match self.hosts.neighbours[node as usize].look_up(neighbour, packet, waiting) {
            Lookup::Known => self.leave_interface(port, packet, time),
            Lookup::Ask => self.ask(node, neighbour, time),
            Lookup::Waits { dropped } => dropped.into_iter().for_each(|id| self.drop_waiting(id)),
        }
    }

    /// Asks for a neighbour by the interface of a packet that waits, and for as long as one does.
    fn ask(&mut self, node: NodeId, neighbour: PortId, time: Time) {
        let Neighbours::Cold { retry, .. } = self.host.links.neighbours else { return };
        let Some(packet) = self.hosts.neighbours[node as usize].newest(neighbour) else { return };
        let packet = *self.wires.plain().frames.get(packet);
        let Some(ip) = packet.ip() else { return };
        let is_v6 = self.network.addressing.address(ip.destination).ip.is_v6;
        let fabric = &self.network.fabric;
        let port = fabric.interface(packet.source);
        // A fabric of multipath switches does not flood: its control plane knows all stations and
        // leads the question to the one that is asked [RFC-9161, sec. 3.4].
        let is_led = fabric.is_multipath(fabric.port(port).segment);
        let target = if is_led { neighbour } else { NO_STATION };
        let about = Resolution { about: neighbour, is_v6, is_answer: false };
        let question = resolution(port, target, about);
        let again_at = time.max(self.clock.now) + retry;
        self.clock.events.push(again_at, Event::Unanswered { node, neighbour });
        self.resolve(node, question, time);
    }

    /// Makes a question or an answer and sends it.
    fn resolve(&mut self, node: NodeId, frame: Frame, time: Time) {
        let made = self.hosts.nodes[node as usize].charge(0, time, self.host.costs.make_ack);
        let id = self.wires.plain_mut().create(&mut self.clock, frame);
        self.leave_interface(frame.source, id, made);
    }

    pub(crate) fn unanswered(&mut self, node: NodeId, neighbour: PortId) {
        let Neighbours::Cold { tries, .. } = self.host.links.neighbours else { return };
        match self.hosts.neighbours[node as usize].lose_patience(neighbour, tries) {
            Patience::Answered => {}
            Patience::AskAgain => self.ask(node, neighbour, self.clock.now),
            Patience::GiveUp(packets) => packets.into_iter().for_each(|id| self.drop_waiting(id)),
        }
    }

    fn drop_waiting(&mut self, packet: FrameId) {
        self.clock.counters.dropped_unresolved += 1;
        self.wires.plain_mut().frames.remove(packet);
    }

    /// Takes a question for a hardware address, or an answer.
    ///
    /// Everybody's processor takes an ARP request; a solicitation goes to a group of addresses that
    /// the interfaces of others filter.
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
        let done =
            self.hosts.nodes[node as usize].charge(0, self.clock.now, self.host.costs.take_ack);
        self.keep_waiting(port, done);
        // Who is asked for and asks is known too [RFC-826].
        let is_news = is_v6 || is_answer || is_mine;
        if is_news || self.hosts.neighbours[node as usize].asks_for(asker) {
            for packet in self.hosts.neighbours[node as usize].learn(asker) {
                let from = self.wires.plain().frames.get(packet).source;
                self.leave_interface(fabric.interface(from), packet, done);
            }
        }
        if is_mine && !is_answer {
            let answer = Resolution { is_answer: true, ..message };
            self.resolve(node, resolution(fabric.interface(port), asker, answer), done);
        }
    }
}

/// Returns a question or an answer from one port to another.
fn resolution(source: PortId, target: PortId, message: Resolution) -> Frame {
    Frame {
        source,
        target,
        bytes: if message.is_v6 { DISCOVERY_FRAME_BYTES } else { SHORTEST_FRAME_BYTES },
        flow: 0,
        is_damaged: false,
        payload: Payload::Resolution(message),
    }
}
