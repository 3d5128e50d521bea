//! Forwarding of frames through the hubs and switches of a segment: along a tree, or along all
//! shortest paths between multipath switches.
//!
//! Learning bridges allow no loops: parallel links between two of them are one bundle, and the
//! bundles must form a tree. Links that close a loop are left out of the tree and kept in a list,
//! because a real network would have to block them. The path between two stations is then unique.
//! In a segment of multipath switches each pair of stations uses one of the shortest paths, see
//! `multipath`; such segments have no tree and block no link.

use std::sync::OnceLock;

use quantity::IdVec;

use crate::fabric::Fabric;
use crate::ids::{DeviceId, LinkId, PortId};
use crate::multipath::{Multipath, flow};

/// A device on a path, with the ports by which the path enters and leaves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// The device.
    pub device: DeviceId,
    /// The port by which the path enters; `None` at its first device.
    pub inlet: Option<PortId>,
    /// The port by which the path leaves; `None` at its last device.
    pub outlet: Option<PortId>,
}

/// The link from a hub or switch towards the root of its tree.
#[derive(Clone, Copy, Debug)]
struct Up {
    port: PortId,
    parent_port: PortId,
}

/// The trees of the learning segments, and the shortest paths of the multipath ones. Bundles appear
/// by their leaders.
#[derive(Clone, Debug)]
pub struct Bridging {
    up: IdVec<DeviceId, Option<Up>>,
    depth: IdVec<DeviceId, u32>,
    blocked: Vec<LinkId>,
    multipath: OnceLock<Multipath>,
}

impl Bridging {
    /// Finds the trees, each rooted at its device with the lowest id.
    pub fn new(fabric: &Fabric) -> Bridging {
        let n = fabric.n_devices();
        let (up, depth, blocked) = (IdVec::filled(None, n), IdVec::filled(0, n), Vec::new());
        let mut found = Bridging { up, depth, blocked, multipath: OnceLock::new() };
        let mut is_seen = IdVec::filled(false, n);
        for root in fabric.hubs_and_switches() {
            if std::mem::replace(&mut is_seen[root], true) || fabric.is_multipath_switch(root) {
                continue;
            }
            let mut queue = std::collections::VecDeque::from([root]);
            while let Some(device) = queue.pop_front() {
                for (port, peer) in bridged_ports(fabric, device) {
                    let other = fabric.port(peer).device;
                    if !std::mem::replace(&mut is_seen[other], true) {
                        found.up[other] = Some(Up { port: peer, parent_port: port });
                        found.depth[other] = found.depth[device] + 1;
                        queue.push_back(other);
                    } else if device <= other && !found.is_joined(fabric, device, other) {
                        found.blocked.extend(fabric.port(port).link);
                    }
                }
            }
        }
        found
    }

    /// Returns the links that close a loop among hubs and switches (one per bundle).
    pub fn blocked(&self) -> &[LinkId] {
        &self.blocked
    }

    /// Returns the paths through the segments whose switches forward on all shortest ones; computed
    /// on first use, because few questions need them.
    pub fn multipath(&self, fabric: &Fabric) -> &Multipath {
        self.multipath.get_or_init(|| Multipath::new(fabric))
    }

    /// Returns the distance of a hub or switch from the root of its tree.
    pub fn depth(&self, device: DeviceId) -> u32 {
        self.depth[device]
    }

    /// Returns the hub or switch above another, and the port of the lower one that leads there.
    pub fn parent(&self, fabric: &Fabric, device: DeviceId) -> Option<(DeviceId, PortId)> {
        let up = self.up[device]?;
        Some((fabric.port(up.parent_port).device, up.port))
    }

    /// Appends the hubs and switches that a frame crosses between two stations of a segment:
    /// between bonds, on the first wire common to both; among several shortest paths, on the one
    /// selected by the hash of the two stations.
    ///
    /// # Panics
    /// When the stations are not on one segment.
    pub fn extend_path(&self, fabric: &Fabric, from: PortId, to: PortId, path: &mut Vec<Crossing>) {
        let (from, to) = fabric.common_wires(from, to).next().expect("two stations of one segment");
        self.extend_on_wire(fabric, from, to, path);
    }

    /// Appends the hubs and switches that a frame crosses between two ports on one wire.
    ///
    /// # Panics
    /// When the ports are on different wires.
    pub fn extend_on_wire(
        &self,
        fabric: &Fabric,
        from: PortId,
        to: PortId,
        path: &mut Vec<Crossing>,
    ) {
        let entry = fabric.peer(from).expect("a station that sends is plugged in");
        if entry == to {
            return;
        }
        if fabric.is_multipath(fabric.port(from).segment) {
            return extend_shortest_path(fabric, self.multipath(fabric), (from, entry), to, path);
        }
        let exit = fabric.peer(to).expect("a station that receives is plugged in");
        let (mut inlet, mut outlet) = (entry, exit);
        let mut descent = Vec::new();
        loop {
            let device = fabric.port(inlet).device;
            let below = fabric.port(outlet).device;
            if device == below {
                path.push(Crossing { device, inlet: Some(inlet), outlet: Some(outlet) });
                break;
            }
            if self.depth[device] >= self.depth[below] {
                let up = self.up[device].expect("two stations of one segment");
                path.push(Crossing { device, inlet: Some(inlet), outlet: Some(up.port) });
                inlet = up.parent_port;
            } else {
                let up = self.up[below].expect("deeper than the other, so not a root");
                let crossing =
                    Crossing { device: below, inlet: Some(up.port), outlet: Some(outlet) };
                descent.push(crossing);
                outlet = up.parent_port;
            }
        }
        path.extend(descent.into_iter().rev());
    }

    fn is_joined(&self, fabric: &Fabric, a: DeviceId, b: DeviceId) -> bool {
        let parent = |of: DeviceId| self.up[of].map(|up| fabric.port(up.parent_port).device);
        parent(a) == Some(b) || parent(b) == Some(a)
    }
}

/// Appends the multipath switches between two stations; the path enters the first one by `entry`.
fn extend_shortest_path(
    fabric: &Fabric,
    multipath: &Multipath,
    (from, entry): (PortId, PortId),
    to: PortId,
    path: &mut Vec<Crossing>,
) {
    let flow = flow(from, to, 0);
    let mut inlet = entry;
    while inlet != to {
        let device = fabric.port(inlet).device;
        let outlet = multipath.next_port(device, to, flow);
        path.push(Crossing { device, inlet: Some(inlet), outlet: Some(outlet) });
        inlet = fabric.peer(outlet).expect("a port on a shortest path is plugged in");
    }
}

/// Returns the bundle leaders of a hub or switch that lead to other hubs or switches, with the
/// ports at their far ends.
fn bridged_ports(fabric: &Fabric, device: DeviceId) -> impl Iterator<Item = (PortId, PortId)> + '_ {
    fabric.ports_of(device).filter(move |&port| fabric.bundle(port) == port).filter_map(
        move |port| {
            let peer = fabric.peer(port)?;
            (!fabric.is_node(fabric.port(peer).device)).then_some((port, peer))
        },
    )
}
