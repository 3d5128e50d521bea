//! The grid that coordinates and links form: the position of each node, the shorter direction along
//! an axis, and the port that leads there.
//!
//! The kind of an axis is read from the fabric, not from a topology's name: a segment that joins a
//! whole line of nodes makes the axis a *line* (one hop between any two, as in a P-Mesh); links
//! between neighbours make it a *chain*, and a *ring* when the last node is joined to the first. A
//! link that skips neighbours makes it a *mesh*, in which every two nodes of a line must be joined
//! (one hop between any two, as in a HyperX). An axis of two is always a line, a mesh of three a
//! ring.

use quantity::{Id, IdVec, OptionalId};

use crate::fabric::Fabric;
use crate::ids::{NodeId, PortId, SegmentId};

use super::error::RoutingError;
use super::hop::Hop;
use super::ties::Ties;

/// The connection of the nodes of a line along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Joint {
    /// Not joined (yet); final for an axis of one.
    Apart,
    /// By one segment.
    Line,
    /// Neighbour to neighbour.
    Chain,
    /// Neighbour to neighbour, and the last to the first.
    Ring,
    /// Every two by a link between them.
    Mesh,
}

/// One axis of a grid of nodes, or of groups of nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    side: i32,
    stride: usize,
    joint: Joint,
}

/// The grid nodes that a segment joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// None.
    Nowhere,
    /// One: the segment attaches a node off the grid, or its far end is not plugged in.
    One(NodeId),
    /// A whole line along `axis`; `member` is one of its nodes.
    Line {
        /// One of its nodes.
        member: NodeId,
        /// The axis along which the line extends.
        axis: usize,
    },
    /// The two ends of a link along an axis.
    Ends(NodeId, NodeId),
}

/// Nodes by position, ports by direction, segments by the grid nodes that they join.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    axes: Vec<Axis>,
    node_at: Vec<NodeId>,
    /// `[backward, forward]` port of each (node, axis); both are the same port on a line.
    ports: Vec<[OptionalId<PortId>; 2]>,
    /// For each axis that is a mesh, `side` entries per node: the port to each coordinate.
    mesh_ports: Vec<Vec<OptionalId<PortId>>>,
    reach: IdVec<SegmentId, Reach>,
    /// Tie-break of a ring; one-way ties go forward, as the papers do not specify the direction.
    pub(crate) ties: Ties,
}

impl Grid {
    /// Reads the grid from a fabric.
    pub(super) fn new(fabric: &Fabric) -> Result<Grid, RoutingError> {
        let axes = axes_of(fabric.shape());
        let node_at = place_nodes(fabric, &axes)?;
        let ports = vec![[OptionalId::none(); 2]; fabric.n_nodes() as usize * axes.len()];
        let mesh_ports = vec![Vec::new(); axes.len()];
        let (reach, ties) = (IdVec::new(), Ties::Spread);
        let mut grid = Grid { axes, node_at, ports, mesh_ports, reach, ties };
        for segment in fabric.segments() {
            let reach = grid.classify(fabric, segment)?;
            grid.reach.push(reach);
        }
        for axis in 0..grid.axes.len() {
            if grid.axes[axis].joint == Joint::Mesh {
                grid.mesh_ports[axis] = grid.mesh(fabric, axis)?;
            }
        }
        grid.expect_complete(fabric)?;
        Ok(grid)
    }

    /// Returns the side lengths, that of the first coordinate first.
    pub(crate) fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// Returns the nodes by position, row-major.
    pub(crate) fn nodes(&self) -> &[NodeId] {
        &self.node_at
    }

    /// Returns the port of a node on its switched line along an axis.
    pub(crate) fn port(&self, node: NodeId, axis: usize) -> PortId {
        self.ports[self.entry(node, axis)][0].get().expect("every node of a line has a port on it")
    }

    /// Returns the grid nodes that a segment joins.
    pub(crate) fn reach(&self, segment: SegmentId) -> Reach {
        self.reach[segment]
    }

    /// Returns the number of hops in dimension order between two nodes of the grid.
    pub(super) fn distance(&self, fabric: &Fabric, from: NodeId, to: NodeId) -> u32 {
        let (from, to) = (fabric.coordinates(from), fabric.coordinates(to));
        self.axes.iter().zip(from.iter().zip(to)).map(|(axis, (&a, &b))| axis.distance(a, b)).sum()
    }

