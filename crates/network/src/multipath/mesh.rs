//! The ports of each switch on the shortest paths to each leaf.
//!
//! Leaves with the same neighbouring switches, such as those of one pod of a fat tree, are *twins*:
//! every other switch is equally far from them, and if it is not a neighbour has the same ports
//! towards them. So one breadth-first search serves all twins; at their neighbours the ports are
//! those that lead straight there, and between two twins all ports do.

use std::collections::BTreeMap;

use quantity::{Groups, IdVec, OptionalId};

use crate::fabric::Fabric;
use crate::ids::{DeviceId, PortId};

/// Marks a leaf that a switch has no path to.
pub(super) const NO_SET: u16 = u16::MAX;

quantity::id! {
    /// Index of a switch in its segment.
    pub(super) SwitchId;
    /// Index of a leaf switch in its segment.
    pub(super) LeafId;
}

/// The switches of a segment, and the device behind each of their ports.
pub(super) struct Mesh {
    n_switches: u32,
    /// The exits of each switch: port and other switch.
    exits: Groups<SwitchId, (PortId, SwitchId)>,
}

/// The sets of ports of one switch, and the set that leads to each leaf.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    pub(super) choices: IdVec<LeafId, u16>,
    pub(super) known: Vec<Vec<PortId>>,
}

impl Mesh {
    pub(super) fn new(
        fabric: &Fabric,
        devices: &[DeviceId],
        number: impl Fn(DeviceId) -> SwitchId,
    ) -> Mesh {
        let exits = |device: DeviceId| {
            let number = &number;
            fabric.ports_of(device).filter_map(move |port| {
                let other = fabric.port(fabric.peer(port)?).device;
                let leads_on = other != device && !fabric.is_node(other);
                leads_on.then(|| (number(device), (port, number(other))))
            })
        };
        let n_switches = devices.len() as u32;
        let exits = Groups::new(n_switches, || devices.iter().copied().flat_map(exits));
        Mesh { n_switches, exits }
    }

    /// Returns the sets of each switch towards the given leaves.
    pub(super) fn sets(&self, leaves: &IdVec<LeafId, SwitchId>) -> IdVec<SwitchId, Sets> {
        let none = Sets { choices: IdVec::filled(NO_SET, leaves.n()), known: Vec::new() };
        let mut sets = IdVec::filled(none, self.n_switches);
        let mut leaf_of = IdVec::filled(OptionalId::none(), self.n_switches);
        let mut distance = IdVec::filled(None, self.n_switches);
        for twins in self.twins(leaves) {
            twins.iter().for_each(|&leaf| leaf_of[leaves[leaf]] = OptionalId::from(leaf));
            self.search(leaves[twins[0]], &mut distance, |switch, far, ports| {
                let sets = &mut sets[switch];
                if far == 1 {
                    self.enter_neighbour(sets, switch, &leaf_of);
                } else {
                    let own = leaf_of[switch].get();
                    sets.enter(ports, twins.iter().copied().filter(|&leaf| Some(leaf) != own));
                }
            });
            twins.iter().for_each(|&leaf| leaf_of[leaves[leaf]] = OptionalId::none());
        }
        sets
    }

    /// Returns the leaves, twins next to each other.
    fn twins(&self, leaves: &IdVec<LeafId, SwitchId>) -> impl Iterator<Item = Vec<LeafId>> {
        let mut found = BTreeMap::<Vec<SwitchId>, Vec<LeafId>>::new();
        for (leaf, &switch) in leaves.with_ids() {
            let mut beside: Vec<SwitchId> =
                self.exits.of(switch).iter().map(|exit| exit.1).collect();
            beside.sort_unstable();
            beside.dedup();
            found.entry(beside).or_default().push(leaf);
        }
        found.into_values()
    }

    /// Enters the ports of a switch that lead straight to twins.
    fn enter_neighbour(
        &self,
        sets: &mut Sets,
        switch: SwitchId,
        leaf_of: &IdVec<SwitchId, OptionalId<LeafId>>,
    ) {
        let exits = self.exits.of(switch).iter();
        let mut straight: Vec<(LeafId, PortId)> =
            exits.filter_map(|&(port, other)| Some((leaf_of[other].get()?, port))).collect();
        straight.sort_unstable();
        for ports in straight.chunk_by(|a, b| a.0 == b.0) {
            let leaf = ports[0].0;
            let ports: Vec<PortId> = ports.iter().map(|&(_, port)| port).collect();
            sets.enter(&ports, std::iter::once(leaf));
        }
    }

    /// Finds the distance of every switch from a leaf, and its ports that lead nearer; at the leaf
    /// itself those are all of its ports, which lead to its twins.
    fn search(
        &self,
        leaf: SwitchId,
        distance: &mut IdVec<SwitchId, Option<u32>>,
        mut found: impl FnMut(SwitchId, u32, &[PortId]),
    ) {
        distance.fill(None);
        distance[leaf] = Some(0);
        let (mut queue, mut ports) = (vec![leaf], Vec::new());
        let mut done = 0;
        while let Some(&switch) = queue.get(done) {
            done += 1;
            let own = distance[switch].expect("it was met");
            ports.clear();
            for &(port, other) in self.exits.of(switch) {
                let far = *distance[other].get_or_insert_with(|| {
                    queue.push(other);
                    own + 1
                });
                if far < own || own == 0 {
                    ports.push(port);
                }
            }
            found(switch, own, &ports);
        }
    }
}

impl Sets {
    /// Enters the set of ports towards some leaves.
    fn enter(&mut self, ports: &[PortId], leaves: impl Iterator<Item = LeafId>) {
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
        leaves.for_each(|leaf| self.choices[leaf] = set as u16);
    }
}
