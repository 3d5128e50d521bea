//! Frames between nodes: through switches, and on hubs. What these devices decide is in the crate
//! `device`; here their answers become events.

use device::ethernet::PREAMBLE_BYTES;
use device::{Decision, Egress};
use network::{Fabric, PortId, flow};
use quantity::Time;

use crate::arena::{Arrival, FrameId};
use crate::event::Event;
use crate::frame::{Frame, NO_STATION, Payload};
use crate::model::PacketModel;
use crate::observer::Observer;
use crate::wiring::Place;

/// A frame on its way through a switch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crossing {
    switch: u32,
    /// The port it came in by, and its number on the switch.
    pub from: PortId,
    number: u32,
    pub frame: FrameId,
    /// When the fabric of the switch has taken it.
    crossed: Time,
}

/// A frame that every station of a collision domain hears.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Broadcast {
    pub sender: PortId,
    pub frame: FrameId,
    pub start: Time,
    pub heard: Time,
}

/// Returns the port by which a multipath switch sends a frame that came in by `port` on. Frames of
/// one flow take one path, on which none overtakes another.
fn next_port(fabric: &Fabric, port: PortId, frame: &Frame) -> PortId {
    let flow = flow(frame.source, frame.target, frame.flow);
    fabric.multipath().next_port(fabric.port(port).device, frame.target, flow)
}

