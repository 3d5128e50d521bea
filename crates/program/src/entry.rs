//! The collectives that a program enters: each kind, size, manner and group once, however often
//! ranks enter it.

use std::collections::BTreeMap;

use quantity::IdVec;

use crate::collective::{self, AlgorithmSet, Collective, Manner, Script};
use crate::group::{Group, GroupId};
use crate::operation::{Action, EntryId, Rank, Tag};

/// A collective of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The collective; its root counts in the group.
    pub collective: Collective,
    /// How it is carried out.
    pub manner: Manner,
    /// The ranks that enter it.
    pub group: GroupId,
}

impl Entry {
    /// Appends the actions of a rank.
    ///
    /// # Panics
    /// When the rank is not in the group.
    pub(crate) fn write(
        self,
        (library, group): (AlgorithmSet, &Group),
        (rank, tag): (Rank, Tag),
        actions: &mut Vec<Action>,
    ) {
        let member = group.member(rank).expect("a rank enters collectives of its groups");
        let (rank, n_ranks, segment_bytes) = (Rank::new(member.get()), group.n(), 0);
        let mut script = Script { rank, n_ranks, group, tag, library, segment_bytes, actions };
        collective::write(&mut script, self.collective, self.manner);
    }
}

/// The collectives of a program that is being compiled.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    all: IdVec<EntryId, Entry>,
    ids: BTreeMap<Entry, EntryId>,
}

impl Entries {
    /// Returns the id of a collective, and whether it is a new one.
    pub fn id(&mut self, entry: Entry) -> (EntryId, bool) {
        let next = EntryId::new(self.all.n());
        let id = *self.ids.entry(entry).or_insert(next);
        if id == next {
            self.all.push(entry);
        }
        (id, id == next)
    }

    pub fn finish(self) -> IdVec<EntryId, Entry> {
        self.all
    }
}