    /// Returns the first hop in dimension order from node `at` to the position of node `to`, with
    /// the coordinate along `skip` ignored; `None` if no other coordinate differs.
    pub(super) fn step(
        &self,
        fabric: &Fabric,
        at: NodeId,
        to: NodeId,
        skip: Option<usize>,
    ) -> Option<Hop> {
        let (from, goal) = (fabric.coordinates(at), fabric.coordinates(to));
        let axis = (0..self.axes.len()).rev().find(|&k| from[k] != goal[k] && Some(k) != skip)?;
        let tie = self.ties.is_forward(from, true);
        let (way, coordinate) = self.axes[axis].step(from[axis], goal[axis], tie);
        self.hop(fabric, at, axis, (way, coordinate))
    }

    /// Returns the hop of a node in a direction (0 backward, 1 forward) along an axis, to the node
    /// at a coordinate.
    pub(crate) fn hop(
        &self,
        fabric: &Fabric,
        at: NodeId,
        axis: usize,
        (way, coordinate): (usize, i32),
    ) -> Option<Hop> {
        let next = self.beside(at, fabric.coordinates(at), axis, coordinate)?;
        let port = match self.axes[axis].joint {
            Joint::Mesh => self.mesh_ports[axis][self.mesh_entry(at, axis, coordinate)],
            _ => self.ports[self.entry(at, axis)][way],
        };
        let port = port.get().expect("the grid is complete");
        Some(Hop { port, via: self.port_on(fabric, next, fabric.port(port).segment)? })
    }

    /// Returns the node on the line of `member` along `axis` that is beside node `to`.
    pub(super) fn on_line(
        &self,
        fabric: &Fabric,
        member: NodeId,
        axis: usize,
        to: NodeId,
    ) -> Option<NodeId> {
        let coordinate = fabric.coordinates(to)[axis];
        self.beside(member, fabric.coordinates(member), axis, coordinate)
    }

    /// Returns the port of a node on a segment.
    pub(super) fn port_on(
        &self,
        fabric: &Fabric,
        node: NodeId,
        segment: SegmentId,
    ) -> Option<PortId> {
        let members = fabric.segment_members(segment);
        let mut own = fabric.ports_of(node);
        // At a node with hundreds of cables the search among the two ends of one cable is faster.
        if members.len() < own.len() {
            return members.iter().copied().find(|&port| fabric.node_of(port) == node);
        }
        own.find(|&port| fabric.port(port).segment == segment)
    }

    /// Returns whether a node is on the grid.
    pub(crate) fn contains(&self, fabric: &Fabric, node: NodeId) -> bool {
        position(&self.axes, fabric.coordinates(node)).is_some()
    }

    pub(crate) fn beside(
        &self,
        node: NodeId,
        at: &[i32],
        axis: usize,
        coordinate: i32,
    ) -> Option<NodeId> {
        let index = position(&self.axes, at)? as i64;
        let offset = i64::from(coordinate - at[axis]) * self.axes[axis].stride as i64;
        let beside = *self.node_at.get((index + offset) as usize)?;
        (beside != node).then_some(beside)
    }

    /// Finds the grid nodes that a segment joins and enters its ports.
    fn classify(&mut self, fabric: &Fabric, segment: SegmentId) -> Result<Reach, RoutingError> {
        let members: Vec<(PortId, NodeId)> = fabric
            .segment_members(segment)
            .iter()
            .map(|&port| (port, fabric.node_of(port)))
            .filter(|&(_, node)| self.contains(fabric, node))
            .collect();
        let Some(&(_, first)) = members.first() else { return Ok(Reach::Nowhere) };
        let mut nodes: Vec<NodeId> = members.iter().map(|&(_, node)| node).collect();
        nodes.sort_unstable();
        nodes.dedup();
        if nodes.len() == 1 {
            return Ok(Reach::One(first));
        }
        let irregular = RoutingError::IrregularSegment { segment };
        let axis = common_axis(fabric, &nodes).ok_or(irregular)?;
        let Axis { side, joint, .. } = self.axes[axis];
        if nodes.len() == side as usize && matches!(joint, Joint::Apart | Joint::Line) {
            self.axes[axis].joint = Joint::Line;
            for (port, node) in members {
                self.enter(node, axis, [Some(port); 2]);
            }
            return Ok(Reach::Line { member: first, axis });
        }
        let &[(port_a, a), (port_b, b)] = members.as_slice() else { return Err(irregular) };
        if joint == Joint::Line || nodes.len() == side as usize {
            return Err(irregular);
        }
        let at = |node: NodeId| fabric.coordinates(node)[axis];
        let Some(ways) = self.axes[axis].join(at(a), at(b)) else {
            self.axes[axis].joint = Joint::Mesh;
            return Ok(Reach::Ends(a, b));
        };
        for (node, port, way) in [(a, port_a, ways[0]), (b, port_b, ways[1])] {
            self.enter(node, axis, std::array::from_fn(|k| (k == way).then_some(port)));
        }
        Ok(if ways == [1, 0] { Reach::Ends(a, b) } else { Reach::Ends(b, a) })
    }

