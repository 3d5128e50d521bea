//! What a failure leaves of the fabric: the ports that still have carrier, which of them a frame
//! still joins, and which nodes some path of forwarding nodes still joins.
//!
//! Hubs and switches join whatever a living link joins: where links close a loop, the spanning tree
//! that such a network needs anyway is taken to open another one.

use crate::fabric::{Fabric, LinkId, NodeId, PortId, SegmentId};

/// Mark of a port without carrier.
const DEAD: u32 = u32::MAX;
/// Mark of a port that was not looked at.
const WHOLE: u32 = u32::MAX - 1;

/// The parts into which the segments of a failure fall; reused over failures.
#[derive(Debug)]
pub(super) struct Remains<'a> {
    fabric: &'a Fabric,
    /// The part of each port: `WHOLE` in the segments that the failure does not touch.
    part: Vec<u32>,
    n_parts: u32,
    /// The segments of the dead links, in order.
    segments: Vec<SegmentId>,
    /// Ports whose part is not `WHOLE`.
    touched: Vec<PortId>,
}

impl<'a> Remains<'a> {
    /// Returns the whole fabric.
    pub fn new(fabric: &'a Fabric) -> Remains<'a> {
        let part = fabric.ports().iter().map(|port| port.link.map_or(DEAD, |_| WHOLE)).collect();
        Remains { fabric, part, n_parts: 0, segments: Vec::new(), touched: Vec::new() }
    }

    /// Replaces the failure by that of some links.
    pub fn fail(&mut self, dead: &[LinkId]) {
        for port in self.touched.drain(..) {
            self.part[port as usize] = WHOLE;
        }
        self.segments.clear();
        self.n_parts = 0;
        for &link in dead {
            self.kill(link);
        }
        self.segments.sort_unstable();
        self.segments.dedup();
        // Every part that is no longer whole begins beside a dead link, or is what a station sees.
        let mut stack = Vec::new();
        for index in 0..self.segments.len() {
            let stations = self.fabric.segment_members(self.segments[index]).iter();
            for first in stations.flat_map(|&port| self.fabric.interface_ports(port)) {
                if self.part[first as usize] == WHOLE {
                    stack.push(first);
                    self.spread(&mut stack);
                    self.n_parts += 1;
                }
            }
        }
    }

    fn kill(&mut self, link: LinkId) {
        let link = self.fabric.links()[link as usize];
        self.segments.push(self.fabric.port(link.a).segment);
        for port in [link.a, link.b] {
            self.part[port as usize] = DEAD;
            self.touched.push(port);
        }
    }

    /// Enters in the next part all that living links join to the ports on the stack.
    fn spread(&mut self, stack: &mut Vec<PortId>) {
        while let Some(port) = stack.pop() {
            if self.part[port as usize] != WHOLE {
                continue;
            }
            self.part[port as usize] = self.n_parts;
            self.touched.push(port);
            stack.extend(self.fabric.peer(port));
            let device = self.fabric.port(port).device;
            if !self.fabric.is_node(device) {
                stack.extend(self.fabric.ports_of(device));
            }
        }
    }

    /// Returns the segments that lost a link, in order of id.
    pub fn segments(&self) -> &[SegmentId] {
        &self.segments
    }

    /// Returns whether some port of an interface has carrier.
    pub fn has_carrier(&self, port: PortId) -> bool {
        self.live_ports(port).next().is_some()
    }

    /// Returns whether all frames get from one interface of a segment to another. A bond sends by
    /// every port that has carrier, whether or not it still leads to the other interface.
    pub fn joins(&self, from: PortId, to: PortId) -> bool {
        let leads = |from: PortId| {
            let part = self.part[from as usize];
            let other = self.fabric.on_wire(from, to);
            other.is_some_and(|to| self.part[to as usize] == part)
        };
        self.has_carrier(from) && self.live_ports(from).all(leads)
    }

    fn live_ports(&self, port: PortId) -> impl Iterator<Item = PortId> {
        let ports = self.fabric.interface_ports(port);
        ports.filter(|&port| self.part[port as usize] != DEAD)
    }

    /// Returns for each node the mark of its component: nodes of one mark are joined by some path
    /// of forwarding nodes.
    pub fn components(&self) -> Vec<u32> {
        let n_segments = self.fabric.n_segments();
        let place = |port: PortId| match self.part[port as usize] {
            DEAD => None,
            WHOLE => Some(self.fabric.port(port).segment),
            part => Some(n_segments + part),
        };
        let stations = || {
            (0..self.fabric.n_nodes()).flat_map(|node| {
                self.fabric.ports_of(node).filter_map(move |port| Some((node, place(port)?)))
            })
        };
        let mut nodes_at: Vec<Vec<NodeId>> = vec![Vec::new(); (n_segments + self.n_parts) as usize];
        stations().for_each(|(node, place)| nodes_at[place as usize].push(node));
        let mut component = vec![DEAD; self.fabric.n_nodes() as usize];
        let mut stack = Vec::new();
        for first in 0..self.fabric.n_nodes() {
            stack.push(first);
            while let Some(node) = stack.pop() {
                if component[node as usize] != DEAD {
                    continue;
                }
                component[node as usize] = first;
                for place in self.fabric.ports_of(node).filter_map(place) {
                    stack.append(&mut nodes_at[place as usize]);
                }
            }
        }
        component
    }
}
