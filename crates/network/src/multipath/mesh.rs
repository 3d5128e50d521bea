//! The ports of each switch on the shortest paths to each leaf.
//!
//! Leaves whose neighbours are the same switches, as those of one pod of a fat tree, are *twins*:
//! every other switch is equally far from them, and if it is no neighbour has the same ports
//! towards them. So one breadth-first search serves all twins; at their neighbours the ports are
//! those that lead there, and between two twins all ports do.

use std::collections::BTreeMap;

use crate::fabric::Fabric;
use crate::ids::{DeviceId, PortId};

/// Mark of a leaf that a switch has no way to.
pub(super) const NO_SET: u16 = u16::MAX;
/// Mark of a switch that was not met, and of one that is no twin at hand.
const NONE: u32 = u32::MAX;

/// The switches of a segment, counted from 0, and what each of their ports leads to.
pub(super) struct Mesh {
    /// The exits of switch i are `exits[start[i]..start[i + 1]]`: port and other switch.
    start: Vec<usize>,
    exits: Vec<(PortId, u32)>,
}

/// The sets of ports of one switch, and which of them leads to each leaf.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    pub(super) choices: Vec<u16>,
    pub(super) known: Vec<Vec<PortId>>,
}

impl Mesh {
    pub(super) fn new(
        fabric: &Fabric,
        devices: &[DeviceId],
        number: impl Fn(DeviceId) -> usize,
    ) -> Mesh {
        let mut mesh = Mesh { start: vec![0], exits: Vec::new() };
        for &device in devices {
            let exits = fabric.ports_of(device).filter_map(|port| {
                let other = fabric.port(fabric.peer(port)?).device;
                let leads_on = other != device && !fabric.is_node(other);
                leads_on.then(|| (port, number(other) as u32))
            });
            mesh.exits.extend(exits);
            mesh.start.push(mesh.exits.len());
        }
        mesh
    }

    fn exits(&self, switch: u32) -> &[(PortId, u32)] {
        &self.exits[self.start[switch as usize]..self.start[switch as usize + 1]]
    }

    /// Returns the sets of each switch towards the given leaves.
    pub(super) fn sets(&self, leaves: &[u32]) -> Vec<Sets> {
        let n_switches = self.start.len() - 1;
        let none = Sets { choices: vec![NO_SET; leaves.len()], known: Vec::new() };
        let mut sets = vec![none; n_switches];
        let mut leaf_of = vec![NONE; n_switches];
        let mut distance = Vec::new();
        for twins in self.twins(leaves) {
            twins.iter().for_each(|&leaf| leaf_of[leaves[leaf as usize] as usize] = leaf);
            self.search(leaves[twins[0] as usize], &mut distance, |switch, far, ports| {
                let sets = &mut sets[switch as usize];
                if far == 1 {
                    self.enter_neighbour(sets, switch, &leaf_of);
                } else {
                    let own = leaf_of[switch as usize];
                    sets.enter(ports, twins.iter().copied().filter(|&leaf| leaf != own));
                }
            });
            twins.iter().for_each(|&leaf| leaf_of[leaves[leaf as usize] as usize] = NONE);
        }
        sets
    }

    /// Returns the numbers of the leaves, those with the same neighbours together.
    fn twins(&self, leaves: &[u32]) -> impl Iterator<Item = Vec<u32>> {
        let mut found = BTreeMap::<Vec<u32>, Vec<u32>>::new();
        for (leaf, &switch) in (0..).zip(leaves) {
            let mut beside: Vec<u32> = self.exits(switch).iter().map(|exit| exit.1).collect();
            beside.sort_unstable();
            beside.dedup();
            found.entry(beside).or_default().push(leaf);
        }
        found.into_values()
    }

    /// Enters the ports of a switch that lead straight to twins.
    fn enter_neighbour(&self, sets: &mut Sets, switch: u32, leaf_of: &[u32]) {
        let exits = self.exits(switch).iter();
        let mut straight: Vec<(u32, PortId)> =
            exits.map(|&(port, other)| (leaf_of[other as usize], port)).collect();
        straight.retain(|&(leaf, _)| leaf != NONE);
        straight.sort_unstable();
        for ports in straight.chunk_by(|a, b| a.0 == b.0) {
            let leaf = ports[0].0;
            let ports: Vec<PortId> = ports.iter().map(|&(_, port)| port).collect();
            sets.enter(&ports, std::iter::once(leaf));
        }
    }

    /// Tells how far every switch is from a leaf, and its ports that lead nearer, the leaf's own
    /// being all it has: to its twins.
    fn search(
        &self,
        leaf: u32,
        distance: &mut Vec<u32>,
        mut found: impl FnMut(u32, u32, &[PortId]),
    ) {
        distance.clear();
        distance.resize(self.start.len() - 1, NONE);
        distance[leaf as usize] = 0;
        let (mut queue, mut ports) = (vec![leaf], Vec::new());
        let mut done = 0;
        while let Some(&switch) = queue.get(done) {
            done += 1;
            let own = distance[switch as usize];
            ports.clear();
            for &(port, other) in self.exits(switch) {
                let far = &mut distance[other as usize];
                if *far == NONE {
                    *far = own + 1;
                    queue.push(other);
                }
                if *far < own || own == 0 {
                    ports.push(port);
                }
            }
            found(switch, own, &ports);
        }
    }
}

impl Sets {
    /// Enters the set of ports towards some leaves.
    fn enter(&mut self, ports: &[PortId], leaves: impl Iterator<Item = u32>) {
        let mut leaves = leaves.peekable();
        if leaves.peek().is_none() {
            return;
        }
        let place = self.known.iter().position(|known| known == ports);
        let set = place.unwrap_or_else(|| {
            self.known.push(ports.to_vec());
            self.known.len() - 1
        });
        assert!(
            set < usize::from(NO_SET),
            "a switch has fewer sets than ports in every mesh built"
        );
        leaves.for_each(|leaf| self.choices[leaf as usize] = set as u16);
    }
}
