//! The nodes that relay packets of others, by any route of any node.

use std::sync::atomic::{AtomicBool, Ordering};

use quantity::IdVec;
use rayon::prelude::*;

use crate::Network;
use crate::ids::NodeId;

use super::Route;

impl Network {
    /// Returns which nodes relay packets of others; `with_fallback` counts backup routes too.
    ///
    /// A gateway relays unless the route leads to an address of its own. The result is incomplete
    /// if `stop` is set during the count.
    pub fn relays(&self, with_fallback: bool, stop: &AtomicBool) -> IdVec<NodeId, bool> {
        let found: IdVec<NodeId, AtomicBool> =
            self.fabric.nodes().map(|_| AtomicBool::new(false)).collect();
        (0..self.fabric.n_nodes()).into_par_iter().map(NodeId::new).for_each(|node| {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            for route in self.routes_of(node, with_fallback) {
                if let Some(gateway) = self.gateway(&route)
                    && !self.ends_at(&route, gateway)
                {
                    found[gateway].store(true, Ordering::Relaxed);
                }
            }
        });
        found.into_iter().map(AtomicBool::into_inner).collect()
    }

    fn gateway(&self, route: &Route) -> Option<NodeId> {
        route.via.map(|via| self.addressing.address(via).node)
    }

    /// Returns whether a route leads to one address, which the node has.
    fn ends_at(&self, route: &Route, node: NodeId) -> bool {
        let is_of_route = |&id: &_| self.addressing.address(id).ip == route.destination;
        route.prefix_length == route.destination.host_length()
            && self.addressing.of_node(node).iter().any(is_of_route)
    }
}
