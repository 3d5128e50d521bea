//! All-gather around a ring: P - 1 times, every rank passes a block on to its right neighbour.
//!
//! A rank's own block is in place from the start [MPICH-1.1].

use super::script::Script;

pub(super) fn write(script: &mut Script, bytes: u64) {
    let n_ranks = script.n_ranks;
    let right = script.absolute(script.rank, 1);
    let left = script.absolute(script.rank, n_ranks - 1);
    for _ in 1..n_ranks {
        script.exchange(right, bytes, left);
    }
}

/// Operations of one rank.
pub(super) const fn n_operations(n_ranks: usize) -> usize {
    3 * (n_ranks - 1)
}
