//! The rules that a table of steps must keep to be a program. A variant is named after the broken
//! rule and carries the step; the package words the message.

use serde::Serialize;
use thiserror::Error;

use crate::operation::{Rank, StreamId, Tag};

/// A rule that a table of steps breaks. Steps count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, Serialize)]
#[error("{self:?}")]
#[allow(missing_docs)] // the fields are named after what they hold
pub enum ProgramError {
    /// The program has no rank.
    NoRanks,
    /// The program has more ranks than fit.
    TooManyRanks { n_ranks: u32, limit: u32 },
    /// Unrolled, the program has more operations than allowed.
    TooManyOperations { step: usize, limit: usize },
    /// The length of a column differs from the number of steps.
    ColumnLength { column: &'static str, length: usize, kind: usize },
    /// The code of a step's kind is unknown.
    UnknownKind { step: usize, code: u8 },
    /// The rank of a step does not exist.
    RankOutOfRange { step: usize, rank: i64, n_ranks: u32 },
    /// The peer of a step does not exist.
    PeerOutOfRange { step: usize, peer: i64, n_ranks: u32 },
    /// The tag belongs to collectives.
    ReservedTag { step: usize, tag: Tag },
    /// The request number belongs to collectives.
    ReservedNumber { step: usize },
    /// A computation is negative, endless or longer than a run.
    ComputeTime { step: usize, limit_s: u32 },
    /// A message or a file is larger than a program can hold.
    TooManyBytes { step: usize, bytes: u64, limit: u64 },
    /// The memory for the operations cannot be allocated.
    NoRoom { n_operations: usize },
    /// A datagram does not fit in an IP packet.
    DatagramTooLong { step: usize, bytes: u64, limit: u32 },
    /// A rank sends itself a datagram.
    DatagramToSelf { step: usize, rank: Rank },
    /// A background rank exchanges messages with one of the workload.
    MessageAcrossBackground { step: usize, rank: Rank, peer: Rank },
    /// A background rank records a mark.
    MarkInBackground { step: usize, rank: Rank },
    /// A block is repeated zero times.
    RepeatOfZero { step: usize },
    /// A rank ends a repeat without a beginning.
    EndWithoutRepeat { step: usize, rank: Rank },
    /// A rank begins a repeat without an end.
    RepeatWithoutEnd { step: usize, rank: Rank },
    /// The ranks that end a repeat differ from those that began it.
    RepeatOfOtherRanks { step: usize, begin: usize },
    /// The code of a collective's algorithm is unknown.
    UnknownAlgorithm { step: usize, code: u32 },
    /// The algorithm of a collective is one of other collectives.
    AlgorithmOfOther { step: usize, algorithm: &'static str },
    /// The algorithm of a collective cannot divide messages into segments.
    NoSegments { step: usize, algorithm: &'static str },
    /// A rank enters a collective without the others.
    CollectiveOfOneRank { step: usize, rank: Rank },
    /// A collective is inside a repeat that not all of its ranks have begun.
    CollectiveInRepeatOfOneRank { step: usize, rank: Rank },
    /// A step is for a group without members.
    UnknownGroup { step: usize, group: u32 },
    /// The number of a group is that of all ranks, or too large.
    ReservedGroup { step: usize, group: u32, limit: u32 },
    /// A rank joins a group after the first step of the group.
    GroupInUse { step: usize, group: u32 },
    /// A rank joins a group that it is in.
    MemberTwice { step: usize, rank: Rank, group: u32 },
    /// The root of a collective is not in its group.
    RootOutsideGroup { step: usize, root: Rank, group: u32 },
    /// A rank starts a send or receive and never waits for it.
    NeverWaited { step: usize, rank: Rank },
    /// A stream is given two processors.
    TwoProcessors { step: usize, rank: Rank, stream: StreamId },
    /// The processor of a stream has too large a number.
    NoSuchProcessor { step: usize, rank: Rank, limit: u32 },
    /// A rank with several streams sleeps, uses a disk or sends a datagram.
    NotBesideStreams { step: usize, rank: Rank },
    /// A rank waits for an event that it never signals.
    NeverSignalled { step: usize, rank: Rank, event: u32 },
}
