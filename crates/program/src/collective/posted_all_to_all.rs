//! All-to-all with everything posted at once: a receive and a send for rank 0, 1, ..., itself
//! included, then one wait for all.
//!
//! Every rank begins with rank 0, the hot spot that measurements of this library show [MPICH-1.1].

use quantity::Id;

use super::script::Script;
use crate::operation::Rank;

pub(super) fn write(script: &mut Script, bytes: u64) {
    for peer in Rank::first(script.n_ranks) {
        script.start_receive(peer);
        script.start_send(peer, bytes);
    }
    script.wait();
}

/// Operations of one rank.
pub(super) const fn n_operations(n_ranks: usize) -> usize {
    2 * n_ranks + 1
}
