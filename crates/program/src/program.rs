//! The compiled program: the operations of every rank, in one table, the collectives that they
//! enter, and the streams of those ranks whose operations are in more than one order.

use std::ops::Range;

use quantity::{Id, IdVec};

use crate::collective::AlgorithmSet;
use crate::entry::Entry;
use crate::group::{Group, GroupId};
use crate::operation::{Action, Cpu, EntryId, Operation, Rank, Ranks, Tag};

/// The operations of every rank. Immutable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub(crate) operations: Vec<Operation>,
    /// Start of each rank's operations in `operations`, and the end of the last.
    pub(crate) starts: IdVec<Rank, usize>,
    /// The streams of each rank; empty if no rank has any.
    pub(crate) streams: IdVec<Rank, Vec<Stream>>,
    pub(crate) ranks: Ranks,
    /// The library that carries out collectives.
    pub(crate) algorithms: AlgorithmSet,
    pub(crate) groups: IdVec<GroupId, Group>,
    pub(crate) entries: IdVec<EntryId, Entry>,
    /// Actions of the largest collective of each rank, of all ranks together; at least.
    pub(crate) n_entered: usize,
}

/// A part of a rank's operations that are in one order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    /// Index of its first operation among those of its rank.
    pub start: u32,
    /// Index behind its last operation.
    pub end: u32,
    /// The processor of its own on which it runs, `None` for that of the rank's process.
    pub cpu: Option<Cpu>,
}

impl Stream {
    /// Returns the indices of its operations.
    pub fn operations(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl Program {
    /// Returns the number of ranks.
    pub fn n_ranks(&self) -> u32 {
        self.starts.n() - 1
    }

    /// Returns the number of awaited ranks, which come first.
    pub fn n_awaited(&self) -> u32 {
        self.ranks.awaited
    }

    /// Returns the number of operations of all ranks, each counted once even if repeated.
    pub fn n_operations(&self) -> usize {
        self.operations.len()
    }

    /// Returns the number of operations that are in memory at once, with those of the largest
    /// collective of each rank.
    pub fn n_in_memory(&self) -> usize {
        self.operations.len() + self.n_entered
    }

    /// Returns the number of actions that the awaited ranks carry out, those in loops as often as
    /// they repeat them.
    pub fn n_awaited_actions(&self) -> u64 {
        Rank::first(self.ranks.awaited).map(|rank| self.n_actions(rank)).sum()
    }

    fn n_actions(&self, rank: Rank) -> u64 {
        let (mut n_actions, mut repeats) = (0_u64, vec![1_u64]);
        let mut of_entries = vec![None; self.entries.len()];
        for operation in self.operations(rank) {
            let times = repeats[repeats.len() - 1];
            match *operation {
                Operation::Do(_) => n_actions = n_actions.saturating_add(times),
                Operation::Enter { entry, .. } => {
                    let n = *of_entries[entry.index()]
                        .get_or_insert_with(|| self.n_entry_actions(entry, rank));
                    n_actions = n_actions.saturating_add(times.saturating_mul(n));
                }
                Operation::Repeat { count } => repeats.push(times.saturating_mul(count.into())),
                Operation::EndRepeat { .. } => {
                    repeats.pop();
                }
            }
        }
        n_actions
    }

    fn n_entry_actions(&self, entry: EntryId, rank: Rank) -> u64 {
        let mut actions = Vec::new();
        self.write_entry((entry, 0), rank, &mut actions);
        actions.len() as u64
    }

    /// Returns the actions of a rank that are in its operations, once each, with those of each
    /// collective that it enters.
    pub fn actions(&self, rank: Rank) -> Vec<Action> {
        let mut actions = Vec::new();
        let mut is_written = vec![false; self.entries.len()];
        for &operation in self.operations(rank) {
            match operation {
                Operation::Do(action) => actions.push(action),
                Operation::Enter { entry, tag } if !is_written[entry.index()] => {
                    is_written[entry.index()] = true;
                    self.write_entry((entry, tag), rank, &mut actions);
                }
                _ => {}
            }
        }
        actions
    }

    /// Appends the actions of a collective that a rank enters.
    pub(crate) fn write_entry(
        &self,
        (entry, tag): (EntryId, Tag),
        rank: Rank,
        actions: &mut Vec<Action>,
    ) {
        let entry = self.entries[entry];
        let group = &self.groups[entry.group];
        entry.write((self.algorithms, group), (rank, tag), actions);
    }

    /// Returns the collective of an operation, and its group; `None` for other operations.
    pub fn entered(&self, operation: Operation) -> Option<(Entry, &Group)> {
        let Operation::Enter { entry, .. } = operation else { return None };
        let entry = self.entries[entry];
        Some((entry, &self.groups[entry.group]))
    }

    /// Returns whether any rank sends datagrams.
    pub fn has_datagrams(&self) -> bool {
        self.operations.iter().any(is_datagram)
    }

    /// Returns whether any awaited rank sends datagrams.
    pub fn has_awaited_datagrams(&self) -> bool {
        let end = self.starts[Rank::new(self.ranks.awaited)];
        self.operations[..end].iter().any(is_datagram)
    }

    /// Returns whether any rank uses its disk.
    pub fn has_disks(&self) -> bool {
        let is_one = |operation: &Operation| matches!(operation, Operation::Do(Action::Disk(_)));
        self.operations.iter().any(is_one)
    }

    /// Returns the operations of `rank`, those of its streams one after the other.
    ///
    /// # Panics
    /// When the program has no rank of this number.
    pub fn operations(&self, rank: Rank) -> &[Operation] {
        &self.operations[self.starts[rank]..self.starts[rank.following()]]
    }

    /// Returns the streams of `rank`; none if all its operations are in one order, for its process.
    #[inline]
    pub fn streams(&self, rank: Rank) -> &[Stream] {
        self.streams.get(rank).map_or(&[], Vec::as_slice)
    }
}

fn is_datagram(operation: &Operation) -> bool {
    matches!(operation, Operation::Do(Action::Datagram { .. }))
}
