//! The addresses that one route of a node serves.
//!
//! One route serves a whole subnet if all its addresses, except the node's own, share the next hop;
//! otherwise each half of it in which they do, and so on down to single addresses. An unreachable
//! address has no route: under the route of its subnet, packets for it could loop. Connected
//! subnets need no route, except for addresses in them whose owner is on another segment.

use crate::Network;
use crate::address::{Ip, Owner, Subnet};
use crate::ids::{AddressId, NodeId, SegmentId};

use super::hop::{Decision, Hop};
use super::{Routing, connected};

/// Returns the hop of a node common to all addresses of a subnet that it is not connected to, if
/// the scheme knows it without a query per address.
pub(crate) fn shared_hop(network: &Network, node: NodeId, subnet: &Subnet) -> Option<Hop> {
    match &network.routing {
        Routing::DimensionOrder(scheme) if network.addressing.is_disjoint() => {
            scheme.to_line(&network.fabric, node, subnet.segment?)
        }
        _ => None,
    }
}

/// Addresses of one subnet that one route of a node serves.
pub(crate) struct Group {
    /// The first address of the route's prefix, and its length.
    pub prefix: (Ip, u8),
    /// The next hop of the route.
    pub hop: Hop,
    /// The addresses.
    pub members: Vec<AddressId>,
}

/// Returns the routes that a node needs for a subnet, given its decision for each address; if it is
/// connected, only those to addresses that are on another segment.
pub(crate) fn groups(
    network: &Network,
    node: NodeId,
    subnet: &Subnet,
    decide: impl Fn(AddressId) -> Decision,
) -> Vec<Group> {
    let here = connected::segment(&network.fabric, &network.addressing, node, subnet);
    let step = |id: AddressId| {
        let hop = match decide(id) {
            Decision::Forward(hop) => Some(hop),
            _ => None,
        };
        Target { id, ip: network.addressing.address(id).ip, hop }
    };
    let members = elsewhere(network, node, subnet, here);
    let mut targets: Vec<Target> = members.iter().copied().map(step).collect();
    let whole = (subnet.first, subnet.prefix_length);
    match (common_hop(&targets), here) {
        (_, Some(_)) => targets.iter().filter_map(Target::alone).collect(),
        (Some(hop), None) => vec![Group { prefix: whole, hop, members }],
        (None, None) => {
            targets.sort_by_key(|target| target.ip.bits);
            let mut groups = Vec::new();
            halve(whole, &targets, &mut groups);
            groups
        }
    }
}

/// An address of a subnet, and the hop towards it.
#[derive(Clone, Copy)]
struct Target {
    id: AddressId,
    ip: Ip,
    hop: Option<Hop>,
}

impl Target {
    /// Returns the route that serves only this address.
    fn alone(&self) -> Option<Group> {
        let prefix = (self.ip, self.ip.host_length());
        self.hop.map(|hop| Group { prefix, hop, members: vec![self.id] })
    }
}

fn common_hop(targets: &[Target]) -> Option<Hop> {
    targets.first()?.hop.filter(|&hop| targets.iter().all(|target| target.hop == Some(hop)))
}

/// Adds the routes for the addresses in a prefix whose next hops differ.
fn halve((first, length): (Ip, u8), targets: &[Target], groups: &mut Vec<Group>) {
    let full = first.host_length();
    if length == full || targets.len() < 2 {
        groups.extend(targets.iter().filter_map(Target::alone));
        return;
    }
    let upper = Ip { bits: first.bits | 1 << (full - length - 1), ..first };
    let (low, high) = targets.split_at(targets.partition_point(|t| t.ip.bits < upper.bits));
    for (half, targets) in [(first, low), (upper, high)] {
        match common_hop(targets) {
            Some(hop) if targets.len() > 1 => {
                let members = targets.iter().map(|target| target.id).collect();
                groups.push(Group { prefix: (half, length + 1), hop, members });
            }
            _ => halve((half, length + 1), targets, groups),
        }
    }
}

/// Returns the addresses of a subnet that are neither a node's own nor on `here`, the segment on
/// which the node expects the subnet.
fn elsewhere(
    network: &Network,
    node: NodeId,
    subnet: &Subnet,
    here: Option<SegmentId>,
) -> Vec<AddressId> {
    let is_elsewhere = |&id: &AddressId| {
        let address = network.addressing.address(id);
        let segment = match address.owner {
            Owner::Port(port) if here.is_some() => Some(network.fabric.port(port).segment),
            _ => None,
        };
        address.node != node && (here.is_none() || segment != here)
    };
    subnet.members.iter().copied().filter(is_elsewhere).collect()
}
