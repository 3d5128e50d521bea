//! Scatter without a tree: the root sends to rank 0, 1, ... in that order
//! [MPICH-1.1]. The root's own block is in place.

use quantity::Id;

use super::script::Script;
use crate::operation::Rank;

pub(super) fn write(script: &mut Script, root: Rank, bytes: u64) {
    if script.rank != root {
        script.receive(root);
        return;
    }
    for peer in Rank::first(script.n_ranks).filter(|&peer| peer != root) {
        script.send(peer, bytes);
    }
}
