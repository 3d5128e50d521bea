//! The routes of a node as a table, as an operator enters it and a kernel looks it up. The
//! addresses that share a route are found in `groups`.

use crate::Network;
use crate::address::{Ip, Owner, Subnet};
use crate::ids::{AddressId, NodeId, PortId};

use super::Routing;
use super::explicit::ExplicitRoute;
use super::fallback::{Alternate, alternate};
use super::groups::{Group, groups, shared_hop};
use super::hop::Hop;

/// The metric of a primary route; fallback routes have a larger one.
const PRIMARY: u32 = 1;

/// One line of a node's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    /// The first address of the destination prefix.
    pub destination: Ip,
    /// Length of the prefix.
    pub prefix_length: u8,
    /// The gateway's address on the segment; `None` if it has none of that family, or none is
    /// needed.
    pub via: Option<AddressId>,
    /// The port by which the route leaves.
    pub port: PortId,
    /// The metric; a lower one wins.
    pub metric: u32,
    /// The incoming port whose packets use the route, before those of the main table; `None` for a
    /// route of the main table.
    pub table: Option<PortId>,
}

impl Network {
    /// Returns the routes of a node in order of destination, without connected subnets;
    /// `with_fallback` lists behind each route its fallback, if there is one, which takes over when
    /// the link loses its carrier and has a larger metric.
    ///
    /// Routes by incoming interface follow those of the main table. Explicit tables are listed as
    /// given, the longest prefixes first.
    pub fn routes_of(&self, node: NodeId, with_fallback: bool) -> Vec<Route> {
        if let Routing::Explicit(tables) = &self.routing {
            return tables.routes_of(node).iter().map(Route::given).collect();
        }
        let mut listing = Listing { network: self, node, with_fallback, routes: Vec::new() };
        for subnet in self.addressing.subnets() {
            listing.add_subnet(subnet);
        }
        listing.routes
    }
}

impl Route {
    fn given(route: &ExplicitRoute) -> Route {
        let &ExplicitRoute { destination, prefix_length, via, port, metric, .. } = route;
        Route { destination, prefix_length, via, port, metric, table: None }
    }
}

struct Listing<'a> {
    network: &'a Network,
    node: NodeId,
    with_fallback: bool,
    routes: Vec<Route>,
}

impl Listing<'_> {
    fn add_subnet(&mut self, subnet: &Subnet) {
        let (network, node) = (self.network, self.node);
        if let Some(hop) = shared_hop(network, node, subnet) {
            let prefix = (subnet.first, subnet.prefix_length);
            self.add(&Group { prefix, hop, members: subnet.members.clone() });
            return;
        }
        for group in groups(network, node, subnet, |id| network.decide(node, id)) {
            self.add(&group);
        }
    }

    fn add(&mut self, group: &Group) {
        let (network, node) = (self.network, self.node);
        self.routes.push(self.route(group.prefix, group.hop, PRIMARY));
        if !self.with_fallback {
            return;
        }
        if let Some(instead) = network.instead(node, group.members[0]) {
            for (hop, more) in instead {
                self.routes.push(self.route(group.prefix, hop, PRIMARY + more));
            }
            for (port, hops) in network.behind(node, group.members[0]) {
                for (hop, metric) in hops.into_iter().zip(PRIMARY..) {
                    let route = self.route(group.prefix, hop, metric);
                    self.routes.push(Route { table: Some(port), ..route });
                }
            }
            return;
        }
        let decide = |node, to| network.decide(node, to);
        if let Some(Alternate { hop, extra_hops }) = alternate(network, node, group, decide) {
            self.routes.push(self.route(group.prefix, hop, PRIMARY + extra_hops));
        }
    }

    fn route(&self, (destination, prefix_length): (Ip, u8), hop: Hop, metric: u32) -> Route {
        let addressing = &self.network.addressing;
        let gateway = self.network.fabric.node_of(hop.via);
        let via = addressing.of_node(gateway).iter().copied().find(|&id| {
            let address = addressing.address(id);
            address.owner == Owner::Port(hop.via) && address.ip.is_v6 == destination.is_v6
        });
        Route { destination, prefix_length, via, port: hop.port, metric, table: None }
    }
}
