//! Reduction up a tree: each rank combines the segments of its children with its own, and sends the
//! result to its parent.
//!
//! A receive is posted before the last one is awaited, from the next child or of the next segment
//! [OPENMPI, coll_base_reduce.c].

use super::script::{Script, Slot};
use super::tree::Tree;
use super::vector::Vector;
use crate::operation::Rank;

pub(super) fn write(script: &mut Script, tree: &Tree, root: Rank, bytes: u64) {
    let parent = tree.parent.map(|parent| script.absolute(root, parent));
    let mut n_posted = 0;
    let mut unsent = None;
    for segment in Vector::of_numbers(bytes).segments(script.segment_bytes) {
        for &child in &tree.children {
            script.post(script.absolute(root, child), Slot::of(n_posted));
            if n_posted > 0 {
                script.wait_for(Slot::of(n_posted - 1));
            }
            n_posted += 1;
            send_up(script, parent, unsent.take());
        }
        unsent = Some(segment);
        if tree.children.is_empty() {
            send_up(script, parent, unsent.take());
        }
    }
    if n_posted > 0 {
        script.wait_for(Slot::of(n_posted - 1));
    }
    send_up(script, parent, unsent);
}

/// Sends a segment that is complete to the parent, if there is one.
fn send_up(script: &mut Script, parent: Option<Rank>, segment: Option<u64>) {
    if let (Some(parent), Some(bytes)) = (parent, segment) {
        script.send(parent, bytes);
    }
}

/// Reduction at the last rank, by a tree whose subtrees hold consecutive ranks; from there to the
/// root.
pub(super) fn write_in_order(script: &mut Script, tree: &Tree, root: Rank, bytes: u64) {
    let last = Rank::new(script.n_ranks - 1);
    write(script, tree, Rank::new(0), bytes);
    if script.rank == last && root != last {
        script.send(root, bytes);
    } else if script.rank == root && root != last {
        script.receive(last);
    }
}

/// Reduction at the root, which receives from the last rank first.
pub(super) fn write_linear(script: &mut Script, root: Rank, bytes: u64) {
    if script.rank != root {
        script.send(root, bytes);
        return;
    }
    for peer in (0..script.n_ranks).rev().map(Rank::new).filter(|&peer| peer != root) {
        script.receive(peer);
    }
}
