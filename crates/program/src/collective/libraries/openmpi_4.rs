//! Open MPI 4.1: the fixed decisions of its component `tuned`, which choose by the number of ranks
//! and by bytes, without segments [OPENMPI, coll_tuned_decision_fixed.c]. The tables of 5.0 are the
//! same.
//!
//! Rows are kept as in the source: the first row above the number of ranks, its first entry above
//! the bytes. Neighbouring entries of algorithms with the same messages are one.

use crate::collective::{Algorithm, Collective};
use Algorithm::{
    Binary, BinaryInOrder, Binomial, BinomialHigh, Bruck, Butterfly, Chain, Dissemination, Knomial,
    Linear, LinearPosted, LinearSynchronised, NeighbourExchange, Pairwise, RabenseifnerHalves,
    RecursiveDoubling, RecursiveHalving, Ring, ScatterDoubling, SplitBinary, Tree, TwoSteps,
};

/// An algorithm and the bytes below which it is chosen.
type Entry = (u64, Algorithm);

/// Entries, and the number of ranks below which they hold.
type Row = (u32, &'static [Entry]);

/// Above every size.
const ALL: u64 = u64::MAX;
/// Above every number of ranks.
const MANY: u32 = u32::MAX;

pub(super) fn choose(collective: Collective, n_ranks: u32) -> Algorithm {
    let table = table_of(collective);
    let row = table.partition_point(|&(below, _)| below <= n_ranks);
    let entries = table[row].1;
    entries[entries.partition_point(|&(below, _)| below <= collective.bytes())].1
}

fn table_of(collective: Collective) -> &'static [Row] {
    match collective {
        Collective::Broadcast { .. } => BROADCAST,
        Collective::Reduce { .. } => REDUCE,
        Collective::AllReduce { .. } => ALL_REDUCE,
        Collective::Barrier => BARRIER,
        Collective::AllGather { .. } => ALL_GATHER,
        Collective::AllToAll { .. } => ALL_TO_ALL,
        Collective::Gather { .. } => GATHER,
        Collective::Scatter { .. } => SCATTER,
        Collective::ReduceScatter { .. } => REDUCE_SCATTER,
    }
}

const BROADCAST: &[Row] = &[
    (
        4,
        &[
            (32, Chain),
            (256, Binary),
            (512, Chain),
            (1024, Knomial),
            (32_768, Linear),
            (131_072, Binary),
            (262_144, Chain),
            (524_288, Linear),
            (1_048_576, BinomialHigh),
            (ALL, Binary),
        ],
    ),
    (
        8,
        &[
            (64, Binary),
            (128, BinomialHigh),
            (2048, Binary),
            (8192, BinomialHigh),
            (1_048_576, Linear),
            (ALL, Chain),
        ],
    ),
    (
        16,
        &[
            (8, Knomial),
            (64, Binary),
            (4096, Knomial),
            (16_384, Binary),
            (32_768, BinomialHigh),
            (ALL, Linear),
        ],
    ),
    (32, &[(4096, Knomial), (1_048_576, BinomialHigh), (ALL, ScatterDoubling)]),
    (64, &[(2048, BinomialHigh), (ALL, Knomial)]),
    (128, &[(ALL, Knomial)]),
    (
        256,
        &[(2, BinomialHigh), (16_384, Binary), (32_768, Linear), (65_536, Binary), (ALL, Knomial)],
    ),
    (1024, &[(16_384, Knomial), (32_768, SplitBinary), (ALL, Knomial)]),
    (2048, &[(524_288, Knomial), (ALL, ScatterDoubling)]),
    (4096, &[(262_144, Knomial), (ALL, ScatterDoubling)]),
    (MANY, &[(8192, Knomial), (16_384, Binary), (262_144, Knomial), (ALL, ScatterDoubling)]),
];

