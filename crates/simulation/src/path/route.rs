//! The route of a packet through the built network: the stages that its frames cross between one
//! processor and the next, and those processors. It is traced as in the packet engine, from one
//! routing decision to the next; the costs of the devices are in `timing`.
//!
//! The port of a bundle is chosen by the hash, as in the switches; among equal shortest paths, by
//! the hash for the only connection between two stations. The wires of a bond, which frames take in
//! turn, are lanes; times are those of the first.

use device::pick_of_bundle;
use network::{
    AddressId, BackplaneId, Crossing, Decision, DeviceId, DeviceKind, Network, NodeId, PortId,
    SwitchMode, SwitchModel, collision_domains,
};
use quantity::{IdVec, Rate, Time};

use crate::error::RunError;

/// A stage between two processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// One direction of a cable.
    Wire {
        /// The sending port.
        port: PortId,
        /// Rate of the cable.
        rate: Rate,
        /// Propagation delay of the cable.
        delay: Time,
        /// Whether the receiver, a cut-through switch, is notified of the first bit.
        tells_first_bit: bool,
    },
    /// A collision domain.
    Hub {
        /// Its hub with the lowest number.
        hub: DeviceId,
        /// The sending station.
        port: PortId,
        /// Rate of the medium.
        rate: Rate,
        /// Propagation delay between any two stations.
        delay: Time,
    },
    /// A switch, from the notification of a frame to its idle output.
    Switch {
        /// The switch.
        device: DeviceId,
        /// Delay from the earliest start of output to its start.
        latency: Time,
        /// The backplane that the frame crosses, and its rate.
        backplane: Option<(BackplaneId, Rate)>,
        /// The rate at which it stores a frame although it was notified of the first bit.
        stores_at: Option<Rate>,
    },
}

/// The route from one processor to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leg {
    /// The stages, in order.
    pub stages: Vec<Stage>,
    /// Number of wires that frames take in turn: more than one between bonds.
    pub n_lanes: u32,
    /// The stages of the second lane and of those behind it.
    pub other_lanes: Vec<Vec<Stage>>,
    /// The node at its end: a forwarder, or the destination.
    pub to: NodeId,
}

/// The route of a packet from one node to another, leg by leg.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The sending node.
    pub from: NodeId,
    /// The legs: one more than the nodes that relay.
    pub legs: Vec<Leg>,
    /// Number of routed switches, each of which is a stage of a leg.
    pub n_routed_switches: usize,
    /// Whether the packets are IPv6.
    pub is_v6: bool,
}

impl Leg {
    /// Goes on through a routed switch and along the next leg.
    fn continue_through(&mut self, switch: Stage, next: Leg) {
        for lane in std::iter::once(&mut self.stages).chain(&mut self.other_lanes) {
            lane.push(switch);
            lane.extend_from_slice(&next.stages);
        }
        self.to = next.to;
    }

    /// Returns all stages of all lanes, each with the number of lanes that share the frames.
    pub fn lanes(&self) -> impl Iterator<Item = (&Stage, u64)> {
        let n_lanes = u64::from(self.n_lanes.max(1));
        self.stages
            .iter()
            .chain(self.other_lanes.iter().flatten())
            .map(move |stage| (stage, n_lanes))
    }
}

impl Route {
    /// Returns the route if packets with this TTL arrive on it. A node does not relay a packet that
    /// arrives with a TTL of 1 [RFC-1812, sec. 5.3.1], and accepts packets for itself with any TTL.
    ///
    /// # Errors
    /// When the packets do not arrive.
    pub fn within(self, ttl: u8) -> Result<Route, RunError> {
        if self.legs.len() + self.n_routed_switches <= usize::from(ttl) {
            return Ok(self);
        }
        let to = self.legs.last().map_or(self.from, |leg| leg.to);
        let forwards = (self.forwarders().count() + self.n_routed_switches) as u32;
        Err(RunError::RouteTooLong { from: self.from, to, forwards, ttl })
    }

    /// Returns the nodes that relay, in order, without routed switches.
    pub fn forwarders(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.legs.split_last().map_or(&[][..], |(_, legs)| legs).iter().map(|leg| leg.to)
    }

    /// Returns all stages of the first lane, in order.
    pub fn stages(&self) -> impl Iterator<Item = &Stage> {
        self.legs.iter().flat_map(|leg| &leg.stages)
    }
}

/// Traces routes; made once per network.
#[derive(Debug)]
pub struct RouteTracer<'a> {
    network: &'a Network,
    /// Per device: the lowest hub of its collision domain and the delay of the domain.
    domains: IdVec<DeviceId, (DeviceId, Time)>,
}

