//! Stack rings and stack meshes: groups of nodes on a grid, and between each two neighbouring
//! groups a segment common to all their nodes [STACK-2001].
//!
//! Groups are the positions on all axes but the last, which counts places inside a group; nodes
//! beyond the last place only forward. A packet crosses the groups in dimension order, the shorter
//! way round; node x of a group hands it to node x of the next ("node x forwards for node x"), or
//! to forwarder x mod f if the next group has f of them, and the last one to the destination's own
//! port. So groups D apart take max(D, 1) - 1 forwards, whatever the address. The connections
//! between groups are read from the fabric.

use quantity::{Id, IdVec};

use crate::address::Addressing;
use crate::fabric::Fabric;
use crate::ids::{AddressId, NodeId, PortId, SegmentId};

use super::error::RoutingError;
use super::grid::{Axis, axes_of, place_nodes, position};
use super::hop::Hop;
use super::ties::Ties;

quantity::id! {
    /// Index of a group, row-major.
    pub(crate) GroupId;
}

/// Routes computed from coordinates; holds one entry per node and segment, no table of pairs.
#[derive(Clone, Debug)]
pub struct Stack {
    pub(super) axes: Vec<Axis>,
    pub(super) n_places: u32,
    pub(super) groups: IdVec<GroupId, Group>,
    /// The two groups of each segment.
    joined: IdVec<SegmentId, Option<[GroupId; 2]>>,
    /// Tie-break of a ring; a one-way tie goes W, backward [STACK-2001, erratum 9].
    pub(super) ties: Ties,
}

/// The members and links of a group.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) coordinates: Vec<i32>,
    pub(super) nodes: Vec<NodeId>,
    /// Nodes that only forward; they relay all packets that cross the group.
    pub(super) forwarders: Vec<NodeId>,
    /// The segment and the group behind it, `[backward, forward]` along each axis.
    pub(super) beside: Vec<[Option<(SegmentId, GroupId)>; 2]>,
}

impl Stack {
    pub(super) fn new(fabric: &Fabric) -> Result<Stack, RoutingError> {
        let (&n_places, sides) = match fabric.shape().split_last() {
            Some((n_places, sides)) if sides.iter().any(|&side| side > 1) => (n_places, sides),
            _ => return Err(RoutingError::NoGroups),
        };
        let mut stack = Stack {
            axes: axes_of(sides),
            n_places,
            groups: groups_of(fabric, n_places)?,
            joined: IdVec::new(),
            ties: Ties::Spread,
        };
        stack.place_forwarders(fabric);
        for segment in fabric.segments() {
            let joined = stack.join(fabric, segment)?;
            stack.joined.push(joined);
        }
        stack.expect_complete()?;
        Ok(stack)
    }

    pub(super) fn with_ties(self, ties: Ties) -> Stack {
        Stack { ties, ..self }
    }

    /// Returns the hop of node `at` towards an address that is neither its own nor connected.
    pub(super) fn route(
        &self,
        fabric: &Fabric,
        addressing: &Addressing,
        at: NodeId,
        to: AddressId,
    ) -> Option<Hop> {
        let owner = addressing.address(to).node;
        self.straight(fabric, at, owner).or_else(|| match self.group_of(fabric, at) {
            None => self.enter(fabric, at, owner),
            Some(group) => {
                let goal = self.goal(fabric, group, owner)?;
                let (segment, next) = self.ahead(fabric.coordinates(at), group, goal)?;
                hand(fabric, at, segment, self.relay(next, self.place_of(fabric, at)))
            }
        })
    }

    /// Returns the hop to a node on a common segment; several common segments are shared out among
    /// pairs of nodes.
    fn straight(&self, fabric: &Fabric, at: NodeId, owner: NodeId) -> Option<Hop> {
        let shared = || {
            fabric.ports_of(at).filter_map(|port| {
                let via = port_on(fabric, owner, fabric.port(port).segment)?;
                Some(Hop { port, via })
            })
        };
        let n_shared = shared().count();
        let pair = self.place_of(fabric, at) + self.place_of(fabric, owner);
        shared().nth(pair % n_shared.max(1))
    }

