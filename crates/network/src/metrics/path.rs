//! The devices and ports that packets cross from a node to an address, switches included: for one
//! packet, or for many in one call, with one preparation and in parallel.

use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

use crate::Network;
use crate::bridging::Crossing;
use crate::ids::{AddressId, NodeId, PortId};
use crate::routing::Decision;

use super::towards::Lost;
use super::{MetricError, expect_wanted};

/// Returns the path of a packet from node `from` to address `to`; bundles appear by their leaders.
///
/// The first crossing is the sender, without an inlet, the last the owner, without an outlet.
///
/// # Errors
/// When the node or address does not exist or the packet does not arrive.
pub fn path(network: &Network, from: NodeId, to: AddressId) -> Result<Vec<Crossing>, MetricError> {
    follow(network, from, to)
}

/// Returns the paths of many packets, each from a node to an address, in input order.
///
/// # Errors
/// As for one path, for the first pair without one; and when `stop` is set during the call.
pub fn paths(
    network: &Network,
    ends: &[(NodeId, AddressId)],
    stop: &AtomicBool,
) -> Result<Vec<Vec<Crossing>>, MetricError> {
    let follow = |&(from, to): &(NodeId, AddressId)| {
        expect_wanted(stop).and_then(|()| follow(network, from, to))
    };
    let found: Vec<Result<Vec<Crossing>, MetricError>> = ends.par_iter().map(follow).collect();
    found.into_iter().collect()
}

fn follow(network: &Network, from: NodeId, to: AddressId) -> Result<Vec<Crossing>, MetricError> {
    let fabric = &network.fabric;
    if !fabric.is_node(from) {
        return Err(MetricError::UnknownNode { node: from });
    }
    super::load::expect_addresses(network, &[to])?;
    let lost = |reason| MetricError::Unreachable { node: from, address: to, reason };
    let mut path = Vec::new();
    let (mut at, mut inlet): (NodeId, Option<PortId>) = (from, None);
    for _ in 0..=fabric.n_nodes() {
        let hop = match network.decide(at, to) {
            Decision::Own => {
                path.push(Crossing { device: at.into(), inlet, outlet: None });
                return Ok(path);
            }
            Decision::NoRoute => return Err(lost(Lost::NoRoute)),
            Decision::WrongSegment => return Err(lost(Lost::WrongSegment)),
            Decision::Forward(hop) => hop,
        };
        path.push(Crossing { device: at.into(), inlet, outlet: Some(hop.port) });
        // After failures two bonds may have no wire in common.
        if fabric.common_wires(hop.port, hop.via).next().is_none() {
            return Err(lost(Lost::WrongSegment));
        }
        network.bridging().extend_path(fabric, hop.port, hop.via, &mut path);
        (at, inlet) = (fabric.node_of(hop.via), Some(hop.via));
    }
    Err(lost(Lost::Loop))
}
