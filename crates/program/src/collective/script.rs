//! The actions of one rank, as an algorithm of a collective writes them.
//!
//! Algorithms count ranks by their places in the group, and those of trees from the root:
//! `relative` and `absolute` convert.

use crate::collective::AlgorithmSet;
use crate::group::{Group, MemberId};
use crate::operation::{Action, COLLECTIVE_NUMBER, Rank, Tag};

/// A receive that overlaps another of the same collective; the two have requests of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// The first, third, ... receive.
    Even,
    /// The second, fourth, ... receive.
    Odd,
}

impl Slot {
    /// Returns the slot of receive number `index`.
    pub fn of(index: u64) -> Slot {
        if index.is_multiple_of(2) { Slot::Even } else { Slot::Odd }
    }

    fn number(self) -> u32 {
        match self {
            Slot::Even => COLLECTIVE_NUMBER - 1,
            Slot::Odd => COLLECTIVE_NUMBER - 2,
        }
    }
}

/// The actions of one rank.
pub(crate) struct Script<'a> {
    /// The rank of the actions, counted in the group.
    pub rank: Rank,
    /// Number of ranks in the group.
    pub n_ranks: u32,
    /// The ranks that take part.
    pub group: &'a Group,
    /// Tag of every message of this collective.
    pub tag: Tag,
    /// The library that carries out the collective.
    pub library: AlgorithmSet,
    /// Bytes of a segment, 0 for whole messages.
    pub segment_bytes: u32,
    /// The list to which the actions are appended.
    pub actions: &'a mut Vec<Action>,
}

impl Script<'_> {
    /// Returns the number of this rank.
    pub fn me(&self) -> u32 {
        self.rank.get()
    }

    /// Returns this rank counted from `root`.
    pub fn relative(&self, root: Rank) -> u32 {
        (self.rank.get() + self.n_ranks - root.get()) % self.n_ranks
    }

    /// Returns the rank that is `relative` counted from `root`.
    pub fn absolute(&self, root: Rank, relative: u32) -> Rank {
        Rank::new((root.get() + relative) % self.n_ranks)
    }

    /// Returns the rank `distance` above this one, around the ring of ranks.
    pub fn above(&self, distance: u32) -> Rank {
        self.absolute(self.rank, distance % self.n_ranks)
    }

    /// Returns the rank `distance` below this one, around the ring of ranks.
    pub fn below(&self, distance: u32) -> Rank {
        self.absolute(self.rank, self.n_ranks - distance % self.n_ranks)
    }

    /// Returns the largest power of two that is at most the number of ranks.
    pub fn power_of_two(&self) -> u32 {
        1 << self.n_ranks.ilog2()
    }

    pub fn send(&mut self, to: Rank, bytes: u64) {
        let to = self.member(to);
        self.add(Action::Send { to, bytes, tag: self.tag });
    }

    pub fn receive(&mut self, from: Rank) {
        let from = Some(self.member(from));
        self.add(Action::Receive { from, tag: self.tag });
    }

    pub fn start_send(&mut self, to: Rank, bytes: u64) {
        let (to, tag, number) = (self.member(to), self.tag, COLLECTIVE_NUMBER);
        self.add(Action::StartSend { to, bytes, tag, number });
    }

    pub fn start_receive(&mut self, from: Rank) {
        let (from, tag, number) = (Some(self.member(from)), self.tag, COLLECTIVE_NUMBER);
        self.add(Action::StartReceive { from, tag, number });
    }

    /// Waits for the requests of this collective outside of slots, but not for others of its rank.
    pub fn wait(&mut self) {
        self.add(Action::Wait { number: COLLECTIVE_NUMBER });
    }

    /// Posts a receive that `wait_for` completes.
    pub fn post(&mut self, from: Rank, slot: Slot) {
        let (from, tag, number) = (Some(self.member(from)), self.tag, slot.number());
        self.add(Action::StartReceive { from, tag, number });
    }

    /// Waits for the receive of a slot.
    pub fn wait_for(&mut self, slot: Slot) {
        self.add(Action::Wait { number: slot.number() });
    }

    /// Sends and receives together, as `MPI_Sendrecv` does: posts the receive, sends, and waits for
    /// both.
    pub fn exchange(&mut self, to: Rank, bytes: u64, from: Rank) {
        self.start_receive(from);
        self.start_send(to, bytes);
        self.wait();
    }

    /// Returns the rank of the program at a place of the group.
    fn member(&self, place: Rank) -> Rank {
        self.group.rank(MemberId::new(place.get()))
    }

    fn add(&mut self, action: Action) {
        self.actions.push(action);
    }
}
