//! Switches: they learn the port of each station and forward frames. The crate `device` decides;
//! here its decisions become frames on the wires.

use std::collections::BTreeSet;

use device::ethernet::PREAMBLE_BYTES;
use device::{Backplane, Egress, ForwardingMode, Switch, SwitchModel};
use network::{BackplaneId, DeviceId, Fabric, Port, PortId, SegmentId, SwitchMode, flow};
use quantity::{Id, IdVec, OptionalId, Rate, Time};

use crate::arena::FrameId;
use crate::clock::Clock;
use crate::event::Event;
use crate::ids::SwitchId;
use crate::medium::{Change, Medium};
use crate::wires::Place;

/// All switches of a network.
#[derive(Debug)]
pub(crate) struct Switches {
    switches: IdVec<SwitchId, SwitchPlace>,
    backplanes: IdVec<BackplaneId, Backplane>,
    /// The number of each node port inside its broadcast domain.
    members: IdVec<PortId, u32>,
    /// Scratch list of the ports of one flood, reused to avoid allocation.
    flood_ports: Vec<u32>,
}

#[derive(Debug)]
struct SwitchPlace {
    device: Switch,
    first_port: PortId,
    backplane: Option<BackplaneId>,
    /// True if frames leave in the order in which they came: all are stored, or all cut through.
    keeps_order: bool,
    /// True if the switch forwards on all shortest paths of its segment instead of learning.
    is_multipath: bool,
}

/// A frame inside a switch.
#[derive(Clone, Copy, Debug)]
struct Crossing {
    switch: SwitchId,
    /// The ingress port, and its number on the switch.
    from: PortId,
    number: u32,
    frame: FrameId,
    /// The time at which the frame has crossed the backplane of the switch.
    crossed: Time,
}

impl Switches {
    /// Returns the switches of a network in order; with `know_stations` they have heard every
    /// station.
    pub fn new(fabric: &Fabric, rates: &IdVec<PortId, Rate>, know_stations: bool) -> Switches {
        let mut switches = Switches {
            switches: IdVec::new(),
            backplanes: fabric.backplanes().iter().map(|&rate| Backplane::new(rate)).collect(),
            members: member_numbers(fabric),
            flood_ports: Vec::new(),
        };
        // The switch of each device, needed only to introduce stations.
        let mut switch_of_device = IdVec::filled(OptionalId::none(), fabric.n_devices());
        for device in fabric.devices() {
            let kind = fabric.kind(device);
            let Some(model) = kind.switch() else { continue };
            let switch = switches.switches.push(place(fabric, device, model, rates));
            if !kind.has_routes() {
                switch_of_device[device] = switch.into();
            }
        }
        if know_stations {
            switches.introduce_stations(fabric, &switch_of_device);
        }
        switches
    }

    /// Lets every learning switch hear every station of its segment once, as it does when the nodes
    /// resolve each other's hardware addresses before the first packet.
    fn introduce_stations(
        &mut self,
        fabric: &Fabric,
        switch_of_device: &IdVec<DeviceId, OptionalId<SwitchId>>,
    ) {
        let mut stack = Vec::new();
        let learns = |&segment: &SegmentId| !fabric.is_multipath(segment);
        for segment in fabric.segments().filter(learns) {
            for (member, &port) in (0..).zip(fabric.segment_members(segment)) {
                stack.extend(fabric.interface_ports(port).filter_map(|port| fabric.peer(port)));
                while let Some(entry) = stack.pop() {
                    let device = fabric.port(entry).device;
                    if let Some(switch) = switch_of_device[device].get() {
                        let switch = &mut self.switches[switch];
                        switch.device.learn(
                            Time::ZERO,
                            entry.offset_from(switch.first_port),
                            member,
                        );
                    }
                    stack.extend(heard_next(fabric, entry));
                }
            }
        }
    }

