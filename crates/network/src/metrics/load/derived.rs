//! Loads without following packets, where the routing scheme allows it: exact, in time linear in
//! the links.
//!
//! In dimension order the axes before the one being corrected have the coordinates of the
//! destination, those after it still have the sender's. So on every line along an axis of side M,
//! each ordered pair of positions is crossed by N / M of the packets, whatever the order of the
//! axes, and the load of a line is a sum in one dimension. Where one segment holds all nodes no
//! node forwards, and the load on the tree of its switches follows from the number of stations
//! below each. Relayed packets are known in more cases than link loads: in every single segment,
//! and between groups of nodes.
//!
//! Applies when each node of the grid, or of the segment, has one identity, and all identities are
//! of one kind: on the loopback, or on lines along the same axis. Every other case is walked,
//! including bonds, or hashed on multipath switches, where each pair has a path of its own.

use quantity::IdVec;

use crate::Network;
use crate::address::Owner;
use crate::bridging::Crossing;
use crate::ids::{AddressId, NodeId, PortId, SegmentId, SubnetId};
use crate::routing::{Axis, Grid, Hop, Joint, Reach, Routing, Stack};

use super::counts::Counts;
use super::segment::Spread;

/// Returns the counts of uniform traffic between some addresses; `None` where packets must be
/// walked.
pub(super) fn derived(network: &Network, identities: &[AddressId]) -> Option<Counts> {
    let fabric = &network.fabric;
    let has_trees_only = fabric.segments().all(|segment| !fabric.is_multipath(segment));
    let is_plain = has_trees_only && !fabric.has_bonds();
    if !is_plain || !network.addressing.is_disjoint() || !is_one_each(network, identities) {
        return None;
    }
    match &network.routing {
        Routing::Explicit(_) => None,
        Routing::DimensionOrder(scheme) if suits(network, scheme.grid(), identities) => {
            Some(Lines::count(network, scheme.grid()))
        }
        _ => within_segment(network, identities),
    }
}

fn is_one_each(network: &Network, identities: &[AddressId]) -> bool {
    let mut is_met = IdVec::filled(false, network.fabric.n_nodes());
    let owner = |id: AddressId| network.addressing.address(id).node;
    identities.iter().all(|&id| !std::mem::replace(&mut is_met[owner(id)], true))
}

/// Returns the segment that an address is on; `None` for one on a loopback.
fn segment_of(network: &Network, id: AddressId) -> Option<SegmentId> {
    let Owner::Port(port) = network.addressing.address(id).owner else { return None };
    Some(network.fabric.port(port).segment)
}

/// Returns whether a subnet coincides with a segment: every node is on it once, by one port.
fn is_plain(network: &Network, subnet: SubnetId, segment: SegmentId) -> bool {
    let members = &network.addressing.subnets()[subnet].members;
    let stations = network.fabric.segment_members(segment);
    let mut nodes: Vec<NodeId> =
        stations.iter().map(|&port| network.fabric.node_of(port)).collect();
    nodes.sort_unstable();
    nodes.windows(2).all(|pair| pair[0] != pair[1])
        && members.iter().all(|&id| segment_of(network, id) == Some(segment))
}

/// Returns the number of packets that each node relays, without link loads; `None` where packets
/// must be followed.
pub(super) fn relayed(network: &Network, identities: &[AddressId]) -> Option<IdVec<NodeId, u64>> {
    let none = || IdVec::filled(0, network.fabric.n_nodes());
    let is_one_each = || is_one_each(network, identities);
    match &network.routing {
        Routing::Explicit(_) => None,
        // Every step leads straight to the owner.
        Routing::Adjacent(_) => Some(none()),
        _ if !network.addressing.is_disjoint() || !is_one_each() => None,
        _ if in_one_segment(network, identities).is_some() => Some(none()),
        Routing::Stack(scheme) if suits_stack(network, scheme, identities) => {
            scheme.relayed(&network.fabric)
        }
        _ => derived(network, identities).map(|counts| counts.forwarded),
    }
}

/// Returns the ports of the addresses if all of them are on one segment that is also their subnet.
fn in_one_segment(network: &Network, identities: &[AddressId]) -> Option<Vec<PortId>> {
    let address = |id: AddressId| network.addressing.address(id);
    let (&first, rest) = identities.split_first()?;
    let segment = segment_of(network, first)?;
    let is_same = |&id: &AddressId| address(id).subnet == address(first).subnet;
    if !rest.iter().all(is_same) || !is_plain(network, address(first).subnet, segment) {
        return None;
    }
    let port = |&id: &AddressId| match address(id).owner {
        Owner::Port(port) => Some(port),
        Owner::Loopback(_) => None,
    };
    identities.iter().map(port).collect()
}

/// Returns the ports of the addresses if all of them are on one multipath segment, so that the hash
/// of each pair selects the path and no node forwards.
pub(super) fn in_one_multipath(network: &Network, identities: &[AddressId]) -> Option<Vec<PortId>> {
    let is_routed = matches!(network.routing, Routing::Explicit(_));
    if is_routed || network.fabric.has_bonds() || !network.addressing.is_disjoint() {
        return None;
    }
    let segment = segment_of(network, *identities.first()?)?;
    if !network.fabric.is_multipath(segment) || !is_one_each(network, identities) {
        return None;
    }
    in_one_segment(network, identities)
}

fn within_segment(network: &Network, identities: &[AddressId]) -> Option<Counts> {
    let stations = in_one_segment(network, identities)?;
    let mut counts = Counts::new(&network.fabric);
    Spread::new(&network.fabric, network.bridging()).add(&stations, 1, &mut counts.leaving);
    Some(counts)
}