    /// Returns the hop of a node off the grid: to the nearest group that it shares a segment with,
    /// and there to the relay for the owner's place.
    fn enter(&self, fabric: &Fabric, at: NodeId, owner: NodeId) -> Option<Hop> {
        let entries = self.attachments(fabric, at).filter_map(|(segment, group)| {
            let goal = self.goal(fabric, group, owner)?;
            Some((self.distance(group, goal), segment, group))
        });
        let (_, segment, group) = entries.min_by_key(|&(distance, ..)| distance)?;
        hand(fabric, at, segment, self.relay(group, self.place_of(fabric, owner)))
    }

    /// Returns the group of a node; for a node off the grid, the nearest that it shares a segment
    /// with.
    fn goal(&self, fabric: &Fabric, from: GroupId, node: NodeId) -> Option<GroupId> {
        self.group_of(fabric, node).or_else(|| {
            let groups = self.attachments(fabric, node).map(|(_, group)| group);
            groups.min_by_key(|&group| self.distance(from, group))
        })
    }

    /// Returns whether a segment joins a group to the next, or attaches a node to it.
    pub(crate) fn joins(&self, segment: SegmentId, group: GroupId) -> bool {
        self.joined[segment].is_some_and(|groups| groups.contains(&group))
    }

    fn attachments(
        &self,
        fabric: &Fabric,
        node: NodeId,
    ) -> impl Iterator<Item = (SegmentId, GroupId)> {
        fabric.ports_of(node).flat_map(|port| {
            let segment = fabric.port(port).segment;
            self.joined[segment].into_iter().flatten().map(move |group| (segment, group))
        })
    }

    fn distance(&self, from: GroupId, to: GroupId) -> u32 {
        let places = self.groups[from].coordinates.iter().zip(&self.groups[to].coordinates);
        self.axes.iter().zip(places).map(|(axis, (&a, &b))| axis.distance(a, b)).sum()
    }

    /// Returns the next group in dimension order for a node in group `at`, and the segment that
    /// leads there.
    fn ahead(&self, at: &[i32], from: GroupId, goal: GroupId) -> Option<(SegmentId, GroupId)> {
        let there = &self.groups[goal].coordinates;
        let axis = (0..self.axes.len()).rev().find(|&k| at[k] != there[k])?;
        let (way, _) = self.axes[axis].step(at[axis], there[axis], self.ties.is_forward(at, false));
        self.groups[from].beside[axis][way]
    }

    /// Returns the node of a group that receives packets from, or for, nodes at a place.
    fn relay(&self, group: GroupId, place: usize) -> NodeId {
        let relays = self.groups[group].relays();
        relays[place % relays.len()]
    }

    pub(crate) fn group_of(&self, fabric: &Fabric, node: NodeId) -> Option<GroupId> {
        let coordinates = fabric.coordinates(node);
        let place = position(&self.axes, coordinates);
        place.filter(|_| coordinates[self.axes.len()] >= 0).map(GroupId::from_index)
    }

    /// Returns the number of nodes with a place in a group, without those that only forward.
    pub(crate) fn n_compute(&self) -> usize {
        self.groups.len() * self.n_places as usize
    }

    /// Returns whether a node has a place in a group and is not a forwarder.
    pub(crate) fn has_place(&self, fabric: &Fabric, node: NodeId) -> bool {
        (0..self.n_places as i32).contains(&fabric.coordinates(node)[self.axes.len()])
    }

    /// Returns the place of a node in its group; forwarders have their number, nodes off the grid
    /// the first place.
    pub(super) fn place_of(&self, fabric: &Fabric, node: NodeId) -> usize {
        let place = fabric.coordinates(node)[self.axes.len()].max(0) as u32;
        place.checked_sub(self.n_places).unwrap_or(place) as usize
    }
}

