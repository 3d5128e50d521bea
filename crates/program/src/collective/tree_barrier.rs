//! Barriers with a root, rank 0: reports come up a tree, and the release goes down.

use super::script::Script;
use super::tree::{Tree, binomial_low};
use crate::operation::Rank;

/// A binomial tree, by blocking sends and receives [OPENMPI, coll_base_barrier.c].
pub(super) fn write(script: &mut Script) {
    let Tree { parent, children } = binomial_low(script.me(), script.n_ranks);
    for &child in &children {
        script.receive(Rank::new(child));
    }
    if let Some(parent) = parent {
        script.send(Rank::new(parent), 0);
        script.receive(Rank::new(parent));
    }
    for child in children.into_iter().rev() {
        script.send(Rank::new(child), 0);
    }
}

/// All ranks report to rank 0, which receives the reports in any order.
pub(super) fn write_linear(script: &mut Script) {
    let first = Rank::new(0);
    if script.rank != first {
        script.send(first, 0);
        script.receive(first);
        return;
    }
    for peer in (1..script.n_ranks).map(Rank::new) {
        script.start_receive(peer);
    }
    if script.n_ranks > 1 {
        script.wait();
    }
    for peer in (1..script.n_ranks).map(Rank::new) {
        script.send(peer, 0);
    }
}
