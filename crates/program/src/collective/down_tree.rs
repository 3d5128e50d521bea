//! Broadcast down a tree: each rank passes segment by segment on to its children.
//!
//! A receive of the next segment is posted before the last is awaited; the sends of a segment to
//! all children overlap [OPENMPI, coll_base_bcast.c].

use super::script::{Script, Slot};
use super::tree::Tree;
use super::vector::Vector;
use crate::operation::Rank;

pub(super) fn write(script: &mut Script, tree: &Tree, root: Rank, bytes: u64) {
    let segments = Vector::of_numbers(bytes).segments(script.segment_bytes);
    let parent = tree.parent.map(|parent| script.absolute(root, parent));
    if let Some(parent) = parent {
        script.post(parent, Slot::Even);
    }
    for (index, &segment) in (0..).zip(&segments) {
        if let Some(parent) = parent {
            if index + 1 < segments.len() as u64 {
                script.post(parent, Slot::of(index + 1));
            }
            script.wait_for(Slot::of(index));
        }
        send_to_all(script, tree, root, segment);
    }
}

fn send_to_all(script: &mut Script, tree: &Tree, root: Rank, bytes: u64) {
    for &child in &tree.children {
        script.start_send(script.absolute(root, child), bytes);
    }
    if !tree.children.is_empty() {
        script.wait();
    }
}
