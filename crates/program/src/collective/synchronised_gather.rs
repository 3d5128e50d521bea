//! Gather without a tree in which the root asks each rank for its block: an empty message to the
//! rank, the block in two messages of which the second is empty [OPENMPI, coll_base_gather.c].

use quantity::Id;

use super::script::{Script, Slot};
use crate::operation::Rank;

pub(super) fn write(script: &mut Script, root: Rank, bytes: u64) {
    if script.rank != root {
        script.receive(root);
        script.send(root, bytes);
        script.send(root, 0);
        return;
    }
    for peer in Rank::first(script.n_ranks).filter(|&peer| peer != root) {
        script.post(peer, Slot::Even);
        script.send(peer, 0);
        script.start_receive(peer);
        script.wait_for(Slot::Even);
    }
    if script.n_ranks > 1 {
        script.wait();
    }
}
