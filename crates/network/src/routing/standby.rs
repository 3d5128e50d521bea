//! Standby routes: the routes of a node's own table behind its best one, used when ports lose their
//! carrier.
//!
//! As in a kernel that ignores routes whose link is down, including connected subnets: the next
//! route of the same prefix by metric, then shorter prefixes. The fallback routes that schemes
//! derive are not here but in `fallback`; explicit tables contain their own.

use std::cmp::Reverse;

use resilience::rerouting::Route;

use crate::Network;
use crate::ids::{AddressId, NodeId, PortId};

use super::{Routing, connected};

/// Returns all routes of node `at` for an address that is not its own, the best first.
pub(crate) fn standby(network: &Network, at: NodeId, to: AddressId) -> Vec<Route> {
    let Network { fabric, addressing, routing, .. } = network;
    let mut found: Vec<(u8, PortId, Option<PortId>)> =
        connected::all(fabric, addressing, at, to).collect();
    found.sort_by_key(|&(length, _, via)| (Reverse(length), via.is_none()));
    if let Routing::Explicit(tables) = routing {
        found.extend(tables.serving(fabric, addressing, at, to));
        // The sort is stable: at the same length connected subnets remain in front.
        found.sort_by_key(|&(length, ..)| Reverse(length));
    }
    found.into_iter().map(|(_, port, via)| Route { port, via }).collect()
}
