//! The algorithms of Bruck for any number of ranks: about log2 P exchanges at distances 1, 2, 4,
//! ... [BRUCK-1997].

use super::script::Script;

/// All-gather: each rank passes on all that it holds, at last only what is missing.
pub(super) fn write_all_gather(script: &mut Script, bytes: u64) {
    for distance in distances(script.n_ranks) {
        let blocks = distance.min(script.n_ranks - distance);
        let (above, below) = (script.above(distance), script.below(distance));
        script.exchange(below, u64::from(blocks) * bytes, above);
    }
}

/// All-to-all: a block whose way around the ranks has a bit set moves that far.
pub(super) fn write_all_to_all(script: &mut Script, bytes: u64) {
    for distance in distances(script.n_ranks) {
        let blocks = (1..script.n_ranks).filter(|way| way & distance != 0).count() as u64;
        let (above, below) = (script.above(distance), script.below(distance));
        script.exchange(above, blocks * bytes, below);
    }
}

fn distances(n_ranks: u32) -> impl Iterator<Item = u32> {
    (0..u32::BITS - 1).map(|bit| 1 << bit).take_while(move |&distance| distance < n_ranks)
}
