//! Transfers between ranks of one node on their way. All take the same time, so that the first of a
//! rank to leave is its first to arrive.

use std::collections::VecDeque;

use host::Head;
use program::Rank;
use quantity::IdVec;

use crate::model::Notice;

/// Transfers between ranks of one node, by the rank that sends.
#[derive(Debug, Default)]
pub struct HandOvers {
    /// Those of each rank in the order in which they arrive, up to the last rank that has any.
    under_way: IdVec<Rank, VecDeque<Notice>>,
}

impl HandOvers {
    /// Adds a transfer between two ranks, behind those of the sender that are under way.
    pub fn begin(&mut self, from: Rank, to: Rank, head: Head) {
        let of_sender = self.under_way.reach(from, VecDeque::new());
        of_sender.push_back(Notice::Arrived { rank: to, from, head });
    }

    /// Ends the transfer of a rank that left first.
    ///
    /// # Panics
    /// When there is none.
    pub fn end(&mut self, from: Rank) -> Notice {
        self.under_way[from].pop_front().expect("a transfer is under way")
    }
}