impl<'a> RouteTracer<'a> {
    /// Prepares to trace routes through a network.
    pub fn new(network: &'a Network) -> RouteTracer<'a> {
        RouteTracer { network, domains: collision_domains(&network.fabric) }
    }

    /// Returns the route of a packet from node `from` to another node's address.
    ///
    /// # Errors
    /// When the packet does not arrive.
    pub fn route(&self, from: NodeId, to: AddressId) -> Result<Route, RunError> {
        let Network { fabric, addressing, .. } = self.network;
        let address = addressing.address(to);
        let is_v6 = address.ip.is_v6;
        let mut route = Route { from, legs: Vec::new(), n_routed_switches: 0, is_v6 };
        let (mut at, mut inlet) = (from, None);
        // On the longest possible route every node relays once.
        for _ in 0..=fabric.n_nodes() {
            match self.network.decide(at, to) {
                Decision::Own => return Ok(route),
                Decision::Forward(hop) => {
                    let leg = self.leg(hop.port, hop.via);
                    let switch = inlet.and_then(|inlet| self.routed_switch(at, inlet, hop.port));
                    (at, inlet) = (leg.to, Some(hop.via));
                    match (switch, route.legs.last_mut()) {
                        (Some(switch), Some(before)) => {
                            before.continue_through(switch, leg);
                            route.n_routed_switches += 1;
                        }
                        _ => route.legs.push(leg),
                    }
                }
                Decision::NoRoute | Decision::WrongSegment => break,
            }
        }
        Err(RunError::NoRoute { from, to: address.node })
    }

    /// Returns the stage of a routed switch; `None` for a computer.
    fn routed_switch(&self, node: NodeId, inlet: PortId, outlet: PortId) -> Option<Stage> {
        let device = DeviceId::from(node);
        let model = self.network.fabric.kind(device).switch()?;
        Some(self.switch(device, model, (inlet, outlet)))
    }

    fn leg(&self, from: PortId, to: PortId) -> Leg {
        let fabric = &self.network.fabric;
        let wires = fabric.common_wires(from, to);
        let mut lanes = wires.map(|(from, to)| self.lane(from, to));
        let stages = lanes.next().expect("two stations of one segment");
        let other_lanes: Vec<Vec<Stage>> = lanes.collect();
        let n_lanes = other_lanes.len() as u32 + 1;
        Leg { stages, n_lanes, other_lanes, to: fabric.node_of(to) }
    }

    /// Returns the stages between two ports on one wire.
    fn lane(&self, from: PortId, to: PortId) -> Vec<Stage> {
        let fabric = &self.network.fabric;
        let mut crossed = Vec::new();
        self.network.bridging().extend_on_wire(fabric, from, to, &mut crossed);
        let mut stages = vec![self.medium(from)];
        for &Crossing { device, inlet, outlet } in &crossed {
            let (DeviceKind::Switch(model), Some(inlet), Some(outlet)) =
                (fabric.kind(device), inlet, outlet)
            else {
                continue; // Hubs are crossed together with the sending station.
            };
            stages.push(self.switch(device, model, (inlet, outlet)));
            stages.push(self.medium(self.of_bundle(outlet, (from, to))));
        }
        stages
    }

    /// Returns the port of the bundle of `leader` that carries the frames between two stations.
    fn of_bundle(&self, leader: PortId, (from, to): (PortId, PortId)) -> PortId {
        let fabric = &self.network.fabric;
        if fabric.peer(leader).is_some_and(|peer| fabric.is_node(fabric.port(peer).device)) {
            return leader;
        }
        let ports = fabric.ports_of(fabric.port(leader).device);
        let mut bundle = ports.filter(|&port| fabric.bundle(port) == leader);
        let (source, target) = (fabric.member_of_segment(from), fabric.member_of_segment(to));
        let pick = match bundle.clone().count() as u32 {
            1 => 0,
            n_ports => pick_of_bundle(source, Some(target), n_ports),
        };
        bundle.nth(pick as usize).unwrap_or(leader)
    }

    /// Returns the stage that a port of a node or switch sends into.
    fn medium(&self, port: PortId) -> Stage {
        let fabric = &self.network.fabric;
        let link = fabric.port(port).link.expect("a port that sends is plugged in");
        let network::Link { a, b, rate, delay } = fabric.links()[link];
        let peer = fabric.port(if a == port { b } else { a }).device;
        match fabric.kind(peer) {
            DeviceKind::Hub(_) => {
                let (hub, delay) = self.domains[peer];
                Stage::Hub { hub, port, rate, delay }
            }
            kind => Stage::Wire { port, rate, delay, tells_first_bit: cuts_through(kind) },
        }
    }

    fn switch(&self, device: DeviceId, model: SwitchModel, ports: (PortId, PortId)) -> Stage {
        let fabric = &self.network.fabric;
        let rate = |port: PortId| fabric.port(port).link.map(|link| fabric.links()[link].rate);
        let is_from_wire = fabric.peer(ports.0).is_none_or(|peer| {
            !matches!(fabric.kind(fabric.port(peer).device), DeviceKind::Hub(_))
        });
        let is_told_early = is_from_wire && model.mode == SwitchMode::CutThrough;
        let (inlet, outlet) = (rate(ports.0), rate(ports.1));
        Stage::Switch {
            device,
            latency: model.latency,
            backplane: model.backplane.map(|id| (id, fabric.backplanes()[id])),
            stores_at: inlet.filter(|_| is_told_early && inlet != outlet),
        }
    }
}

fn cuts_through(kind: DeviceKind) -> bool {
    kind.switch().is_some_and(|model| model.mode == SwitchMode::CutThrough)
}
