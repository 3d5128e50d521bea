//! Bisection bandwidth: the traffic across the worst split into two equal halves, both directions
//! counted.
//!
//! For a given split it is the largest flow from one half to the other and back when every node
//! sends and receives at the rate of its links. Because each node is a source or a sink, no flow
//! gains by a relay in its own half, and segments can be treated separately:
//!
//! - a link carries its rate each way, so twice its rate counts;
//! - a hub is one half-duplex medium and carries its rate once, in either direction [PMESH, errata
//!   4];
//! - a backplane moves every frame once, in either direction, and all frames of such traffic cross
//!   the cut: n busy ports get rate / n each. Logical switches of a chassis share its backplane.
//!
//! With routed switches, which join segments and are no ends of traffic, the flow is found in the
//! whole network (see `routed`).
//!
//! As in the papers, the processor time of nodes that forward is not counted. All equal splits are
//! tried for up to 20 nodes. Beyond, the result is the least of cuts by coordinates and of a seeded
//! local search: an upper bound, marked as not exact.
//!
//! The worst split need not be a straight cut. In a P-Mesh of side n it is a corner: where some
//! whole rows and some whole columns are one half, n^2 (sqrt 2 - 1) links are cut for large n
//! instead of the n^2 / 2 of the formulas (and 16 instead of 18 for 6 x 6), so both values are
//! returned.

mod capacity;
mod groups;
mod routed;
mod search;

use std::sync::atomic::AtomicBool;

use quantity::IdVec;

use crate::Network;
use crate::ids::NodeId;

use super::{MetricError, expect_wanted};
use capacity::Capacities;

/// The most nodes for which all equal splits are tried (92,378 splits).
const MOST_ENUMERATED: u32 = 20;
/// The same where each split needs a flow through the whole network (462 splits).
const MOST_ENUMERATED_ROUTED: u32 = 12;

/// The method of the search for the worst split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitMethod {
    /// All equal splits were tried.
    Enumerated,
    /// Cuts along coordinates were tried and improved by a local search.
    Searched,
}

/// The worst equal split found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bisection {
    /// Traffic across the split, both directions together, in bit/s.
    pub bps: u64,
    /// Traffic across the worst straight cut, which halves the nodes in order of id or of one
    /// coordinate: the split that formulas assume, in bit/s.
    pub straight_bps: u64,
    /// Whether no equal split is worse than `bps`.
    pub is_exact: bool,
    /// The method of the search.
    pub method: SplitMethod,
    /// Per node: whether it is in the half of node 0.
    pub half: IdVec<NodeId, bool>,
}

/// Returns the bisection bandwidth of the first `n_split` nodes (a front end comes after them).
///
/// Without backplanes, switches are treated as non-blocking.
///
/// # Errors
/// When there are fewer than two nodes to split, when the network has fewer nodes than requested,
/// or when `stop` is set during the search.
pub fn bisection(
    network: &Network,
    n_split: u32,
    with_backplanes: bool,
    stop: &AtomicBool,
) -> Result<Bisection, MetricError> {
    if n_split < 2 {
        return Err(MetricError::TooFewToSplit { n_nodes: n_split });
    }
    if n_split > network.fabric.n_nodes() {
        return Err(MetricError::UnknownNode { node: NodeId::new(n_split - 1) });
    }
    let capacities = Capacities::new(&network.fabric, n_split, with_backplanes);
    let most = match capacities.are_separate() {
        true => MOST_ENUMERATED,
        false => MOST_ENUMERATED_ROUTED,
    };
    let method = if n_split <= most { SplitMethod::Enumerated } else { SplitMethod::Searched };
    let (bps, half) = match method {
        SplitMethod::Enumerated => enumerate(&capacities, n_split),
        SplitMethod::Searched => search::least_cut(&network.fabric, &capacities, n_split, stop)?,
    };
    let straight_bps = search::straight_cut(&network.fabric, &capacities, n_split);
    let is_exact = method == SplitMethod::Enumerated && !capacities.is_bound;
    Ok(Bisection { bps, straight_bps, is_exact, method, half })
}

/// Tries every split with node 0 in the first half; for an odd number, with both sizes of that
/// half.
fn enumerate(capacities: &Capacities, n: u32) -> (u64, IdVec<NodeId, bool>) {
    let mut split = capacities.split(&(0..n).map(|node| node == 0).collect());
    let mut present = 0u32;
    let mut best = (u64::MAX, IdVec::new());
    let sizes = if n.is_multiple_of(2) { n / 2..=n / 2 } else { n / 2..=n / 2 + 1 };
    for chosen in sizes.flat_map(|size| subsets(n - 1, size - 1)) {
        for node in (1..n).filter(|node| (present ^ chosen) >> (node - 1) & 1 == 1) {
            split.flip(capacities, NodeId::new(node));
        }
        present = chosen;
        let bps = split.crossing(capacities);
        if bps < best.0 {
            best = (bps, split.half.clone());
        }
    }
    best
}

/// Returns all sets of `k` of `n` elements as bit masks, in increasing order (Gosper's hack).
fn subsets(n: u32, k: u32) -> impl Iterator<Item = u32> {
    let first = (1u32 << k) - 1;
    std::iter::successors(Some(first), move |&set| {
        if set == 0 {
            return None;
        }
        let lowest = set & set.wrapping_neg();
        let ripple = set + lowest;
        Some((((ripple ^ set) >> 2) / lowest) | ripple)
    })
    .take_while(move |&set| set < 1 << n)
}

#[cfg(test)]
mod tests {
    use super::subsets;

    #[test]
    fn subsets_are_all_of_them() {
        let count = |n, k| subsets(n, k).inspect(|set| assert_eq!(set.count_ones(), k)).count();
        assert_eq!((count(1, 0), count(3, 1), count(5, 5), count(15, 7)), (1, 3, 1, 6435));
    }
}
