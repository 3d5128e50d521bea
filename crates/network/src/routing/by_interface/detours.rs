//! The detours of all nodes for one destination.
//!
//! The routes are a tree (`branches`); a chord is a cable that no route uses. When the cable from a
//! node u to its parent is cut, a packet at u, or anywhere below it, has to leave the subtree of u
//! by a chord whose other end is outside: from there the routes avoid the cut. So u hands the
//! packet *down* the tree, each node below recognises it by the port, hands it further down, and
//! the end of the chord sends it across. On the way down a node knows only that the cut is above
//! it, not where. It suffices that its chord leaves the subtree of the topmost node that sends
//! packets down through it: the chord's *level*, by the depth of the lowest common ancestor of its
//! ends, has to be less than the *bound* of that node. The bound of a node is the least of those of
//! the nodes above that use it, and some chord below it satisfies it, namely that of the node
//! above. Each packet goes down, across, and up by routes, so it arrives, and does not loop.
//!
//! A dead node cuts several cables at once, and packets of one of its subtrees may cross into
//! another. So chords that leave the subtree of the parent too are preferred, and then those into a
//! subtree of lower rank, which is the number of subtrees to cross until such a chord: packets
//! cross in falling order, and arrive wherever the network without the node is connected.
//!
//! Among the chords below a bound the shortest way wins, then the lowest ports.

use std::collections::VecDeque;

use quantity::{IdVec, OptionalId};

use crate::fabric::Fabric;
use crate::ids::{NodeId, PortId};

use super::branches::Branches;

/// The rank of a subtree whose packets reach no chord without its parent.
const UNRANKED: u32 = u32::MAX;

/// The ports of one node for packets to one destination when a cable is cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Detour {
    /// The port instead of the one of the route, when that has no carrier; none if no path is left.
    pub instead: OptionalId<PortId>,
    /// The hops by that port beyond those of the route, at least one.
    pub extra_hops: u32,
    /// The port for packets that come back by the port of the route; none if no node sends any.
    pub returned: OptionalId<PortId>,
}

/// A way out of the subtree of a node.
#[derive(Clone, Copy, Debug)]
struct Escape {
    /// Twice the depth of the common ancestor of the chord's ends, plus one unless it crosses into
    /// a subtree of lower rank.
    level: u32,
    /// Hops from the destination to one end, across, and back to the destination.
    n_hops: u32,
    /// The node's port towards the chord.
    port: PortId,
    /// The chord's inner end.
    chord: PortId,
    /// The child below which the chord begins; none at the chord's own node.
    below: Option<NodeId>,
}

/// The detours for one destination.
pub(super) struct Detours<'a> {
    branches: &'a Branches<'a>,
    rank: IdVec<NodeId, u32>,
    /// The escapes of each node, none longer than one of a lower level.
    escapes: IdVec<NodeId, Vec<Escape>>,
}

