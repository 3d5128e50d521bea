//! Trees for several cuts: as many arc-disjoint spanning trees to a destination as every node has
//! cables, tried against all sets of cuts.
//!
//! No tree uses a channel that another uses, so that the incoming port names the tree of a packet.
//! A node sends it on along that tree, or, where the port is dead, along the next one in turn. The
//! routes are a tree of their own, whose branches at the destination are dealt out: each spanning
//! tree begins with some of them, so that the routes stay as they are. A search with retreats gives
//! every node a port for each of the other trees. Circular trees are due to Chiesa and others (On
//! the resiliency of static forwarding tables, 2017), who prove what they survive in general; here
//! every set of cuts is tried, and another set of trees taken until none loses a packet.

use quantity::{IdVec, OptionalId};

use crate::fabric::Fabric;
use crate::ids::{LinkId, NodeId, PortId};

use super::branches::Branches;

/// Sets of trees tried for one destination.
const TRIES: u64 = 400;
/// Steps of the search for one set of trees.
const MOST_STEPS: u32 = 20_000;

/// The trees to one destination.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trees {
    n_trees: usize,
    /// The port of each node for each tree: entry `node * n_trees + tree`.
    out: Vec<OptionalId<PortId>>,
    /// The tree of each node's route.
    own: IdVec<NodeId, u8>,
}

impl Trees {
    /// Returns trees with which no packet is lost to any `n_cuts` cut cables, if some are found.
    pub fn surviving(fabric: &Fabric, branches: &Branches<'_>, n_cuts: u32) -> Option<Trees> {
        let mut tries = (0..TRIES).filter_map(|seed| Search::new(fabric, branches, seed).run());
        tries.find(|trees| trees.survives(fabric, branches, &mut Vec::new(), n_cuts))
    }

    /// Returns the ports of a node for packets of a tree, the tree's own first.
    fn ports_from(&self, node: NodeId, tree: usize) -> impl Iterator<Item = PortId> {
        let first = quantity::Id::index(node) * self.n_trees;
        let turn = (0..self.n_trees).map(move |turn| first + (tree + turn) % self.n_trees);
        turn.filter_map(|entry| self.out[entry].get())
    }

    /// Returns the ports of a node for its own packets, that of the route first.
    pub fn ports(&self, node: NodeId) -> impl Iterator<Item = PortId> {
        self.ports_from(node, usize::from(self.own[node]))
    }

    /// Returns the ports of a node for packets that come in by a port, if a tree comes in by it.
    pub fn ports_behind(&self, fabric: &Fabric, port: PortId) -> Option<Vec<PortId>> {
        let tree = self.tree_of(fabric, port)?;
        Some(self.ports_from(fabric.node_of(port), tree).collect())
    }

    /// Returns whether packets that come in by a port are in the tree of the node's own route.
    pub fn is_own(&self, fabric: &Fabric, port: PortId) -> bool {
        self.tree_of(fabric, port) == Some(usize::from(self.own[fabric.node_of(port)]))
    }

    fn tree_of(&self, fabric: &Fabric, port: PortId) -> Option<usize> {
        let from = fabric.peer(port)?;
        let first = quantity::Id::index(fabric.node_of(from)) * self.n_trees;
        self.out[first..first + self.n_trees].iter().position(|out| out.get() == Some(from))
    }

    /// Returns whether all packets arrive after any `n_more` cuts besides those in `dead`.
    fn survives(
        &self,
        fabric: &Fabric,
        branches: &Branches<'_>,
        dead: &mut Vec<LinkId>,
        n_more: u32,
    ) -> bool {
        if n_more == 0 {
            return branches.order[1..]
                .iter()
                .all(|&from| self.arrives(fabric, branches, from, dead));
        }
        let next = dead.last().map_or(0, |link| link.get() + 1);
        (next..fabric.links().n()).all(|link| {
            dead.push(LinkId::new(link));
            let survives = self.survives(fabric, branches, dead, n_more - 1);
            dead.pop();
            survives
        })
    }

    fn arrives(
        &self,
        fabric: &Fabric,
        branches: &Branches<'_>,
        from: NodeId,
        dead: &[LinkId],
    ) -> bool {
        let (mut node, mut tree) = (from, usize::from(self.own[from]));
        // A packet that passes more channels than there are has passed one twice.
        for _ in 0..2 * fabric.links().len() {
            if node == branches.order[0] {
                return true;
            }
            let is_alive =
                |&port: &PortId| fabric.port(port).link.is_some_and(|link| !dead.contains(&link));
            let Some(port) = self.ports_from(node, tree).find(is_alive) else { return false };
            let Some(via) = fabric.peer(port) else { return false };
            tree = self.tree_of(fabric, via).expect("a channel of a tree");
            node = fabric.node_of(via);
        }
        false
    }
}

