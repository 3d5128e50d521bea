//! Why a table of steps is no program. Variants are named after the broken rule and
//! carry the step; messages read "rule; remedy".

use thiserror::Error;

use crate::operation::{Rank, Tag};

/// A table of steps that cannot be compiled. Steps count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs)] // the messages say what the fields are
pub enum ProgramError {
    #[error("a program needs at least one rank; give it one")]
    NoRanks,
    #[error("{n_ranks} ranks are more than a program holds ({limit}); take fewer")]
    TooManyRanks { n_ranks: Rank, limit: Rank },
    #[error("step {step}: the program grows beyond {limit} operations; take fewer ranks")]
    TooManyOperations { step: usize, limit: usize },
    #[error("column {column} has {length} entries, kind has {kind}; give one entry per step")]
    ColumnLength { column: &'static str, length: usize, kind: usize },
    #[error("step {step}: no kind of step has code {code}; use a code of STEP_KINDS")]
    UnknownKind { step: usize, code: u8 },
    #[error("step {step}: rank {rank} is outside 0..{n_ranks}; ranks count from 0")]
    RankOutOfRange { step: usize, rank: i64, n_ranks: Rank },
    #[error("step {step}: peer {peer} is outside 0..{n_ranks}; ranks count from 0")]
    PeerOutOfRange { step: usize, peer: i64, n_ranks: Rank },
    #[error("step {step}: tag {tag} is kept for collectives; use tags below 2^31")]
    ReservedTag { step: usize, tag: Tag },
    #[error("step {step}: number 2^32 - 1 is kept for collectives; use smaller ones")]
    ReservedNumber { step: usize },
    #[error("step {step}: a computation cannot last this long; give 0 to {limit_s} seconds")]
    ComputeTime { step: usize, limit_s: u32 },
    #[error("step {step}: {bytes} bytes are more than a message or file has ({limit}); send less")]
    TooManyBytes { step: usize, bytes: u64, limit: u64 },
    #[error("there is no room for {n_operations} operations; take fewer ranks, or another machine")]
    NoRoom { n_operations: usize },
    #[error("step {step}: a datagram of {bytes} bytes fits no packet; send {limit} at most")]
    DatagramTooLong { step: usize, bytes: u64, limit: u32 },
    #[error("step {step}: rank {rank} sends itself a datagram; send to another rank")]
    DatagramToSelf { step: usize, rank: Rank },
    #[error(
        "step {step}: rank {rank} and rank {peer} exchange messages, and only one of them runs in \
         the background; send a datagram"
    )]
    MessageAcrossBackground { step: usize, rank: Rank, peer: Rank },
    #[error("step {step}: rank {rank} runs in the background and marks no time; leave it out")]
    MarkInBackground { step: usize, rank: Rank },
    #[error("step {step}: a block is repeated at least once; leave out what is not done")]
    RepeatOfZero { step: usize },
    #[error("step {step}: rank {rank} ends a repeat that it has not begun; begin it")]
    EndWithoutRepeat { step: usize, rank: Rank },
    #[error("step {step}: rank {rank} begins a repeat that never ends; end it")]
    RepeatWithoutEnd { step: usize, rank: Rank },
    #[error("step {step}: the repeat of step {begin} is ended for other ranks; end it for its own")]
    RepeatOfOtherRanks { step: usize, begin: usize },
    #[error("step {step}: rank {rank} cannot enter a collective alone; enter with all")]
    CollectiveOfOneRank { step: usize, rank: Rank },
    #[error("step {step}: a collective stands in a repeat of rank {rank} alone; repeat with all")]
    CollectiveInRepeatOfOneRank { step: usize, rank: Rank },
    #[error("step {step}: rank {rank} starts what it never waits for; wait for all")]
    NeverWaited { step: usize, rank: Rank },
}