    /// Forwards a frame received at a port of a switch.
    pub fn forward<'a, M: Medium<'a>>(
        &mut self,
        wires: &mut M,
        clock: &mut Clock<'_>,
        switch: SwitchId,
        port: PortId,
        id: FrameId,
    ) {
        let place = &mut self.switches[switch];
        if !wires.plain_mut().take_in(clock, port, id, !place.device.is_cut_through()) {
            return;
        }
        let frame = wires.plain().frames.get(id);
        let (source, target, bytes) = (frame.source, frame.target, frame.bytes);
        let first_port = place.first_port;
        let number = port.offset_from(first_port);
        let egress = match (place.is_multipath, target.get()) {
            (true, Some(target)) => {
                // Frames of one flow take one path, on which none overtakes another.
                let flow = flow(source, target, frame.flow);
                if !wires.joins(port, target) {
                    return wires.drop_unreachable(clock, id);
                }
                let device = wires.plain().fabric().port(port).device;
                let out = wires.multipath().next_port(device, target, flow);
                Egress::Port(out.offset_from(first_port))
            }
            // Its control plane knows all stations: such a fabric does not flood.
            (true, None) => Egress::Filtered,
            (false, _) => {
                let (source, target) = (self.members[source], self.members.find(target).copied());
                place.device.forward(clock.now, number, source, target)
            }
        };
        let backplane = place.backplane;
        let crossed = self.crossed(backplane, clock.now, bytes);
        let crossing = Crossing { switch, from: port, number, frame: id, crossed };
        match egress {
            Egress::Port(out) => self.leave(wires, clock, crossing, first_port.offset(out)),
            Egress::Filtered => wires.plain_mut().consume(clock, id),
            Egress::Flood => self.flood(wires, clock, crossing),
        }
    }

    /// Moves a packet, whose route is known, from one port of a routed switch to another.
    pub fn pass<'a, M: Medium<'a>>(
        &mut self,
        wires: &mut M,
        clock: &mut Clock<'_>,
        switch: SwitchId,
        (from, to): (PortId, PortId),
        frame: FrameId,
    ) {
        let SwitchPlace { first_port, backplane, .. } = self.switches[switch];
        let bytes = wires.plain().frames.get(frame).bytes;
        let crossed = self.crossed(backplane, clock.now, bytes);
        let number = from.offset_from(first_port);
        self.leave(wires, clock, Crossing { switch, from, number, frame, crossed }, to);
    }

    /// Returns whether a switch begins to forward a frame before its end has arrived.
    pub fn is_cut_through(&self, switch: SwitchId) -> bool {
        self.switches[switch].device.is_cut_through()
    }

    /// Returns the time at which a frame that arrives now has crossed a backplane, if there is one.
    #[inline]
    fn crossed(&mut self, backplane: Option<BackplaneId>, now: Time, bytes: u32) -> Time {
        match backplane {
            Some(backplane) => self.backplanes[backplane].transit(now, bytes),
            None => now,
        }
    }

    fn flood<'a, M: Medium<'a>>(
        &mut self,
        wires: &mut M,
        clock: &mut Clock<'_>,
        crossing: Crossing,
    ) {
        wires.note_flood(clock.now, crossing.from, crossing.frame);
        let frame = wires.plain().frames.get(crossing.frame);
        let source = self.members[frame.source];
        let target = self.members.find(frame.target).copied();
        let place = &self.switches[crossing.switch];
        let first_port = place.first_port;
        let mut outs = std::mem::take(&mut self.flood_ports);
        outs.clear();
        outs.extend(place.device.flood_ports(crossing.number, source, target));
        for &out in &outs {
            let copy = wires.plain_mut().copy(clock, crossing.frame);
            self.leave(wires, clock, Crossing { frame: copy, ..crossing }, first_port.offset(out));
        }
        self.flood_ports = outs;
        wires.plain_mut().consume(clock, crossing.frame);
    }

    /// Sends a frame out of port `to` once its header, or all of it, has been received.
    #[inline]
    fn leave<'a, M: Medium<'a>>(
        &mut self,
        wires: &mut M,
        clock: &mut Clock<'_>,
        crossing: Crossing,
        to: PortId,
    ) {
        let Crossing { frame, crossed, from, .. } = crossing;
        if !wires.plain_mut().admit(clock, frame, from, to) {
            return wires.plain_mut().drop_at_queue(clock, frame);
        }
        let place = &self.switches[crossing.switch];
        if place.keeps_order {
            let time = place.device.output_time(crossed, crossed, true);
            return wires.send(clock, to, frame, time);
        }
        let rate = wires.plain().rate(from);
        let last_bit = match wires.plain().is_on_hub(from) {
            // A frame from a hub arrives when its last bit has been heard.
            true => crossed,
            false => {
                let wire_bytes = wires.plain().frames.get(frame).bytes + PREAMBLE_BYTES;
                crossed + rate.time_of_bytes(u64::from(wire_bytes))
            }
        };
        let same_rate = rate == wires.plain().rate(to);
        if !same_rate && wires.plain().frames.get(frame).is_damaged {
            return wires.plain_mut().drop_damaged(clock, frame);
        }
        let time = place.device.output_time(crossed, last_bit, same_rate);
        // A frame that is cut through overtakes one that is stored: each joins the queue when its
        // output may begin.
        clock.events.push(time, Event::Offer { port: to, frame });
    }