/// Returns whether packets for these identities cross the axes in one order throughout.
fn suits(network: &Network, grid: &Grid, identities: &[AddressId]) -> bool {
    let Network { fabric, addressing, .. } = network;
    let is_on_grid = |&id: &AddressId| grid.contains(fabric, addressing.address(id).node);
    if identities.len() != grid.nodes().len() || !identities.iter().all(is_on_grid) {
        return false;
    }
    let last_axis = |id: AddressId| match segment_of(network, id).map(|s| grid.reach(s)) {
        None => Some(None),
        Some(Reach::Line { axis, .. }) => Some(Some(axis)),
        Some(_) => None,
    };
    let kind = last_axis(identities[0]);
    kind.is_some()
        && identities.iter().all(|&id| last_axis(id) == kind)
        && are_subnets_plain(network, identities)
}

/// Returns whether the addresses cover all nodes with a place in a group, each by an address that
/// leads to its group.
fn suits_stack(network: &Network, scheme: &Stack, identities: &[AddressId]) -> bool {
    let Network { fabric, addressing, .. } = network;
    let leads_home = |&id: &AddressId| {
        let node = addressing.address(id).node;
        let home = scheme.group_of(fabric, node).filter(|_| scheme.has_place(fabric, node));
        home.is_some_and(|group| {
            segment_of(network, id).is_none_or(|segment| scheme.joins(segment, group))
        })
    };
    identities.len() == scheme.n_compute()
        && identities.iter().all(leads_home)
        && are_subnets_plain(network, identities)
}

/// Returns whether each subnet is either a segment or a single loopback.
fn are_subnets_plain(network: &Network, identities: &[AddressId]) -> bool {
    let addressing = &network.addressing;
    let mut is_checked = IdVec::filled(false, addressing.subnets().n());
    identities.iter().all(|&id| {
        let subnet = addressing.address(id).subnet;
        std::mem::replace(&mut is_checked[subnet], true)
            || match segment_of(network, id) {
                Some(segment) => is_plain(network, subnet, segment),
                None => addressing.subnets()[subnet].members.len() == 1,
            }
    })
}

/// The lines of a grid, axis by axis.
struct Lines<'a> {
    network: &'a Network,
    grid: &'a Grid,
    counts: Counts,
    /// Packets handed to each node.
    arriving: IdVec<NodeId, u64>,
}

impl Lines<'_> {
    fn count(network: &Network, grid: &Grid) -> Counts {
        let counts = Counts::new(&network.fabric);
        let arriving = IdVec::filled(0, network.fabric.n_nodes());
        let mut lines = Lines { network, grid, counts, arriving };
        for (axis, description) in grid.axes().iter().enumerate() {
            match description.joint() {
                Joint::Apart => {}
                Joint::Line => lines.add_switched(axis, description),
                Joint::Chain | Joint::Ring => lines.add_neighbours(axis, description),
                Joint::Mesh => lines.add_meshed(axis, description),
            }
        }
        let Lines { mut counts, arriving, .. } = lines;
        // A node keeps one arriving packet from each other node, and forwards the rest.
        let others = grid.nodes().len() as u64 - 1;
        for &node in grid.nodes() {
            counts.forwarded[node] = arriving[node] - others;
        }
        counts
    }

    /// Packets that cross each ordered pair of positions of a line.
    fn weight(&self, axis: &Axis) -> u64 {
        self.grid.nodes().len() as u64 / axis.side() as u64
    }

    fn add_switched(&mut self, axis: usize, description: &Axis) {
        let (fabric, grid, weight) = (&self.network.fabric, self.grid, self.weight(description));
        let mut spread = Spread::new(fabric, self.network.bridging());
        for &first in grid.nodes() {
            let places = fabric.coordinates(first);
            if places[axis] != 0 {
                continue;
            }
            let node = |to| grid.beside(first, places, axis, to).unwrap_or(first);
            let stations: Vec<PortId> =
                (0..description.side()).map(|to| grid.port(node(to), axis)).collect();
            spread.add(&stations, weight, &mut self.counts.leaving);
        }
        for &node in self.grid.nodes() {
            self.arriving[node] += weight * (description.side() as u64 - 1);
        }
    }

    fn add_neighbours(&mut self, axis: usize, description: &Axis) {
        let weight = self.weight(description);
        let by_parity = [0, 1].map(|rest| description.crossings(self.grid.ties, rest, true));
        for &node in self.grid.nodes() {
            let places = self.network.fabric.coordinates(node);
            let at = places[axis];
            let rest = (places.iter().sum::<i32>() - at) as usize % 2;
            for (way, step) in [(0, -1), (1, 1)] {
                let packets = weight * by_parity[rest][at as usize][way];
                if packets > 0 {
                    let to = (at + step).rem_euclid(description.side());
                    self.add(self.grid.hop(&self.network.fabric, node, axis, (way, to)), packets);
                }
            }
        }
    }

    fn add_meshed(&mut self, axis: usize, description: &Axis) {
        let weight = self.weight(description);
        for &node in self.grid.nodes() {
            let own = self.network.fabric.coordinates(node)[axis];
            for to in (0..description.side()).filter(|&to| to != own) {
                self.add(self.grid.hop(&self.network.fabric, node, axis, (0, to)), weight);
            }
        }
    }

    fn add(&mut self, hop: Option<Hop>, packets: u64) {
        let Hop { port, via } = hop.expect("the grid is complete");
        let fabric = &self.network.fabric;
        self.arriving[fabric.node_of(via)] += packets;
        self.counts.leaving[port] += packets;
        let mut crossed = Vec::new();
        self.network.bridging().extend_path(fabric, port, via, &mut crossed);
        for port in crossed.iter().filter_map(|&Crossing { outlet, .. }| outlet) {
            self.counts.leaving[port] += packets;
        }
    }
}
