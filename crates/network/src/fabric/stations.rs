//! Queries on segments: their stations, their use of multiple paths, and bundles.

use crate::ids::{DeviceId, PortId, SegmentId};

use super::Fabric;

impl Fabric {
    /// Returns the stations of a segment: its node ports in order of id. A bond appears by its
    /// first port.
    pub fn segment_members(&self, segment: SegmentId) -> &[PortId] {
        self.segments.members.of(segment)
    }

    /// Returns the place of a node's port among the stations of its segment, counted from 0.
    ///
    /// # Panics
    /// When the port belongs to a hub or switch.
    pub fn member_of_segment(&self, port: PortId) -> u32 {
        let member = self.segments.member_of_port[port].get();
        member.expect("a port of a node, and not of a hub or switch").get()
    }

    /// Returns whether a segment has switches and all of them forward on all shortest paths.
    pub fn is_multipath(&self, segment: SegmentId) -> bool {
        self.segments.is_multipath[segment]
    }

    /// Returns whether a device is a switch of a multipath segment.
    pub fn is_multipath_switch(&self, device: DeviceId) -> bool {
        let port = self.ports_of(device).next().filter(|_| !self.is_node(device));
        port.is_some_and(|port| self.is_multipath(self.port(port).segment))
    }

    /// Returns the leader of the bundle of `port`: the lowest port of the same hub or switch that
    /// leads to the same other hub or switch. Any other port leads itself.
    pub fn bundle(&self, port: PortId) -> PortId {
        self.segments.bundle_of_port[port]
    }
}
