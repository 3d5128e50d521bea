//! Broadcast of two halves: each goes down one subtree of a binary tree, and pairs of ranks of
//! different subtrees exchange them [OPENMPI, coll_base_bcast.c].

use super::script::Script;
use super::tree;
use super::vector::Vector;
use crate::operation::Rank;

pub(super) fn write(script: &mut Script, root: Rank, bytes: u64) {
    let (me, n_ranks) = (script.relative(root), script.n_ranks);
    let vector = Vector::of_numbers(bytes);
    let tree = tree::binary(me, n_ranks);
    // Odd ranks are in the left subtree, which gets the first half.
    let halves = [vector.block(0, 2), vector.block(1, 2)];
    let half_of = |rank: u32| halves[usize::from(rank.is_multiple_of(2))];
    if let Some(parent) = tree.parent {
        script.receive(script.absolute(root, parent));
    }
    for child in tree.children {
        script.send(script.absolute(root, child), half_of(child));
    }
    let (last, has_last) = (n_ranks - 1, n_ranks.is_multiple_of(2));
    match me {
        0 if has_last => script.send(script.absolute(root, last), halves[1]),
        0 => {}
        _ if has_last && me == last => script.receive(root),
        _ => {
            let pair = if me.is_multiple_of(2) { script.below(1) } else { script.above(1) };
            script.exchange(pair, half_of(me), pair);
        }
    }
}
