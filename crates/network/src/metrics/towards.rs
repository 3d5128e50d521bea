//! All paths to one address: the decision of each node for it, and the end of each path.
//!
//! A node's decision depends on the address alone, so the decisions form a graph in which each node
//! has at most one successor. Every path is followed until it meets a known end, and each node is
//! visited once: the cost per address is linear in the nodes, and loops are detected.

use quantity::IdVec;
use resilience::RouteTracer;
use serde::Serialize;

use crate::Network;
use crate::ids::{AddressId, NodeId};
use crate::routing::{Decision, Hop};

/// The reason why a packet does not arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Lost {
    /// Some node on the path has no route.
    NoRoute,
    /// Some node on the path assumes the address to be on its own segment, but it is not.
    WrongSegment,
    /// The nodes forward it in a loop.
    Loop,
}

/// The outcome of a packet from some node.
pub(super) type Outcome = Result<u32, Lost>;

/// The paths from all nodes to one address.
#[derive(Debug)]
pub(super) struct Towards {
    /// The decision of each node.
    pub decisions: IdVec<NodeId, Decision>,
    /// Hops from each node (0 at the owner), or the reason for the loss.
    pub outcomes: IdVec<NodeId, Outcome>,
}

impl Towards {
    /// Follows the packets of all nodes to an address.
    pub fn new(network: &Network, to: AddressId) -> Towards {
        Towards::given(network, to, &IdVec::new())
    }

    /// Follows the packets of all nodes to an address, with some nodes' hops known from another
    /// address of the same subnet.
    pub fn given(network: &Network, to: AddressId, hops: &IdVec<NodeId, Option<Hop>>) -> Towards {
        let decide = |node: NodeId| match hops.get(node) {
            Some(&Some(hop)) => Decision::Forward(hop),
            _ => network.decide(node, to),
        };
        let nodes = network.fabric.nodes();
        let decisions: IdVec<NodeId, Decision> = nodes.clone().map(decide).collect();
        let successor = |node: NodeId| match decisions[node] {
            Decision::Own => Err(Ok(0)),
            Decision::NoRoute => Err(Err(Lost::NoRoute)),
            Decision::WrongSegment => Err(Err(Lost::WrongSegment)),
            Decision::Forward(hop) => Ok(network.fabric.node_of(hop.via)),
        };
        let mut tracer = RouteTracer::new(network.fabric.n_nodes());
        let outcomes = nodes.map(|node| tracer.trace(node, Lost::Loop, successor)).collect();
        Towards { decisions, outcomes }
    }

    /// Returns the nodes whose packets arrive, the farthest first, without the owner.
    pub fn farthest_first(&self) -> Vec<NodeId> {
        let hops = |node: NodeId| self.outcomes[node].unwrap_or(0);
        let mut nodes: Vec<NodeId> = self.outcomes.ids().filter(|&node| hops(node) > 0).collect();
        nodes.sort_by_key(|&node| std::cmp::Reverse(hops(node)));
        nodes
    }
}
