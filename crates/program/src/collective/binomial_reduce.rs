//! Reduction along a binomial tree from the low bit up, for commutative operations.
//!
//! Ranks count from the root. Rank v receives from v+1, v+2, v+4, ... in turn while these bits of v
//! are clear, then sends to v without its lowest bit [MPICH-1.1].

use super::script::Script;
use crate::operation::Rank;

pub(super) fn write(script: &mut Script, root: Rank, bytes: u64) {
    let rank = script.relative(root);
    let mut bit = 1;
    while bit < script.n_ranks {
        if rank & bit != 0 {
            script.send(script.absolute(root, rank - bit), bytes);
            return;
        }
        if rank + bit < script.n_ranks {
            script.receive(script.absolute(root, rank + bit));
        }
        bit *= 2;
    }
}
