//! Broadcast along a binomial tree by blocking sends, to the farthest rank first [MPICH-4].

use super::script::Script;
use super::tree;
use crate::operation::Rank;

pub(super) fn write(script: &mut Script, root: Rank, bytes: u64) {
    let tree = tree::binomial_low(script.relative(root), script.n_ranks);
    if let Some(parent) = tree.parent {
        script.receive(script.absolute(root, parent));
    }
    for child in tree.children.into_iter().rev() {
        script.send(script.absolute(root, child), bytes);
    }
}
