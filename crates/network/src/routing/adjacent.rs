//! Networks in which some segment holds every node: one hop between any two, computed on the fly,
//! so that no table of pairs is needed, whatever the number of nodes.
//!
//! Two nodes that share several segments use the one on which a frame crosses the fewest hubs and
//! switches: in a switched mesh the common row or column. Ties are spread evenly, by a number that
//! is the same for both directions of a pair, so that both use the same segment.

use crate::address::{Addressing, Owner};
use crate::bridging::Bridging;
use crate::fabric::Fabric;
use crate::ids::{AddressId, NodeId, PortId};

use super::hop::Hop;

/// More hubs and switches than any path crosses.
const FAR: u32 = u32::MAX;

/// Hops computed from the trees of hubs and switches.
#[derive(Clone, Debug)]
pub struct Adjacent {
    bridging: Bridging,
}

impl Adjacent {
    /// Returns `None` when no segment holds every node that is plugged in.
    pub(super) fn new(fabric: &Fabric) -> Option<Adjacent> {
        let n_nodes = fabric
            .nodes()
            .filter(|&node| fabric.ports_of(node).any(|port| fabric.is_plugged(port)))
            .count();
        let holds_all = fabric.segments().any(|segment| {
            let members = fabric.segment_members(segment);
            // Members are in order of port, so those of one node are adjacent.
            let mut nodes: Vec<NodeId> = members.iter().map(|&port| fabric.node_of(port)).collect();
            nodes.dedup();
            nodes.len() == n_nodes
        });
        holds_all.then(|| Adjacent { bridging: Bridging::new(fabric) })
    }

    /// Returns the hop of node `at` to the owner of an address that is not its own.
    pub(super) fn route(
        &self,
        fabric: &Fabric,
        addressing: &Addressing,
        at: NodeId,
        to: AddressId,
    ) -> Option<Hop> {
        let address = addressing.address(to);
        let steps =
            || fabric.interfaces_of(at).flat_map(|port| steps_by(fabric, port, address.node));
        if let Owner::Port(via) = address.owner
            && let Some(hop) = steps().find(|hop| hop.via == via)
        {
            return Some(hop);
        }
        let least = steps().map(|hop| self.n_boxes(fabric, hop)).min()?;
        let shortest = || steps().filter(|&hop| self.n_boxes(fabric, hop) == least);
        shortest().nth(common_number(fabric, at, address.node) % shortest().count())
    }

    /// Returns the number of hubs and switches that a frame crosses.
    fn n_boxes(&self, fabric: &Fabric, hop: Hop) -> u32 {
        let beyond = |port: PortId| fabric.peer(port).map(|peer| fabric.port(peer).device);
        let (Some(mut a), Some(mut b)) = (beyond(hop.port), beyond(hop.via)) else { return FAR };
        if fabric.is_node(a) {
            return 0;
        }
        let mut n_boxes = 1;
        while a != b {
            let lower =
                if self.bridging.depth(a) >= self.bridging.depth(b) { &mut a } else { &mut b };
            let Some((above, _)) = self.bridging.parent(fabric, *lower) else { return FAR };
            *lower = above;
            n_boxes += 1;
        }
        n_boxes
    }
}

/// Yields the hops out of a port straight to some port of another node.
fn steps_by(fabric: &Fabric, port: PortId, to: NodeId) -> impl Iterator<Item = Hop> + '_ {
    let segment = fabric.port(port).segment;
    let vias = fabric.interfaces_of(to).filter(move |&via| fabric.port(via).segment == segment);
    vias.map(move |via| Hop { port, via })
}

/// Returns a number that is the same for both directions of a pair.
///
/// The two diagonals of a rectangle in a grid differ by one, which halves the pairs exactly; the
/// sum of the coordinates spreads the diagonals that meet at one node.
fn common_number(fabric: &Fabric, a: NodeId, b: NodeId) -> usize {
    let (a, b) = (fabric.coordinates(a), fabric.coordinates(b));
    let sum: i64 = a.iter().chain(b).map(|&at| i64::from(at)).sum();
    let mut ways = a.iter().zip(b).map(|(a, b)| b.cmp(a)).filter(|way| way.is_ne());
    let first = ways.next();
    let n_against = ways.filter(|&way| Some(way) != first).count();
    sum.unsigned_abs() as usize + n_against
}
