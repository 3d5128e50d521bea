//! The actions of one rank in a collective, by the algorithm of its library.
//!
//! The matches here say which file has which algorithm of which collective.

use super::algorithm::Algorithm;
use super::fold::Fold;
use super::halving::Division;
use super::rabenseifner::{Form, IN_HALVES};
use super::script::Script;
use super::tree::{self, Tree};
use super::vector::Vector;
use super::{
    AlgorithmSet, Collective, Manner, binomial_broadcast, binomial_gather, binomial_reduce, bruck,
    cube_broadcast, dissemination_barrier, doubling_all_gather, doubling_all_reduce,
    doubling_barrier, down_tree, linear_all_to_all, linear_gather, linear_scatter,
    neighbour_all_gather, pairwise_all_to_all, posted_all_to_all, posted_scatter, rabenseifner,
    reduce_scatter, ring_all_gather, ring_all_reduce, scattered_broadcast, split_binary_broadcast,
    synchronised_gather, tree_barrier, up_tree,
};
use crate::operation::Rank;

/// Base of the digits of a k-nomial tree [OPENMPI, coll_tuned_bcast_decision.c].
const KNOMIAL_BASE: u32 = 4;

/// Appends one rank's actions of a collective.
pub(crate) fn write(script: &mut Script, collective: Collective, manner: Manner) {
    if script.library.skips(collective) {
        return;
    }
    let algorithm = script.library.algorithm(collective, manner, script.n_ranks);
    script.segment_bytes = match manner.segment_bytes {
        0 => algorithm.usual_segment_bytes(),
        bytes => bytes,
    };
    match collective {
        Collective::Broadcast { root, bytes } => broadcast(script, algorithm, root, bytes),
        Collective::Reduce { root, bytes } => reduce(script, algorithm, root, bytes),
        Collective::AllReduce { bytes } => all_reduce(script, algorithm, bytes),
        Collective::Barrier => barrier(script, algorithm),
        Collective::AllGather { bytes } => all_gather(script, algorithm, bytes),
        Collective::AllToAll { bytes } => all_to_all(script, algorithm, bytes),
        Collective::Gather { root, bytes } => match algorithm {
            Algorithm::Linear => linear_gather::write(script, root, bytes),
            Algorithm::LinearSynchronised => synchronised_gather::write(script, root, bytes),
            _ => binomial_gather::write_gather(script, root, bytes),
        },
        Collective::Scatter { root, bytes } => match algorithm {
            Algorithm::Linear => linear_scatter::write(script, root, bytes),
            Algorithm::LinearPosted => posted_scatter::write(script, root, bytes),
            _ => binomial_gather::write_scatter(script, root, bytes),
        },
        Collective::ReduceScatter { bytes } => reduce_and_scatter(script, algorithm, bytes),
    }
}

fn broadcast(script: &mut Script, algorithm: Algorithm, root: Rank, bytes: u64) {
    let vector = script.library.vector(Collective::Broadcast { root, bytes });
    match algorithm {
        Algorithm::Binomial => binomial_broadcast::write(script, root, bytes),
        Algorithm::BinomialCube => cube_broadcast::write(script, root, bytes),
        Algorithm::SplitBinary => split_binary_broadcast::write(script, root, bytes),
        Algorithm::ScatterRing => scattered_broadcast::write_ring(script, root, vector),
        Algorithm::ScatterDoubling => scattered_broadcast::write_doubling(script, root, vector),
        _ => {
            let tree = tree_of(algorithm, script.relative(root), script.n_ranks);
            down_tree::write(script, &tree, root, bytes);
        }
    }
}

fn reduce(script: &mut Script, algorithm: Algorithm, root: Rank, bytes: u64) {
    match algorithm {
        Algorithm::Linear => up_tree::write_linear(script, root, bytes),
        Algorithm::Binomial => binomial_reduce::write(script, root, bytes),
        Algorithm::BinaryInOrder => {
            let tree = tree::in_order_binary(script.me(), script.n_ranks);
            up_tree::write_in_order(script, &tree, root, bytes);
        }
        Algorithm::Rabenseifner => {
            let form = Form { fold: Fold::ToEven, division: Division::OfBlocks };
            rabenseifner::write_reduce(script, form, root, bytes);
        }
        Algorithm::RabenseifnerHalves => {
            rabenseifner::write_reduce(script, IN_HALVES, root, bytes);
        }
        _ => {
            let tree = tree_of(algorithm, script.relative(root), script.n_ranks);
            up_tree::write(script, &tree, root, bytes);
        }
    }
}

fn tree_of(algorithm: Algorithm, rank: u32, n_ranks: u32) -> Tree {
    match algorithm {
        Algorithm::Linear => tree::linear(rank, n_ranks),
        Algorithm::Binary => tree::binary(rank, n_ranks),
        Algorithm::BinomialHigh => tree::binomial_high(rank, n_ranks),
        Algorithm::Knomial => tree::knomial(rank, n_ranks, KNOMIAL_BASE),
        _ => tree::chain(rank, n_ranks),
    }
}

