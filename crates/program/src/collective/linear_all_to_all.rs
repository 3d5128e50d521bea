//! All-to-all with receives posted first, each rank beginning with its neighbours.

use super::script::Script;

/// Everything at once, without the rank's own block [OPENMPI, coll_base_alltoall.c].
pub(super) fn write(script: &mut Script, bytes: u64) {
    batch(script, 1, script.n_ranks - 1, bytes);
}

/// At most 32 blocks at a time, the rank's own included [MPICH-4].
pub(super) fn write_scattered(script: &mut Script, bytes: u64) {
    for first in (0..script.n_ranks).step_by(BATCH) {
        let n_blocks = (script.n_ranks - first).min(BATCH as u32);
        batch(script, first, n_blocks, bytes);
    }
}

/// Default of MPIR_CVAR_ALLTOALL_THROTTLE [MPICH-4].
const BATCH: usize = 32;

fn batch(script: &mut Script, first: u32, n_blocks: u32, bytes: u64) {
    for distance in first..first + n_blocks {
        script.start_receive(script.above(distance));
    }
    for distance in first..first + n_blocks {
        script.start_send(script.below(distance), bytes);
    }
    if n_blocks > 0 {
        script.wait();
    }
}

/// Least operations of one rank.
pub(super) const fn n_operations(n_ranks: usize) -> usize {
    2 * (n_ranks - 1)
}
