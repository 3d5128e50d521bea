//! The way of a packet through the built network: what its frames cross between one processor and
//! the next, and who the processors are. Walked as the packet engine walks it, from one routing
//! decision to the next; what the devices cost is in `timing`.
//!
//! One way is chosen where the packet engine takes several in turn: the wires of a bond are lanes
//! of the first, a bundle is its leader, and of equal shortest paths it is the one of the hash for
//! the only connection between two stations.

use network::{
    AddressId, BackplaneId, Bridging, Crossing, Decision, DeviceId, DeviceKind, Fabric, Network,
    NodeId, PortId, SwitchMode, SwitchModel,
};
use quantity::{Rate, Time};

use crate::error::RunError;

/// What a frame crosses between two processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// One direction of a cable.
    Wire {
        /// The port that sends.
        port: PortId,
        /// Its rate.
        rate: Rate,
        /// Its propagation delay.
        delay: Time,
        /// Whether the receiver, a switch that cuts through, is told of the first bit.
        tells_first_bit: bool,
    },
    /// A collision domain.
    Hub {
        /// Its hub with the lowest number.
        hub: DeviceId,
        /// The station that sends.
        port: PortId,
        /// Its rate.
        rate: Rate,
        /// From any station to any other.
        delay: Time,
    },
    /// A switch, from where it is told of a frame to its idle output.
    Switch {
        /// The switch.
        device: DeviceId,
        /// From when output may start until it does.
        latency: Time,
        /// The backplane that the frame crosses, and its rate.
        backplane: Option<(BackplaneId, Rate)>,
        /// The rate at which it still stores a frame of whose first bit it was told.
        stores_at: Option<Rate>,
    },
}

/// The way from one processor to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leg {
    /// What is crossed, in order.
    pub stages: Vec<Stage>,
    /// Wires that frames take in turn: more than one between bonds.
    pub n_lanes: u32,
    /// The node it leads to: a forwarder, or the destination at the end.
    pub to: NodeId,
}

/// The way of a packet from one node to another, leg by leg.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The node it starts from.
    pub from: NodeId,
    /// One more than there are forwards.
    pub legs: Vec<Leg>,
    /// Whether the packets are IPv6.
    pub is_v6: bool,
}

impl Route {
    /// Returns the nodes that relay, in order.
    pub fn forwarders(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.legs.split_last().map_or(&[][..], |(_, legs)| legs).iter().map(|leg| leg.to)
    }

    /// Returns all that is crossed, in order.
    pub fn stages(&self) -> impl Iterator<Item = &Stage> {
        self.legs.iter().flat_map(|leg| &leg.stages)
    }
}

/// Finds routes; made once per network.
#[derive(Debug)]
pub struct Walker<'a> {
    network: &'a Network,
    bridging: Bridging,
    /// Per device: the lowest hub of its collision domain and the delay of the domain.
    domains: Vec<(DeviceId, Time)>,
}

impl<'a> Walker<'a> {
    /// Prepares to walk a network.
    pub fn new(network: &'a Network) -> Walker<'a> {
        let bridging = Bridging::new(&network.fabric);
        Walker { network, bridging, domains: collision_domains(&network.fabric) }
    }

    /// Returns the route of a packet from node `from` to another node's address.
    ///
    /// # Errors
    /// When the packet does not arrive.
    pub fn route(&self, from: NodeId, to: AddressId) -> Result<Route, RunError> {
        let Network { fabric, addressing, .. } = self.network;
        let address = addressing.address(to);
        let mut route = Route { from, legs: Vec::new(), is_v6: address.ip.is_v6 };
        let mut at = from;
        // In the longest route every node relays once.
        for _ in 0..=fabric.n_nodes() {
            match self.network.decide(at, to) {
                Decision::Own => return Ok(route),
                Decision::Forward(hop) => {
                    let leg = self.leg(hop.port, hop.via);
                    at = leg.to;
                    route.legs.push(leg);
                }
                Decision::NoRoute | Decision::WrongSegment => break,
            }
        }
        Err(RunError::NoRoute { from, to: address.node })
    }

    fn leg(&self, from: PortId, to: PortId) -> Leg {
        let fabric = &self.network.fabric;
        let mut crossed = Vec::new();
        self.bridging.extend_path(fabric, from, to, &mut crossed);
        let first = fabric.common_wires(from, to).next().map_or(from, |(port, _)| port);
        let mut stages = vec![self.medium(first)];
        for &Crossing { device, inlet, outlet } in &crossed {
            let (DeviceKind::Switch(model), Some(inlet), Some(outlet)) =
                (fabric.kind(device), inlet, outlet)
            else {
                continue; // Hubs are crossed with the station that sends.
            };
            stages.push(self.switch(device, model, (inlet, outlet)));
            stages.push(self.medium(outlet));
        }
        let n_lanes = fabric.common_wires(from, to).count() as u32;
        Leg { stages, n_lanes, to: fabric.port(to).device }
    }

    /// Returns what a port of a node or switch sends into.
    fn medium(&self, port: PortId) -> Stage {
        let fabric = &self.network.fabric;
        let link = fabric.port(port).link.expect("a port that sends is plugged in");
        let network::Link { a, b, rate, delay } = fabric.links()[link as usize];
        let peer = fabric.port(if a == port { b } else { a }).device;
        match fabric.kind(peer) {
            DeviceKind::Hub(_) => {
                let (hub, delay) = self.domains[peer as usize];
                Stage::Hub { hub, port, rate, delay }
            }
            kind => Stage::Wire { port, rate, delay, tells_first_bit: cuts_through(kind) },
        }
    }

    fn switch(&self, device: DeviceId, model: SwitchModel, ports: (PortId, PortId)) -> Stage {
        let fabric = &self.network.fabric;
        let rate =
            |port: PortId| fabric.port(port).link.map(|link| fabric.links()[link as usize].rate);
        let is_from_wire = fabric.peer(ports.0).is_none_or(|peer| {
            !matches!(fabric.kind(fabric.port(peer).device), DeviceKind::Hub(_))
        });
        let is_told_early = is_from_wire && model.mode == SwitchMode::CutThrough;
        let (inlet, outlet) = (rate(ports.0), rate(ports.1));
        Stage::Switch {
            device,
            latency: model.latency,
            backplane: model.backplane.map(|id| (id, fabric.backplanes()[id as usize])),
            stores_at: inlet.filter(|_| is_told_early && inlet != outlet),
        }
    }
}

fn cuts_through(kind: DeviceKind) -> bool {
    matches!(kind, DeviceKind::Switch(model) if model.mode == SwitchMode::CutThrough)
}

/// Returns for each hub the lowest hub that it is plugged together with, and the delay of all.
fn collision_domains(fabric: &Fabric) -> Vec<(DeviceId, Time)> {
    let mut domains: Vec<(DeviceId, Time)> =
        (0..fabric.n_devices()).map(|device| (device, Time::ZERO)).collect();
    let mut is_met = vec![false; domains.len()];
    for first in fabric.n_nodes()..fabric.n_devices() {
        let (mut stack, mut members, mut delay) = (vec![first], Vec::new(), Time::ZERO);
        while let Some(device) = stack.pop() {
            let DeviceKind::Hub(model) = fabric.kind(device) else { continue };
            if std::mem::replace(&mut is_met[device as usize], true) {
                continue;
            }
            delay += model.domain_delay;
            members.push(device);
            let peers = fabric.ports_of(device).filter_map(|port| fabric.peer(port));
            stack.extend(peers.map(|port| fabric.port(port).device));
        }
        for member in members {
            domains[member as usize] = (first, delay);
        }
    }
    domains
}
