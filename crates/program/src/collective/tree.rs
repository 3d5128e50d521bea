//! Trees over the ranks of a collective, which count from its root [OPENMPI, coll_base_topo.c].
//!
//! Each function gives the place of one rank, so that ranks can be expanded one by one.

/// The place of one rank in a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tree {
    /// The parent, `None` at the root.
    pub parent: Option<u32>,
    /// The children, in the order in which data are sent to them.
    pub children: Vec<u32>,
}

/// The root and a child for every other rank.
pub(crate) fn linear(rank: u32, n_ranks: u32) -> Tree {
    match rank {
        0 => Tree { parent: None, children: (1..n_ranks).collect() },
        _ => Tree { parent: Some(0), children: Vec::new() },
    }
}

/// Every rank has the next one as its child.
pub(crate) fn chain(rank: u32, n_ranks: u32) -> Tree {
    let children = if rank + 1 < n_ranks { vec![rank + 1] } else { Vec::new() };
    Tree { parent: rank.checked_sub(1), children }
}

/// Two children per rank, level by level: 1 and 2 below 0, 3 and 5 below 1, 4 and 6 below 2.
pub(crate) fn binary(rank: u32, n_ranks: u32) -> Tree {
    // Level L holds 2^L ranks from 2^L - 1 on.
    let width = 1 << (rank + 1).ilog2();
    let children = [rank + width, rank + 2 * width];
    let above = width / 2;
    let is_first_child = rank + 1 < width + above;
    Tree {
        parent: (rank > 0).then(|| rank - if is_first_child { above } else { width }),
        children: children.into_iter().filter(|&child| child < n_ranks).collect(),
    }
}

/// Binomial: the parent lacks the lowest bit of the child.
pub(crate) fn binomial_low(rank: u32, n_ranks: u32) -> Tree {
    let lowest = if rank == 0 { n_ranks.next_power_of_two() } else { rank & rank.wrapping_neg() };
    let strides = (0..lowest.ilog2()).map(|bit| 1 << bit);
    Tree {
        parent: (rank > 0).then(|| rank - lowest),
        children: strides.map(|stride| rank + stride).filter(|&child| child < n_ranks).collect(),
    }
}

/// Binomial: the parent lacks the highest bit of the child.
pub(crate) fn binomial_high(rank: u32, n_ranks: u32) -> Tree {
    let first = if rank == 0 { 0 } else { rank.ilog2() + 1 };
    let strides = (first..u32::BITS - 1).map(|bit| 1 << bit);
    Tree {
        parent: (rank > 0).then(|| rank - (1 << rank.ilog2())),
        children: strides.map(|stride| rank + stride).take_while(|&c| c < n_ranks).collect(),
    }
}

/// Like the binomial tree of low bits, with digits of this base instead of bits.
pub(crate) fn knomial(rank: u32, n_ranks: u32, base: u32) -> Tree {
    let mut stride = 1;
    while stride < n_ranks && rank.is_multiple_of(base * stride) {
        stride *= base;
    }
    let above = base * stride;
    let parent = (rank > 0).then(|| rank / above * above);
    let mut children = Vec::new();
    while stride > 1 {
        stride /= base;
        children.extend((1..base).map(|digit| rank + digit * stride).filter(|&c| c < n_ranks));
    }
    Tree { parent, children }
}

/// Two children per rank so that subtrees hold consecutive ranks; the root is the last rank. Here
/// ranks count from 0, whatever the root of the collective.
pub(crate) fn in_order_binary(rank: u32, n_ranks: u32) -> Tree {
    let (mut me, mut size, mut first) = (rank, n_ranks, 0);
    let mut parent = None;
    while me + 1 < size {
        parent = Some(first + size - 1);
        let right = if size > 2 { size / 2 } else { 0 };
        if me < right {
            size = right;
        } else {
            (me, first, size) = (me - right, first + right, size - right - 1);
        }
    }
    let left_child = (size > 1).then(|| size - 2);
    let right_child = (size > 2).then(|| size / 2 - 1);
    let children = left_child.into_iter().chain(right_child).map(|child| child + first).collect();
    Tree { parent, children }
}
