//! All-gather by recursive doubling, of a power of two of ranks: pairs at distances 1, 2, 4, ...
//! exchange all that they hold.

use super::script::Script;
use crate::operation::Rank;

pub(super) fn write(script: &mut Script, bytes: u64) {
    for distance in (0..script.n_ranks.ilog2()).map(|bit| 1 << bit) {
        let peer = Rank::new(script.me() ^ distance);
        script.exchange(peer, u64::from(distance) * bytes, peer);
    }
}
