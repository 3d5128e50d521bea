//! The wires of a network, set up for a run: what is plugged into each port, and where each port
//! belongs.

use std::collections::{BTreeMap, BTreeSet};

use device::{
    Backplane, Bond, Channel, DeviceError, ForwardingMode, Hub, HubConfig, PacedChannel,
    QueueLimit, Switch, SwitchModel,
};
use host::{HostModel, InterfaceQueues, Neighbours};
use network::{DeviceId, DeviceKind, Fabric, Port, PortId, SegmentId, SwitchMode};
use quantity::{Rate, Time};

use crate::arena::{FrameArena, FrameId};
use crate::faults::Doubtful;
use crate::pause::{Intakes, PacedOutlet};

/// What a port sends into. Nearly all are channels, which are looked at at every hop: they lie in
/// the table itself, in two lines of a processor's cache.
#[derive(Debug)]
#[allow(clippy::large_enum_variant)]
pub(crate) enum Outlet {
    Nothing,
    Channel(ChannelOutlet),
    /// The same where pause frames may stop it.
    Paced(Box<PacedOutlet>),
    Station {
        hub: u32,
        station: u32,
    },
    /// One of the others, for which a fault is planned.
    Doubtful(Box<Doubtful>),
}

impl Outlet {
    /// Returns whether the port is on a hub.
    pub fn is_station(&self) -> bool {
        match self {
            Outlet::Station { .. } => true,
            Outlet::Doubtful(outlet) => outlet.inner.is_station(),
            Outlet::Channel(_) | Outlet::Paced(_) | Outlet::Nothing => false,
        }
    }
}

/// In this order, so that the first line has what is looked at ahead.
#[repr(C, align(64))]
#[derive(Debug)]
pub(crate) struct ChannelOutlet {
    /// The last frame that was sent, any before there is one.
    pub last: FrameId,
    pub peer: PortId,
    pub channel: Channel,
    pub delay: Time,
    /// When the last frame arrives.
    pub last_arrives: Time,
    /// Whether the receiver is told of the first bit of a frame (cut-through) or of its last.
    pub tells_first_bit: bool,
}

#[cfg(not(debug_assertions))]
const _: () = assert!(size_of::<Outlet>() <= 128);

/// Whose port it is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    Node(u32),
    Switch {
        switch: u32,
        number: u32,
    },
    /// A port of a hub, where no frame ends.
    Elsewhere,
}

#[derive(Debug)]
pub(crate) struct SwitchPlace {
    pub device: Switch,
    pub first_port: PortId,
    pub backplane: Option<u32>,
    /// Whether frames leave in the order in which they came: all are stored, or all cut through.
    pub keeps_order: bool,
    /// Whether it forwards on all shortest paths of its segment instead of learning.
    pub is_multipath: bool,
}

/// A collision domain: hubs that are plugged together, and the ports on them.
#[derive(Debug)]
pub(crate) struct Domain {
    pub device: Hub,
    /// The port of each station, ascending.
    pub stations: Vec<PortId>,
    /// The stations that are ports of switches.
    pub switch_ports: Vec<PortId>,
    /// When the pending decision event fires; `Time::MAX` for none.
    pub scheduled: Time,
}

/// All that is between the hosts, and the frames in it.
#[derive(Debug)]
pub(crate) struct Wires {
    pub frames: FrameArena,
    pub outlets: Vec<Outlet>,
    pub places: Vec<Place>,
    pub rates: Vec<Rate>,
    pub switches: Vec<SwitchPlace>,
    pub hubs: Vec<Domain>,
    pub backplanes: Vec<Backplane>,
    /// Per port: the bond it belongs to; empty when there are none.
    pub bond_of_port: Vec<Option<u32>>,
    pub bonds: Vec<Bond>,
    /// Number of each node port inside its broadcast domain.
    pub members: Vec<u32>,
    pub intakes: Intakes,
    /// Kept for its memory.
    pub flood_ports: Vec<u32>,
}