    /// The first of parallel cables counts.
    fn enter(&mut self, node: NodeId, axis: usize, ports: [Option<PortId>; 2]) {
        let entry = self.entry(node, axis);
        for (old, new) in self.ports[entry].iter_mut().zip(ports) {
            *old = OptionalId::from(old.get().or(new));
        }
    }

    fn entry(&self, node: NodeId, axis: usize) -> usize {
        node.index() * self.axes.len() + axis
    }

    fn mesh_entry(&self, node: NodeId, axis: usize, coordinate: i32) -> usize {
        node.index() * self.axes[axis].side as usize + coordinate as usize
    }

    /// Returns the port of each node to each coordinate of an axis; the first of parallel cables.
    fn mesh(&self, fabric: &Fabric, axis: usize) -> Result<Vec<OptionalId<PortId>>, RoutingError> {
        let side = self.axes[axis].side;
        let mut towards = vec![OptionalId::none(); fabric.n_nodes() as usize * side as usize];
        for (segment, &reach) in self.reach.with_ids() {
            let Reach::Ends(a, b) = reach else { continue };
            let at = |node: NodeId| fabric.coordinates(node)[axis];
            for (node, other) in [(a, b), (b, a)].into_iter().filter(|_| at(a) != at(b)) {
                let entry = &mut towards[self.mesh_entry(node, axis, at(other))];
                let port = || self.port_on(fabric, node, segment);
                *entry = OptionalId::from(entry.get().or_else(port));
            }
        }
        for &node in &self.node_at {
            let own = fabric.coordinates(node)[axis];
            let lacks = |&to: &i32| to != own && towards[self.mesh_entry(node, axis, to)].is_none();
            if let Some(to) = (0..side).find(lacks) {
                let other = self.beside(node, fabric.coordinates(node), axis, to).unwrap_or(node);
                return Err(RoutingError::MissingCable { node, other, axis: axis as u32 });
            }
        }
        Ok(towards)
    }

    fn expect_complete(&self, fabric: &Fabric) -> Result<(), RoutingError> {
        for &node in &self.node_at {
            for (k, axis) in self.axes.iter().enumerate() {
                let ports = self.ports[self.entry(node, k)];
                if axis.ways_from(fabric.coordinates(node)[k]).any(|way| ports[way].is_none()) {
                    return Err(RoutingError::MissingLink { node, axis: k as u32 });
                }
            }
        }
        Ok(())
    }
}

impl Axis {
    /// Records that two neighbours are joined; returns the direction (0 backward, 1 forward) from
    /// `a` to `b` and the one back, or `None` if they are not neighbours.
    pub(super) fn join(&mut self, a: i32, b: i32) -> Option<[usize; 2]> {
        if self.side == 2 && a != b {
            self.joint = Joint::Line;
            return Some([0, 0]);
        }
        let is_forward = match (b - a).rem_euclid(self.side) {
            1 => true,
            gap if gap == self.side - 1 => false,
            _ => return None,
        };
        let closes = is_forward != (a < b);
        self.joint = match self.joint {
            Joint::Mesh => Joint::Mesh,
            joint if closes || joint == Joint::Ring => Joint::Ring,
            _ => Joint::Chain,
        };
        Some([usize::from(is_forward), usize::from(!is_forward)])
    }

