//! What a program is compiled from: steps, each for one rank or for all.
//!
//! A step says what is wanted (a broadcast of 4096 bytes from rank 0); how it is done, operation by
//! operation, is decided when the program is compiled.

use quantity::Time;

use crate::collective::Collective;
use crate::operation::{Rank, Tag};

/// First tag of the messages of collectives; the tags of a user's messages are smaller.
pub const COLLECTIVE_TAGS: Tag = 1 << 31;

/// The ranks that a step is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RankScope {
    /// Every rank.
    All,
    /// One rank.
    One(Rank),
}

/// One line of the table: who does what. The order of the lines is the order of each rank's work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Who.
    pub scope: RankScope,
    /// What.
    pub kind: StepKind,
}

impl Step {
    /// Returns a step of every rank.
    pub const fn all(kind: StepKind) -> Step {
        Step { scope: RankScope::All, kind }
    }

    /// Returns a step of one rank.
    pub const fn one(rank: Rank, kind: StepKind) -> Step {
        Step { scope: RankScope::One(rank), kind }
    }
}

/// What a step does; all but the collectives and the loops are operations already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// Send and return when the buffer may be reused.
    Send {
        /// Destination.
        to: Rank,
        /// User data.
        bytes: u64,
        /// Tag.
        tag: Tag,
    },
    /// Wait for a message; `None` takes it from any rank.
    Receive {
        /// Source, `None` for any.
        from: Option<Rank>,
        /// Tag.
        tag: Tag,
    },
    /// Start a send; the next [`StepKind::WaitAll`] completes it.
    StartSend {
        /// Destination.
        to: Rank,
        /// User data.
        bytes: u64,
        /// Tag.
        tag: Tag,
    },
    /// Post a receive; the next [`StepKind::WaitAll`] completes it.
    StartReceive {
        /// Source, `None` for any.
        from: Option<Rank>,
        /// Tag.
        tag: Tag,
    },
    /// Complete everything started.
    WaitAll,
    /// Use the processor.
    Compute {
        /// Length on an otherwise idle processor.
        work: Time,
    },
    /// Note the time under a number.
    Mark {
        /// The number.
        mark: u32,
    },
    /// Repeat the steps up to the matching [`StepKind::EndRepeat`] of the same ranks.
    Repeat {
        /// How often, at least once.
        count: u32,
    },
    /// End of a repeated block.
    EndRepeat,
    /// An operation of all ranks together.
    Collective(Collective),
}
