//! Collectives and their algorithms in the modelled libraries: one file per algorithm.
//!
//! An algorithm writes the actions of one rank from its place in the group and the number of ranks
//! alone, so that each rank's are written by themselves, when it enters the collective. Only
//! messages are written: the arithmetic of reductions and the copy of a rank's own block are left
//! out, because no calibration has their speed.

mod algorithm;
mod binomial_broadcast;
mod binomial_gather;
mod binomial_reduce;
mod bruck;
mod cube_broadcast;
mod dissemination_barrier;
mod doubling_all_gather;
mod doubling_all_reduce;
mod doubling_barrier;
mod down_tree;
mod fold;
mod halving;
mod libraries;
mod linear_all_to_all;
mod linear_gather;
mod linear_scatter;
mod neighbour_all_gather;
mod pairwise_all_to_all;
mod posted_all_to_all;
mod posted_scatter;
mod rabenseifner;
mod reduce_scatter;
mod ring_all_gather;
mod ring_all_reduce;
mod scattered_broadcast;
mod script;
mod split_binary_broadcast;
mod synchronised_gather;
mod tree;
mod tree_barrier;
mod up_tree;
mod vector;
mod writing;

pub use algorithm::Algorithm;
pub use libraries::AlgorithmSet;
pub(crate) use script::Script;
pub(crate) use writing::{least_actions, write};

use crate::operation::Rank;

/// An operation of the ranks of a group together. Sizes are bytes of user data per rank or block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Collective {
    /// Every rank gets the root's data.
    Broadcast {
        /// The rank that has the data.
        root: Rank,
        /// User data.
        bytes: u64,
    },
    /// The root gets the combination of the data of all ranks.
    Reduce {
        /// The rank that gets the result.
        root: Rank,
        /// User data of each rank.
        bytes: u64,
    },
    /// Every rank gets the combination of the data of all ranks.
    AllReduce {
        /// User data of each rank.
        bytes: u64,
    },
    /// No rank leaves before every rank has entered.
    Barrier,
    /// Every rank gets the data of all ranks, side by side.
    AllGather {
        /// User data of each rank.
        bytes: u64,
    },
    /// Every rank gets a block of its own from every rank.
    AllToAll {
        /// User data of each block, of which every rank sends one to each rank.
        bytes: u64,
    },
    /// Every rank gets one block of the combination of the data of all ranks.
    ReduceScatter {
        /// User data of each block, of which every rank has one for each rank.
        bytes: u64,
    },
    /// The root gets the data of all ranks, side by side.
    Gather {
        /// The rank that gets the result.
        root: Rank,
        /// User data of each rank.
        bytes: u64,
    },
    /// Every rank gets a block of its own from the root.
    Scatter {
        /// The rank that has the data.
        root: Rank,
        /// User data of each block.
        bytes: u64,
    },
}

impl Collective {
    /// Returns the user data per rank or block.
    pub fn bytes(self) -> u64 {
        match self {
            Collective::Barrier => 0,
            Collective::Broadcast { bytes, .. }
            | Collective::Reduce { bytes, .. }
            | Collective::Gather { bytes, .. }
            | Collective::Scatter { bytes, .. }
            | Collective::AllReduce { bytes }
            | Collective::AllGather { bytes }
            | Collective::ReduceScatter { bytes }
            | Collective::AllToAll { bytes } => bytes,
        }
    }

    /// Returns the name of its kind, as tables of steps have it.
    pub fn name(self) -> &'static str {
        match self {
            Collective::Broadcast { .. } => "broadcast",
            Collective::Reduce { .. } => "reduce",
            Collective::AllReduce { .. } => "all_reduce",
            Collective::Barrier => "barrier",
            Collective::AllGather { .. } => "all_gather",
            Collective::AllToAll { .. } => "all_to_all",
            Collective::ReduceScatter { .. } => "reduce_scatter",
            Collective::Gather { .. } => "gather",
            Collective::Scatter { .. } => "scatter",
        }
    }

    /// Returns the collective with another root, if it has one.
    #[must_use]
    pub(crate) fn with_root(self, root: Rank) -> Collective {
        match self {
            Collective::Broadcast { bytes, .. } => Collective::Broadcast { root, bytes },
            Collective::Reduce { bytes, .. } => Collective::Reduce { root, bytes },
            Collective::Gather { bytes, .. } => Collective::Gather { root, bytes },
            Collective::Scatter { bytes, .. } => Collective::Scatter { root, bytes },
            rootless => rootless,
        }
    }

    /// Returns the root; `None` for a collective without one.
    pub fn root(self) -> Option<Rank> {
        match self {
            Collective::Broadcast { root, .. }
            | Collective::Reduce { root, .. }
            | Collective::Gather { root, .. }
            | Collective::Scatter { root, .. } => Some(root),
            Collective::AllReduce { .. }
            | Collective::Barrier
            | Collective::AllGather { .. }
            | Collective::AllToAll { .. }
            | Collective::ReduceScatter { .. } => None,
        }
    }
}

/// How a collective is carried out; what is not given is the library's choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Manner {
    /// The algorithm, `None` for the one that the library chooses.
    pub algorithm: Option<Algorithm>,
    /// Bytes of a segment, 0 for those that the algorithm usually has.
    pub segment_bytes: u32,
}