/// The search for one set of trees.
struct Search<'a> {
    fabric: &'a Fabric,
    branches: &'a Branches<'a>,
    seed: u64,
    n_steps: u32,
    trees: Trees,
}

impl<'a> Search<'a> {
    fn new(fabric: &'a Fabric, branches: &'a Branches<'a>, seed: u64) -> Search<'a> {
        let n_cables = |node: &NodeId| {
            fabric.ports_of(*node).filter(|&port| fabric.peer(port).is_some()).count()
        };
        let n_trees = branches.order.iter().map(n_cables).min().unwrap_or(0);
        let out = vec![OptionalId::none(); n_trees * fabric.n_nodes() as usize];
        let own = IdVec::filled(0, fabric.n_nodes());
        let trees = Trees { n_trees, out, own };
        Search { fabric, branches, seed, n_steps: 0, trees }
    }

    /// Returns a set of trees, if one is found in time.
    fn run(mut self) -> Option<Trees> {
        if self.trees.n_trees == 0 {
            return None;
        }
        self.deal_branches();
        self.assign(0, 0).then_some(self.trees)
    }

    /// Gives each branch of the routes to a tree, in an order that the seed chooses.
    fn deal_branches(&mut self) {
        let root = self.branches.order[0];
        let mut first: Vec<NodeId> = self.branches.order[1..].to_vec();
        first.retain(|&node| self.branches.parent(node) == root);
        first.sort_by_key(|&node| mixed(self.seed, u64::from(node.get())));
        for (place, &node) in first.iter().enumerate() {
            self.trees.own[node] = (place % self.trees.n_trees) as u8;
        }
        for &node in &self.branches.order[1..] {
            let parent = self.branches.parent(node);
            if parent != root {
                self.trees.own[node] = self.trees.own[parent];
            }
            let entry = self.entry(node, usize::from(self.trees.own[node]));
            self.trees.out[entry] = self.branches.up(node);
        }
    }

    /// Gives the nodes from one place on a port for each tree, beginning with `tree` at the first;
    /// returns whether that is possible.
    fn assign(&mut self, place: usize, tree: usize) -> bool {
        let Some(&node) = self.branches.order[1..].get(place) else { return true };
        if tree == self.trees.n_trees {
            return self.assign(place + 1, 0);
        }
        let entry = self.entry(node, tree);
        if tree == usize::from(self.trees.own[node]) {
            return self.assign(place, tree + 1);
        }
        self.n_steps += 1;
        if self.n_steps > MOST_STEPS {
            return false;
        }
        for port in self.free_ports(node) {
            self.trees.out[entry] = OptionalId::from(port);
            if !self.closes_circle(node, tree) && self.assign(place, tree + 1) {
                return true;
            }
            self.trees.out[entry] = OptionalId::none();
        }
        false
    }

    /// Returns the ports of a node that no tree uses, those towards the destination first.
    fn free_ports(&self, node: NodeId) -> Vec<PortId> {
        let first = self.entry(node, 0);
        let used = &self.trees.out[first..first + self.trees.n_trees];
        let is_free = |port: &PortId| !used.contains(&OptionalId::from(*port));
        let mut ports: Vec<PortId> = self.fabric.ports_of(node).filter(is_free).collect();
        ports.retain(|&port| self.fabric.peer(port).is_some());
        ports.sort_by_key(|&port| {
            let peer = self.fabric.node_of(self.fabric.peer(port).expect("a cable"));
            (self.branches.depth(peer), mixed(self.seed, u64::from(port.get())))
        });
        ports
    }

    fn closes_circle(&self, node: NodeId, tree: usize) -> bool {
        let step = |&at: &NodeId| {
            let port = self.trees.out[self.entry(at, tree)].get()?;
            self.fabric.peer(port).map(|via| self.fabric.node_of(via))
        };
        std::iter::successors(step(&node), step).any(|at| at == node)
    }

    fn entry(&self, node: NodeId, tree: usize) -> usize {
        quantity::Id::index(node) * self.trees.n_trees + tree
    }
}

/// Returns a number without visible order (SplitMix64), for ties that the seed breaks.
fn mixed(seed: u64, value: u64) -> u64 {
    let mut z = (seed << 32 ^ value).wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