impl Wires {
    pub fn new(fabric: &Fabric, host: &HostModel, seed: u64) -> Result<Wires, DeviceError> {
        let (n_ports, queues) = (fabric.ports().len(), &host.queues);
        let mut wires = Wires {
            frames: FrameArena::default(),
            outlets: (0..n_ports).map(|_| Outlet::Nothing).collect(),
            places: vec![Place::Elsewhere; n_ports],
            rates: port_rates(fabric),
            switches: Vec::new(),
            hubs: Vec::new(),
            backplanes: fabric.backplanes().iter().map(|&rate| Backplane::new(rate)).collect(),
            bond_of_port: Vec::new(),
            bonds: Vec::new(),
            members: member_numbers(fabric),
            intakes: Intakes::new(fabric, host),
            flood_ports: Vec::new(),
        };
        wires.add_bonds(fabric);
        for device in 0..fabric.n_devices() {
            wires.place_ports(fabric, device);
        }
        for port in 0..n_ports as PortId {
            wires.outlets[port as usize] = channel_outlet(fabric, host, port);
        }
        for (hub_id, (stations, domain_delay)) in (0..).zip(collision_domains(fabric)) {
            let limits: Vec<QueueLimit> =
                stations.iter().map(|&port| queue_limit(fabric, queues, port)).collect();
            let config = HubConfig {
                n_stations: stations.len() as u32,
                rate: wires.rates[stations[0] as usize],
                domain_delay,
                queue_limit: None,
                seed,
                hub_id,
            };
            wires.add_domain(stations, &limits, config)?;
        }
        if host.links.neighbours == Neighbours::Warm {
            wires.introduce_stations(fabric);
        }
        Ok(wires)
    }

    fn add_bonds(&mut self, fabric: &Fabric) {
        if !fabric.has_bonds() {
            return;
        }
        self.bond_of_port = vec![None; fabric.ports().len()];
        for port in 0..fabric.ports().len() as PortId {
            let members = fabric.interface_ports(port);
            if members.start == port && members.len() > 1 {
                let bond = self.bonds.len() as u32;
                self.bonds.push(Bond::new(members.len() as u32));
                members.for_each(|member| self.bond_of_port[member as usize] = Some(bond));
            }
        }
    }

    /// Lets every switch that learns hear every station of its segment once, as it does when the
    /// nodes ask for each other's hardware addresses before the first packet.
    fn introduce_stations(&mut self, fabric: &Fabric) {
        let mut stack = Vec::new();
        let learns = |&segment: &SegmentId| !fabric.is_multipath(segment);
        for segment in (0..fabric.n_segments()).filter(learns) {
            for (member, &port) in (0..).zip(fabric.segment_members(segment)) {
                stack.extend(fabric.interface_ports(port).filter_map(|port| fabric.peer(port)));
                while let Some(entry) = stack.pop() {
                    self.introduce(fabric, entry, member, &mut stack);
                }
            }
        }
    }

    /// Lets the device that owns port `entry` hear `member`, and notes the ports that hear it next.
    /// Layer 2 has no loops but bundles, of which the leader speaks for all.
    fn introduce(&mut self, fabric: &Fabric, entry: PortId, member: u32, next: &mut Vec<PortId>) {
        let device = fabric.port(entry).device;
        if fabric.is_node(device) {
            return;
        }
        if let Place::Switch { switch, number } = self.places[entry as usize] {
            self.switches[switch as usize].device.learn(Time::ZERO, number, member);
        }
        let arrival = fabric.bundle(entry);
        let others = fabric
            .ports_of(device)
            .filter(|&port| fabric.bundle(port) == port && port != arrival && port != entry);
        next.extend(others.filter_map(|port| fabric.peer(port)));
    }

    fn place_ports(&mut self, fabric: &Fabric, device: DeviceId) {
        let ports = fabric.ports_of(device);
        match fabric.kind(device) {
            DeviceKind::Hub(_) => {}
            DeviceKind::Node => {
                for port in ports {
                    self.places[port as usize] = Place::Node(device);
                }
            }
            DeviceKind::Switch(model) => {
                let switch = self.switches.len() as u32;
                for (number, port) in (0..).zip(ports.clone()) {
                    self.places[port as usize] = Place::Switch { switch, number };
                }
                let wired = ports.clone().filter(|&port| fabric.port(port).link.is_some());
                let rates: BTreeSet<Rate> = wired.map(|port| self.rates[port as usize]).collect();
                self.switches.push(SwitchPlace {
                    device: new_switch(fabric, device, model),
                    first_port: ports.start,
                    keeps_order: model.mode == SwitchMode::StoreAndForward || rates.len() <= 1,
                    backplane: model.backplane,
                    is_multipath: fabric.is_multipath_switch(device),
                });
            }
        }
    }

    fn add_domain(
        &mut self,
        stations: Vec<PortId>,
        limits: &[QueueLimit],
        config: HubConfig,
    ) -> Result<(), DeviceError> {
        let hub = config.hub_id;
        let mut device = Hub::new(config)?;
        for (station, (&port, &limit)) in (0..).zip(stations.iter().zip(limits)) {
            self.outlets[port as usize] = Outlet::Station { hub, station };
            device.limit_station(station, Some(limit));
        }
        let is_switch_port =
            |port: &PortId| matches!(self.places[*port as usize], Place::Switch { .. });
        let switch_ports = stations.iter().copied().filter(is_switch_port).collect();
        self.hubs.push(Domain { device, stations, switch_ports, scheduled: Time::MAX });
        Ok(())
    }
}

