//! GOAL text, the format of LogGOPSim [LOGGOPSIM]: read as a program, and written from one.
//!
//! A GOAL file gives each rank tasks and dependencies between them; a program gives each rank
//! streams. [`read`] parses a file, [`Graph::steps`] divides its tasks into streams, and
//! [`GoalWriter`] writes operations as tasks whose dependencies are their order.

mod binary;
mod links;
mod pairs;
mod scan;
mod sequence;
mod steps;
mod streams;
mod write;

use std::fmt::{self, Display, Formatter};

use quantity::{IdVec, Ids};
use serde::{Serialize, Serializer};
use thiserror::Error;

use crate::code;
use crate::operation::{Rank, RequestNumber, Tag};
use crate::owned_columns::Row;

pub use write::GoalWriter;

/// Returns the tasks and dependencies of a GOAL file, text or binary.
///
/// # Errors
/// When the file breaks its format, or names a rank or label that does not exist.
pub fn read(content: &[u8]) -> Result<Graph, GoalError> {
    if binary::is_binary(content) { binary::read(content) } else { scan::read(content) }
}

/// A rule that a GOAL text breaks, or a program to be written as one. Lines count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize)]
#[error("{self:?}")]
#[allow(missing_docs)] // the fields are named after what they hold
pub enum GoalError {
    /// The text at this place does not fit the grammar.
    Syntax { line: u32, expected: &'static str, found: String, form: &'static str },
    /// A number is larger than its use allows.
    NumberTooLarge { line: u32, what: &'static str, number: String, limit: u64 },
    /// A send has the tag reserved for any tag.
    SendOfAnyTag { line: u32 },
    /// Two tasks of a rank have the same label.
    LabelTwice { line: u32, label: String },
    /// A dependency names a label without a task above it.
    UnknownLabel { line: u32, label: String },
    /// A rank is not below the number of ranks.
    RankOutOfRange { line: u32, rank: u64, n_ranks: u32 },
    /// A rank is described twice.
    RankTwice { line: u32, rank: Rank },
    /// A rank is not described.
    RankMissing { rank: Rank, n_ranks: u32 },
    /// The number of ranks is given more than once.
    RanksTwice { line: u32 },
    /// The text ends inside a rank.
    OpenRank { rank: Rank },
    /// The text does not begin with the number of ranks.
    NoRanks,
    /// There are more tasks than allowed.
    TooManyTasks { limit: usize },
    /// A receive waits for a message that is never sent.
    NeverReceived { at: Place, rank: Rank },
    /// A message is sent but never received.
    NeverSent { at: Place, rank: Rank },
    /// A task requires itself.
    Circle { at: Place, rank: Rank },
    /// A binary file does not fit its format.
    Binary { at: usize, rule: &'static str },
    /// The schedule in a binary file has been used up.
    Spent,
    /// The program sends datagrams, for which GOAL has no task.
    Datagrams { rank: Rank },
    /// The program uses disks, for which GOAL has no task.
    Disks { rank: Rank },
    /// The program sleeps, for which GOAL has no task.
    Sleeps { rank: Rank },
    /// The program has background ranks, which GOAL does not know.
    Background { rank: Rank },
    /// A receive of any tag would also take the messages of collectives.
    AnyTagBesideCollectives,
    /// There are not enough tags for the messages of collectives.
    NoTagsLeft { largest: Tag },
}

/// The place of a task in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line of a text, from 1.
    Line(u32),
    /// A task of a rank in a binary file, from 0.
    Task(u32),
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(line) => write!(f, "line {line}"),
            Place::Task(task) => write!(f, "task {task}"),
        }
    }
}

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The work of one task.
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

impl TaskKind {
    /// Returns whether the task is a computation.
    pub fn is_computation(self) -> bool {
        matches!(self, TaskKind::Compute { .. })
    }

    /// Returns the step of the task; a message with a request number is only started.
    pub fn row(self, rank: Rank, request: Option<RequestNumber>) -> Row {
        let number = request.unwrap_or(0);
        let one_of = |blocking, started| if request.is_some() { started } else { blocking };
        match self {
            TaskKind::Send { to, bytes, tag } => {
                let row = Row::new(rank, one_of(code::SEND, code::START_SEND));
                Row { peer: to.get() as i32, size_bytes: bytes, tag, number, ..row }
            }
            TaskKind::Receive { from, tag } => {
                let row = Row::new(rank, one_of(code::RECEIVE, code::START_RECEIVE));
                Row { peer: from.map_or(-1, |from| from.get() as i32), tag, number, ..row }
            }
            TaskKind::Compute { nanoseconds } => {
                Row { compute_s: nanoseconds as f64 / 1e9, ..Row::new(rank, code::COMPUTE) }
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Task {
    pub kind: TaskKind,
    pub cpu: u8,
    pub at: Place,
}

quantity::id! {
    /// A task, among those of all ranks.
    pub(crate) TaskId;
}

/// A dependency: one task comes after another of its rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dependency {
    pub before: TaskId,
    pub after: TaskId,
    /// Whether the start of `before` suffices.
    pub is_start: bool,
}

/// The tasks of every rank and their dependencies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    pub(crate) tasks: IdVec<TaskId, Task>,
    pub(crate) dependencies: Vec<Dependency>,
    /// The tasks of each rank.
    pub(crate) ranks: IdVec<Rank, Ids<TaskId>>,
}

impl Graph {
    /// Returns the number of ranks.
    pub fn n_ranks(&self) -> u32 {
        self.ranks.n()
    }

    /// Returns the number of tasks of all ranks.
    pub fn n_tasks(&self) -> usize {
        self.tasks.len()
    }
}
