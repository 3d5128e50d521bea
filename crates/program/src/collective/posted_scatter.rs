//! Scatter without a tree in which the root starts all sends at once [OPENMPI,
//! coll_base_scatter.c].

use quantity::Id;

use super::script::Script;
use crate::operation::Rank;

pub(super) fn write(script: &mut Script, root: Rank, bytes: u64) {
    if script.rank != root {
        script.receive(root);
        return;
    }
    for peer in Rank::first(script.n_ranks).filter(|&peer| peer != root) {
        script.start_send(peer, bytes);
    }
    if script.n_ranks > 1 {
        script.wait();
    }
}
