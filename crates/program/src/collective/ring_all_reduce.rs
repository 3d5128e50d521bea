//! All-reduce around a ring: P - 1 steps combine a block per rank, P - 1 more pass the sums on.
//!
//! Each rank moves 2 (P - 1) / P of the vector, the least that is possible. The segmented form
//! combines one segment of every block after the other [OPENMPI, coll_base_allreduce.c].

use super::script::{Script, Slot};
use super::vector::Vector;

pub(super) fn write(script: &mut Script, bytes: u64) {
    let vector = Vector::of_numbers(bytes);
    let n_ranks = script.n_ranks;
    let n_phases = n_phases(script, vector);
    for phase in 0..n_phases {
        combine(script, |block| {
            let elements = vector.part(block.into(), n_ranks.into());
            vector.bytes(elements / n_phases + u64::from(phase < elements % n_phases))
        });
    }
    pass_on(script, vector);
}

/// Returns the number of segments of each block.
fn n_phases(script: &Script, vector: Vector) -> u64 {
    let of_all = u64::from(script.n_ranks) * vector.segment(script.segment_bytes);
    if script.segment_bytes == 0 || vector.elements < of_all {
        return 1;
    }
    let rest = vector.elements % of_all;
    let is_phase = rest >= script.n_ranks.into() && rest > of_all / 2;
    vector.elements / of_all + u64::from(is_phase)
}

/// Writes the steps after which this rank has the sum of the block of the rank above it.
fn combine(script: &mut Script, bytes_of: impl Fn(u32) -> u64) {
    let n_ranks = script.n_ranks;
    let (right, left) = (script.above(1), script.below(1));
    for step in 1..n_ranks {
        script.post(left, Slot::of(step.into()));
        if step > 1 {
            script.wait_for(Slot::of(u64::from(step) - 1));
        }
        script.send(right, bytes_of(script.below(step - 1).get()));
    }
    if n_ranks > 1 {
        script.wait_for(Slot::of(u64::from(n_ranks) - 1));
    }
}

/// Writes the all-gather of the sums.
fn pass_on(script: &mut Script, vector: Vector) {
    let n_ranks = script.n_ranks;
    let (right, left) = (script.above(1), script.below(1));
    for step in 0..n_ranks.saturating_sub(1) {
        let block = script.above(n_ranks + 1 - step).get();
        script.exchange(right, vector.block(block, n_ranks), left);
    }
}
