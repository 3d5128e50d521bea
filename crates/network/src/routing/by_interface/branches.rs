//! The routes of all nodes to one destination as a tree: the next node of each is its parent. The
//! cables outside the tree are its chords.

use quantity::{IdVec, OptionalId};

use crate::fabric::Fabric;
use crate::ids::{NodeId, PortId};

/// A node without a path to the destination.
const FAR: u32 = u32::MAX;

/// The tree of the routes to a destination.
pub(crate) struct Branches<'a> {
    fabric: &'a Fabric,
    /// The port of each node's route.
    up: IdVec<NodeId, OptionalId<PortId>>,
    depth: IdVec<NodeId, u32>,
    /// The nodes with a path, each behind its parent.
    pub order: Vec<NodeId>,
}

impl<'a> Branches<'a> {
    /// Arranges the routes to a node, given the port of each node's route.
    pub fn new(
        fabric: &'a Fabric,
        to: NodeId,
        route: impl Fn(NodeId) -> Option<PortId>,
    ) -> Branches<'a> {
        let up = fabric.nodes().map(|node| OptionalId::from(route(node))).collect();
        let depth = IdVec::filled(FAR, fabric.n_nodes());
        let mut branches = Branches { fabric, up, depth, order: vec![to] };
        branches.depth[to] = 0;
        let mut next = 0;
        while let Some(&node) = branches.order.get(next) {
            next += 1;
            for port in fabric.ports_of(node) {
                let child = fabric.peer(port).filter(|&peer| branches.is_up(peer));
                if let Some(child) = child.map(|peer| fabric.node_of(peer)) {
                    branches.depth[child] = branches.depth[node] + 1;
                    branches.order.push(child);
                }
            }
        }
        branches
    }

    fn is_up(&self, port: PortId) -> bool {
        self.up[self.fabric.node_of(port)].get() == Some(port)
    }

    /// Returns the hops from a node to the destination.
    pub fn depth(&self, node: NodeId) -> u32 {
        self.depth[node]
    }

    /// Returns the parent of a node that is not the destination.
    pub fn parent(&self, node: NodeId) -> NodeId {
        let port = self.up[node].get().expect("a route");
        self.fabric.node_of(self.fabric.peer(port).expect("a cable"))
    }

    /// Returns the port of a node's route.
    pub fn up(&self, node: NodeId) -> OptionalId<PortId> {
        self.up[node]
    }

    /// Returns the port of a node's parent that leads to it.
    pub fn port_down_to(&self, node: NodeId) -> PortId {
        let port = self.up[node].get().expect("a route");
        self.fabric.peer(port).expect("a cable")
    }

    /// Returns the two ports of each cable that no route uses and that joins nodes with a path.
    pub fn chords(&self) -> impl Iterator<Item = [PortId; 2]> {
        let ends = self.fabric.links().iter().map(|link| [link.a, link.b]);
        ends.filter(|ports| {
            ports
                .iter()
                .all(|&port| !self.is_up(port) && self.depth[self.fabric.node_of(port)] != FAR)
        })
    }

    /// Returns the lowest common ancestor of two nodes, and its children on the way to each; none
    /// for a node that is the ancestor itself.
    pub fn meeting(&self, a: NodeId, b: NodeId) -> (NodeId, [Option<NodeId>; 2]) {
        let (mut at, mut below) = ([a, b], [None, None]);
        while at[0] != at[1] {
            let deeper = usize::from(self.depth(at[1]) > self.depth(at[0]));
            below[deeper] = Some(at[deeper]);
            at[deeper] = self.parent(at[deeper]);
        }
        (at[0], below)
    }
}
