//! The route that is left to a node when ports of it have lost their carrier: the best of its table
//! whose port has it. One node and one address; what a failure costs all pairs is proved in
//! `metrics::rerouting`, which prepares the same routes for all of them.

use resilience::rerouting::Route;

use crate::Network;
use crate::ids::{AddressId, NodeId, PortId};

use super::{Hop, Routing, alternate, groups, standby};

impl Network {
    /// Returns where node `at` sends a packet for `to` when only the interfaces that `has_carrier`
    /// names have it: the next-best route takes over, as in a kernel that ignores routes whose link
    /// is down. `with_fallback` says whether the nodes have the fallback routes that the routing
    /// scheme derives.
    ///
    /// `None` where there is no route left, or the best one takes the address to be on a segment
    /// where it is not.
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
}

/// Returns the fallback route of a node that serves an address; explicit tables bring their own.
fn fallback(network: &Network, at: NodeId, to: AddressId) -> Option<Route> {
    if matches!(network.routing, Routing::Explicit(_)) {
        return None;
    }
    let decide = |node, to| network.decide(node, to);
    let subnet = &network.addressing.subnets()[network.addressing.address(to).subnet];
    let groups = groups(network, at, subnet, |to| decide(at, to));
    let group = groups.iter().find(|group| group.members.contains(&to))?;
    let hop = alternate(network, at, group, decide)?.hop;
    Some(Route { port: hop.port, via: Some(hop.via) })
}
