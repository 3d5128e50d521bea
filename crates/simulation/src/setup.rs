//! The inputs of a run of any engine, except the program. All are borrowed: one network and one set
//! of hosts serve many runs.

use std::sync::atomic::AtomicBool;

use host::HostModel;
use network::{AddressId, Network, NodeId};
use program::Rank;
use quantity::{IdVec, OptionalId};

/// The inputs of a run, except the program.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    /// The network.
    pub network: &'a Network,
    /// The host model, common to all nodes.
    pub host: &'a HostModel,
    /// Per node: the address that applications use.
    pub identities: &'a IdVec<NodeId, AddressId>,
    /// Per rank: its node.
    pub node_of_rank: &'a IdVec<Rank, NodeId>,
    /// Seed of all randomness; deterministic engines ignore it.
    pub seed: u64,
    /// Becomes true when the caller wants the run to stop.
    pub stop: &'a AtomicBool,
}

impl Setup<'_> {
    /// Returns the first rank of each node that has one.
    pub fn first_rank_of_node(&self) -> IdVec<NodeId, OptionalId<Rank>> {
        let mut first = IdVec::filled(OptionalId::none(), self.network.fabric.n_nodes());
        for (rank, &node) in self.node_of_rank.with_ids() {
            if first[node].get().is_none() {
                first[node] = rank.into();
            }
        }
        first
    }

    /// Returns the ranks that are not the first of their nodes.
    pub fn further_ranks(&self) -> Vec<Rank> {
        let first = self.first_rank_of_node();
        let is_further = |&rank: &Rank| first[self.node_of_rank[rank]].get() != Some(rank);
        self.node_of_rank.ids().filter(is_further).collect()
    }
}
