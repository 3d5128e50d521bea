//! GOAL text, the format of LogGOPSim [LOGGOPSIM]: read as a program, and written from one.
//!
//! A GOAL file gives each rank tasks and dependencies between them; a program of ours gives each
//! rank operations in an order. [`read`] takes the text apart, [`Graph::steps`] puts the tasks in
//! order, and [`GoalWriter`] writes operations as tasks whose dependencies are their order.

mod matching;
mod order;
mod scan;
mod successors;
mod write;

use thiserror::Error;

use crate::operation::{Rank, Tag};

pub use order::OwnedColumns;
pub use scan::read;
pub use write::GoalWriter;

/// Why a GOAL text is no program, or a program no GOAL text. Lines count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs)] // the messages say what the fields are
pub enum GoalError {
    #[error("line {line}: {expected} belongs here, not '{found}'; write {form}")]
    Syntax { line: u32, expected: &'static str, found: String, form: &'static str },
    #[error("line {line}: {number} is too large for {what}; give {limit} at most")]
    NumberTooLarge { line: u32, what: &'static str, number: String, limit: u64 },
    #[error("line {line}: a message has one tag; only a receive has tag -1")]
    SendOfAnyTag { line: u32 },
    #[error("line {line}: label '{label}' is used twice in this rank; give each task its own")]
    LabelTwice { line: u32, label: String },
    #[error("line {line}: no task above has label '{label}'; write the task before what needs it")]
    UnknownLabel { line: u32, label: String },
    #[error("line {line}: {rank} is no rank of {n_ranks}; ranks count from 0")]
    RankOutOfRange { line: u32, rank: u64, n_ranks: Rank },
    #[error("line {line}: rank {rank} is described a second time; describe it once")]
    RankTwice { line: u32, rank: Rank },
    #[error("rank {rank} of {n_ranks} is not described; write 'rank {rank} {{', a line end, '}}'")]
    RankMissing { rank: Rank, n_ranks: Rank },
    #[error("line {line}: num_ranks is given a second time; give it once")]
    RanksTwice { line: u32 },
    #[error("the text ends inside rank {rank}; close it with '}}'")]
    OpenRank { rank: Rank },
    #[error("the text does not say how many ranks there are; begin with 'num_ranks <n>'")]
    NoRanks,
    #[error("there are more than {limit} tasks; take a shorter trace")]
    TooManyTasks { limit: usize },
    #[error(
        "line {line}: rank {rank} waits for ever for the message of this receive; send it one \
         that does not wait for what comes after"
    )]
    NeverReceived { line: u32, rank: Rank },
    #[error("line {line}: nobody receives the message that rank {rank} sends; add its receive")]
    NeverSent { line: u32, rank: Rank },
    #[error("line {line}: this task of rank {rank} requires itself; cut the circle")]
    Circle { line: u32, rank: Rank },
    #[error("rank {rank} sends datagrams, which GOAL does not have; choose another workload")]
    Datagrams { rank: Rank },
    #[error("rank {rank} uses its disk, which GOAL does not have; choose another workload")]
    Disks { rank: Rank },
    #[error("rank {rank} rests, which GOAL does not have; choose another workload")]
    Rests { rank: Rank },
    #[error("rank {rank} runs in the background, which GOAL does not have; leave it out")]
    Background { rank: Rank },
    #[error("a receive of any tag beside collectives cannot be written as GOAL; name its tag")]
    AnyTagBesideCollectives,
    #[error("the tags of messages reach {largest}, collectives find none; use smaller tags")]
    NoTagsLeft { largest: Tag },
}

/// What one task does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TaskKind {
    /// Send a message.
    Send {
        to: Rank,
        bytes: u64,
        tag: Tag,
    },
    /// Receive one, `None` from any rank; the tag may be `ANY_TAG`.
    Receive {
        from: Option<Rank>,
        tag: Tag,
    },
    Compute {
        nanoseconds: u64,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Task {
    pub kind: TaskKind,
    pub line: u32,
}

/// Index of a task among those of all ranks.
pub(crate) type TaskId = u32;

/// That one task comes after another of its rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dependency {
    pub before: TaskId,
    pub after: TaskId,
    /// Whether `before` need only have begun.
    pub is_start: bool,
}

/// The tasks of every rank and what they depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    pub(crate) tasks: Vec<Task>,
    pub(crate) dependencies: Vec<Dependency>,
    /// For each rank, where its tasks begin and end.
    pub(crate) ranks: Vec<(TaskId, TaskId)>,
}

impl Graph {
    /// Returns the number of ranks.
    pub fn n_ranks(&self) -> Rank {
        self.ranks.len() as Rank
    }

    /// Returns the number of tasks of all ranks.
    pub fn n_tasks(&self) -> usize {
        self.tasks.len()
    }
}