    /// Tells switches which of their ports are wired, after a change of links.
    pub fn on_change<'a, M: Medium<'a>>(&mut self, wires: &M, change: &Change) {
        let switch = |&port: &PortId| match wires.plain().place(port) {
            Place::Switch(switch) => Some(switch),
            Place::Node(_) | Place::RoutedSwitch(_) | Place::Hub => None,
        };
        let changed: BTreeSet<SwitchId> = change.ports.iter().filter_map(switch).collect();
        for switch in changed {
            let place = &mut self.switches[switch];
            let first = place.first_port;
            place.device.use_ports(|number| wires.is_in_use(first.offset(number)));
        }
    }

    /// Returns the port by which a switch will probably forward a frame for `target`.
    #[inline]
    pub fn port_towards(&self, switch: SwitchId, target: OptionalId<PortId>) -> Option<PortId> {
        let place = &self.switches[switch];
        let member = *self.members.find(target)?;
        place.device.port_towards(member).map(|number| place.first_port.offset(number))
    }
}

/// Returns the ports that a frame entering at port `entry` reaches next. Layer 2 has no loops but
/// bundles, of which the leader stands for all.
fn heard_next(fabric: &Fabric, entry: PortId) -> impl Iterator<Item = PortId> + '_ {
    let device = fabric.port(entry).device;
    let arrival = fabric.bundle(entry);
    let ports = (!fabric.is_node(device)).then(|| fabric.ports_of(device));
    let leads = move |&port: &PortId| fabric.bundle(port) == port;
    let others = ports
        .into_iter()
        .flatten()
        .filter(leads)
        .filter(move |&port| port != arrival && port != entry);
    others.filter_map(|port| fabric.peer(port))
}

/// Returns the number of each node port inside its segment; other ports are not members and get 0.
fn member_numbers(fabric: &Fabric) -> IdVec<PortId, u32> {
    let number = |(id, port): (PortId, &Port)| match fabric.is_node(port.device) {
        true => fabric.member_of_segment(id),
        false => 0,
    };
    fabric.ports().with_ids().map(number).collect()
}

fn place(
    fabric: &Fabric,
    device: DeviceId,
    model: network::SwitchModel,
    rates: &IdVec<PortId, Rate>,
) -> SwitchPlace {
    let ports = fabric.ports_of(device);
    let wired = ports.clone().filter(|&port| fabric.port(port).link.is_some());
    let rates: BTreeSet<Rate> = wired.map(|port| rates[port]).collect();
    SwitchPlace {
        device: new_switch(fabric, device, model),
        first_port: ports.start,
        keeps_order: model.mode == SwitchMode::StoreAndForward || rates.len() <= 1,
        backplane: model.backplane,
        is_multipath: fabric.is_multipath_switch(device),
    }
}

fn new_switch(fabric: &Fabric, device: DeviceId, model: network::SwitchModel) -> Switch {
    let ports = fabric.ports_of(device);
    let bundles: Vec<u32> =
        ports.clone().map(|port| fabric.bundle(port).offset_from(ports.start)).collect();
    // A switch that does not learn has no table of members.
    let n_members = if fabric.is_multipath_switch(device) || fabric.is_node(device) {
        0
    } else {
        fabric.segment_members(fabric.port(ports.start).segment).len() as u32
    };
    let mode = match model.mode {
        SwitchMode::StoreAndForward => ForwardingMode::StoreAndForward,
        SwitchMode::CutThrough => ForwardingMode::CutThrough,
    };
    let figures = SwitchModel { mode, latency: model.latency, ageing: model.ageing };
    Switch::new(figures, &bundles, n_members)
}
