//! Reductions in which every rank gets one block of the sum, as in MPICH and in Open MPI.
//!
//! Sizes are bytes of a block. The blocks of all ranks are one vector.

use super::fold::{Fold, n_extra};
use super::scattered_broadcast::{Pair, pass_to_lonely};
use super::script::{Script, Slot};
use super::vector::Vector;
use crate::operation::Rank;

/// Recursive halving from the largest distance on [MPICH-4], [OPENMPI].
pub(super) fn write_halving(script: &mut Script, bytes: u64) {
    let fold = Fold::ToOdd;
    if let Some(number) = fold.begin(script, whole(script, bytes)) {
        let mut first = 0;
        for distance in (0..script.power_of_two().ilog2()).rev().map(|bit| 1 << bit) {
            let (low, high) = (first..first + distance, first + distance..first + 2 * distance);
            let is_low = number & distance == 0;
            let given = if is_low { high.clone() } else { low.clone() };
            first = if is_low { low.start } else { high.start };
            exchange(script, fold.rank(script, number ^ distance), bytes * n_blocks(script, given));
        }
    }
    fold.end(script, bytes);
}

/// Recursive halving from the smallest distance on. The last block of a rank is its own if their
/// number is a power of two, because blocks are numbered by reversed bits; otherwise blocks go to
/// their ranks at last [OPENMPI, coll_base_reduce_scatter_block.c].
pub(super) fn write_butterfly(script: &mut Script, bytes: u64) {
    let (fold, n_extra) = (Fold::ToOdd, n_extra(script));
    let n_bits = script.power_of_two().ilog2();
    let Some(number) = fold.begin(script, whole(script, bytes)) else {
        let holder = reversed(script.me() / 2, n_bits);
        script.receive(fold.rank(script, holder));
        return;
    };
    let (mut first, mut n_blocks_held) = (0, script.power_of_two());
    for distance in (0..n_bits).map(|bit| 1 << bit) {
        n_blocks_held /= 2;
        let (low, high) = (first, first + n_blocks_held);
        let (kept, given) = if number & distance == 0 { (low, high) } else { (high, low) };
        let blocks = n_blocks(script, given..given + n_blocks_held);
        exchange(script, fold.rank(script, number ^ distance), bytes * blocks);
        first = kept;
    }
    if n_extra == 0 {
        return;
    }
    let owner = reversed(number, n_bits);
    let peer = fold.rank(script, owner);
    if owner < n_extra {
        script.send(Rank::new(peer.get() - 1), bytes);
    }
    if owner != number {
        script.exchange(peer, bytes, peer);
    }
}

/// Recursive doubling: pairs exchange all blocks but those of ranks that both have combined
/// [OPENMPI, coll_base_reduce_scatter_block.c].
pub(super) fn write_doubling(script: &mut Script, bytes: u64) {
    let (n_ranks, first) = (script.n_ranks, Rank::new(0));
    for distance in (0..n_ranks.next_power_of_two().ilog2()).map(|bit| 1 << bit) {
        let pair = Pair::of(script.me(), distance);
        let outside = |group: &std::ops::Range<u32>| {
            u64::from(group.start) + u64::from(n_ranks.saturating_sub(group.end))
        };
        if pair.other < n_ranks {
            exchange(script, Rank::new(pair.other), bytes * outside(&pair.mine));
        }
        if pair.theirs.end > n_ranks {
            pass_to_lonely(script, first, &pair, bytes * outside(&pair.theirs));
        }
    }
}

/// P - 1 steps around a ring [OPENMPI, coll_base_reduce_scatter.c].
pub(super) fn write_ring(script: &mut Script, bytes: u64) {
    let (right, left) = (script.above(1), script.below(1));
    for step in 1..script.n_ranks {
        script.post(left, Slot::of(step.into()));
        if step > 1 {
            script.wait_for(Slot::of(u64::from(step) - 1));
        }
        script.send(right, bytes);
    }
    if script.n_ranks > 1 {
        script.wait_for(Slot::of(u64::from(script.n_ranks) - 1));
    }
}

fn exchange(script: &mut Script, peer: Rank, bytes: u64) {
    script.exchange(peer, bytes, peer);
}

/// Returns the vector of all blocks.
fn whole(script: &Script, bytes: u64) -> Vector {
    Vector::of_bytes(bytes * u64::from(script.n_ranks))
}

/// Returns the blocks of some of the ranks that continue; one of a pair has two.
fn n_blocks(script: &Script, numbers: std::ops::Range<u32>) -> u64 {
    let pairs = n_extra(script).clamp(numbers.start, numbers.end) - numbers.start;
    u64::from(numbers.end - numbers.start + pairs)
}

/// Returns a number of `n_bits` bits with its bits in reversed order.
fn reversed(number: u32, n_bits: u32) -> u32 {
    number.reverse_bits().unbounded_shr(u32::BITS - n_bits)
}
