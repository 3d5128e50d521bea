//! Groups of ranks: who takes part in a collective, and in which order. The first group has all
//! awaited ranks; a table of steps makes others, member by member.

use std::collections::BTreeMap;

use quantity::{Id, IdVec, Ids, id};

use crate::error::ProgramError;
use crate::operation::Rank;

id! {
    /// A group of ranks, among those of its program.
    pub GroupId;
    /// A member of a group, by its place.
    pub MemberId;
}

/// The number of a group in a table of steps; 0 is the group of all awaited ranks.
pub type GroupNumber = u32;

/// Ranks in an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its number in the table of steps.
    pub number: GroupNumber,
    members: Members,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Members {
    /// The first ranks, in their order.
    First(u32),
    /// Ranks in the order of their places, and the place of each.
    These { ranks: IdVec<MemberId, Rank>, places: BTreeMap<Rank, MemberId> },
}

impl Group {
    /// Returns the number of its ranks.
    pub fn n(&self) -> u32 {
        match &self.members {
            Members::First(n) => *n,
            Members::These { ranks, .. } => ranks.n(),
        }
    }

    /// Returns the rank of a member.
    ///
    /// # Panics
    /// When the group has no such member.
    #[inline]
    pub fn rank(&self, member: MemberId) -> Rank {
        match &self.members {
            Members::First(_) => Rank::new(member.get()),
            Members::These { ranks, .. } => ranks[member],
        }
    }

    /// Returns the place of a rank; `None` if it is no member.
    pub fn member(&self, rank: Rank) -> Option<MemberId> {
        match &self.members {
            Members::First(n) => (rank.get() < *n).then(|| MemberId::new(rank.get())),
            Members::These { places, .. } => places.get(&rank).copied(),
        }
    }

    /// Returns the members in order.
    pub fn members(&self) -> Ids<MemberId> {
        MemberId::first(self.n())
    }

    /// Returns the ranks in order.
    pub fn ranks(&self) -> impl Iterator<Item = Rank> + '_ {
        self.members().map(|member| self.rank(member))
    }
}

/// The groups of a program that is being compiled.
#[derive(Debug)]
pub(crate) struct Groups {
    all: IdVec<GroupId, Group>,
    ids: BTreeMap<GroupNumber, GroupId>,
    /// Whether a step of the group has been read, after which it has no new members.
    in_use: IdVec<GroupId, bool>,
}

impl Groups {
    /// Returns the group of all awaited ranks.
    pub fn new(n_awaited: u32) -> Groups {
        let everyone = Group { number: 0, members: Members::First(n_awaited) };
        Groups {
            all: [everyone].into_iter().collect(),
            ids: BTreeMap::from([(0, GroupId::new(0))]),
            in_use: [true].into_iter().collect(),
        }
    }

    /// Makes a rank the next member of a group.
    pub fn add(
        &mut self,
        step: usize,
        rank: Rank,
        number: GroupNumber,
    ) -> Result<(), ProgramError> {
        let next = GroupId::new(self.all.n());
        let group = *self.ids.entry(number).or_insert(next);
        if group == next {
            let members = Members::These { ranks: IdVec::new(), places: BTreeMap::new() };
            self.all.push(Group { number, members });
            self.in_use.push(false);
        }
        let is_new = match &mut self.all[group].members {
            _ if self.in_use[group] => {
                return Err(ProgramError::GroupInUse { step, group: number });
            }
            Members::First(_) => unreachable!("the group of all ranks is in use"),
            Members::These { ranks, places } => {
                let place = ranks.push(rank);
                places.insert(rank, place).is_none()
            }
        };
        is_new.then_some(()).ok_or(ProgramError::MemberTwice { step, rank, group: number })
    }

    /// Returns the group of a number, for a step.
    pub fn take(&mut self, step: usize, number: GroupNumber) -> Result<GroupId, ProgramError> {
        let group =
            *self.ids.get(&number).ok_or(ProgramError::UnknownGroup { step, group: number })?;
        self.in_use[group] = true;
        Ok(group)
    }

    pub fn get(&self, group: GroupId) -> &Group {
        &self.all[group]
    }

    pub fn finish(self) -> IdVec<GroupId, Group> {
        self.all
    }
}
