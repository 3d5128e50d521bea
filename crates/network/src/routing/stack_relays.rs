//! Packets that the nodes of a stack ring or stack mesh relay when every node with a place sends
//! one to every other: sums in one dimension, without following packets.
//!
//! The relay for place x is the same in all groups, so traffic between the groups is counted per
//! relay as on a grid in dimension order. The two directions half-way round a ring are
//! distinguished by the coordinates of the deciding node: the sender itself while the packet has
//! not left its group, a relay afterwards.

use quantity::IdVec;

use crate::fabric::Fabric;
use crate::ids::NodeId;

use super::crossings::Crossings;
use super::grid::Axis;
use super::stack::{GroupId, Stack, port_on};

/// The nodes served by one relay of each group.
struct Served {
    /// Number of nodes served with an even and with an odd place.
    by_parity: [u64; 2],
    /// The place of the relay, which decides ties.
    place: i32,
}

impl Stack {
    /// Returns the packets that each node relays; `None` if a node lacks a port to a neighbouring
    /// group, or groups have unequal numbers of forwarders.
    pub(crate) fn relayed(&self, fabric: &Fabric) -> Option<IdVec<NodeId, u64>> {
        let n_groups = self.groups.len() as u64;
        let n_forwarders = self.groups.first()?.forwarders.len();
        let is_even = self.groups.iter().all(|group| {
            // A forwarder hands packets on to the forwarder of the same number.
            let numbers = group.forwarders.iter().map(|&node| self.place_of(fabric, node));
            numbers.eq(0..n_forwarders)
        });
        if n_groups < 2 || !is_even || !self.is_fully_plugged(fabric) {
            return None;
        }
        let mut relayed = IdVec::filled(0, fabric.n_nodes());
        let n_relays = if n_forwarders == 0 { self.n_places as usize } else { n_forwarders };
        for relay in 0..n_relays {
            let served = self.served(relay, n_forwarders);
            // Packets for a node of the group they arrive in do not pass the relay.
            let stays = served.by_parity.iter().sum::<u64>() * (n_groups - 1);
            for (group, arriving) in self.groups.iter().zip(self.arriving(&served)) {
                let node = group.relays()[relay];
                relayed[node] = (arriving - stays) * u64::from(self.n_places);
            }
        }
        Some(relayed)
    }

    /// Returns whether every node of a group has a port to each group beside it.
    fn is_fully_plugged(&self, fabric: &Fabric) -> bool {
        self.groups.iter().all(|group| {
            let is_plugged = |node: NodeId| {
                let mut beside = group.beside.iter().flatten().flatten();
                beside.all(|&(segment, _)| port_on(fabric, node, segment).is_some())
            };
            group.nodes.iter().chain(&group.forwarders).all(|&node| is_plugged(node))
        })
    }

    fn served(&self, relay: usize, n_forwarders: usize) -> Served {
        let n_places = self.n_places as usize;
        let (step, place) =
            if n_forwarders == 0 { (n_places, relay) } else { (n_forwarders, n_places + relay) };
        let mut by_parity = [0; 2];
        (relay..n_places).step_by(step).for_each(|sender| by_parity[sender % 2] += 1);
        Served { by_parity, place: place as i32 }
    }

    /// Returns the packets of the served nodes that arrive in each group when every sender has one
    /// for each other group.
    fn arriving(&self, served: &Served) -> IdVec<GroupId, u64> {
        let mut arriving = IdVec::filled(0, self.groups.n());
        for (k, axis) in self.axes.iter().enumerate() {
            let count = |axes: &[Axis]| axes.iter().map(|axis| axis.side() as u64).product();
            let (before, after): (u64, u64) = (count(&self.axes[..k]), count(&self.axes[k + 1..]));
            let lines = [0, 1].map(|rest| axis.crossings(self.ties, rest, false));
            for group in &self.groups {
                let at = group.coordinates[k];
                let rest = group.coordinates.iter().sum::<i32>() - at;
                let passing = served.passing(&lines, rest, at as usize, after);
                for (way, packets) in passing.into_iter().enumerate() {
                    // On an axis of two both directions are the same link.
                    let beside = group.beside[k][way].or(group.beside[k][1 - way]);
                    if let Some((_, next)) = beside {
                        arriving[next] += before * packets;
                    }
                }
            }
        }
        arriving
    }
}

impl Served {
    /// Returns the packets for one line of groups that leave a position in each direction, sent
    /// there by `after` groups, one of them on this line.
    fn passing(&self, lines: &[Crossings; 2], rest: i32, at: usize, after: u64) -> [u64; 2] {
        let line = |place: i32| lines[(rest + place).rem_euclid(2) as usize][at];
        let all: u64 = self.by_parity.iter().sum();
        [0, 1].map(|way| {
            let unmoved = self.by_parity[0] * line(0)[way] + self.by_parity[1] * line(1)[way];
            unmoved + (after - 1) * all * line(self.place)[way]
        })
    }
}
