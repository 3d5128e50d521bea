//! The baseline of every failure: the whole network with its routes, prepared once and shared by
//! all threads.

use crate::{Loss, NodeId, Wiring};

use super::relays::Relays;
use super::{Destination, Index, Need, Options};

/// The whole network and its routes.
#[derive(Debug)]
pub struct Baseline {
    /// The cabling.
    pub wiring: Wiring,
    /// The destinations, to each of which every node sends.
    pub destinations: Vec<Destination>,
    pub(super) options: Options,
    /// For each node, the destinations that are its own addresses.
    pub(super) of_node: Vec<Vec<Index>>,
    /// The (destination, node) pairs whose next hop crosses each wire, in order.
    pub(super) users: Vec<Vec<(Index, NodeId)>>,
    /// Packets that each node relays in the whole network.
    pub(super) relayed: Vec<u64>,
}

impl Baseline {
    /// Prepares to try failures.
    pub fn new(wiring: Wiring, destinations: Vec<Destination>, options: Options) -> Baseline {
        let mut of_node = vec![Vec::new(); wiring.n_nodes() as usize];
        let mut users = vec![Vec::new(); wiring.n_wires() as usize];
        for (index, to) in (0..).zip(&destinations) {
            of_node[to.owner as usize].push(index);
            for node in 0..wiring.n_nodes() {
                let ports = to.best(node).map(|(port, _)| wiring.interface(port));
                for wire in ports.into_iter().flatten().filter_map(|port| wiring.wire(port)) {
                    users[wire as usize].push((index, node));
                }
            }
        }
        let relayed = Relays::of_whole(&destinations, &of_node);
        Baseline { wiring, destinations, options, of_node, users, relayed }
    }

    /// Returns a destination.
    pub fn to(&self, index: Index) -> &Destination {
        &self.destinations[index as usize]
    }

    /// Returns the number of ordered pairs of destinations of different living nodes.
    pub(super) fn n_pairs(&self, loss: &Loss) -> u64 {
        let alive = (0..).zip(&self.of_node).filter(|&(node, _)| !loss.holds(node));
        let (sum, squares) = alive.fold((0, 0), |(sum, squares), (_, own)| {
            let n = own.len() as u64;
            (sum + n, squares + n * n)
        });
        sum * sum - squares
    }

    /// Returns a destination at the node that distributes new tables after a failure.
    pub(super) fn planner(&self, loss: &Loss) -> Option<Index> {
        let own = |node: NodeId| {
            let own = self.of_node.get(node as usize).filter(|_| !loss.holds(node));
            own.and_then(|own| own.first().copied())
        };
        own(self.options.planner).or_else(|| (0..self.of_node.len() as NodeId).find_map(own))
    }

    /// Returns the remedy for a pair, given whether some path joins it.
    pub(super) fn need(&self, is_joined: bool) -> Need {
        match self.options.has_own_tables {
            _ if !is_joined => Need::NewParts,
            true => Need::Daemon,
            false => Need::NewTables,
        }
    }
}
