//! Frames between nodes: through switches, and on hubs.

use device::{Decision, Egress};
use network::PortId;
use quantity::Time;

use crate::frame::FrameId;
use crate::model::{Event, PacketModel};
use crate::observer::Observer;
use crate::wiring::Place;

impl<O: Observer> PacketModel<'_, O> {
    /// Takes a frame at the port it was sent to.
    #[inline]
    pub(crate) fn arrive(&mut self, port: PortId, frame: FrameId) {
        match self.places[port as usize] {
            Place::Node(node) => self.arrive_at_node(node, port, frame),
            Place::Switch { switch, number } => self.arrive_at_switch(switch, number, port, frame),
            Place::Elsewhere => {
                self.counters.dropped_at_queues += 1;
                self.frames.remove(frame);
            }
        }
    }

    fn arrive_at_switch(&mut self, switch: u32, number: u32, port: PortId, id: FrameId) {
        let frame = *self.frames.get(id);
        self.observer.received(self.now, port, &frame);
        let source = self.members[frame.source as usize];
        let target = self.members[frame.target as usize];
        let place = &mut self.switches[switch as usize];
        let first_port = place.first_port;
        let egress = place.device.forward(self.now, number, source, Some(target));
        let crossed = match place.backplane {
            Some(backplane) => self.backplanes[backplane as usize].transit(self.now, frame.bytes),
            None => self.now,
        };
        match egress {
            Egress::Port(out) => self.leave_switch(switch, port, first_port + out, id, crossed),
            Egress::Filtered => {
                self.counters.frames_consumed += 1;
                self.frames.remove(id);
            }
            Egress::Flood => self.flood(switch, number, port, id, crossed),
        }
    }

    fn flood(&mut self, switch: u32, number: u32, port: PortId, id: FrameId, crossed: Time) {
        let frame = *self.frames.get(id);
        let first_port = self.switches[switch as usize].first_port;
        let source = self.members[frame.source as usize];
        let target = self.members[frame.target as usize];
        let mut outs = std::mem::take(&mut self.flood_ports);
        outs.clear();
        outs.extend(self.switches[switch as usize].device.flood_ports(number, source, Some(target)));
        for &out in &outs {
            let copy = self.frames.insert(frame);
            self.counters.frames_created += 1;
            self.leave_switch(switch, port, first_port + out, copy, crossed);
        }
        self.flood_ports = outs;
        self.counters.frames_consumed += 1;
        self.frames.remove(id);
    }

    /// Sends a frame out of a switch when its header, or all of it, has been seen.
    fn leave_switch(&mut self, switch: u32, from: PortId, to: PortId, id: FrameId, crossed: Time) {
        let place = &self.switches[switch as usize];
        if !place.reads_first_bit {
            self.emit(to, id, crossed + place.latency);
            return;
        }
        let rates = (self.rates[from as usize], self.rates[to as usize]);
        if rates.0 == rates.1 {
            self.emit(to, id, crossed + place.latency);
            return;
        }
        // Cut-through cannot feed a port of another rate: the frame is stored first. It is handed over when its last
        // bit is in, so that frames which overtake it meanwhile are queued in their order.
        let wire_bytes = u64::from(self.frames.get(id).bytes + device::ethernet::PREAMBLE_BYTES);
        let time = crossed + rates.0.time_of_bytes(wire_bytes) + place.latency;
        self.events.push(time, Event::Offer { port: to, frame: id });
    }

    pub(crate) fn offer_to_hub(&mut self, hub: u32, station: u32, frame: FrameId) {
        let bytes = self.frames.get(frame).bytes;
        let domain = &mut self.hubs[hub as usize];
        if !domain.device.offer(self.now, station, frame, bytes) {
            self.counters.dropped_at_queues += 1;
            self.frames.remove(frame);
        }
        self.schedule_decision(hub);
    }

    fn schedule_decision(&mut self, hub: u32) {
        let domain = &mut self.hubs[hub as usize];
        let next = domain.device.next_decision();
        if next < domain.scheduled {
            domain.scheduled = next;
            self.events.push(next, Event::Decide { hub });
        }
    }

    pub(crate) fn decide(&mut self, hub: u32) {
        let domain = &mut self.hubs[hub as usize];
        if domain.scheduled != self.now {
            return;
        }
        domain.scheduled = Time::MAX;
        match domain.device.decide(self.now) {
            Some(Decision::Sent { station, frame, start, heard, .. }) => {
                self.heard_on_hub(hub, station, frame, start, heard);
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
        for given_up in self.hubs[hub as usize].device.given_up() {
            self.counters.dropped_by_collisions += 1;
            self.frames.remove(given_up.frame);
        }
    }

    /// Delivers a frame to the stations of a collision domain that do more than filter it: the one it is for, and
    /// every switch, which learns from it.
    fn heard_on_hub(&mut self, hub: u32, station: u32, id: FrameId, start: Time, heard: Time) {
        self.counters.frame_hops += 1;
        let domain = &self.hubs[hub as usize];
        let frame = *self.frames.get(id);
        self.observer.sent(start, domain.stations[station as usize], &frame);
        let target = domain.stations.binary_search(&frame.target).ok().map(|_| frame.target);
        let mut original = Some(id);
        for &port in target.iter().chain(&domain.switch_ports) {
            if port == domain.stations[station as usize] {
                continue;
            }
            let copy = original.take().unwrap_or_else(|| {
                self.counters.frames_created += 1;
                self.frames.insert(frame)
            });
            self.events.push(heard, Event::Arrive { port, frame: copy });
        }
        if let Some(id) = original {
            self.counters.frames_consumed += 1;
            self.frames.remove(id);
        }
    }
}
