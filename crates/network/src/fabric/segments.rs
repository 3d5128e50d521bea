//! Who shares a broadcast domain, and which parallel links between two switches act as one.
//!
//! Both are derived from the ports and links once, when the fabric is built.

use std::collections::BTreeMap;

use crate::ids::{DeviceId, PortId, SegmentId};

use super::bonds::Bonds;
use super::cabling::Cabling;
use super::device_kind::{DeviceKind, SwitchModel};

/// Mark of a hub's or switch's port, which is no station of its segment.
pub(super) const NO_STATION: u32 = u32::MAX;

/// The stations of each segment, whether its switches use all paths, and the leader of each port's
/// bundle.
#[derive(Clone, Debug, Default)]
pub(super) struct Segments {
    /// The stations of segment i are `members[start[i]..start[i + 1]]`.
    pub start: Vec<u32>,
    pub members: Vec<PortId>,
    pub member_of_port: Vec<u32>,
    pub bundle_of_port: Vec<PortId>,
    pub is_multipath: Vec<bool>,
}

impl Segments {
    /// Collects the stations and bundles of a fabric whose segments are numbered.
    pub fn of(cabling: &Cabling, kinds: &[DeviceKind], bonds: &Bonds, n_segments: u32) -> Segments {
        let ports = &cabling.ports;
        let stations = || {
            let all = 0..ports.len() as PortId;
            all.filter(|&port| cabling.is_node(ports[port as usize].device))
        };
        let interfaces = || stations().filter(|&port| bonds.interface(port) == port);
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
            member_of_port[port as usize] = member_of_port[bonds.interface(port) as usize];
        }
        let is_multipath = multipath_segments(cabling, kinds, n_segments);
        let bundle_of_port = bundles(cabling, &is_multipath);
        Segments { start, members, member_of_port, bundle_of_port, is_multipath }
    }
}

/// Numbers the segments in order of their lowest port and returns how many there are.
pub(super) fn number_segments(cabling: &mut Cabling, bonds: &Bonds) -> u32 {
    const NONE: SegmentId = SegmentId::MAX;
    cabling.ports.iter_mut().for_each(|port| port.segment = NONE);
    let mut n_segments = 0;
    let mut is_seen = vec![false; cabling.n_devices() as usize];
    let mut stack = Vec::new();
    for first in 0..cabling.ports.len() as PortId {
        if cabling.ports[first as usize].segment != NONE {
            continue;
        }
        stack.push(first);
        while let Some(port) = stack.pop() {
            if cabling.ports[port as usize].segment != NONE {
                continue;
            }
            cabling.ports[port as usize].segment = n_segments;
            stack.extend(cabling.peer(port));
            stack.extend(bonds.interface_ports(port));
            let device = cabling.ports[port as usize].device;
            // Once per device: its ports for each of its ports would be their square.
            if !cabling.is_node(device) && !std::mem::replace(&mut is_seen[device as usize], true) {
                stack.extend(cabling.ports_of(device));
            }
        }
        n_segments += 1;
    }
    n_segments
}

/// Returns of which segments all devices between the nodes are multipath switches.
fn multipath_segments(cabling: &Cabling, kinds: &[DeviceKind], n_segments: u32) -> Vec<bool> {
    let (mut has, mut lacks) = (vec![false; n_segments as usize], vec![false; n_segments as usize]);
    for port in cabling.ports.iter().filter(|port| !cabling.is_node(port.device)) {
        let is_one = matches!(
            kinds[port.device as usize],
            DeviceKind::Switch(SwitchModel { is_multipath: true, .. })
        );
        (if is_one { &mut has } else { &mut lacks })[port.segment as usize] = true;
    }
    has.into_iter().zip(lacks).map(|(has, lacks)| has && !lacks).collect()
}

/// Returns for each port the lowest port of its device that leads to the same hub or switch. To
/// multipath switches parallel links are paths of their own, so there each port leads itself.
fn bundles(cabling: &Cabling, is_multipath: &[bool]) -> Vec<PortId> {
    let mut leaders: BTreeMap<(DeviceId, DeviceId), PortId> = BTreeMap::new();
    (0..)
        .zip(&cabling.ports)
        .map(|(id, port)| match cabling.peer(id).map(|peer| cabling.ports[peer as usize].device) {
            _ if is_multipath[port.segment as usize] => id,
            Some(other) if !cabling.is_node(port.device) && !cabling.is_node(other) => {
                *leaders.entry((port.device, other)).or_insert(id)
            }
            _ => id,
        })
        .collect()
}
