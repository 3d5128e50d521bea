//! Who shares a broadcast domain, and which parallel links between two switches act as one.
//!
//! Both are derived from the ports and links once, when the fabric is built.

use std::collections::BTreeMap;

use super::{DeviceId, DeviceKind, Fabric, PortId, SegmentId, SwitchModel};

/// Mark of a hub's or switch's port, which is no station of its segment.
const NO_STATION: u32 = u32::MAX;

/// The stations of each segment, whether its switches use all paths, and the leader of each port's
/// bundle.
#[derive(Clone, Debug, Default)]
pub(super) struct Segments {
    start: Vec<u32>,
    members: Vec<PortId>,
    member_of_port: Vec<u32>,
    bundle_of_port: Vec<PortId>,
    is_multipath: Vec<bool>,
}

impl Segments {
    /// Collects the stations and bundles of a fabric whose segments are numbered.
    pub(super) fn of(fabric: &Fabric, n_segments: u32) -> Segments {
        let ports = fabric.ports();
        let stations =
            || (0..ports.len() as PortId).filter(|&id| fabric.is_node(fabric.port(id).device));
        let interfaces = || stations().filter(|&id| fabric.interface(id) == id);
        let mut start = vec![0u32; n_segments as usize + 1];
        for port in interfaces() {
            start[ports[port as usize].segment as usize + 1] += 1;
        }
        for segment in 0..n_segments as usize {
            start[segment + 1] += start[segment];
        }
        let mut next = start.clone();
        let mut members = vec![0; *start.last().unwrap_or(&0) as usize];
        let mut member_of_port = vec![NO_STATION; ports.len()];
        for port in interfaces() {
            let segment = ports[port as usize].segment as usize;
            member_of_port[port as usize] = next[segment] - start[segment];
            members[next[segment] as usize] = port;
            next[segment] += 1;
        }
        // The ports of a bond share its place, as they share one hardware address.
        for port in stations() {
            member_of_port[port as usize] = member_of_port[fabric.interface(port) as usize];
        }
        let is_multipath = multipath_segments(fabric, n_segments);
        let bundle_of_port = bundles(fabric, &is_multipath);
        Segments { start, members, member_of_port, bundle_of_port, is_multipath }
    }
}

/// Returns of which segments all devices between the nodes are multipath switches.
fn multipath_segments(fabric: &Fabric, n_segments: u32) -> Vec<bool> {
    let (mut has, mut lacks) = (vec![false; n_segments as usize], vec![false; n_segments as usize]);
    for port in fabric.ports().iter().filter(|port| !fabric.is_node(port.device)) {
        let is_one = matches!(
            fabric.kind(port.device),
            DeviceKind::Switch(SwitchModel { is_multipath: true, .. })
        );
        (if is_one { &mut has } else { &mut lacks })[port.segment as usize] = true;
    }
    has.into_iter().zip(lacks).map(|(has, lacks)| has && !lacks).collect()
}

/// Returns for each port the lowest port of its device that leads to the same hub or switch. To
/// multipath switches parallel links are paths of their own, so there each port leads itself.
fn bundles(fabric: &Fabric, is_multipath: &[bool]) -> Vec<PortId> {
    let mut leaders: BTreeMap<(DeviceId, DeviceId), PortId> = BTreeMap::new();
    (0..)
        .zip(fabric.ports())
        .map(|(id, port)| match fabric.peer(id).map(|peer| fabric.port(peer).device) {
            _ if is_multipath[port.segment as usize] => id,
            Some(other) if !fabric.is_node(port.device) && !fabric.is_node(other) => {
                *leaders.entry((port.device, other)).or_insert(id)
            }
            _ => id,
        })
        .collect()
}

impl Fabric {
    /// Returns the node ports of a segment, in order of id: its stations. The first port of a bond
    /// stands for all.
    pub fn segment_members(&self, segment: SegmentId) -> &[PortId] {
        let Segments { start, members, .. } = &self.segments;
        &members[start[segment as usize] as usize..start[segment as usize + 1] as usize]
    }

    /// Returns the place of a node's port among the stations of its segment, counted from 0.
    ///
    /// # Panics
    /// When the port belongs to a hub or switch.
    pub fn member_of_segment(&self, port: PortId) -> u32 {
        let member = self.segments.member_of_port[port as usize];
        assert!(member != NO_STATION, "port {port} belongs to a hub or switch");
        member
    }

    /// Returns whether the switches of a segment, of which there is one at least, all forward on
    /// all shortest paths.
    pub fn is_multipath(&self, segment: SegmentId) -> bool {
        self.segments.is_multipath[segment as usize]
    }

    /// Returns whether a device is a switch of such a segment.
    pub fn is_multipath_switch(&self, device: DeviceId) -> bool {
        let port = self.ports_of(device).next().filter(|_| !self.is_node(device));
        port.is_some_and(|port| self.is_multipath(self.port(port).segment))
    }

    /// Returns the leader of the bundle `port` is part of: the lowest port of the same hub or
    /// switch that leads to the same other hub or switch. Any other port leads itself.
    pub fn bundle(&self, port: PortId) -> PortId {
        self.segments.bundle_of_port[port as usize]
    }
}
