//! Fallback routes: the routes that replace those over a link without carrier.
//!
//! Method: loop-free alternates (RFC 5286). A neighbour on another port is an alternate when its
//! own route to the destination never returns through this node; then the packet arrives although
//! only this node knows of the failure. If more has failed than the link, namely the device at its
//! other end, another node on the alternate's path may meet the same failure and take its own
//! alternate, back to here. So a path that avoids everything that can fail with the link is
//! preferred to any other, and one that does not is taken only if the first node that meets the
//! failure is nearer to the destination, or as near with a lower number: then the nodes that detour
//! are in decreasing order, and no loop closes under any single failure. Among equals the shortest
//! path wins, then the lowest port. Where no neighbour qualifies there is no fallback route; the
//! losses that remain, and the gain by recomputed tables, are the subject of `metrics::resilience`.

use crate::Network;
use crate::fabric::{DeviceKind, Fabric, SwitchModel};
use crate::ids::{AddressId, DeviceId, NodeId, PortId, SegmentId};

use super::groups::Group;
use super::hop::{Decision, Hop};

/// An alternate next hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Alternate {
    /// The next hop.
    pub hop: Hop,
    /// Hops beyond those of the route it replaces, at least one.
    pub extra_hops: u32,
}

/// Returns the best alternate to the hop of a route that serves all its addresses.
///
/// `decide` returns a node's decision for an address by its own route.
pub(crate) fn alternate(
    network: &Network,
    node: NodeId,
    group: &Group,
    decide: impl Fn(NodeId, AddressId) -> Decision,
) -> Option<Alternate> {
    let fabric = &network.fabric;
    let Group { hop: primary, members, .. } = group;
    let others = fabric.interfaces_of(node).filter(|&port| port != primary.port);
    let neighbours = others.flat_map(|port| {
        let stations = fabric.segment_members(fabric.port(port).segment).iter();
        stations.filter(move |&&via| via != port).map(move |&via| Hop { port, via })
    });
    let detour = Detour { network, node, risk: SharedRisk::of(fabric, primary.port), decide };
    let own_hops: Vec<u32> = members.iter().map(|&to| detour.hops(to)).collect();
    let total = |hop: Hop| {
        let first = fabric.node_of(hop.via);
        let paths = members.iter().zip(&own_hops).map(|(&to, &own)| detour.path(first, to, own));
        paths.sum::<Option<Path>>()
    };
    let (path, hop) = neighbours
        .filter_map(|hop| total(hop).map(|path| (path, hop)))
        .min_by_key(|&(path, hop)| (!path.is_clear, path.n_hops, hop.port, hop.via))?;
    let replaced: u32 = own_hops.iter().map(|hops| hops.saturating_sub(1)).sum();
    let extra_hops = path.n_hops.saturating_sub(replaced).div_ceil(members.len() as u32).max(1);
    Some(Alternate { hop, extra_hops })
}

/// All parts that can fail together with the link in a port.
struct SharedRisk {
    /// The device at the other end.
    peer: Option<DeviceId>,
    /// The segment that it joins, and those of the other switches of its chassis.
    segments: Vec<SegmentId>,
}

impl SharedRisk {
    fn of(fabric: &Fabric, port: PortId) -> SharedRisk {
        let peer = fabric.peer(port).map(|peer| fabric.port(peer).device);
        let backplane = |device: DeviceId| match fabric.kind(device) {
            DeviceKind::Switch(SwitchModel { backplane, .. }) => backplane,
            _ => None,
        };
        let mut segments = vec![fabric.port(port).segment];
        if let Some(shared) = peer.and_then(backplane) {
            let switches = fabric.hubs_and_switches();
            let in_chassis = switches.filter(|&other| backplane(other) == Some(shared));
            let ports = in_chassis.filter_map(|device| fabric.ports_of(device).next());
            segments.extend(ports.map(|port| fabric.port(port).segment));
        }
        SharedRisk { peer, segments }
    }
}

/// The path of a packet that a node sends to a neighbour instead; for several packets, the sums.
#[derive(Clone, Copy)]
struct Path {
    n_hops: u32,
    /// Whether the path avoids all parts that can have failed.
    is_clear: bool,
}

impl std::iter::Sum for Path {
    fn sum<I: Iterator<Item = Path>>(paths: I) -> Path {
        paths.fold(Path { n_hops: 0, is_clear: true }, |sum, path| Path {
            n_hops: sum.n_hops + path.n_hops,
            is_clear: sum.is_clear && path.is_clear,
        })
    }
}

/// The search of a node for alternates to a dead link.
struct Detour<'a, D> {
    network: &'a Network,
    node: NodeId,
    risk: SharedRisk,
    decide: D,
}

impl<D: Fn(NodeId, AddressId) -> Decision> Detour<'_, D> {
    /// Returns the hops of the node's own path; the largest number if the packet does not arrive.
    fn hops(&self, to: AddressId) -> u32 {
        let n_nodes = self.network.fabric.n_nodes();
        let mut node = self.node;
        for n_hops in 0..=n_nodes {
            match self.step(node, to) {
                Decision::Forward(hop) => node = self.network.fabric.node_of(hop.via),
                Decision::Own => return n_hops,
                Decision::NoRoute | Decision::WrongSegment => break,
            }
        }
        n_nodes
    }

    /// Returns the path from a neighbour to an address; `None` when the packet is lost, returns, or
    /// may loop.
    fn path(&self, first: NodeId, to: AddressId, own_hops: u32) -> Option<Path> {
        let (mut node, mut hurdle) = (first, None);
        for n_hops in 0..=self.network.fabric.n_nodes() {
            if node == self.node {
                return None;
            }
            let hop = match self.step(node, to) {
                Decision::Forward(hop) => hop,
                Decision::Own => {
                    let is_less = |(node, after)| (n_hops - after, node) < (own_hops, self.node);
                    let is_clear = hurdle.is_none();
                    return hurdle.is_none_or(is_less).then_some(Path { n_hops, is_clear });
                }
                Decision::NoRoute | Decision::WrongSegment => return None,
            };
            if hurdle.is_none() && self.may_fail(node, hop, to) {
                hurdle = Some((node, n_hops));
            }
            node = self.network.fabric.node_of(hop.via);
        }
        None
    }

    /// Returns whether a hop can fail together with the link. The destination itself counts as
    /// alive: packets to a dead one cannot be saved.
    fn may_fail(&self, node: NodeId, hop: Hop, to: AddressId) -> bool {
        let fabric = &self.network.fabric;
        let owner = self.network.addressing.address(to).node;
        let is_peer = |node: NodeId| node != owner && self.risk.peer == Some(node.into());
        is_peer(node)
            || is_peer(fabric.node_of(hop.via))
            || self.risk.segments.contains(&fabric.port(hop.port).segment)
    }

    fn step(&self, node: NodeId, to: AddressId) -> Decision {
        (self.decide)(node, to)
    }
}
