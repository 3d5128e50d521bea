//! MPICH 4 with one process per node, as its selection files and defaults say
//! [MPICH-4, maint/tuning/coll/mpir/generic.json], the same from 4.0 to 4.3.

use crate::collective::vector::Vector;
use crate::collective::{Algorithm, Collective};
use Algorithm::{
    Binomial, Bruck, Dissemination, Pairwise, PairwiseExchange, Rabenseifner, RecursiveDoubling,
    RecursiveHalving, Ring, ScatterDoubling, ScatterRing, Scattered,
};

/// Largest broadcast along a tree, in bytes.
const SHORT_BROADCAST: u64 = 12_288;
/// Largest broadcast, and first all-gather and reduce-scatter of all ranks together, that is long.
const LONG: u64 = 524_288;
/// First long all-gather of all ranks together, where their number is no power of two.
const LONG_BRUCK: u64 = 81_920;
/// Fewest ranks of which a broadcast is scattered.
const MANY_RANKS: u32 = 8;
/// Fewest ranks of which small blocks go by Bruck: the file says 8 too, but the search takes "fewer
/// than" as "at most" below a condition that depends on the call [MPICH-4, csel.c].
const MANY_RANKS_OF_BLOCKS: u32 = 9;

pub(super) fn choose(collective: Collective, n_ranks: u32) -> Algorithm {
    let has_power_of_two = n_ranks.is_power_of_two();
    let of_all = collective.bytes().saturating_mul(n_ranks.into());
    match collective {
        Collective::Broadcast { bytes, .. } => match bytes {
            _ if n_ranks < MANY_RANKS => Binomial,
            0..=SHORT_BROADCAST => Binomial,
            0..=LONG if has_power_of_two => ScatterDoubling,
            _ => ScatterRing,
        },
        Collective::Reduce { bytes, .. } if bytes > 2048 && has_many(bytes, n_ranks) => {
            Rabenseifner
        }
        Collective::Reduce { .. } | Collective::Gather { .. } | Collective::Scatter { .. } => {
            Binomial
        }
        Collective::AllReduce { bytes } if bytes > 8 && has_many(bytes, n_ranks) => Rabenseifner,
        Collective::AllReduce { .. } => RecursiveDoubling,
        Collective::Barrier => Dissemination,
        Collective::AllGather { .. } => match of_all {
            0..LONG if has_power_of_two => RecursiveDoubling,
            0..LONG_BRUCK if !has_power_of_two => Bruck,
            _ => Ring,
        },
        Collective::AllToAll { bytes } => match bytes {
            0..=256 if n_ranks >= MANY_RANKS_OF_BLOCKS => Bruck,
            0..=32_768 => Scattered,
            _ => PairwiseExchange,
        },
        Collective::ReduceScatter { .. } if of_all < LONG => RecursiveHalving,
        Collective::ReduceScatter { .. } => Pairwise,
    }
}

/// Returns whether each rank of the largest power of two gets an element.
fn has_many(bytes: u64, n_ranks: u32) -> bool {
    Vector::of_numbers(bytes).elements >= 1 << n_ranks.ilog2()
}
