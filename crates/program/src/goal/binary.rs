//! Binary GOAL, the form that LogGOPSim itself reads [LOGGOPSIM]: little-endian numbers without
//! padding.
//!
//! A head has the magic number, the number of ranks, the largest processor and NIC, and the begin
//! and end of each rank's part, counted from behind the magic number. A part has the number of its
//! tasks, the tasks without requirements, the tasks, and the successors of all tasks, to which each
//! task points. NICs are ignored, as in a text.

use quantity::{Id, IdVec, Ids};

use super::{Dependency, GoalError, Graph, Place, Task, TaskId, TaskKind};
use crate::compile::{MAX_BYTES, MAX_OPERATIONS, MAX_RANKS};
use crate::operation::{ANY_TAG, COLLECTIVE_TAGS, Rank};

const MAGIC: u64 = 4223;
/// The magic number of a file whose tasks a simulation has used up.
const SPENT: u64 = 2342;
const MAGIC_BYTES: usize = 8;
const TASK_BYTES: usize = 39;
/// A rank or a tag that means any.
const ANY: u32 = u32::MAX;
/// The longest computation of a program, less a second for the rounding to seconds.
const LONGEST_NS: u64 = 9_999_999_000_000_000;

/// Returns whether a file is binary.
pub(super) fn is_binary(content: &[u8]) -> bool {
    content.first_chunk().is_some_and(|magic| [MAGIC, SPENT].contains(&u64::from_le_bytes(*magic)))
}

/// Returns the tasks and dependencies of a binary file.
pub(super) fn read(content: &[u8]) -> Result<Graph, GoalError> {
    let mut cursor = Cursor { content, at: 0 };
    if cursor.u64()? == SPENT {
        return Err(GoalError::Spent);
    }
    let n_ranks = cursor.u32()?;
    if n_ranks == 0 {
        return Err(GoalError::NoRanks);
    }
    if n_ranks > MAX_RANKS {
        return Err(cursor.error("the number of ranks is too large"));
    }
    cursor.at += 2;
    let mut graph = Graph { tasks: IdVec::new(), dependencies: Vec::new(), ranks: IdVec::new() };
    for _ in 0..n_ranks {
        let begin = cursor.u64()?;
        cursor.u64()?;
        let at = usize::try_from(begin).ok().and_then(|begin| begin.checked_add(MAGIC_BYTES));
        let at = at.ok_or_else(|| cursor.error("a rank begins behind the end of the file"))?;
        Part { cursor: Cursor { content, at }, n_ranks }.read(&mut graph)?;
    }
    Ok(graph)
}

/// A place in the file.
struct Cursor<'a> {
    content: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], GoalError> {
        let rest = self.content.get(self.at..).and_then(<[u8]>::first_chunk);
        let bytes = *rest.ok_or_else(|| self.error("the file ends in the middle of a number"))?;
        self.at += N;
        Ok(bytes)
    }

    fn u8(&mut self) -> Result<u8, GoalError> {
        self.take().map(u8::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, GoalError> {
        self.take().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, GoalError> {
        self.take().map(u64::from_le_bytes)
    }

    fn error(&self, rule: &'static str) -> GoalError {
        GoalError::Binary { at: self.at, rule }
    }
}

/// The part of one rank.
struct Part<'a> {
    cursor: Cursor<'a>,
    n_ranks: u32,
}

impl Part<'_> {
    fn read(mut self, graph: &mut Graph) -> Result<(), GoalError> {
        let (n_tasks, n_free) = (self.cursor.u32()?, self.cursor.u32()?);
        let first = TaskId::new(graph.tasks.n());
        let tasks_at = self.cursor.at + 4 * n_free as usize;
        let successors_at = tasks_at + TASK_BYTES * n_tasks as usize;
        if successors_at > self.cursor.content.len() {
            return Err(self.cursor.error("there are more tasks than the file has room for"));
        }
        if graph.tasks.len() + n_tasks as usize > MAX_OPERATIONS {
            return Err(GoalError::TooManyTasks { limit: MAX_OPERATIONS });
        }
        self.cursor.at = tasks_at;
        for number in 0..n_tasks {
            let (kind, cpu) = self.task()?;
            graph.tasks.push(Task { kind, cpu, at: Place::Task(number) });
            for is_start in [false, true] {
                let (n, place) = (self.cursor.u32()?, self.cursor.u32()?);
                let at = successors_at + 4 * place as usize;
                let mut successors = Cursor { content: self.cursor.content, at };
                if (graph.dependencies.len() + n as usize) * 4 > self.cursor.content.len() {
                    return Err(self.cursor.error("tasks have more successors than the file"));
                }
                for _ in 0..n {
                    let after = successors.u32()?;
                    if after >= n_tasks {
                        return Err(successors.error("this task does not exist"));
                    }
                    let (before, after) = (first.offset(number), first.offset(after));
                    graph.dependencies.push(Dependency { before, after, is_start });
                }
            }
        }
        graph.ranks.push(Ids::from(first, n_tasks));
        Ok(())
    }

    /// Reads a task up to its successors.
    fn task(&mut self) -> Result<(TaskKind, u8), GoalError> {
        let _n_required = self.cursor.u32()?;
        let code = self.cursor.u8()?;
        let (peer, size, tag) = (self.cursor.u32()?, self.cursor.u64()?, self.cursor.u32()?);
        let (cpu, _nic) = (self.cursor.u8()?, self.cursor.u8()?);
        let is_any = code == 2 && peer == ANY;
        let kind = match code {
            1 | 2 if !is_any && peer >= self.n_ranks => {
                return Err(self.cursor.error("the rank before this place does not exist"));
            }
            1 if tag == ANY_TAG => {
                return Err(self.cursor.error("the message before this place has any tag"));
            }
            1 | 2 if tag != ANY_TAG && tag >= COLLECTIVE_TAGS => {
                return Err(self.cursor.error("the tag before this place is too large"));
            }
            1 if size <= MAX_BYTES => TaskKind::Send { to: Rank::new(peer), bytes: size, tag },
            2 => TaskKind::Receive { from: (!is_any).then(|| Rank::new(peer)), tag },
            3 if size <= LONGEST_NS => TaskKind::Compute { nanoseconds: size },
            1 | 3 => return Err(self.cursor.error("the size before this place is too large")),
            _ => return Err(self.cursor.error("the task before this place is of no known kind")),
        };
        Ok((kind, cpu))
    }
}
