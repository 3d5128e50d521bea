//! Transfers between ranks of one node on their way. All take the same time, so that the first to
//! leave is the first to arrive.

use std::collections::VecDeque;

use host::Head;
use program::Rank;

use crate::model::Notice;

/// Transfers between ranks of one node, in the order in which they arrive.
#[derive(Debug, Default)]
pub struct HandOvers {
    under_way: VecDeque<Notice>,
}

impl HandOvers {
    /// Adds a transfer between two ranks, behind those under way.
    pub fn begin(&mut self, from: Rank, to: Rank, head: Head) {
        self.under_way.push_back(Notice::Arrived { rank: to, from, head });
    }

    /// Ends the transfer that left first.
    ///
    /// # Panics
    /// When there is none.
    pub fn end(&mut self) -> Notice {
        self.under_way.pop_front().expect("a transfer is under way")
    }
}
