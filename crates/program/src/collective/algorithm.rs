//! The algorithms of collectives by name: one name per schedule of messages, whichever libraries
//! have it.

use super::Collective;

/// A schedule of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Algorithm {
    /// One rank exchanges messages with each other; an all-to-all posts everything at once.
    Linear,
    /// Linear; the root asks each rank in turn.
    LinearSynchronised,
    /// Linear; the root starts all sends before it waits.
    LinearPosted,
    /// Each rank passes everything on to the next.
    Chain,
    /// A chain of segments.
    Pipeline,
    /// A binary tree.
    Binary,
    /// A binary tree whose subtrees hold consecutive ranks.
    BinaryInOrder,
    /// Two halves down the subtrees of a binary tree.
    SplitBinary,
    /// A binomial tree in which a parent lacks the lowest bit of its child.
    Binomial,
    /// A binomial tree in which a parent lacks the highest bit of its child.
    BinomialHigh,
    /// A binomial tree over the largest power of two of ranks, then the extra ones.
    BinomialCube,
    /// A tree of digits of base 4.
    Knomial,
    /// Exchanges at distances 1, 2, 4, ...
    RecursiveDoubling,
    /// Exchanges of halves.
    RecursiveHalving,
    /// Exchanges of halves from the smallest distance on.
    Butterfly,
    /// Recursive halving and back; pairs of ranks begin with whole vectors.
    Rabenseifner,
    /// Recursive halving and back; pairs of ranks begin with half vectors.
    RabenseifnerHalves,
    /// Around a ring of ranks.
    Ring,
    /// Around a ring, segment by segment.
    SegmentedRing,
    /// A broadcast that scatters, and gathers around a ring.
    ScatterRing,
    /// A broadcast that scatters, and gathers by recursive doubling.
    ScatterDoubling,
    /// The library's reduction, then its broadcast or scatter.
    TwoSteps,
    /// A linear reduction, then a linear broadcast.
    LinearTwoSteps,
    /// Exchanges of many blocks at distances 1, 2, 4, ...
    Bruck,
    /// Exchanges with both neighbours in turn.
    NeighbourExchange,
    /// A receive and a send for each rank in the order of ranks, posted at once.
    Posted,
    /// Receives and sends of 32 blocks at a time, beginning with the neighbours.
    Scattered,
    /// Exchanges with ranks at growing distances.
    Pairwise,
    /// Exchanges of pairs of ranks, where the number of ranks is a power of two.
    PairwiseExchange,
    /// Messages to ranks 1, 2, 4, ... above.
    Dissemination,
    /// Reports up a binomial tree, the release down.
    Tree,
}

use Algorithm::{
    Binary, BinaryInOrder, Binomial, BinomialCube, BinomialHigh, Bruck, Butterfly, Chain,
    Dissemination, Knomial, Linear, LinearPosted, LinearSynchronised, LinearTwoSteps,
    NeighbourExchange, Pairwise, PairwiseExchange, Pipeline, Posted, Rabenseifner,
    RabenseifnerHalves, RecursiveDoubling, RecursiveHalving, Ring, ScatterDoubling, ScatterRing,
    Scattered, SegmentedRing, SplitBinary, Tree, TwoSteps,
};

/// Bytes of a segment of [`Pipeline`] if none are given [OPENMPI, coll_tuned_bcast_decision.c].
const PIPELINE_SEGMENT: u32 = 128 << 10;

/// Bytes of a segment of [`SegmentedRing`] if none are given [OPENMPI,
/// coll_tuned_allreduce_decision.c].
const RING_SEGMENT: u32 = 1 << 20;

