//! Broadcast of long vectors: the root scatters blocks along a binomial tree, and all ranks gather
//! them around a ring or by recursive doubling [THAKUR-2005].
//!
//! All blocks are as long as the first; the last ones are shorter or empty.

use std::ops::Range;

use super::script::Script;
use super::tree;
use super::vector::Vector;
use crate::operation::Rank;

pub(super) fn write_ring(script: &mut Script, root: Rank, vector: Vector) {
    scatter(script, root, vector);
    let n_ranks = script.n_ranks;
    let (right, left, me) = (script.above(1), script.below(1), script.relative(root));
    for step in 0..n_ranks - 1 {
        let block = (me + n_ranks - step) % n_ranks;
        script.exchange(right, vector.full_blocks(block..block + 1, n_ranks), left);
    }
}

pub(super) fn write_doubling(script: &mut Script, root: Rank, vector: Vector) {
    scatter(script, root, vector);
    let n_ranks = script.n_ranks;
    for distance in (0..n_ranks.next_power_of_two().ilog2()).map(|bit| 1 << bit) {
        let pair = Pair::of(script.relative(root), distance);
        if pair.other < n_ranks {
            let peer = script.absolute(root, pair.other);
            script.exchange(peer, vector.full_blocks(pair.mine.clone(), n_ranks), peer);
        }
        if pair.theirs.end > n_ranks {
            let bytes = vector.full_blocks(pair.theirs.clone(), n_ranks);
            pass_to_lonely(script, root, &pair, bytes);
        }
    }
}

/// Two groups of ranks, counted from the root, that exchange what they hold.
pub(super) struct Pair {
    /// This rank.
    me: u32,
    /// The distance of the groups.
    distance: u32,
    /// The partner of this rank, which may not exist.
    pub other: u32,
    /// The blocks of this rank's group.
    pub mine: Range<u32>,
    /// The blocks of the other group, of which some may not exist.
    pub theirs: Range<u32>,
}

impl Pair {
    pub fn of(me: u32, distance: u32) -> Pair {
        let group = |rank: u32| rank / distance * distance..rank / distance * distance + distance;
        let other = me ^ distance;
        Pair { me, distance, other, mine: group(me), theirs: group(other) }
    }
}

/// Ranks without a partner get the other group's data from ranks of their own group, by recursive
/// halving.
pub(super) fn pass_to_lonely(script: &mut Script, root: Rank, pair: &Pair, bytes: u64) {
    let Pair { me, distance, .. } = *pair;
    // Ranks of this group with a partner; the group may have none, or lie above the other.
    let n_with = i64::from(script.n_ranks) - i64::from(pair.mine.end);
    for stride in (0..distance.ilog2()).rev().map(|bit| 1 << bit) {
        let (other, first) = (me ^ stride, me / (2 * stride) * (2 * stride));
        let has = |rank: u32| i64::from(rank) < i64::from(first) + n_with;
        if other > me && has(me) && !has(other) {
            script.send(script.absolute(root, other), bytes);
        } else if other < me && has(other) && !has(me) {
            script.receive(script.absolute(root, other));
        }
    }
}

fn scatter(script: &mut Script, root: Rank, vector: Vector) {
    let (me, n_ranks) = (script.relative(root), script.n_ranks);
    let tree = tree::binomial_low(me, n_ranks);
    if let Some(parent) = tree.parent
        && vector.full_blocks(me..n_ranks, n_ranks) > 0
    {
        script.receive(script.absolute(root, parent));
    }
    for child in tree.children.into_iter().rev() {
        let bytes = vector.full_blocks(child..2 * child - me, n_ranks);
        if bytes > 0 {
            script.send(script.absolute(root, child), bytes);
        }
    }
}
