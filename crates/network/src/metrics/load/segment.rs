//! Uniform traffic within one segment: a link of the tree of hubs and switches carries the product
//! of the numbers of stations below and above it, in each direction.

use quantity::IdVec;

use crate::bridging::Bridging;
use crate::fabric::Fabric;
use crate::ids::{DeviceId, PortId};

/// Counts segments one after the other.
pub(super) struct Spread<'a> {
    fabric: &'a Fabric,
    bridging: &'a Bridging,
    /// Stations below each hub and switch of the current segment; 0 elsewhere.
    below: IdVec<DeviceId, u64>,
}

impl<'a> Spread<'a> {
    pub(super) fn new(fabric: &'a Fabric, bridging: &'a Bridging) -> Spread<'a> {
        Spread { fabric, bridging, below: IdVec::filled(0, fabric.n_devices()) }
    }

    /// Adds the packets that leave by each port when each station of a segment sends `weight`
    /// packets to each other.
    pub(super) fn add(
        &mut self,
        stations: &[PortId],
        weight: u64,
        leaving: &mut IdVec<PortId, u64>,
    ) {
        let all = stations.len() as u64;
        if all < 2 {
            return; // An address may be on a port without a cable.
        }
        let mut boxes: Vec<DeviceId> = Vec::new();
        for &station in stations {
            leaving[station] += weight * (all - 1);
            let peer = self.fabric.peer(station).expect("a station of a segment is plugged in");
            let device = self.fabric.port(peer).device;
            if !self.fabric.is_node(device) {
                leaving[peer] += weight * (all - 1);
                self.climb(device, &mut boxes);
            }
        }
        boxes.sort_by_key(|&device| std::cmp::Reverse(self.bridging.depth(device)));
        for device in boxes {
            let below = std::mem::take(&mut self.below[device]) - 1;
            let Some((parent, up)) = self.bridging.parent(self.fabric, device) else { continue };
            self.below[parent] += below;
            for port in [Some(up), self.fabric.peer(up)].into_iter().flatten() {
                leaving[self.fabric.bundle(port)] += weight * below * (all - below);
            }
        }
    }

    /// Counts a station at its hub or switch. Devices met for the first time, up to the root, are
    /// listed and start at one instead of zero.
    fn climb(&mut self, device: DeviceId, boxes: &mut Vec<DeviceId>) {
        let mut at = Some(device);
        while let Some(met) = at.filter(|&met| self.below[met] == 0) {
            self.below[met] = 1;
            boxes.push(met);
            at = self.bridging.parent(self.fabric, met).map(|(parent, _)| parent);
        }
        self.below[device] += 1;
    }
}
