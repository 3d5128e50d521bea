//! Tie-breaking that gives nodes an alternate: a neighbour on another port whose own path does not
//! return through them (see `fallback`).
//!
//! Method: where a node has none, some node between it and one of its neighbours moves to another
//! equally short path, if that leaves fewer nodes without. Only nodes on the old and the new path
//! of the moved node can gain or lose an alternate, so each change is judged exactly by these
//! nodes; among several the one over the node that relays least is taken. Distances do not change.
//! Where no single change helps, a node has no alternate.

use quantity::{IdTable, IdVec, OptionalId};

use crate::fabric::Fabric;
use crate::ids::{NodeId, PortId};

use super::costs::Costs;

/// The paths of all nodes to one destination.
pub(super) struct Tree<'a> {
    pub fabric: &'a Fabric,
    pub costs: &'a Costs,
    pub destination: NodeId,
    /// Costs of the paths to each node from each other.
    pub distance: &'a IdTable<NodeId, NodeId, u16>,
    /// Packets that each node relays to other destinations.
    pub relayed: &'a IdVec<NodeId, u64>,
    /// The port to which each other node hands packets for each node: none at the destination, and
    /// at a node without a path to it.
    pub next: &'a mut IdTable<NodeId, NodeId, OptionalId<PortId>>,
}

impl Tree<'_> {
    /// Changes ties until no single change leaves fewer of `nodes` without an alternate.
    pub(super) fn give_alternates(&mut self, nodes: &[NodeId]) {
        for &node in nodes {
            while !self.has_alternate(node) && self.free(node) {}
        }
    }

    /// Gives a node an alternate by another tie-break at a node whose path comes through it;
    /// returns whether one was found.
    fn free(&mut self, node: NodeId) -> bool {
        let behind: Vec<NodeId> =
            self.neighbours(node).flat_map(|neighbour| self.path_before(neighbour, node)).collect();
        behind.into_iter().any(|other| self.turn(other))
    }

    /// Moves a node to another equally short path if that leaves fewer nodes without an alternate;
    /// returns whether it did.
    fn turn(&mut self, node: NodeId) -> bool {
        let old = self.next(node);
        let mut choices: Vec<PortId> =
            self.choices(node).filter(|&port| Some(port) != old).collect();
        choices.sort_by_key(|&port| self.relayed[self.fabric.node_of(port)]);
        choices.into_iter().any(|new| {
            let mut touched: Vec<NodeId> = self.path(node).collect();
            self.set_next(node, Some(new));
            touched.extend(self.path(node));
            touched.sort_unstable();
            touched.dedup();
            let after = self.n_without(&touched);
            self.set_next(node, old);
            let is_better = after < self.n_without(&touched);
            if is_better {
                self.set_next(node, Some(new));
            }
            is_better
        })
    }

    fn n_without(&self, nodes: &[NodeId]) -> usize {
        nodes.iter().filter(|&&node| !self.has_alternate(node)).count()
    }

    /// Returns whether a node needs no alternate or has one.
    fn has_alternate(&self, node: NodeId) -> bool {
        self.next(node).is_none()
            || self.neighbours(node).any(|other| !self.comes_through(other, node))
    }

    /// Returns the nodes that share a segment with a node, other than the one its next hop is on.
    fn neighbours(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let fabric = self.fabric;
        let segment_of_next = self.next(node).map(|port| fabric.port(port).segment);
        let segments = fabric.interfaces_of(node).map(|port| fabric.port(port).segment);
        let others = segments.filter(move |&segment| Some(segment) != segment_of_next);
        let stations = others.flat_map(|segment| fabric.segment_members(segment));
        stations.map(|&port| fabric.node_of(port)).filter(move |&other| other != node)
    }

    /// Returns the ports to which a node can hand a packet on along an equally short path.
    fn choices(&self, node: NodeId) -> impl Iterator<Item = PortId> + '_ {
        let segments = self.fabric.interfaces_of(node).map(|port| self.fabric.port(port).segment);
        let stations = segments.flat_map(|segment| self.fabric.segment_members(segment));
        stations.copied().filter(move |&port| {
            let cost = self.costs.at(self.fabric.port(port).segment);
            let nearer = self.distance(node).checked_sub(cost);
            Some(self.distance(self.fabric.node_of(port))) == nearer
        })
    }

    fn comes_through(&self, node: NodeId, middle: NodeId) -> bool {
        let is_nearer = self.distance(node) < self.distance(middle);
        !is_nearer && self.path(node).any(|step| step == middle)
    }

    /// Returns the nodes on the path from a node, including it.
    fn path(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let step = |&node: &NodeId| Some(self.fabric.node_of(self.next(node)?));
        std::iter::successors(Some(node), step)
    }

    /// Returns the nodes on the path from a node, including it, up to but without `end`.
    fn path_before(&self, node: NodeId, end: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.path(node).take_while(move |&step| step != end)
    }

    fn distance(&self, node: NodeId) -> u16 {
        self.distance[(self.destination, node)]
    }

    fn next(&self, node: NodeId) -> Option<PortId> {
        self.next[(self.destination, node)].get()
    }

    fn set_next(&mut self, node: NodeId, port: Option<PortId>) {
        self.next[(self.destination, node)] = OptionalId::from(port);
    }
}