impl Group {
    /// Returns the nodes that relay packets crossing the group.
    pub(super) fn relays(&self) -> &[NodeId] {
        if self.forwarders.is_empty() { &self.nodes } else { &self.forwarders }
    }
}

/// Reading the fabric.
impl Stack {
    fn place_forwarders(&mut self, fabric: &Fabric) {
        for node in fabric.nodes() {
            let is_beyond = fabric.coordinates(node)[self.axes.len()] >= self.n_places as i32;
            if let Some(group) = self.group_of(fabric, node).filter(|_| is_beyond) {
                self.groups[group].forwarders.push(node);
            }
        }
    }

    /// Finds the groups that a segment joins, all nodes of which it must hold, and enters it in
    /// both.
    fn join(
        &mut self,
        fabric: &Fabric,
        segment: SegmentId,
    ) -> Result<Option<[GroupId; 2]>, RoutingError> {
        let stations = fabric.segment_members(segment).iter().map(|&port| fabric.node_of(port));
        let mut found: Vec<GroupId> =
            stations.filter_map(|node| self.group_of(fabric, node)).collect();
        found.sort_unstable();
        found.dedup();
        let (a, b) = match *found.as_slice() {
            [] => return Ok(None),
            // A node off the grid, or a port without a cable.
            [group] => return Ok(Some([group, group])),
            [a, b] => (a, b),
            _ => return Err(RoutingError::IrregularStack { segment }),
        };
        let irregular = RoutingError::IrregularStack { segment };
        let mut of_both = [a, b].into_iter().flat_map(|group| &self.groups[group].nodes);
        if of_both.any(|&node| port_on(fabric, node, segment).is_none()) {
            return Err(irregular);
        }
        let [at_a, at_b] = [a, b].map(|group| self.groups[group].coordinates.clone());
        let mut differing = (0..self.axes.len()).filter(|&k| at_a[k] != at_b[k]);
        let (Some(axis), None) = (differing.next(), differing.next()) else {
            return Err(irregular);
        };
        let ways = self.axes[axis].join(at_a[axis], at_b[axis]).ok_or(irregular)?;
        for (from, way, to) in [(a, ways[0], b), (b, ways[1], a)] {
            self.groups[from].beside[axis][way].get_or_insert((segment, to));
        }
        Ok(Some([a, b]))
    }

    /// Checks that every group is joined to those beside it.
    fn expect_complete(&self) -> Result<(), RoutingError> {
        for group in &self.groups {
            for (k, axis) in self.axes.iter().enumerate() {
                let mut ways = axis.ways_from(group.coordinates[k]);
                if ways.any(|way| group.beside[k][way].is_none()) {
                    return Err(RoutingError::MissingLink { node: group.nodes[0], axis: k as u32 });
                }
            }
        }
        Ok(())
    }
}

/// Returns the groups of a fabric, row-major, not joined yet.
fn groups_of(fabric: &Fabric, n_places: u32) -> Result<IdVec<GroupId, Group>, RoutingError> {
    let node_at = place_nodes(fabric, &axes_of(fabric.shape()))?;
    let n_axes = fabric.shape().len() - 1;
    let group = |nodes: &[NodeId]| Group {
        coordinates: fabric.coordinates(nodes[0])[..n_axes].to_vec(),
        nodes: nodes.to_vec(),
        forwarders: Vec::new(),
        beside: vec![[None; 2]; n_axes],
    };
    Ok(node_at.chunks(n_places.max(1) as usize).map(group).collect())
}

pub(super) fn port_on(fabric: &Fabric, node: NodeId, segment: SegmentId) -> Option<PortId> {
    fabric.ports_of(node).find(|&port| fabric.port(port).segment == segment)
}

fn hand(fabric: &Fabric, at: NodeId, segment: SegmentId, to: NodeId) -> Option<Hop> {
    Some(Hop { port: port_on(fabric, at, segment)?, via: port_on(fabric, to, segment)? })
}
