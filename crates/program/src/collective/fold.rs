//! Reductions of any number of ranks as those of a power of two: the first ranks pair up, and one
//! of each pair leaves its part to the other.

use super::script::Script;
use super::vector::Vector;
use crate::operation::Rank;

/// How a pair of ranks begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fold {
    /// The even rank sends its vector to the odd one, which continues.
    ToOdd,
    /// The odd rank sends its vector to the even one, which continues.
    ToEven,
    /// Both combine a half, and the odd rank sends its half to the even one, which continues.
    InHalves,
}

impl Fold {
    /// Writes the beginning of a pair; returns the number of this rank among those that continue.
    pub fn begin(self, script: &mut Script, vector: Vector) -> Option<u32> {
        let (me, n_extra) = (script.me(), n_extra(script));
        if me >= 2 * n_extra {
            return Some(me - n_extra);
        }
        let (partner, all) = (Rank::new(me ^ 1), vector.bytes(vector.elements));
        let continues = self.continues(me);
        if self == Fold::InHalves {
            let low = vector.bytes(vector.elements / 2);
            script.exchange(partner, if continues { all - low } else { low }, partner);
            meet(script, partner, all - low, continues);
        } else {
            meet(script, partner, all, continues);
        }
        continues.then_some(me / 2)
    }

    /// Writes the end of a pair: the rank that continued sends the result to the other.
    pub fn end(self, script: &mut Script, bytes: u64) {
        let me = script.me();
        if me < 2 * n_extra(script) {
            meet(script, Rank::new(me ^ 1), bytes, !self.continues(me));
        }
    }

    /// Returns the rank of a number among those that continue.
    pub fn rank(self, script: &Script, number: u32) -> Rank {
        let n_extra = n_extra(script);
        Rank::new(match number < n_extra {
            true => 2 * number + u32::from(self == Fold::ToOdd),
            false => number + n_extra,
        })
    }

    /// Returns whether a rank of a pair continues.
    fn continues(self, rank: u32) -> bool {
        rank.is_multiple_of(2) != (self == Fold::ToOdd)
    }
}

/// Returns the number of pairs.
pub(super) fn n_extra(script: &Script) -> u32 {
    script.n_ranks - script.power_of_two()
}

fn meet(script: &mut Script, partner: Rank, bytes: u64, receives: bool) {
    match receives {
        true => script.receive(partner),
        false => script.send(partner, bytes),
    }
}
