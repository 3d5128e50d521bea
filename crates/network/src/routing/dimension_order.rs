//! Dimension order: one coordinate is corrected after the other, from the last axis on, the shorter
//! way round.
//!
//! For an address on a subnet that joins several nodes, the route leads to the nearest of them, and
//! the connected subnet makes the last hop. On a P-Mesh this corrects every coordinate that differs
//! except the one along the line of the address [PMESH, errata 2], so that each of a node's
//! addresses is at most d - 1 forwards away. Nodes off the grid (a front end) are reached, and
//! reach others, through the segment that they are attached to.

use crate::address::{Addressing, Owner};
use crate::fabric::Fabric;
use crate::ids::{AddressId, NodeId, SegmentId};

use super::connected;
use super::error::RoutingError;
use super::grid::{Grid, Reach};
use super::hop::Hop;
use super::ties::Ties;

/// Routes computed from coordinates; holds one entry per port and segment, no table of pairs.
#[derive(Clone, Debug)]
pub struct DimensionOrder {
    grid: Grid,
}

impl DimensionOrder {
    pub(super) fn new(fabric: &Fabric) -> Result<DimensionOrder, RoutingError> {
        Ok(DimensionOrder { grid: Grid::new(fabric)? })
    }

    pub(super) fn with_ties(mut self, ties: Ties) -> DimensionOrder {
        self.grid.ties = ties;
        self
    }

    /// Returns the grid that the coordinates form.
    pub(crate) fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns the hop of node `at` towards an address that is neither its own nor connected.
    pub(super) fn route(
        &self,
        fabric: &Fabric,
        addressing: &Addressing,
        at: NodeId,
        to: AddressId,
    ) -> Option<Hop> {
        let address = addressing.address(to);
        let goal = self.goal(fabric, address.owner, address.node);
        if !self.grid.contains(fabric, at) {
            return connected::shared_segment(fabric, at, address.node)
                .or_else(|| self.enter_grid(fabric, at, address.node, goal));
        }
        let step = match goal {
            Reach::Nowhere => return None,
            Reach::One(node) => self.grid.step(fabric, at, node, None),
            Reach::Line { member, axis } => self.grid.step(fabric, at, member, Some(axis)),
            Reach::Ends(a, b) => {
                let end = self.nearer_end(fabric, at, (a, b), address.node);
                self.grid.step(fabric, at, end, None)
            }
        };
        step.or_else(|| connected::shared_segment(fabric, at, address.node))
    }

    /// Returns the hop of a node of the grid towards all addresses on a line that it is not on.
    pub(super) fn to_line(&self, fabric: &Fabric, at: NodeId, segment: SegmentId) -> Option<Hop> {
        match self.grid.reach(segment) {
            Reach::Line { member, axis } if self.grid.contains(fabric, at) => {
                self.grid.step(fabric, at, member, Some(axis))
            }
            _ => None,
        }
    }

    /// Returns the grid nodes that are one hop from the owner of an address.
    fn goal(&self, fabric: &Fabric, owner: Owner, node: NodeId) -> Reach {
        match owner {
            Owner::Port(port) => match self.grid.reach(fabric.port(port).segment) {
                Reach::Nowhere => self.attachment(fabric, node),
                reach => reach,
            },
            Owner::Loopback(_) if self.grid.contains(fabric, node) => Reach::One(node),
            Owner::Loopback(_) => self.attachment(fabric, node),
        }
    }

    /// Returns the grid nodes that a node off the grid shares a segment with.
    fn attachment(&self, fabric: &Fabric, node: NodeId) -> Reach {
        let reaches = fabric.ports_of(node).map(|p| self.grid.reach(fabric.port(p).segment));
        reaches.into_iter().find(|&reach| reach != Reach::Nowhere).unwrap_or(Reach::Nowhere)
    }

    /// Returns the nearer end of a link; the owner if both are equally far, so that each address of
    /// the link is reached on a shortest path.
    fn nearer_end(
        &self,
        fabric: &Fabric,
        at: NodeId,
        (a, b): (NodeId, NodeId),
        owner: NodeId,
    ) -> NodeId {
        let to_a = self.grid.distance(fabric, at, a);
        let to_b = self.grid.distance(fabric, at, b);
        match to_a.cmp(&to_b) {
            std::cmp::Ordering::Less => a,
            std::cmp::Ordering::Greater => b,
            std::cmp::Ordering::Equal => [a, b].into_iter().find(|&end| end == owner).unwrap_or(a),
        }
    }

    /// Returns the hop of a node off the grid onto it: on a line, to the node beside the owner,
    /// which saves a forward; elsewhere to the node that it is attached to.
    fn enter_grid(&self, fabric: &Fabric, at: NodeId, owner: NodeId, goal: Reach) -> Option<Hop> {
        let near = match goal {
            _ if self.grid.contains(fabric, owner) => owner,
            Reach::One(node) | Reach::Line { member: node, .. } | Reach::Ends(node, _) => node,
            Reach::Nowhere => return None,
        };
        fabric.ports_of(at).find_map(|port| {
            let segment = fabric.port(port).segment;
            let gateway = match self.grid.reach(segment) {
                Reach::Nowhere => return None,
                Reach::One(node) | Reach::Ends(node, _) => node,
                Reach::Line { member, axis } => {
                    self.grid.on_line(fabric, member, axis, near).unwrap_or(member)
                }
            };
            Some(Hop { port, via: self.grid.port_on(fabric, gateway, segment)? })
        })
    }
}
