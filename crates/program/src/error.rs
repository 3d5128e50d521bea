//! Why a table of steps is no program. Variants are named after the broken rule and carry the step.

use thiserror::Error;

use crate::operation::{Rank, Tag};

/// A table of steps that cannot be compiled. Steps count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs)] // the messages say what the fields are
pub enum ProgramError {
    #[error("a program needs at least one rank")]
    NoRanks,
    #[error("{n_ranks} ranks are more than a program holds ({limit})")]
    TooManyRanks { n_ranks: Rank, limit: Rank },
    #[error("step {step}: the program grows beyond {limit} operations")]
    TooManyOperations { step: usize, limit: usize },
    #[error(
        "the columns of steps differ in length: {column} has {length} entries, kind has {kind}"
    )]
    ColumnLength { column: &'static str, length: usize, kind: usize },
    #[error("step {step}: no kind of step has code {code}")]
    UnknownKind { step: usize, code: u8 },
    #[error("step {step}: rank {rank} is outside 0..{n_ranks}")]
    RankOutOfRange { step: usize, rank: i64, n_ranks: Rank },
    #[error("step {step}: peer {peer} is outside 0..{n_ranks}")]
    PeerOutOfRange { step: usize, peer: i64, n_ranks: Rank },
    #[error("step {step}: tag {tag} is kept for collectives; user tags are below 2^31")]
    ReservedTag { step: usize, tag: Tag },
    #[error(
        "step {step}: a computation lasts a finite time of at least zero and below {limit_s} s"
    )]
    ComputeTime { step: usize, limit_s: u32 },
    #[error("step {step}: a block is repeated at least once")]
    RepeatOfZero { step: usize },
    #[error("step {step}: rank {rank} ends a repeat that it has not begun")]
    EndWithoutRepeat { step: usize, rank: Rank },
    #[error("step {step}: rank {rank} begins a repeat that never ends")]
    RepeatWithoutEnd { step: usize, rank: Rank },
    #[error(
        "step {step}: the repeat of step {begin} is ended for other ranks than it was begun for"
    )]
    RepeatOfOtherRanks { step: usize, begin: usize },
    #[error("step {step}: a collective is a step of all ranks, not of rank {rank} alone")]
    CollectiveOfOneRank { step: usize, rank: Rank },
    #[error("step {step}: a collective stands in a repeat of rank {rank} alone")]
    CollectiveInRepeatOfOneRank { step: usize, rank: Rank },
    #[error(
        "step {step}: rank {rank} enters a collective before it has waited for what step {started} \
         started"
    )]
    CollectiveBeforeWait { step: usize, rank: Rank, started: usize },
    #[error("step {step}: rank {rank} starts an operation and never waits for it")]
    NeverWaited { step: usize, rank: Rank },
}
