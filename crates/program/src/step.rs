//! The input of a program's compilation: steps, each for one rank, for a group or for all.
//!
//! A step states the intent (a broadcast of 4096 bytes from rank 0); its messages are chosen when
//! the program runs.

use crate::collective::{Collective, Manner};
use crate::group::GroupNumber;
use crate::operation::{Action, Cpu, Rank, StreamId};

/// The ranks that a step is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RankScope {
    /// Every rank.
    All,
    /// The ranks of a group.
    Group(GroupNumber),
    /// One rank.
    One(Rank),
}

/// One line of the table. The order of the lines is the order of each rank's work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The ranks of the step.
    pub scope: RankScope,
    /// The work of the step.
    pub kind: StepKind,
}

impl Step {
    /// Returns a step of every rank.
    pub fn all(kind: impl Into<StepKind>) -> Step {
        Step { scope: RankScope::All, kind: kind.into() }
    }

    /// Returns a step of the ranks of a group.
    pub fn of_group(group: GroupNumber, kind: impl Into<StepKind>) -> Step {
        Step { scope: RankScope::Group(group), kind: kind.into() }
    }

    /// Returns a step of one rank.
    pub fn one(rank: Rank, kind: impl Into<StepKind>) -> Step {
        Step { scope: RankScope::One(rank), kind: kind.into() }
    }
}

/// The work of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// An action of each of its ranks.
    Do(Action),
    /// Repeat the steps up to the matching [`StepKind::EndRepeat`] of the same ranks.
    Repeat {
        /// Number of passes, at least one.
        count: u32,
    },
    /// End of a repeated block.
    EndRepeat,
    /// An operation of the ranks of a group together, and how it is carried out.
    Collective(Collective, Manner),
    /// Each rank becomes the next member of a group, which has steps from then on only.
    Member {
        /// Number of the group, from 1 on.
        group: GroupNumber,
    },
    /// The following steps of these ranks are of another of their streams; each rank begins with
    /// its first.
    Stream {
        /// The stream.
        stream: StreamId,
        /// The processor of its own on which it runs, `None` for that of the rank's process.
        cpu: Option<Cpu>,
    },
}

impl From<Action> for StepKind {
    fn from(action: Action) -> StepKind {
        StepKind::Do(action)
    }
}

impl From<Collective> for StepKind {
    fn from(collective: Collective) -> StepKind {
        StepKind::Collective(collective, Manner::default())
    }
}