/// Returns the number of each node port inside its segment; other ports are not members and get 0.
fn member_numbers(fabric: &Fabric) -> Vec<u32> {
    let ports = (0..).zip(fabric.ports());
    let number = |(id, port): (PortId, &Port)| match fabric.is_node(port.device) {
        true => fabric.member_of_segment(id),
        false => 0,
    };
    ports.map(number).collect()
}

/// Returns the rate of the link in each port; ports without a link never send.
fn port_rates(fabric: &Fabric) -> Vec<Rate> {
    fabric
        .ports()
        .iter()
        .map(|port| {
            port.link.map_or(Rate::from_mbps(10), |link| fabric.links()[link as usize].rate)
        })
        .collect()
}

fn new_switch(fabric: &Fabric, device: DeviceId, model: network::SwitchModel) -> Switch {
    let ports = fabric.ports_of(device);
    let bundles: Vec<u32> = ports.clone().map(|port| fabric.bundle(port) - ports.start).collect();
    // A switch that does not learn needs no room for what it would.
    let n_members = if fabric.is_multipath_switch(device) {
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

fn channel_outlet(fabric: &Fabric, host: &HostModel, port: PortId) -> Outlet {
    let (Some(link), Some(peer)) = (fabric.port(port).link, fabric.peer(port)) else {
        return Outlet::Nothing;
    };
    let link = fabric.links()[link as usize];
    if matches!(fabric.kind(fabric.port(port).device), DeviceKind::Hub(_)) {
        return Outlet::Nothing;
    }
    let limit = queue_limit(fabric, &host.queues, port);
    let tells_first_bit = matches!(
        fabric.kind(fabric.port(peer).device),
        DeviceKind::Switch(model) if model.mode == SwitchMode::CutThrough
    );
    if host.links.pause {
        // What a switch holds is limited where it comes in.
        let limit = fabric.is_node(fabric.port(port).device).then_some(limit);
        let channel = PacedChannel::new(link.rate, limit);
        let outlet = PacedOutlet { channel, peer, delay: link.delay, tells_first_bit };
        return Outlet::Paced(Box::new(outlet));
    }
    let channel = Channel::new(link.rate, Some(limit));
    Outlet::Channel(ChannelOutlet {
        channel,
        peer,
        delay: link.delay,
        tells_first_bit,
        last: 0,
        last_arrives: Time::ZERO,
    })
}

/// Returns what the transmit queue of a port of a node or switch can hold.
fn queue_limit(fabric: &Fabric, queues: &InterfaceQueues, port: PortId) -> QueueLimit {
    match fabric.kind(fabric.port(port).device) {
        DeviceKind::Switch(model) => match model.queue {
            network::QueueLimit::Frames(frames) => QueueLimit::Frames(frames),
            network::QueueLimit::Bytes(bytes) => QueueLimit::Bytes(bytes),
        },
        DeviceKind::Node | DeviceKind::Hub(_) => QueueLimit::Frames(queues.transmit),
    }
}

/// Returns the stations and the one-way delay of each collision domain, in order of its lowest hub.
fn collision_domains(fabric: &Fabric) -> Vec<(Vec<PortId>, Time)> {
    let mut domain_of_hub: BTreeMap<DeviceId, usize> = BTreeMap::new();
    let mut domains: Vec<(Vec<PortId>, Time)> = Vec::new();
    for first in 0..fabric.n_devices() {
        let is_hub = matches!(fabric.kind(first), DeviceKind::Hub(_));
        if !is_hub || domain_of_hub.contains_key(&first) {
            continue;
        }
        let (mut stations, mut delay) = (Vec::new(), Time::ZERO);
        let mut stack = vec![first];
        while let Some(device) = stack.pop() {
            let DeviceKind::Hub(model) = fabric.kind(device) else { continue };
            if domain_of_hub.insert(device, domains.len()).is_some() {
                continue;
            }
            delay += model.domain_delay;
            for peer in fabric.ports_of(device).filter_map(|port| fabric.peer(port)) {
                let other = fabric.port(peer).device;
                match fabric.kind(other) {
                    DeviceKind::Hub(_) => stack.push(other),
                    DeviceKind::Node | DeviceKind::Switch(_) => stations.push(peer),
                }
            }
        }
        stations.sort_unstable();
        domains.push((stations, delay));
    }
    // Hubs with nothing plugged in carry no frame.
    domains.retain(|(stations, _)| !stations.is_empty());
    domains
}
