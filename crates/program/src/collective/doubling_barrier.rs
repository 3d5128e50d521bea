//! Barrier by exchanges over a hypercube of the largest power of two of ranks.
//!
//! The extra ranks report to the rank N2 below; the ranks of the cube exchange empty messages at
//! distances 1, 2, 4, ...; then the extra ranks are released [MPICH-1.1].

use super::script::Script;
use crate::operation::Rank;

pub(super) fn write(script: &mut Script) {
    let (rank, n_cube) = (script.rank.get(), script.power_of_two());
    if rank >= n_cube {
        let peer = Rank::new(rank - n_cube);
        script.exchange(peer, 0, peer);
        return;
    }
    let has_extra = rank < script.n_ranks - n_cube;
    if has_extra {
        script.receive(Rank::new(rank + n_cube));
    }
    let mut distance = 1;
    while distance < n_cube {
        let peer = Rank::new(rank ^ distance);
        script.exchange(peer, 0, peer);
        distance *= 2;
    }
    if has_extra {
        script.send(Rank::new(rank + n_cube), 0);
    }
}