impl<'a> Detours<'a> {
    /// Finds the escapes of all nodes.
    pub fn new(fabric: &'a Fabric, branches: &'a Branches<'a>) -> Detours<'a> {
        let n_nodes = fabric.n_nodes();
        let rank = ranks(fabric, branches);
        let mut detours = Detours { branches, rank, escapes: IdVec::filled(Vec::new(), n_nodes) };
        for [a, b] in branches.chords() {
            detours.add([a, b].map(|port| (port, fabric.node_of(port))));
        }
        detours
    }

    /// Adds a chord to the escapes of all nodes between its ends and their common ancestor.
    fn add(&mut self, ends: [(PortId, NodeId); 2]) {
        let branches = self.branches;
        let (top, below) = branches.meeting(ends[0].1, ends[1].1);
        let rank = below.map(|child| child.map_or(UNRANKED, |child| self.rank[child]));
        let n_hops = branches.depth(ends[0].1) + 1 + branches.depth(ends[1].1);
        for (side, &(chord, first)) in ends.iter().enumerate() {
            let is_falling = rank[1 - side] < rank[side];
            let level = 2 * branches.depth(top) + u32::from(!is_falling);
            let (mut node, mut port, mut below) = (first, chord, None);
            while node != top {
                keep(&mut self.escapes[node], Escape { level, n_hops, port, chord, below });
                (port, below) = (branches.port_down_to(node), Some(node));
                node = branches.parent(node);
            }
        }
    }

    /// Writes the detour of each node.
    pub fn write(&self, row: &mut [Detour]) {
        let branches = self.branches;
        // The bound of each node that gets packets back; zero stands for none.
        let mut bound: IdVec<NodeId, u32> = IdVec::filled(0, row.len() as u32);
        for &node in &branches.order[1..] {
            let parent = 2 * (branches.depth(node) - 1);
            let bounds = [parent, parent + 1, parent + 2].into_iter();
            let instead = bounds.filter_map(|most| Some((self.best(node, most)?, most))).next();
            let returned = self.best(node, bound[node]).map(|escape| (escape, bound[node]));
            for (escape, most) in instead.into_iter().chain(returned) {
                if let Some(child) = escape.below {
                    let most = if bound[child] == 0 { most } else { most.min(bound[child]) };
                    bound[child] = most;
                }
            }
            let port = |escape: Option<(Escape, u32)>| {
                escape.map_or_else(OptionalId::none, |(escape, _)| OptionalId::from(escape.port))
            };
            let extra = |(escape, _): (Escape, u32)| {
                escape.n_hops.saturating_sub(2 * branches.depth(node)).max(1)
            };
            row[quantity::Id::index(node)] = Detour {
                instead: port(instead),
                extra_hops: instead.map_or(0, extra),
                returned: port(returned),
            };
        }
    }

    /// Returns the shortest escape of a node with a level below a bound.
    fn best(&self, node: NodeId, bound: u32) -> Option<Escape> {
        let below = self.escapes[node].iter().filter(|escape| escape.level < bound);
        below.copied().min_by_key(|escape| (escape.n_hops, escape.port, escape.chord))
    }
}

/// Keeps an escape if no other of its level or a lower one is as good, and drops those that it
/// betters.
fn keep(escapes: &mut Vec<Escape>, new: Escape) {
    let key = |escape: &Escape| (escape.n_hops, escape.port, escape.chord);
    if escapes.iter().any(|old| old.level <= new.level && key(old) <= key(&new)) {
        return;
    }
    escapes.retain(|old| old.level < new.level || key(old) < key(&new));
    escapes.push(new);
}

/// Returns the rank of each subtree when the parent of its topmost node is dead: the number of
/// other subtrees of the parent that packets cross until a chord leads out of all of them.
fn ranks(fabric: &Fabric, branches: &Branches<'_>) -> IdVec<NodeId, u32> {
    let n_nodes = fabric.n_nodes();
    let mut rank = IdVec::filled(UNRANKED, n_nodes);
    let mut beside: IdVec<NodeId, Vec<NodeId>> = IdVec::filled(Vec::new(), n_nodes);
    // The least depth of the common ancestor of a chord below each node.
    let mut least = IdVec::filled(u32::MAX, n_nodes);
    for ends in branches.chords() {
        let nodes = ends.map(|port| fabric.node_of(port));
        let (top, below) = branches.meeting(nodes[0], nodes[1]);
        for node in nodes {
            least[node] = branches.depth(top).min(least[node]);
        }
        if let [Some(a), Some(b)] = below {
            beside[a].push(b);
            beside[b].push(a);
        }
    }
    let mut queue = VecDeque::new();
    for &node in branches.order[1..].iter().rev() {
        let parent = branches.parent(node);
        least[parent] = least[parent].min(least[node]);
        if least[node] < branches.depth(parent) {
            rank[node] = 0;
            queue.push_back(node);
        }
    }
    while let Some(node) = queue.pop_front() {
        for &other in &beside[node] {
            if rank[other] == UNRANKED {
                rank[other] = rank[node] + 1;
                queue.push_back(other);
            }
        }
    }
    rank
}
