//! Traces of packets to one address. The next hop depends on the address alone, so that each node
//! has at most one successor: every node is visited once, and a loop is recognised.

use quantity::IdVec;

use crate::NodeId;

/// The action of a node: it hands the packet on, or ends the trace with a number of hops to go.
pub type Next<L> = Result<NodeId, Result<u32, L>>;

/// Follows packets to their ends and remembers these. `L` is the reason for a lost packet.
#[derive(Debug)]
pub struct RouteTracer<L> {
    ends: IdVec<NodeId, Option<Result<u32, L>>>,
    is_on_trail: IdVec<NodeId, bool>,
    trail: Vec<NodeId>,
    /// The nodes whose ends are known, each behind the one it hands on to and together with it.
    visited: Vec<(NodeId, Option<NodeId>)>,
}

impl<L: Copy> RouteTracer<L> {
    /// Returns a tracer without any known end.
    pub fn new(n_nodes: u32) -> RouteTracer<L> {
        let (ends, is_on_trail) = (IdVec::filled(None, n_nodes), IdVec::filled(false, n_nodes));
        RouteTracer { ends, is_on_trail, trail: Vec::new(), visited: Vec::new() }
    }

    /// Returns the hops of a packet from node `first`, or the reason for its loss; `looped` is the
    /// reason given for a loop.
    pub fn trace(
        &mut self,
        first: NodeId,
        looped: L,
        successor: impl Fn(NodeId) -> Next<L>,
    ) -> Result<u32, L> {
        let mut node = first;
        let mut end = loop {
            if let Some(known) = self.ends[node] {
                break known;
            }
            if std::mem::replace(&mut self.is_on_trail[node], true) {
                break Err(looped);
            }
            match successor(node) {
                Ok(next) => {
                    self.trail.push(node);
                    node = next;
                }
                // The trace ends at this node itself, which must not count as a hop.
                Err(end) => {
                    self.ends[node] = Some(end);
                    self.visited.push((node, None));
                    break end;
                }
            }
        };
        while let Some(on_trail) = self.trail.pop() {
            end = end.map(|hops| hops + 1);
            self.ends[on_trail] = Some(end);
            self.visited.push((on_trail, Some(node)));
            node = on_trail;
        }
        end
    }

    /// Returns the nodes whose ends are known, each before the one it hands on to and together with
    /// it, and whether its packets arrive.
    pub fn farthest_first(&self) -> impl Iterator<Item = (NodeId, Option<NodeId>, bool)> {
        let arrives = |node: NodeId| matches!(self.ends[node], Some(Ok(_)));
        self.visited.iter().rev().map(move |&(node, next)| (node, next, arrives(node)))
    }

    /// Forgets all ends.
    pub fn clear(&mut self) {
        for (node, _) in self.visited.drain(..) {
            self.ends[node] = None;
            self.is_on_trail[node] = false;
        }
    }
}
