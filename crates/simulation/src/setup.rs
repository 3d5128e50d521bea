//! What a run of any engine is made of, beside the program. Everything is borrowed: one network and
//! one set of hosts serve many runs.

use std::sync::atomic::AtomicBool;

use host::HostModel;
use network::{AddressId, Network, NodeId};
use program::Rank;
use quantity::{IdVec, OptionalId};

/// What a run is made of, beside the program.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    /// The network.
    pub network: &'a Network,
    /// The hosts; all are alike.
    pub host: &'a HostModel,
    /// For each node, the address that applications use.
    pub identities: &'a IdVec<NodeId, AddressId>,
    /// For each rank, its node; no two ranks share one.
    pub node_of_rank: &'a IdVec<Rank, NodeId>,
    /// Seed of everything random; an engine in which nothing is does not read it.
    pub seed: u64,
    /// Becomes true when the caller wants the run to stop.
    pub stop: &'a AtomicBool,
}

impl Setup<'_> {
    /// Returns the rank of each node that has one.
    pub fn rank_of_node(&self) -> IdVec<NodeId, OptionalId<Rank>> {
        let mut rank_of_node = IdVec::filled(OptionalId::none(), self.network.fabric.n_nodes());
        for (rank, &node) in self.node_of_rank.with_ids() {
            rank_of_node[node] = rank.into();
        }
        rank_of_node
    }
}
