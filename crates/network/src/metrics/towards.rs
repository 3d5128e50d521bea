//! All ways to one address: what each node does with a packet for it, and how that ends.
//!
//! A node's decision depends on the address alone, so the decisions form a graph in which each node
//! has at most one successor. Every node is followed until a known end is met, and each is visited
//! once: the cost per address is linear in the nodes, and a loop is found for what it is.

use serde::Serialize;

use crate::Network;
use crate::address::AddressId;
use crate::fabric::NodeId;
use crate::routing::{Decision, Hop};

/// Why a packet does not arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Lost {
    /// Some node on the way has no route.
    NoRoute,
    /// Some node on the way takes the address for one of its own segment, but it is not there.
    WrongSegment,
    /// The nodes pass it round in a circle.
    Loop,
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
        Towards::given(network, to, &[])
    }

    /// Follows them where some nodes' hops are known from another address of the same subnet.
    pub fn given(network: &Network, to: AddressId, hops: &[Option<Hop>]) -> Towards {
        let n_nodes = network.fabric.n_nodes();
        let decide = |node: NodeId| match hops.get(node as usize) {
            Some(&Some(hop)) => Decision::Forward(hop),
            _ => network.decide(node, to),
        };
        let decisions: Vec<Decision> = (0..n_nodes).map(decide).collect();
        let successor = |node: NodeId| match decisions[node as usize] {
            Decision::Own => Err(Ok(0)),
            Decision::NoRoute => Err(Err(Lost::NoRoute)),
            Decision::WrongSegment => Err(Err(Lost::WrongSegment)),
            Decision::Forward(hop) => Ok(network.fabric.port(hop.via).device),
        };
        let mut follower = Follower::new(n_nodes);
        let outcomes =
            (0..n_nodes).map(|node| follower.follow(node, Lost::Loop, successor)).collect();
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

/// What a node does next: hands the packet on, or ends its way with so many hops to go.
pub(super) type Next<L> = Result<NodeId, Result<u32, L>>;

/// Follows packets to their ends and remembers the ends, so that each node is visited once. `L`
/// says why a packet is lost.
#[derive(Debug)]
pub(super) struct Follower<L> {
    ends: Vec<Option<Result<u32, L>>>,
    is_on_trail: Vec<bool>,
    trail: Vec<NodeId>,
    /// The nodes whose ends are known, each behind the one it hands on to and together with it.
    visited: Vec<(NodeId, Option<NodeId>)>,
}

impl<L: Copy> Follower<L> {
    /// Returns one that knows no end yet.
    pub fn new(n_nodes: u32) -> Follower<L> {
        let n = n_nodes as usize;
        let (trail, visited) = (Vec::new(), Vec::new());
        Follower { ends: vec![None; n], is_on_trail: vec![false; n], trail, visited }
    }

    /// Returns how the way of a packet from node `first` ends; `looped` is the end of a circle.
    pub fn follow(
        &mut self,
        first: NodeId,
        looped: L,
        successor: impl Fn(NodeId) -> Next<L>,
    ) -> Result<u32, L> {
        let mut node = first;
        let mut end = loop {
            if let Some(known) = self.ends[node as usize] {
                break known;
            }
            if std::mem::replace(&mut self.is_on_trail[node as usize], true) {
                break Err(looped);
            }
            match successor(node) {
                Ok(next) => {
                    self.trail.push(node);
                    node = next;
                }
                // The end lies at this node itself: the trail must not count a hop for it.
                Err(end) => {
                    self.ends[node as usize] = Some(end);
                    self.visited.push((node, None));
                    break end;
                }
            }
        };
        while let Some(on_trail) = self.trail.pop() {
            end = end.map(|hops| hops + 1);
            self.ends[on_trail as usize] = Some(end);
            self.visited.push((on_trail, Some(node)));
            node = on_trail;
        }
        end
    }

    /// Returns the nodes whose ends are known, each before the one it hands on to and together with
    /// it, and whether its packets arrive.
    pub fn farthest_first(&self) -> impl Iterator<Item = (NodeId, Option<NodeId>, bool)> {
        let arrives = |node: NodeId| matches!(self.ends[node as usize], Some(Ok(_)));
        self.visited.iter().rev().map(move |&(node, next)| (node, next, arrives(node)))
    }

    /// Forgets all ends.
    pub fn clear(&mut self) {
        for (node, _) in self.visited.drain(..) {
            self.ends[node as usize] = None;
            self.is_on_trail[node as usize] = false;
        }
    }
}
