//! Packets relayed by each node under uniform traffic, one packet per pair: kept up to date from
//! the changes of a failure, destination by destination.

use quantity::IdVec;

use crate::{NodeId, PlaceId, Wiring};

use super::{Destination, DestinationId};

/// The changes of a failure; reused from failure to failure.
#[derive(Debug)]
pub(super) struct Relays {
    /// Packets that each node relays beyond those in the whole network.
    change: IdVec<NodeId, i64>,
    /// Change in the packets to the present destination that come to each place.
    arriving: IdVec<PlaceId, i64>,
    /// Packets to the present destination that each node itself sends on a new route.
    sent: IdVec<PlaceId, i64>,
    /// Packets sent by the nodes at the first places of a range.
    sums: Vec<i64>,
}

impl Relays {
    /// Returns a state without changes.
    pub fn new(wiring: &Wiring) -> Relays {
        let places = || IdVec::filled(0, wiring.n_places());
        let change = IdVec::filled(0, wiring.n_nodes());
        Relays { change, arriving: places(), sent: places(), sums: Vec::new() }
    }

    /// Returns the packets that each node relays in the whole network.
    pub fn of_whole(
        wiring: &Wiring,
        destinations: &[Destination],
        of_node: &IdVec<NodeId, Vec<DestinationId>>,
    ) -> IdVec<NodeId, u64> {
        let mut relays = Relays::new(wiring);
        destinations.iter().for_each(|to| relays.remove_all(to, of_node));
        relays.change.iter().map(|change| change.unsigned_abs()).collect()
    }

    /// Undoes all changes.
    pub fn clear(&mut self) {
        self.change.fill(0);
    }

    /// Removes all packets to a destination that is dead.
    pub fn remove_all(&mut self, to: &Destination, of_node: &IdVec<NodeId, Vec<DestinationId>>) {
        self.remove(to, (1, to.order.len() as u32), of_node);
    }

    /// Removes the packets of a range of nodes, all routed through one of them, which node `next`
    /// no longer receives.
    pub fn remove_range(
        &mut self,
        to: &Destination,
        range: (u32, u32),
        next: NodeId,
        of_node: &IdVec<NodeId, Vec<DestinationId>>,
    ) {
        self.arriving[PlaceId::from(next)] -= self.remove(to, range, of_node);
    }

    /// Removes the relays of the nodes of a range and returns the number of packets they send.
    fn remove(
        &mut self,
        to: &Destination,
        (first, end): (u32, u32),
        of_node: &IdVec<NodeId, Vec<DestinationId>>,
    ) -> i64 {
        let own = |node: NodeId| of_node[node].len() as i64;
        let nodes = &to.order[first as usize..end as usize];
        self.sums.clear();
        self.sums.push(0);
        let mut sum = 0;
        for &node in nodes {
            sum += own(node);
            self.sums.push(sum);
        }
        for &node in nodes {
            let (from, to) = to.through(node).expect("it arrives");
            let all = self.sums[(to - first) as usize] - self.sums[(from - first) as usize];
            self.change[node] -= all - own(node);
        }
        sum
    }

    /// Adds packets that a node sends to the present destination on a new route.
    pub fn send(&mut self, node: NodeId, n_packets: usize) {
        self.sent[PlaceId::from(node)] = n_packets as i64;
    }

    /// Lets the packets of the present destination run. `visited` lists places, each before its
    /// successor and together with it, and whether its packets arrive.
    pub fn run(
        &mut self,
        wiring: &Wiring,
        visited: impl Iterator<Item = (PlaceId, Option<PlaceId>, bool)>,
    ) {
        for (place, next, arrives) in visited {
            let relayed = std::mem::take(&mut self.arriving[place]);
            let own = std::mem::take(&mut self.sent[place]);
            if let (Some(next), true) = (next, arrives) {
                self.change[wiring.at(place).0] += relayed;
                self.arriving[next] += relayed + own;
            }
        }
    }

    /// Returns the packets that a node relays beyond those in the whole network.
    pub fn change(&self, node: NodeId) -> i64 {
        self.change[node]
    }
}
