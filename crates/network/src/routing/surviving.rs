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
        let fallback = if with_fallback { fallback(self, at, to) } else { None };
        let left = fallback.into_iter().chain(others).find(|route| has_carrier(route.port))?;
        left.via.map(|via| Hop { port: left.port, via })
    }

    /// Returns the next hop of node `at` for a packet to `to` that came in by a port, if the node
    /// has a table for that port with a route to it; the main table counts otherwise.
    pub fn hop_behind(&self, came_by: PortId, at: NodeId, to: AddressId) -> Option<Hop> {
        let detour = self.detour(at, to)?;
        let route = self.next_hop(at, to).filter(|route| route.port == came_by)?;
        debug_assert_eq!(self.fabric.node_of(route.port), at);
        detour.returned(&self.fabric)
    }
}

/// Returns the fallback route of a node that serves an address; explicit tables contain their own.
fn fallback(network: &Network, at: NodeId, to: AddressId) -> Option<Route> {
    if matches!(network.routing, Routing::Explicit(_)) {
        return None;
    }
    let route = |hop: Hop| Route { port: hop.port, via: Some(hop.via) };
    if let Some(detour) = network.detour(at, to) {
        return detour.instead(&network.fabric).map(route);
    }
    let decide = |node, to| network.decide(node, to);
    let subnet = &network.addressing.subnets()[network.addressing.address(to).subnet];
    let groups = groups(network, at, subnet, |to| decide(at, to));
    let group = groups.iter().find(|group| group.members.contains(&to))?;
    alternate(network, at, group, decide).map(|alternate| route(alternate.hop))
}