impl Algorithm {
    /// All algorithms; the code of one in a table of steps is its place, from 1 on.
    pub const ALL: [(Algorithm, &str); 31] = [
        (Linear, "linear"),
        (LinearSynchronised, "linear-synchronised"),
        (LinearPosted, "linear-posted"),
        (Chain, "chain"),
        (Pipeline, "pipeline"),
        (Binary, "binary"),
        (BinaryInOrder, "binary-in-order"),
        (SplitBinary, "split-binary"),
        (Binomial, "binomial"),
        (BinomialHigh, "binomial-high"),
        (BinomialCube, "binomial-cube"),
        (Knomial, "knomial"),
        (RecursiveDoubling, "recursive-doubling"),
        (RecursiveHalving, "recursive-halving"),
        (Butterfly, "butterfly"),
        (Rabenseifner, "rabenseifner"),
        (RabenseifnerHalves, "rabenseifner-halves"),
        (Ring, "ring"),
        (SegmentedRing, "segmented-ring"),
        (ScatterRing, "scatter-ring"),
        (ScatterDoubling, "scatter-doubling"),
        (TwoSteps, "two-steps"),
        (LinearTwoSteps, "linear-two-steps"),
        (Bruck, "bruck"),
        (NeighbourExchange, "neighbour-exchange"),
        (Posted, "posted"),
        (Scattered, "scattered"),
        (Pairwise, "pairwise"),
        (PairwiseExchange, "pairwise-exchange"),
        (Dissemination, "dissemination"),
        (Tree, "tree"),
    ];

    /// Returns the name in the user's input.
    pub fn name(self) -> &'static str {
        Algorithm::ALL[usize::from(self.code()) - 1].1
    }

    /// Returns the code in a table of steps.
    pub const fn code(self) -> u8 {
        self as u8 + 1
    }

    /// Returns the algorithm of a code.
    pub fn from_code(code: u32) -> Option<Algorithm> {
        let place = usize::try_from(code).ok()?.checked_sub(1)?;
        Algorithm::ALL.get(place).map(|&(algorithm, _)| algorithm)
    }

    /// Returns the bytes of a segment if none are given, 0 for whole messages.
    pub fn usual_segment_bytes(self) -> u32 {
        match self {
            Pipeline => PIPELINE_SEGMENT,
            SegmentedRing => RING_SEGMENT,
            _ => 0,
        }
    }

    /// Returns whether the algorithm can divide messages into segments.
    pub fn has_segments(self, collective: Collective) -> bool {
        let is_tree = matches!(self, Chain | Pipeline | Binary | BinaryInOrder)
            || matches!(collective, Collective::Broadcast { .. })
                && matches!(self, Linear | BinomialHigh | Knomial);
        is_tree && matches!(collective, Collective::Broadcast { .. } | Collective::Reduce { .. })
            || self == SegmentedRing
    }
}

impl Collective {
    /// Returns the algorithms that can carry out the collective.
    pub fn algorithms(self) -> &'static [Algorithm] {
        match self {
            Collective::Broadcast { .. } => &[
                Linear,
                Chain,
                Pipeline,
                Binary,
                SplitBinary,
                Binomial,
                BinomialHigh,
                BinomialCube,
                Knomial,
                ScatterRing,
                ScatterDoubling,
            ],
            Collective::Reduce { .. } => &[
                Linear,
                Chain,
                Pipeline,
                Binary,
                BinaryInOrder,
                Binomial,
                Rabenseifner,
                RabenseifnerHalves,
            ],
            Collective::AllReduce { .. } => &[
                TwoSteps,
                LinearTwoSteps,
                RecursiveDoubling,
                Ring,
                SegmentedRing,
                Rabenseifner,
                RabenseifnerHalves,
            ],
            Collective::Barrier => &[Linear, RecursiveDoubling, Dissemination, Tree],
            Collective::AllGather { .. } => &[Ring, Bruck, RecursiveDoubling, NeighbourExchange],
            Collective::AllToAll { .. } => {
                &[Linear, Posted, Scattered, Pairwise, PairwiseExchange, Bruck]
            }
            Collective::Gather { .. } => &[Linear, LinearSynchronised, Binomial],
            Collective::Scatter { .. } => &[Linear, LinearPosted, Binomial],
            Collective::ReduceScatter { .. } => {
                &[TwoSteps, RecursiveHalving, RecursiveDoubling, Butterfly, Pairwise, Ring]
            }
        }
    }
}