const REDUCE: &[Row] = &[
    (4, &[(8, RabenseifnerHalves), (16, Binary), (32, Chain), (262_144, Linear), (ALL, Chain)]),
    (
        8,
        &[
            (4096, Binary),
            (65_536, Chain),
            (262_144, Binomial),
            (524_288, Linear),
            (1_048_576, Binomial),
            (ALL, Linear),
        ],
    ),
    (16, &[(8192, Binary), (ALL, Binomial)]),
    (32, &[(4096, Binary), (ALL, Binomial)]),
    (256, &[(ALL, Binomial)]),
    (512, &[(8192, Binomial), (16_384, BinaryInOrder), (ALL, Binomial)]),
    (2048, &[(ALL, Binomial)]),
    (
        4096,
        &[
            (512, Binomial),
            (1024, BinaryInOrder),
            (8192, Binomial),
            (16_384, BinaryInOrder),
            (ALL, Binomial),
        ],
    ),
    (
        MANY,
        &[
            (16, Binomial),
            (32, BinaryInOrder),
            (1024, Binomial),
            (2048, BinaryInOrder),
            (8192, Binomial),
            (16_384, BinaryInOrder),
            (ALL, Binomial),
        ],
    ),
];

const ALL_REDUCE: &[Row] = &[
    (
        4,
        &[
            (8, Ring),
            (4096, RecursiveDoubling),
            (8192, Ring),
            (16_384, RecursiveDoubling),
            (262_144, Ring),
            (ALL, RabenseifnerHalves),
        ],
    ),
    (8, &[(16, Ring), (8192, RecursiveDoubling), (ALL, RabenseifnerHalves)]),
    (16, &[(8192, RecursiveDoubling), (ALL, RabenseifnerHalves)]),
    (32, &[(64, Ring), (4096, RecursiveDoubling), (ALL, RabenseifnerHalves)]),
    (64, &[(128, Ring), (ALL, RabenseifnerHalves)]),
    (128, &[(262_144, RecursiveDoubling), (ALL, RabenseifnerHalves)]),
    (256, &[(131_072, TwoSteps), (262_144, RecursiveDoubling), (ALL, RabenseifnerHalves)]),
    (512, &[(4096, TwoSteps), (ALL, RabenseifnerHalves)]),
    (2048, &[(2048, TwoSteps), (16_384, RecursiveDoubling), (ALL, RabenseifnerHalves)]),
    (
        4096,
        &[(2048, TwoSteps), (4096, Ring), (16_384, RecursiveDoubling), (ALL, RabenseifnerHalves)],
    ),
    (
        MANY,
        &[(2048, TwoSteps), (16_384, Ring), (32_768, RecursiveDoubling), (ALL, RabenseifnerHalves)],
    ),
];

const BARRIER: &[Row] = &[
    (4, &[(ALL, RecursiveDoubling)]),
    (8, &[(ALL, Linear)]),
    (64, &[(ALL, RecursiveDoubling)]),
    (256, &[(ALL, Dissemination)]),
    (512, &[(ALL, Tree)]),
    (1024, &[(ALL, Dissemination)]),
    (4096, &[(ALL, Tree)]),
    (MANY, &[(ALL, Dissemination)]),
];

const ALL_GATHER: &[Row] = &[
    (32, &[(ALL, RecursiveDoubling)]),
    (64, &[(1024, RecursiveDoubling), (65_536, NeighbourExchange), (ALL, Ring)]),
    (128, &[(512, RecursiveDoubling), (65_536, NeighbourExchange), (ALL, Ring)]),
    (
        256,
        &[
            (512, RecursiveDoubling),
            (131_072, NeighbourExchange),
            (524_288, Ring),
            (1_048_576, NeighbourExchange),
            (ALL, Ring),
        ],
    ),
    (
        512,
        &[
            (32, RecursiveDoubling),
            (128, Bruck),
            (1024, RecursiveDoubling),
            (131_072, NeighbourExchange),
            (524_288, Ring),
            (1_048_576, NeighbourExchange),
            (ALL, Ring),
        ],
    ),
    (
        1024,
        &[
            (64, RecursiveDoubling),
            (256, Bruck),
            (2048, RecursiveDoubling),
            (ALL, NeighbourExchange),
        ],
    ),
    (
        2048,
        &[
            (4, RecursiveDoubling),
            (8, Bruck),
            (16, RecursiveDoubling),
            (32, Bruck),
            (256, RecursiveDoubling),
            (512, Bruck),
            (4096, RecursiveDoubling),
            (ALL, NeighbourExchange),
        ],
    ),
    (
        4096,
        &[
            (32, Bruck),
            (128, RecursiveDoubling),
            (512, Bruck),
            (4096, RecursiveDoubling),
            (ALL, NeighbourExchange),
        ],
    ),
    (
        MANY,
        &[
            (2, RecursiveDoubling),
            (8, Bruck),
            (16, RecursiveDoubling),
            (512, Bruck),
            (4096, RecursiveDoubling),
            (ALL, NeighbourExchange),
        ],
    ),
];

