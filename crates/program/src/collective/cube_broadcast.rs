//! Broadcast along a binomial tree over the largest power of two of ranks, then to the extra ones.
//!
//! Ranks count from the root. The root sends to the rank half the power of two away first, then a
//! quarter, and so on; each rank forwards the data over the strides below the one by which it
//! received them. At last rank v sends to the extra rank v + N2. Sends are blocking [MPICH-1.1].

use super::script::Script;
use crate::operation::Rank;

pub(super) fn write(script: &mut Script, root: Rank, bytes: u64) {
    let (rank, n_tree) = (script.relative(root), script.power_of_two());
    if rank >= n_tree {
        script.receive(script.absolute(root, rank - n_tree));
        return;
    }
    // The stride by which the data arrive; at the root, one beyond the tree.
    let came_by = if rank == 0 { n_tree } else { rank & rank.wrapping_neg() };
    if rank > 0 {
        script.receive(script.absolute(root, rank - came_by));
    }
    let mut stride = came_by / 2;
    while stride > 0 {
        script.send(script.absolute(root, rank + stride), bytes);
        stride /= 2;
    }
    if rank < script.n_ranks - n_tree {
        script.send(script.absolute(root, rank + n_tree), bytes);
    }
}
