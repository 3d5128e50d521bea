//! One destination: the routes of all nodes to it, and the tree that the best of them form in the
//! whole network, arranged so that the nodes routed through any one node are a contiguous range.
//!
//! A node may have tables for the packets that come in by some ports, which it asks before its main
//! one. In the whole network no packet is routed by them: they serve those that a failure sends
//! back.

use quantity::{Id, IdVec};

use crate::{NodeId, PlaceId, PortId, ResidualFabric, RouteTracer, Wiring};

/// A route of one node for a destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    /// The port by which packets leave.
    pub port: PortId,
    /// The port that receives them; `None` where the route takes the destination to be on the wire
    /// and it is not.
    pub via: Option<PortId>,
}

/// The routes of all nodes to one address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoutesTo {
    /// The node that has the address.
    pub owner: NodeId,
    /// The routes of node n are `routes[start[n]..start[n + 1]]`, the best first.
    pub start: Vec<u32>,
    /// The routes of all nodes.
    pub routes: Vec<Route>,
    /// The routes by which packets leave that came in by some ports, in order of these; for each
    /// port the best first.
    pub by_port: Vec<(PortId, Route)>,
}

quantity::id! {
    /// Index of a destination in the caller's list.
    pub DestinationId;
}

/// A destination: an address of a node.
#[derive(Clone, Debug)]
pub struct Destination {
    /// The caller's number for the destination.
    pub id: u32,
    /// The node that has the address.
    pub owner: NodeId,
    given: RoutesTo,
    /// Hops from each node over the best routes; `None` where its packets do not arrive.
    hops: IdVec<NodeId, Option<u32>>,
    /// The nodes whose packets arrive, the owner first, each followed by all nodes routed through
    /// it.
    pub(super) order: Vec<NodeId>,
    /// For each node, the range of `order` with itself and all nodes routed through it.
    through: IdVec<NodeId, (u32, u32)>,
    /// The nodes whose packets do not arrive even in the whole network.
    pub(super) strays: Vec<NodeId>,
}

impl Destination {
    /// Prepares a destination, given the routes of all nodes.
    pub fn new(wiring: &Wiring, id: u32, given: RoutesTo) -> Destination {
        debug_assert!(given.by_port.is_sorted_by_key(|&(port, _)| port));
        let (n, owner) = (wiring.n_nodes(), given.owner);
        let mut to = Destination {
            id,
            owner,
            given,
            hops: IdVec::filled(None, n),
            order: Vec::new(),
            through: IdVec::filled((0, 0), n),
            strays: Vec::new(),
        };
        let mut tracer = RouteTracer::new(wiring.n_nodes());
        let successor = |node| match to.next(wiring, node) {
            Some(next) => Ok(next),
            None if node == owner => Err(Ok(0)),
            None => Err(Err(())),
        };
        to.hops = NodeId::first(n).map(|node| tracer.trace(node, (), successor).ok()).collect();
        let is_stray = |&node: &NodeId| to.hops(node).is_none();
        to.strays = NodeId::first(n).filter(is_stray).collect();
        to.arrange(wiring);
        to
    }

    /// Sorts the nodes into `order`, and finds the range of each.
    fn arrange(&mut self, wiring: &Wiring) {
        let n = self.hops.n();
        let mut nearest_first: Vec<NodeId> =
            NodeId::first(n).filter(|&node| self.hops(node) > Some(0)).collect();
        nearest_first.sort_by_key(|&node| self.hops(node));
        let mut size = IdVec::filled(1u32, n);
        for &node in nearest_first.iter().rev() {
            let next = self.next(wiring, node).expect("its packets arrive");
            size[next] += size[node];
        }
        // Each node's range begins where the one before it under the same next node ends.
        let mut free = IdVec::filled(1u32, n);
        self.through[self.owner] = (0, size[self.owner]);
        self.order = vec![self.owner; nearest_first.len() + 1];
        for &node in &nearest_first {
            let next = self.next(wiring, node).expect("its packets arrive");
            let first = free[next];
            free[next] += size[node];
            free[node] = first + 1;
            self.through[node] = (first, first + size[node]);
            self.order[first as usize] = node;
        }
    }

    /// Returns the routes of a node, the best first.
    pub fn routes(&self, node: NodeId) -> &[Route] {
        let RoutesTo { start, routes, .. } = &self.given;
        &routes[start[node.index()] as usize..start[node.index() + 1] as usize]
    }

    /// Returns the routes of a node for packets that came in by a port, before those of its main
    /// table.
    fn routes_behind(&self, port: PortId) -> impl Iterator<Item = Route> {
        let by_port = &self.given.by_port;
        let first = by_port.partition_point(|&(other, _)| other < port);
        let of_port = by_port[first..].iter().take_while(move |&&(other, _)| other == port);
        of_port.map(|&(_, route)| route)
    }

    /// Returns the place of a packet that comes in by a port.
    pub fn place(&self, wiring: &Wiring, port: PortId) -> PlaceId {
        match self.routes_behind(port).next() {
            Some(_) => wiring.place_behind(port),
            None => wiring.node_of(port).into(),
        }
    }

    /// Returns the best route of a node, where it leads to another node.
    pub(super) fn best(&self, node: NodeId) -> Option<(PortId, PortId)> {
        self.routes(node).first().and_then(|route| Some((route.port, route.via?)))
    }

    /// Returns the next node after a node in the whole network.
    pub(super) fn next(&self, wiring: &Wiring, node: NodeId) -> Option<NodeId> {
        self.best(node).map(|(_, via)| wiring.node_of(via))
    }

    /// Returns the hops from a node over the best routes; `None` where its packets do not arrive.
    pub fn hops(&self, node: NodeId) -> Option<u32> {
        self.hops[node]
    }

    /// Returns the range of `order` with a node and all nodes routed through it; `None` where its
    /// own packets do not arrive.
    pub(super) fn through(&self, node: NodeId) -> Option<(u32, u32)> {
        self.hops(node).map(|_| self.through[node])
    }
}

/// Returns the route of packets at a node after a failure, which came in by a port if one is given:
/// the best one whose port has carrier.
pub fn current_route(
    to: &Destination,
    residual: &ResidualFabric,
    (node, came_by): (NodeId, Option<PortId>),
) -> Option<Route> {
    let first = came_by.into_iter().flat_map(|port| to.routes_behind(port));
    let mut routes = first.chain(to.routes(node).iter().copied());
    routes.find(|route| residual.has_carrier(route.port))
}
