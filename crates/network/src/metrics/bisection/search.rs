//! The least cut found for networks too large to try all splits: straight cuts, a corner, then
//! exchanges.
//!
//! The worst cut of a torus is straight, that of a P-Mesh a corner; the local search serves
//! irregular networks, and checks that the regular cuts are not merely assumed.

use std::sync::atomic::AtomicBool;

use quantity::{Id, IdVec};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::fabric::Fabric;
use crate::ids::NodeId;

use super::capacity::{Capacities, Split};
use super::{MetricError, expect_wanted};

/// Exchanges of two nodes tried from each start.
const EXCHANGES: usize = 4096;
/// Random starts besides the best regular cut.
const RANDOM_STARTS: u64 = 3;
/// Above this number of nodes an exchange changes the cut too little: only regular cuts are tried,
/// as with routed switches, where an exchange takes too long.
const MOST_EXCHANGED: u32 = 4096;

/// Returns the least traffic found across a split, and its half.
pub(super) fn least_cut(
    fabric: &Fabric,
    capacities: &Capacities,
    n_split: u32,
    stop: &AtomicBool,
) -> Result<(u64, IdVec<NodeId, bool>), MetricError> {
    let mut cuts = straight_halves(fabric, n_split);
    cuts.push(corner_half(fabric, n_split));
    let mut best = cuts
        .iter()
        .map(|half| capacities.split(half))
        .min_by_key(|split| split.crossing(capacities))
        .expect("the corner is a cut");
    if n_split <= MOST_EXCHANGED && capacities.are_separate() {
        let random = (0..RANDOM_STARTS)
            .map(|seed| random_half(n_split, &mut SplitMix64::seed_from_u64(seed)));
        let starts: Vec<Split> = std::iter::once(best.clone())
            .chain(random.map(|half| capacities.split(&half)))
            .collect();
        for (seed, start) in (RANDOM_STARTS..).zip(starts) {
            let improved = exchange(capacities, start, &mut SplitMix64::seed_from_u64(seed), stop)?;
            if improved.crossing(capacities) < best.crossing(capacities) {
                best = improved;
            }
        }
    }
    let bps = best.crossing(capacities);
    let first = best.half[NodeId::new(0)];
    Ok((bps, best.half.into_iter().map(|side| side == first).collect()))
}

/// Returns the traffic across the worst straight cut.
pub(super) fn straight_cut(fabric: &Fabric, capacities: &Capacities, n_split: u32) -> u64 {
    let cuts = straight_halves(fabric, n_split);
    let crossings = cuts.iter().map(|half| capacities.split(half).crossing(capacities));
    crossings.min().expect("nodes in order of id are always cut")
}

/// Splits the nodes in order of id, and in order of each coordinate; a middle layer is split too.
fn straight_halves(fabric: &Fabric, n_split: u32) -> Vec<IdVec<NodeId, bool>> {
    let mut order: Vec<NodeId> = NodeId::first(n_split).collect();
    let mut halves = vec![first_half(&order)];
    for axis in 0..fabric.shape().len() {
        order.sort_by_key(|&node| (fabric.coordinates(node)[axis], node));
        halves.push(first_half(&order));
    }
    halves
}

/// Splits off the nodes that are near the origin along any one axis, relative to its side.
fn corner_half(fabric: &Fabric, n_split: u32) -> IdVec<NodeId, bool> {
    let depth = |&node: &NodeId| {
        let place = fabric.coordinates(node).iter().zip(fabric.shape());
        let nearest = place.map(|(&at, &side)| ((2 * i64::from(at) + 1) << 20) / i64::from(side));
        (nearest.min().unwrap_or(0), node)
    };
    let mut order: Vec<NodeId> = NodeId::first(n_split).collect();
    order.sort_by_key(depth);
    first_half(&order)
}

fn first_half(order: &[NodeId]) -> IdVec<NodeId, bool> {
    let mut half = IdVec::filled(false, order.len() as u32);
    order[..order.len() / 2].iter().for_each(|&node| half[node] = true);
    half
}

fn random_half(n_split: u32, random: &mut SplitMix64) -> IdVec<NodeId, bool> {
    let n = n_split as usize;
    let mut half: IdVec<NodeId, bool> = (0..n).map(|node| node < n / 2).collect();
    for node in (1..n).rev() {
        half.swap(node, below(node + 1, random));
    }
    half
}

/// Exchanges random pairs across the cut and keeps the exchanges that do not widen it.
fn exchange(
    capacities: &Capacities,
    mut split: Split,
    random: &mut SplitMix64,
    stop: &AtomicBool,
) -> Result<Split, MetricError> {
    let n = split.half.len();
    let mut crossing = split.crossing(capacities);
    for _ in 0..EXCHANGES {
        expect_wanted(stop)?;
        let [a, b] = [(); 2].map(|()| NodeId::from_index(below(n, random)));
        if split.half[a] == split.half[b] {
            continue;
        }
        split.flip(capacities, a);
        split.flip(capacities, b);
        let tried = split.crossing(capacities);
        if tried <= crossing {
            crossing = tried;
        } else {
            split.flip(capacities, a);
            split.flip(capacities, b);
        }
    }
    Ok(split)
}

/// Returns a pseudorandom number in `0..n`; good enough for a search, and the same on every
/// machine.
fn below(n: usize, random: &mut SplitMix64) -> usize {
    (random.next_u64() % n as u64) as usize
}