impl<O: Observer> PacketModel<'_, O> {
    #[inline]
    pub(crate) fn push_arrival(&mut self, port: PortId, arrival: Arrival) {
        let Arrival { frame, time, number } = arrival;
        self.clock.events.push_numbered(time, number, Event::Arrive { port, frame });
    }

    /// Takes a frame at the port it was sent to. Those behind it on the same cable come later, so
    /// that one event at a time is enough for them.
    #[inline]
    pub(crate) fn arrive(&mut self, port: PortId, frame: FrameId) {
        if let Some(next) = self.wires.frames.arrives(frame) {
            self.push_arrival(port, next);
        }
        if let Payload::Pause(pause) = self.wires.frames.get(frame).payload {
            return self.on_pause(port, frame, pause);
        }
        match self.wires.places[port as usize] {
            Place::Node(node) => self.arrive_at_node(node, port, frame),
            Place::Switch { switch, number } => self.arrive_at_switch(switch, number, port, frame),
            Place::Elsewhere => self.drop_at_queue(frame),
        }
    }

    fn arrive_at_switch(&mut self, switch: u32, number: u32, port: PortId, id: FrameId) {
        let frame = *self.wires.frames.get(id);
        let place = &mut self.wires.switches[switch as usize];
        if frame.is_damaged && !place.device.is_cut_through() {
            self.drop_damaged(id);
            return;
        }
        self.observer.received(self.clock.now, port, &frame, self.wires.frames.options(id));
        let first_port = place.first_port;
        let egress = if place.is_multipath {
            let fabric = match &self.faults {
                None => &self.network.fabric,
                Some(faults) if faults.joins(port, frame.target) => faults.fabric(),
                Some(_) => return self.drop_without_way(id),
            };
            Egress::Port(next_port(fabric, port, &frame) - first_port)
        } else {
            let source = self.wires.members[frame.source as usize];
            // Everybody is no member.
            let target = self.wires.members.get(frame.target as usize).copied();
            place.device.forward(self.clock.now, number, source, target)
        };
        let crossed = match place.backplane {
            Some(backplane) => {
                self.wires.backplanes[backplane as usize].transit(self.clock.now, frame.bytes)
            }
            None => self.clock.now,
        };
        let crossing = Crossing { switch, from: port, number, frame: id, crossed };
        match egress {
            Egress::Port(out) => self.leave_switch(crossing, first_port + out),
            Egress::Filtered => {
                self.counters.frames_consumed += 1;
                self.wires.frames.remove(id);
            }
            Egress::Flood => self.flood(crossing),
        }
    }

    fn flood(&mut self, crossing: Crossing) {
        let frame = *self.wires.frames.get(crossing.frame);
        if self.faults.as_ref().is_some_and(|faults| !faults.joins(crossing.from, frame.target)) {
            self.flood_in_vain(crossing.frame);
        }
        let source = self.wires.members[frame.source as usize];
        let target = self.wires.members.get(frame.target as usize).copied();
        let place = &self.wires.switches[crossing.switch as usize];
        let first_port = place.first_port;
        let mut outs = std::mem::take(&mut self.wires.flood_ports);
        outs.clear();
        outs.extend(place.device.flood_ports(crossing.number, source, target));
        for &out in &outs {
            let copy = self.wires.frames.copy(crossing.frame);
            self.counters.frames_created += 1;
            self.leave_switch(Crossing { frame: copy, ..crossing }, first_port + out);
        }
        self.wires.flood_ports = outs;
        self.counters.frames_consumed += 1;
        self.wires.frames.remove(crossing.frame);
    }

    /// Sends a frame out of port `to` when its header, or all of it, has been seen.
    #[inline]
    fn leave_switch(&mut self, crossing: Crossing, to: PortId) {
        let Crossing { frame, crossed, from, .. } = crossing;
        if self.wires.intakes.is_used() && !self.admit(&crossing, to) {
            return self.drop_at_queue(frame);
        }
        let place = &self.wires.switches[crossing.switch as usize];
        if place.keeps_order {
            self.emit(to, frame, place.device.output_time(crossed, crossed, true));
            return;
        }
        let rate = self.wires.rates[from as usize];
        let last_bit = match self.wires.outlets[from as usize].is_station() {
            // What comes from a hub is announced when all of it has been heard.
            true => crossed,
            false => {
                let wire_bytes = self.wires.frames.get(frame).bytes + PREAMBLE_BYTES;
                crossed + rate.time_of_bytes(u64::from(wire_bytes))
            }
        };
        let same_rate = rate == self.wires.rates[to as usize];
        if !same_rate && self.wires.frames.get(frame).is_damaged {
            return self.drop_damaged(frame);
        }
        let time = place.device.output_time(crossed, last_bit, same_rate);
        // A frame that is cut through overtakes one that is stored: each joins the queue when its
        // output may begin.
        self.clock.events.push(time, Event::Offer { port: to, frame });
    }

    /// Offers a frame to a hub; returns whether the queue of the station has room.
    pub(crate) fn offer_to_hub(&mut self, hub: u32, station: u32, frame: FrameId) -> bool {
        let bytes = self.wires.frames.get(frame).bytes;
        let taken =
            self.wires.hubs[hub as usize].device.offer(self.clock.now, station, frame, bytes);
        self.schedule_decision(hub);
        taken
    }

    fn schedule_decision(&mut self, hub: u32) {
        let domain = &mut self.wires.hubs[hub as usize];
        let next = domain.device.next_decision();
        if next < domain.scheduled {
            domain.scheduled = next;
            self.clock.events.push(next, Event::Decide { hub });
        }
    }

    pub(crate) fn decide(&mut self, hub: u32) {
        let domain = &mut self.wires.hubs[hub as usize];
        if domain.scheduled != self.clock.now {
            return;
        }
        domain.scheduled = Time::MAX;
        match domain.device.decide(self.clock.now) {
            Some(Decision::Sent { station, frame, start, end, heard }) => {
                let sender = domain.stations[station as usize];
                self.room_made(sender, end);
                self.broadcast(hub, Broadcast { sender, frame, start, heard });
            }
            Some(Decision::Collided { .. }) => {
                self.counters.collisions += 1;
                self.drop_given_up(hub);
            }
            None => {}
        }
        self.schedule_decision(hub);
    }

    fn drop_given_up(&mut self, hub: u32) {
        let domain = &self.wires.hubs[hub as usize];
        let stations = domain.device.given_up().iter().map(|lost| (lost.station, lost.frame));
        let lost: Vec<_> = stations.map(|(at, id)| (domain.stations[at as usize], id)).collect();
        for (port, frame) in lost {
            self.counters.dropped_by_collisions += 1;
            self.wires.frames.remove(frame);
            self.room_made(port, self.clock.now);
        }
    }

    /// Delivers a frame to the stations that do more than filter it: the one it is for, or all of
    /// them, and every switch, which learns from it.
    fn broadcast(&mut self, hub: u32, broadcast: Broadcast) {
        self.counters.frame_hops += 1;
        if self.faults.is_some() {
            return self.broadcast_in_doubt(hub, broadcast);
        }
        let Broadcast { sender, frame: id, start, heard } = broadcast;
        let domain = &self.wires.hubs[hub as usize];
        let frame = *self.wires.frames.get(id);
        self.observer.sent(start, sender, &frame, self.wires.frames.options(id));
        let target = domain.stations.binary_search(&frame.target).ok().map(|_| frame.target);
        let others = match frame.target {
            NO_STATION => &domain.stations,
            _ => &domain.switch_ports,
        };
        let mut original = Some(id);
        for &port in target.iter().chain(others).filter(|&&port| port != sender) {
            let copy = original.take().unwrap_or_else(|| {
                self.counters.frames_created += 1;
                self.wires.frames.copy(id)
            });
            self.clock.events.push(heard, Event::Arrive { port, frame: copy });
        }
        if let Some(id) = original {
            self.counters.frames_consumed += 1;
            self.wires.frames.remove(id);
        }
    }
}
