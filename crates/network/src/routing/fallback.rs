//! Fallback routes: where a node sends a packet when the link of its own route has lost its
//! carrier.
//!
//! Method: loop-free alternates (RFC 5286). A neighbour on another port is an alternate when its
//! own route to the destination never comes back through this node; then the packet arrives
//! although nobody but this node knows of the failure. Among the alternates the shortest way wins,
//! then the lowest port. Where no neighbour qualifies there is no fallback route; what a node then
//! loses, and what re-planned tables give back, is not decided here.

use crate::Network;
use crate::address::AddressId;
use crate::fabric::NodeId;

use super::listing::Group;
use super::{Decision, Hop};

/// An alternate next hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Alternate {
    /// Where the packet goes.
    pub hop: Hop,
    /// Hops beyond those of the route it replaces, at least one.
    pub extra_hops: u32,
}

/// Returns the best alternate to the hop of a route that serves all addresses of it.
///
/// `hops` says how many hops a node is from an address by everybody's own routes; `None` when the
/// packet is lost on the way or comes through a node to be avoided. [`hops`] follows one packet;
/// who asks for all nodes has the answers at hand.
pub(crate) fn alternate(
    network: &Network,
    node: NodeId,
    group: &Group,
    hops: impl Fn(NodeId, AddressId, Option<NodeId>) -> Option<u32>,
) -> Option<Alternate> {
    let fabric = &network.fabric;
    let Group { hop: primary, members, .. } = group;
    let others = fabric.ports_of(node).filter(|&port| port != primary.port);
    let neighbours = others.flat_map(|port| {
        let stations = fabric.segment_members(fabric.port(port).segment).iter();
        stations.filter(move |&&via| via != port).map(move |&via| Hop { port, via })
    });
    let total = |hop: Hop| {
        let neighbour = fabric.port(hop.via).device;
        members.iter().map(|&to| hops(neighbour, to, Some(node))).sum::<Option<u32>>()
    };
    let (n_hops, hop) = neighbours
        .filter_map(|hop| total(hop).map(|n_hops| (n_hops, hop)))
        .min_by_key(|&(n_hops, hop)| (n_hops, hop.port, hop.via))?;
    let next = fabric.port(primary.via).device;
    let replaced: u32 = members.iter().filter_map(|&to| hops(next, to, None)).sum();
    let extra_hops = n_hops.saturating_sub(replaced).div_ceil(members.len() as u32).max(1);
    Some(Alternate { hop, extra_hops })
}

/// Returns the hops from a node to an address by everybody's own routes; `None` when the packet is
/// lost on the way or comes through `avoided`.
pub(super) fn hops(
    network: &Network,
    from: NodeId,
    to: AddressId,
    avoided: Option<NodeId>,
) -> Option<u32> {
    let mut node = from;
    for n_hops in 0..=network.fabric.n_nodes() {
        if Some(node) == avoided {
            return None;
        }
        match network.decide(node, to) {
            Decision::Own => return Some(n_hops),
            Decision::Forward(hop) => node = network.fabric.port(hop.via).device,
            Decision::NoRoute | Decision::WrongSegment => return None,
        }
    }
    None
}
