//! All ways to one address: what each node does with a packet for it, and how that ends.
//!
//! A node's decision depends on the address alone, so the decisions form a graph in which each node
//! has at most one successor. Every node is followed until a known end is met, and each is visited
//! once: the cost per address is linear in the nodes, and a loop is found for what it is.

use std::fmt;

use crate::Network;
use crate::address::AddressId;
use crate::fabric::NodeId;
use crate::routing::Decision;

/// Why a packet does not arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// Some node on the way has no route.
    NoRoute,
    /// Some node on the way takes the address for one of its own segment, but it is not there.
    WrongSegment,
    /// The nodes pass it round in a circle.
    Loop,
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Lost::NoRoute => "no route",
            Lost::WrongSegment => "wrong segment",
            Lost::Loop => "loop",
        })
    }
}

/// How the way of a packet from some node ends.
pub(super) type Outcome = Result<u32, Lost>;

/// The ways from all nodes to one address.
#[derive(Debug)]
pub(super) struct Towards {
    /// What each node does.
    pub decisions: Vec<Decision>,
    /// Hops from each node (0 at the owner), or why the packet is lost.
    pub outcomes: Vec<Outcome>,
}

impl Towards {
    /// Follows the packets of all nodes to an address.
    pub fn new(network: &Network, to: AddressId) -> Towards {
        let n_nodes = network.fabric.n_nodes();
        let decisions: Vec<Decision> = (0..n_nodes).map(|node| network.decide(node, to)).collect();
        let successor = |node: NodeId| match decisions[node as usize] {
            Decision::Own => Err(Ok(0)),
            Decision::NoRoute => Err(Err(Lost::NoRoute)),
            Decision::WrongSegment => Err(Err(Lost::WrongSegment)),
            Decision::Forward(hop) => Ok(network.fabric.port(hop.via).device),
        };
        let outcomes = resolve(n_nodes, successor);
        Towards { decisions, outcomes }
    }

    /// Returns the nodes whose packets arrive, the farthest first, the owner left out.
    pub fn farthest_first(&self) -> Vec<NodeId> {
        let hops = |node: NodeId| self.outcomes[node as usize].unwrap_or(0);
        let mut nodes: Vec<NodeId> =
            (0..self.outcomes.len() as NodeId).filter(|&node| hops(node) > 0).collect();
        nodes.sort_by_key(|&node| std::cmp::Reverse(hops(node)));
        nodes
    }
}

/// Follows successors from every node to an end.
fn resolve(n_nodes: u32, successor: impl Fn(NodeId) -> Result<NodeId, Outcome>) -> Vec<Outcome> {
    let mut outcomes: Vec<Option<Outcome>> = vec![None; n_nodes as usize];
    let mut is_on_trail = vec![false; n_nodes as usize];
    let mut trail = Vec::new();
    for first in 0..n_nodes {
        let mut node = first;
        let mut end = loop {
            if let Some(known) = outcomes[node as usize] {
                break known;
            }
            if std::mem::replace(&mut is_on_trail[node as usize], true) {
                break Err(Lost::Loop);
            }
            trail.push(node);
            match successor(node) {
                Ok(next) => node = next,
                // The end lies at this node itself: the trail must not count a hop for it.
                Err(outcome) => {
                    trail.pop();
                    outcomes[node as usize] = Some(outcome);
                    break outcome;
                }
            }
        };
        for &node in trail.iter().rev() {
            end = end.map(|hops| hops + 1);
            outcomes[node as usize] = Some(end);
        }
        trail.clear();
    }
    outcomes.into_iter().map(|outcome| outcome.expect("each node was followed")).collect()
}
