//! Recursive halving: ranks of a power of two exchange halves of what they hold at distances 1, 2,
//! 4, ...; at last each holds one part of the sum.

use super::vector::Vector;

/// How a part is divided between two ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Division {
    /// Between two of as many blocks as ranks, of which the first have one element more.
    OfBlocks,
    /// In the middle, the upper half with one element more.
    InTheMiddle,
}

/// One exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Halving {
    /// The distance to the partner.
    pub distance: u32,
    /// Bytes that this rank keeps.
    pub kept: u64,
    /// Bytes that it leaves to the partner.
    pub left: u64,
}

/// Returns the exchanges of one of `n_ranks` ranks.
pub(super) fn halvings(
    number: u32,
    n_ranks: u32,
    vector: Vector,
    division: Division,
) -> Vec<Halving> {
    let (mut blocks, mut elements) = (0..n_ranks, vector.elements);
    let mut found = Vec::new();
    for distance in (0..n_ranks.ilog2()).map(|bit| 1 << bit) {
        let middle = blocks.start.midpoint(blocks.end);
        let low = match division {
            Division::InTheMiddle => elements / 2,
            Division::OfBlocks => {
                (blocks.start..middle).map(|b| vector.part(b.into(), n_ranks.into())).sum()
            }
        };
        let is_low = number & distance == 0;
        let kept = if is_low { low } else { elements - low };
        let left = vector.bytes(elements - kept);
        found.push(Halving { distance, kept: vector.bytes(kept), left });
        blocks = if is_low { blocks.start..middle } else { middle..blocks.end };
        elements = kept;
    }
    found
}
