//! All-gather by exchanges with both neighbours in turn, of an even number of ranks: first a block,
//! then always the two that came last [CHEN-2005].

use super::script::Script;

pub(super) fn write(script: &mut Script, bytes: u64) {
    let (above, below) = (script.above(1), script.below(1));
    let is_even = script.me().is_multiple_of(2);
    for step in 0..script.n_ranks / 2 {
        let peer = if is_even == step.is_multiple_of(2) { above } else { below };
        script.exchange(peer, if step == 0 { bytes } else { 2 * bytes }, peer);
    }
}
