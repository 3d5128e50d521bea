//! The routes of a node as a table: what an operator types, and what a kernel looks up.
//!
//! One route serves a whole subnet where all its addresses share the next hop; where they do not,
//! each address has a route of its own. Connected subnets need no route and are left out.

use crate::Network;
use crate::address::{AddressId, Ip, Owner, Subnet};
use crate::fabric::{NodeId, PortId};

use super::{Decision, Hop, Routing};

/// The metric of a route that is no fallback.
const PRIMARY: u32 = 1;

/// One line of a node's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    /// The first address of the destination prefix.
    pub destination: Ip,
    /// Length of the prefix.
    pub prefix_length: u8,
    /// The gateway's address on the segment; `None` where it has none of that family, or needs
    /// none.
    pub via: Option<AddressId>,
    /// The port it leaves by.
    pub port: PortId,
    /// The lower, the better.
    pub metric: u32,
}

/// Returns the routes of a node in order of destination.
///
/// Explicit tables are listed as they were given, the longest prefixes first.
pub fn routes_of(network: &Network, node: NodeId) -> Vec<Route> {
    if let Routing::Explicit(tables) = &network.routing {
        return tables
            .routes_of(node)
            .iter()
            .map(|route| Route {
                destination: route.destination,
                prefix_length: route.prefix_length,
                via: route.via,
                port: route.port,
                metric: route.metric,
            })
            .collect();
    }
    let mut routes = Vec::new();
    for subnet in network.addressing.subnets() {
        list_subnet(network, node, subnet, &mut routes);
    }
    routes
}

fn list_subnet(network: &Network, node: NodeId, subnet: &Subnet, routes: &mut Vec<Route>) {
    let addresses = &network.addressing;
    if subnet.members.iter().any(|&id| addresses.address(id).node == node) {
        return;
    }
    let hops: Vec<(AddressId, Hop)> = subnet
        .members
        .iter()
        .filter_map(|&id| match network.decide(node, id) {
            Decision::Forward(hop) => Some((id, hop)),
            _ => None,
        })
        .collect();
    let Some(&(_, first)) = hops.first() else { return };
    if hops.len() == subnet.members.len() && hops.iter().all(|&(_, hop)| hop == first) {
        routes.push(route(network, subnet.first, subnet.prefix_length, first));
        return;
    }
    for (id, hop) in hops {
        let ip = addresses.address(id).ip;
        routes.push(route(network, ip, if ip.is_v6 { 128 } else { 32 }, hop));
    }
}

fn route(network: &Network, destination: Ip, prefix_length: u8, hop: Hop) -> Route {
    let addressing = &network.addressing;
    let gateway = network.fabric.port(hop.via).device;
    let via = addressing.of_node(gateway).iter().copied().find(|&id| {
        let address = addressing.address(id);
        address.owner == Owner::Port(hop.via) && address.ip.is_v6 == destination.is_v6
    });
    Route { destination, prefix_length, via, port: hop.port, metric: PRIMARY }
}