const ALL_TO_ALL: &[Row] = &[
    (3, &[(32_768, Pairwise), (262_144, Linear), (ALL, Pairwise)]),
    (8, &[(524_288, Linear), (1_048_576, Pairwise), (ALL, Linear)]),
    (16, &[(ALL, Linear)]),
    (32, &[(4, Linear), (512, Bruck), (ALL, Linear)]),
    (64, &[(512, Bruck), (ALL, Linear)]),
    (256, &[(1024, Bruck), (262_144, Linear), (ALL, Pairwise)]),
    (512, &[(1024, Bruck), (32_768, Linear), (ALL, Pairwise)]),
    (1024, &[(512, Bruck), (262_144, Linear), (ALL, Pairwise)]),
    (2048, &[(512, Bruck), (ALL, Linear)]),
    (4096, &[(1024, Bruck), (ALL, Linear)]),
    (MANY, &[(2048, Bruck), (ALL, Linear)]),
];

const GATHER: &[Row] = &[
    (
        4,
        &[
            (2, LinearSynchronised),
            (4, Linear),
            (32_768, Binomial),
            (65_536, Linear),
            (131_072, Binomial),
            (ALL, LinearSynchronised),
        ],
    ),
    (
        8,
        &[
            (1024, Binomial),
            (8192, Linear),
            (32_768, Binomial),
            (262_144, Linear),
            (ALL, LinearSynchronised),
        ],
    ),
    (256, &[(ALL, Binomial)]),
    (512, &[(2048, Binomial), (8192, Linear), (ALL, Binomial)]),
    (MANY, &[(ALL, Binomial)]),
];

const SCATTER: &[Row] = &[
    (4, &[(2, LinearPosted), (131_072, Linear), (262_144, LinearPosted), (ALL, Linear)]),
    (
        8,
        &[
            (2048, Binomial),
            (4096, Linear),
            (8192, Binomial),
            (32_768, Linear),
            (1_048_576, LinearPosted),
            (ALL, Linear),
        ],
    ),
    (16, &[(16_384, Binomial), (1_048_576, LinearPosted), (ALL, Linear)]),
    (32, &[(16_384, Binomial), (32_768, Linear), (ALL, LinearPosted)]),
    (64, &[(512, Binomial), (8192, LinearPosted), (16_384, Binomial), (ALL, LinearPosted)]),
    (MANY, &[(512, Binomial), (ALL, LinearPosted)]),
];

const REDUCE_SCATTER: &[Row] = &[
    (
        4,
        &[
            (4, RecursiveDoubling),
            (8, Butterfly),
            (16, RecursiveHalving),
            (128, Butterfly),
            (256, RecursiveHalving),
            (4096, Butterfly),
            (8192, RecursiveHalving),
            (131_072, Butterfly),
            (ALL, TwoSteps),
        ],
    ),
    (
        8,
        &[
            (8, RecursiveHalving),
            (32, RecursiveDoubling),
            (256, Butterfly),
            (8192, RecursiveHalving),
            (16_384, Butterfly),
            (1_048_576, RecursiveHalving),
            (ALL, TwoSteps),
        ],
    ),
    (
        16,
        &[
            (4, TwoSteps),
            (32, RecursiveHalving),
            (128, Butterfly),
            (524_288, RecursiveHalving),
            (4_194_304, TwoSteps),
            (ALL, Butterfly),
        ],
    ),
    (
        32,
        &[
            (32, TwoSteps),
            (524_288, RecursiveHalving),
            (2_097_152, TwoSteps),
            (4_194_304, RecursiveHalving),
            (ALL, Butterfly),
        ],
    ),
    (
        MANY,
        &[
            (4, RecursiveHalving),
            (16, TwoSteps),
            (65_536, Butterfly),
            (262_144, TwoSteps),
            (ALL, Butterfly),
        ],
    ),
];