fn all_reduce(script: &mut Script, algorithm: Algorithm, bytes: u64) {
    let root = Rank::new(0);
    match algorithm {
        Algorithm::TwoSteps => {
            write(script, Collective::Reduce { root, bytes }, Manner::default());
            write(script, Collective::Broadcast { root, bytes }, Manner::default());
        }
        Algorithm::LinearTwoSteps => {
            reduce(script, Algorithm::Linear, root, bytes);
            broadcast(script, Algorithm::Linear, root, bytes);
        }
        Algorithm::RecursiveDoubling => doubling_all_reduce::write(script, bytes),
        Algorithm::Rabenseifner => {
            let form = Form { fold: Fold::ToOdd, division: Division::OfBlocks };
            rabenseifner::write_all_reduce(script, form, bytes);
        }
        Algorithm::RabenseifnerHalves => rabenseifner::write_all_reduce(script, IN_HALVES, bytes),
        _ => ring_all_reduce::write(script, bytes),
    }
}

fn barrier(script: &mut Script, algorithm: Algorithm) {
    match algorithm {
        Algorithm::Linear => tree_barrier::write_linear(script),
        Algorithm::Tree => tree_barrier::write(script),
        Algorithm::Dissemination => dissemination_barrier::write(script),
        _ => doubling_barrier::write(script),
    }
}

fn all_gather(script: &mut Script, algorithm: Algorithm, bytes: u64) {
    match algorithm {
        Algorithm::Bruck => bruck::write_all_gather(script, bytes),
        Algorithm::RecursiveDoubling => doubling_all_gather::write(script, bytes),
        Algorithm::NeighbourExchange => neighbour_all_gather::write(script, bytes),
        _ => ring_all_gather::write(script, bytes),
    }
}

fn all_to_all(script: &mut Script, algorithm: Algorithm, bytes: u64) {
    match algorithm {
        Algorithm::Linear => linear_all_to_all::write(script, bytes),
        Algorithm::Scattered => linear_all_to_all::write_scattered(script, bytes),
        Algorithm::Pairwise => pairwise_all_to_all::write(script, bytes),
        Algorithm::PairwiseExchange => pairwise_all_to_all::write_by_pairs(script, bytes),
        Algorithm::Bruck => bruck::write_all_to_all(script, bytes),
        _ => posted_all_to_all::write(script, bytes),
    }
}

fn reduce_and_scatter(script: &mut Script, algorithm: Algorithm, bytes: u64) {
    let (root, all) = (Rank::new(0), bytes * u64::from(script.n_ranks));
    match algorithm {
        Algorithm::RecursiveHalving => reduce_scatter::write_halving(script, bytes),
        Algorithm::RecursiveDoubling => reduce_scatter::write_doubling(script, bytes),
        Algorithm::Butterfly => reduce_scatter::write_butterfly(script, bytes),
        Algorithm::Pairwise => pairwise_all_to_all::write(script, bytes),
        Algorithm::Ring => reduce_scatter::write_ring(script, bytes),
        _ => {
            write(script, Collective::Reduce { root, bytes: all }, Manner::default());
            write(script, Collective::Scatter { root, bytes }, Manner::default());
        }
    }
}

/// Returns a lower bound of the number of actions of a collective on each rank.
///
/// It is exact if every rank has actions for every other, so that a collective too large for memory
/// is refused before it is written.
pub(crate) fn least_actions(
    library: AlgorithmSet,
    collective: Collective,
    manner: Manner,
    n_ranks: u32,
) -> usize {
    if library.skips(collective) {
        return 0;
    }
    let (algorithm, n_ranks) = (library.algorithm(collective, manner, n_ranks), n_ranks as usize);
    match (collective, algorithm) {
        (Collective::AllGather { .. }, Algorithm::Ring) => ring_all_gather::n_operations(n_ranks),
        (Collective::AllReduce { .. }, Algorithm::Ring | Algorithm::SegmentedRing) => {
            2 * ring_all_gather::n_operations(n_ranks)
        }
        (Collective::AllToAll { .. }, Algorithm::Posted) => {
            posted_all_to_all::n_operations(n_ranks)
        }
        (Collective::AllToAll { .. }, Algorithm::Linear | Algorithm::Scattered) => {
            linear_all_to_all::n_operations(n_ranks)
        }
        (
            Collective::AllToAll { .. } | Collective::ReduceScatter { .. },
            Algorithm::Pairwise | Algorithm::PairwiseExchange,
        ) => pairwise_all_to_all::n_operations(n_ranks),
        _ if n_ranks > 1 => n_segments(collective, algorithm, manner),
        _ => 0,
    }
}

/// Returns the number of segments of a message, which every rank sends or receives one by one.
fn n_segments(collective: Collective, algorithm: Algorithm, manner: Manner) -> usize {
    let segment_bytes = match manner.segment_bytes {
        0 => algorithm.usual_segment_bytes(),
        bytes => bytes,
    };
    let vector = Vector::of_numbers(collective.bytes());
    let n_segments = vector.elements.div_ceil(vector.segment(segment_bytes).max(1));
    if algorithm.has_segments(collective) { n_segments as usize } else { 0 }
}
