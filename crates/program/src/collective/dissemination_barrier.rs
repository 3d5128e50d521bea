//! Barrier by dissemination: each rank sends to the rank 1, 2, 4, ... above it and receives from
//! that below [HENSGEN-1988].

use super::script::Script;

pub(super) fn write(script: &mut Script) {
    let mut distance = 1;
    while distance < script.n_ranks {
        let (above, below) = (script.above(distance), script.below(distance));
        script.exchange(above, 0, below);
        distance *= 2;
    }
}
