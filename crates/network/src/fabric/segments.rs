//! Membership of broadcast domains, and the bundles of parallel links between two switches.
//!
//! Both are derived from the ports and links once, when the fabric is built.

use std::collections::BTreeMap;

use quantity::{Groups, Id, IdVec, OptionalId};

use crate::ids::{DeviceId, PortId, SegmentId};

use super::bonds::Bonds;
use super::cabling::Cabling;
use super::device_kind::{DeviceKind, SwitchModel};

quantity::id! {
    /// Place of a station among the stations of its segment.
    pub(super) MemberId;
}

/// The stations of each segment, its use of multiple paths, and the leader of each port's bundle.
#[derive(Clone, Debug, Default)]
pub(super) struct Segments {
    pub members: Groups<SegmentId, PortId>,
    /// Per port: its place among the stations; none for the port of a hub or switch.
    pub member_of_port: IdVec<PortId, OptionalId<MemberId>>,
    pub bundle_of_port: IdVec<PortId, PortId>,
    pub is_multipath: IdVec<SegmentId, bool>,
}

impl Segments {
    /// Collects the stations and bundles of a fabric whose segments are numbered.
    pub fn of(
        cabling: &Cabling,
        kinds: &IdVec<DeviceId, DeviceKind>,
        bonds: &Bonds,
        n_segments: u32,
    ) -> Segments {
        let ports = &cabling.ports;
        let stations = || ports.ids().filter(|&port| cabling.is_of_node(port));
        let interfaces = || stations().filter(|&port| bonds.interface(port) == port);
        let members =
            Groups::new(n_segments, || interfaces().map(|port| (ports[port].segment, port)));
        let mut member_of_port = IdVec::filled(OptionalId::none(), ports.n());
        for segment in SegmentId::first(n_segments) {
            for (place, &port) in members.of(segment).iter().enumerate() {
                member_of_port[port] = OptionalId::from(MemberId::from_index(place));
            }
        }
        // The ports of a bond share a place because they share one hardware address.
        for port in stations() {
            member_of_port[port] = member_of_port[bonds.interface(port)];
        }
        let is_multipath = multipath_segments(cabling, kinds, n_segments);
        let bundle_of_port = bundles(cabling, &is_multipath);
        Segments { members, member_of_port, bundle_of_port, is_multipath }
    }
}

/// Numbers the segments in order of their lowest port and returns their number.
pub(super) fn number_segments(cabling: &mut Cabling, bonds: &Bonds) -> u32 {
    let mut segment_of_port = IdVec::filled(OptionalId::none(), cabling.ports.n());
    let mut next = SegmentId::new(0);
    let mut is_seen = IdVec::filled(false, cabling.n_devices());
    let mut stack = Vec::new();
    for first in cabling.ports.ids() {
        if segment_of_port[first].is_some() {
            continue;
        }
        stack.push(first);
        while let Some(port) = stack.pop() {
            if segment_of_port[port].is_some() {
                continue;
            }
            segment_of_port[port] = OptionalId::from(next);
            stack.extend(cabling.peer(port));
            stack.extend(bonds.interface_ports(port));
            let device = cabling.ports[port].device;
            // A device is visited once, not once per port: that would be quadratic in its ports.
            if !cabling.is_node(device) && !std::mem::replace(&mut is_seen[device], true) {
                stack.extend(cabling.ports_of(device));
            }
        }
        next = next.following();
    }
    for (port, segment) in cabling.ports.iter_mut().zip(segment_of_port) {
        port.segment = segment.get().expect("every port was met");
    }
    next.get()
}

/// Returns for each segment whether all its hubs and switches are multipath switches.
fn multipath_segments(
    cabling: &Cabling,
    kinds: &IdVec<DeviceId, DeviceKind>,
    n_segments: u32,
) -> IdVec<SegmentId, bool> {
    let (mut has, mut lacks) = (IdVec::filled(false, n_segments), IdVec::filled(false, n_segments));
    for port in cabling.ports.iter().filter(|port| !cabling.is_node(port.device)) {
        let is_one = matches!(
            kinds[port.device],
            DeviceKind::Switch(SwitchModel { is_multipath: true, .. })
        );
        (if is_one { &mut has } else { &mut lacks })[port.segment] = true;
    }
    has.into_iter().zip(lacks).map(|(has, lacks)| has && !lacks).collect()
}

/// Returns for each port the lowest port of its device that leads to the same hub or switch.
/// Parallel links between multipath switches are separate paths, so each of those ports leads
/// itself.
fn bundles(cabling: &Cabling, is_multipath: &IdVec<SegmentId, bool>) -> IdVec<PortId, PortId> {
    let mut leaders: BTreeMap<(DeviceId, DeviceId), PortId> = BTreeMap::new();
    { cabling.ports.with_ids() }
        .map(|(id, port)| match cabling.peer(id).map(|peer| cabling.ports[peer].device) {
            _ if is_multipath[port.segment] => id,
            Some(other) if !cabling.is_node(port.device) && !cabling.is_node(other) => {
                *leaders.entry((port.device, other)).or_insert(id)
            }
            _ => id,
        })
        .collect()
}
