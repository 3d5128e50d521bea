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
    /// Per rank: its node; no two ranks share one.
    pub node_of_rank: &'a IdVec<Rank, NodeId>,
    /// Seed of all randomness; deterministic engines ignore it.
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
