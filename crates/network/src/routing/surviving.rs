//! The route that remains to a node after some of its ports have lost their carrier: the best of
//! its table over a port with carrier. It answers for one node and one address;
//! `metrics::resilience` proves the cost of a failure to all pairs with the same routes.

use resilience::rerouting::Route;

use crate::Network;
use crate::ids::{AddressId, NodeId, PortId};

use super::{Hop, Routing, alternate, groups, standby};

impl Network {
    /// Returns the next hop of node `at` for a packet to `to` when only the interfaces of
    /// `has_carrier` have a carrier: the next-best route takes over, as in a kernel that ignores
    /// routes whose link is down. `with_fallback` adds the fallback routes that the routing scheme
    /// derives.
    ///
    /// `None` if no route remains, or the best one assumes the address on a segment where it is
    /// not.
    pub fn surviving_hop(
        &self,
        at: NodeId,
        to: AddressId,
        with_fallback: bool,
        has_carrier: impl Fn(PortId) -> bool,
    ) -> Option<Hop> {
        let best = self.next_hop(at, to);
        if let Some(hop) = best.filter(|hop| has_carrier(hop.port)) {
            return Some(hop);
        }
        let others = standby(self, at, to).into_iter();
        let others = others.filter(|other| best.is_none_or(|best| best.port != other.port));
        let fallback = if with_fallback { fallback(self, at, to) } else { Vec::new() };
        let left = fallback.into_iter().chain(others).find(|route| has_carrier(route.port))?;
        left.via.map(|via| Hop { port: left.port, via })
    }

    /// Returns the next hop of node `at` for a packet to `to` that came in by a port, when only the
    /// interfaces of `has_carrier` have a carrier, if the node has a table for that port with such
    /// a route; the main table counts otherwise.
    pub fn hop_behind(
        &self,
        came_by: PortId,
        at: NodeId,
        to: AddressId,
        has_carrier: impl Fn(PortId) -> bool,
    ) -> Option<Hop> {
        let tables = self.behind(at, to);
        let (_, hops) = tables.into_iter().find(|&(port, _)| port == came_by)?;
        hops.into_iter().find(|hop| has_carrier(hop.port))
    }
}

/// Returns the fallback routes of a node that serve an address; explicit tables contain their own.
fn fallback(network: &Network, at: NodeId, to: AddressId) -> Vec<Route> {
    if matches!(network.routing, Routing::Explicit(_)) {
        return Vec::new();
    }
    let route = |hop: Hop| Route { port: hop.port, via: Some(hop.via) };
    if let Some(instead) = network.instead(at, to) {
        return instead.into_iter().map(|(hop, _)| route(hop)).collect();
    }
    let decide = |node, to| network.decide(node, to);
    let subnet = &network.addressing.subnets()[network.addressing.address(to).subnet];
    let groups = groups(network, at, subnet, |to| decide(at, to));
    let group = groups.iter().find(|group| group.members.contains(&to));
    let found = group.and_then(|group| alternate(network, at, group, decide));
    found.map(|alternate| route(alternate.hop)).into_iter().collect()
}
