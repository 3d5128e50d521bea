//! Explicit tables: the given routes, by longest prefix and then lowest metric.
//!
//! No route is derived; the metrics find addresses that are not reached.

use std::cmp::Reverse;

use quantity::Groups;
use serde::{Deserialize, Serialize};

use crate::address::{Addressing, Ip, Owner};
use crate::fabric::Fabric;
use crate::ids::{AddressId, NodeId, PortId};

use super::error::RoutingError;
use super::hop::Hop;

/// A route as the caller gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExplicitRoute {
    /// The node whose table contains the route.
    pub node: NodeId,
    /// The first address of the destination prefix.
    pub destination: Ip,
    /// Length of the prefix.
    pub prefix_length: u8,
    /// The gateway; `None` if the destination itself is on the port's segment.
    pub via: Option<AddressId>,
    /// The port by which the route leaves.
    pub port: PortId,
    /// The metric; a lower one wins.
    pub metric: u32,
}

/// All tables, each in the order of preference.
#[derive(Clone, Debug)]
pub struct Explicit {
    /// The routes of each node by (family, longest prefix, first address, metric).
    routes: Groups<NodeId, ExplicitRoute>,
}

impl Explicit {
    pub(super) fn new(
        fabric: &Fabric,
        addressing: &Addressing,
        given: &[ExplicitRoute],
    ) -> Result<Explicit, RoutingError> {
        for (index, route) in given.iter().enumerate() {
            expect_sound(fabric, addressing, index, route)?;
        }
        let mut routes = given.to_vec();
        routes.sort_by_key(|route| (route.node, key(route), route.metric));
        let n_nodes = fabric.n_nodes();
        let routes = Groups::new(n_nodes, || routes.iter().map(|&route| (route.node, route)));
        Ok(Explicit { routes })
    }

    /// Returns the routes of a node, the longest prefixes first.
    pub(super) fn routes_of(&self, node: NodeId) -> &[ExplicitRoute] {
        self.routes.of(node)
    }

    /// Returns the hop of node `at` towards an address and the length of the matching prefix.
    pub(super) fn route(
        &self,
        fabric: &Fabric,
        addressing: &Addressing,
        at: NodeId,
        to: AddressId,
    ) -> (Option<Hop>, u8) {
        let address = addressing.address(to);
        let Some(route) = best(self.routes_of(at), address.ip) else { return (None, 0) };
        let via = next(fabric, addressing, route, to);
        (via.map(|via| Hop { port: route.port, via }), route.prefix_length)
    }

    /// Returns all routes of node `at` that serve an address, the best first: the length of the
    /// prefix, the port, and the port at the other end of the hop.
    pub(super) fn serving(
        &self,
        fabric: &Fabric,
        addressing: &Addressing,
        at: NodeId,
        to: AddressId,
    ) -> impl Iterator<Item = (u8, PortId, Option<PortId>)> {
        let ip = addressing.address(to).ip;
        let serve = move |route: &&ExplicitRoute| ip.is_in(route.destination, route.prefix_length);
        self.routes_of(at).iter().filter(serve).map(move |route| {
            (route.prefix_length, route.port, next(fabric, addressing, route, to))
        })
    }
}

/// Returns the port to which a route hands a packet for an address.
fn next(
    fabric: &Fabric,
    addressing: &Addressing,
    route: &ExplicitRoute,
    to: AddressId,
) -> Option<PortId> {
    let target = route.via.unwrap_or(to);
    match addressing.address(target).owner {
        Owner::Port(via) if fabric.port(via).segment == fabric.port(route.port).segment => {
            Some(via)
        }
        _ => None,
    }
}

type Key = (bool, Reverse<u8>, u128);

fn key(route: &ExplicitRoute) -> Key {
    (route.destination.is_v6, Reverse(route.prefix_length), route.destination.bits)
}

/// Returns the best route of a table: one binary search per prefix length that occurs in it.
fn best(table: &[ExplicitRoute], ip: Ip) -> Option<&ExplicitRoute> {
    let first = table.partition_point(|route| !route.destination.is_v6 && ip.is_v6);
    let mut rest = &table[first..];
    while let Some(&ExplicitRoute { prefix_length, destination, .. }) = rest.first() {
        if destination.is_v6 != ip.is_v6 {
            return None;
        }
        let wanted = (ip.is_v6, Reverse(prefix_length), ip.network(prefix_length).bits);
        let candidate = &rest[rest.partition_point(|route| key(route) < wanted)..];
        if candidate.first().is_some_and(|route| key(route) == wanted) {
            return candidate.first();
        }
        let next = (ip.is_v6, Reverse(prefix_length));
        rest = &rest[rest.partition_point(|route| {
            (route.destination.is_v6, Reverse(route.prefix_length)) <= next
        })..];
    }
    None
}

fn expect_sound(
    fabric: &Fabric,
    addressing: &Addressing,
    index: usize,
    route: &ExplicitRoute,
) -> Result<(), RoutingError> {
    let &ExplicitRoute { node, destination, prefix_length, via, port, .. } = route;
    if !fabric.is_node(node) {
        return Err(RoutingError::UnknownNode { route: index, node });
    }
    if !fabric.ports_of(node).contains(port) {
        return Err(RoutingError::ForeignPort { route: index, node, port });
    }
    if prefix_length > destination.host_length()
        || destination.network(prefix_length) != destination
    {
        return Err(RoutingError::NotAPrefix { route: index });
    }
    let Some(address) = via else { return Ok(()) };
    let Some(gateway) = addressing.addresses().get(address) else {
        return Err(RoutingError::UnknownGateway { route: index, address });
    };
    match gateway.owner {
        Owner::Port(via) if fabric.port(via).segment == fabric.port(port).segment => Ok(()),
        _ => Err(RoutingError::GatewayElsewhere { route: index, address, port }),
    }
}
