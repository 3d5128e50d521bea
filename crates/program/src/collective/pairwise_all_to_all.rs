//! All-to-all in P - 1 exchanges, each with other partners.

use super::script::Script;
use crate::operation::Rank;

/// Each rank sends to the rank 1, 2, ... above it, and receives from that below.
pub(super) fn write(script: &mut Script, bytes: u64) {
    for distance in 1..script.n_ranks {
        let (above, below) = (script.above(distance), script.below(distance));
        script.exchange(above, bytes, below);
    }
}

/// Pairs of ranks exchange their blocks, if the number of ranks is a power of two [MPICH-4].
pub(super) fn write_by_pairs(script: &mut Script, bytes: u64) {
    if !script.n_ranks.is_power_of_two() {
        return write(script, bytes);
    }
    for distance in 1..script.n_ranks {
        let peer = Rank::new(script.me() ^ distance);
        script.exchange(peer, bytes, peer);
    }
}

/// Operations of one rank.
pub(super) const fn n_operations(n_ranks: usize) -> usize {
    3 * (n_ranks - 1)
}
