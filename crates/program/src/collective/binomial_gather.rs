//! Gather and scatter along a binomial tree: each rank handles the blocks of its subtree, by
//! blocking sends and receives, as in MPICH and in Open MPI.

use super::script::Script;
use super::tree;
use crate::operation::Rank;

/// Blocks of a child's subtree in the tree of `n_ranks` ranks.
fn n_blocks(parent: u32, child: u32, n_ranks: u32) -> u64 {
    (child - parent).min(n_ranks - child).into()
}

pub(super) fn write_gather(script: &mut Script, root: Rank, bytes: u64) {
    let (me, n_ranks) = (script.relative(root), script.n_ranks);
    let tree = tree::binomial_low(me, n_ranks);
    for &child in &tree.children {
        script.receive(script.absolute(root, child));
    }
    if let Some(parent) = tree.parent {
        let blocks = n_blocks(parent, me, n_ranks);
        script.send(script.absolute(root, parent), blocks * bytes);
    }
}

pub(super) fn write_scatter(script: &mut Script, root: Rank, bytes: u64) {
    let (me, n_ranks) = (script.relative(root), script.n_ranks);
    let tree = tree::binomial_low(me, n_ranks);
    if let Some(parent) = tree.parent {
        script.receive(script.absolute(root, parent));
    }
    for child in tree.children.into_iter().rev() {
        script.send(script.absolute(root, child), n_blocks(me, child, n_ranks) * bytes);
    }
}