    /// Returns the directions in which a position needs links; on a line both are the same link. A
    /// mesh has no neighbours.
    pub(super) fn ways_from(&self, at: i32) -> std::ops::Range<usize> {
        match self.joint {
            _ if self.side == 1 => 0..0,
            Joint::Mesh => 0..0,
            Joint::Line | Joint::Apart => 0..1,
            Joint::Ring => 0..2,
            Joint::Chain => usize::from(at == 0)..2 - usize::from(at == self.side - 1),
        }
    }

    /// Returns the number of hops between two positions of the axis.
    pub(super) fn distance(&self, from: i32, to: i32) -> u32 {
        let ahead = (to - from).rem_euclid(self.side) as u32;
        match self.joint {
            Joint::Ring => ahead.min(self.side as u32 - ahead),
            Joint::Chain => from.abs_diff(to),
            Joint::Line | Joint::Mesh | Joint::Apart => u32::from(from != to),
        }
    }

    /// Returns the number of positions.
    pub(crate) fn side(&self) -> i32 {
        self.side
    }

    /// Returns the connection of the nodes of a line.
    pub(crate) fn joint(&self) -> Joint {
        self.joint
    }

    /// Returns the direction (0 backward, 1 forward) of the next hop and the coordinate it reaches.
    ///
    /// Half-way round a ring both directions are equally long, and `tie` selects forward or not.
    /// The choice is made once: after the first hop the direction taken is the shorter one.
    pub(super) fn step(&self, from: i32, to: i32, tie: bool) -> (usize, i32) {
        let is_forward = match self.joint {
            Joint::Line | Joint::Mesh | Joint::Apart => return (0, to),
            Joint::Chain => to > from,
            Joint::Ring => {
                let twice = 2 * (to - from).rem_euclid(self.side);
                twice < self.side || (twice == self.side && tie)
            }
        };
        let step = if is_forward { 1 } else { -1 };
        (usize::from(is_forward), (from + step).rem_euclid(self.side))
    }
}

/// Returns the axes of a shape, with no nodes joined yet.
pub(super) fn axes_of(shape: &[u32]) -> Vec<Axis> {
    let mut stride = 1usize;
    let mut axes: Vec<Axis> = shape
        .iter()
        .rev()
        .map(|&side| {
            let axis = Axis { side: side as i32, stride, joint: Joint::Apart };
            stride = stride.saturating_mul(side as usize);
            axis
        })
        .collect();
    axes.reverse();
    axes
}

/// Returns the node at each position, row-major.
pub(super) fn place_nodes(fabric: &Fabric, axes: &[Axis]) -> Result<Vec<NodeId>, RoutingError> {
    let is_placed = |&node: &NodeId| position(axes, fabric.coordinates(node)).is_some();
    let nodes = fabric.nodes().filter(is_placed).count() as u32;
    let positions =
        fabric.shape().iter().fold(1u64, |product, &side| product.saturating_mul(side.into()));
    if u64::from(nodes) != positions || axes.is_empty() {
        return Err(RoutingError::NotAGrid { positions, nodes });
    }
    let mut node_at = vec![None; nodes as usize];
    for node in fabric.nodes() {
        let Some(index) = position(axes, fabric.coordinates(node)) else { continue };
        if let Some(first) = node_at[index].replace(node) {
            return Err(RoutingError::PositionTaken { first, second: node });
        }
    }
    Ok(node_at.into_iter().flatten().collect())
}

/// Returns the row-major index of a position; `None` off the grid. Coordinates beyond the axes are
/// ignored.
pub(super) fn position(axes: &[Axis], coordinates: &[i32]) -> Option<usize> {
    axes.iter().zip(coordinates).try_fold(0, |index, (axis, &at)| {
        (0..axis.side).contains(&at).then(|| index + at as usize * axis.stride)
    })
}

/// Returns the one axis along which the nodes differ.
fn common_axis(fabric: &Fabric, nodes: &[NodeId]) -> Option<usize> {
    let first = fabric.coordinates(nodes[0]);
    let mut common = None;
    for &node in &nodes[1..] {
        let other = fabric.coordinates(node);
        let mut axes = (0..first.len()).filter(|&k| first[k] != other[k]);
        let axis = axes.next()?;
        if axes.next().is_some() || common.is_some_and(|known| known != axis) {
            return None;
        }
        common = Some(axis);
    }
    common
}
