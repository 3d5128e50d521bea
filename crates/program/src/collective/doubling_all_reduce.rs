//! All-reduce by recursive doubling: ranks exchange their whole vectors at distances 1, 2, 4, ...

use super::fold::Fold;
use super::script::Script;
use super::vector::Vector;

pub(super) fn write(script: &mut Script, bytes: u64) {
    let fold = Fold::ToOdd;
    if let Some(number) = fold.begin(script, Vector::of_numbers(bytes)) {
        for distance in (0..script.power_of_two().ilog2()).map(|bit| 1 << bit) {
            let peer = fold.rank(script, number ^ distance);
            script.exchange(peer, bytes, peer);
        }
    }
    fold.end(script, bytes);
}
