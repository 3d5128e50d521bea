//! The baseline of every failure: the whole network with its routes, prepared once and shared by
//! all threads.

use quantity::{Id, IdVec};

use crate::{Loss, NodeId, WireId, Wiring};

use super::relays::Relays;
use super::{Destination, DestinationId, Need, Options};

/// The whole network and its routes.
#[derive(Debug)]
pub struct Baseline {
    /// The cabling.
    pub wiring: Wiring,
    /// The destinations, to each of which every node sends.
    pub destinations: IdVec<DestinationId, Destination>,
    pub(super) options: Options,
    /// For each node, the destinations that are its own addresses.
    pub(super) of_node: IdVec<NodeId, Vec<DestinationId>>,
    /// The (destination, node) pairs whose next hop crosses each wire, in order.
    pub(super) users: IdVec<WireId, Vec<(DestinationId, NodeId)>>,
    /// Packets that each node relays in the whole network.
    pub(super) relayed: IdVec<NodeId, u64>,
}

impl Baseline {
    /// Prepares to try failures.
    pub fn new(wiring: Wiring, destinations: Vec<Destination>, options: Options) -> Baseline {
        let destinations = IdVec::from(destinations);
        let mut of_node = IdVec::filled(Vec::new(), wiring.n_nodes());
        let mut users = IdVec::filled(Vec::new(), wiring.n_wires());
        for (index, to) in destinations.with_ids() {
            of_node[to.owner].push(index);
            for node in NodeId::first(wiring.n_nodes()) {
                let ports = to.best(node).map(|(port, _)| wiring.interface(port));
                for wire in ports.into_iter().flatten().filter_map(|port| wiring.wire(port)) {
                    users[wire].push((index, node));
                }
            }
        }
        let relayed = Relays::of_whole(&wiring, &destinations, &of_node);
        Baseline { wiring, destinations, options, of_node, users, relayed }
    }

    /// Returns a destination.
    pub fn to(&self, index: DestinationId) -> &Destination {
        &self.destinations[index]
    }

    /// Returns the number of connections: ordered pairs of destinations of different living nodes.
    pub(super) fn n_connections(&self, loss: &Loss) -> u64 {
        let alive = self.of_node.with_ids().filter(|&(node, _)| !loss.holds(node));
        let (sum, squares) = alive.fold((0, 0), |(sum, squares), (_, own)| {
            let n = own.len() as u64;
            (sum + n, squares + n * n)
        });
        sum * sum - squares
    }

    /// Returns whether a destination is the first one of its node.
    pub(super) fn is_first_of_node(&self, index: DestinationId) -> bool {
        self.of_node[self.to(index).owner].first() == Some(&index)
    }

    /// Returns a destination at the node that distributes recomputed tables after a failure.
    pub(super) fn planner(&self, loss: &Loss) -> Option<DestinationId> {
        let own = |node: NodeId| {
            let own = self.of_node.get(node).filter(|_| !loss.holds(node));
            own.and_then(|own| own.first().copied())
        };
        own(self.options.planner).or_else(|| self.of_node.ids().find_map(own))
    }

    /// Returns the remedy for a connection, given whether some path joins its ends.
    pub(super) fn need(&self, is_joined: bool) -> Need {
        match self.options.has_own_tables {
            _ if !is_joined => Need::NewParts,
            true => Need::Daemon,
            false => Need::RecomputedTables,
        }
    }
}
