//! Transfers between ranks of one node on their way. All take the same time, so that the first to
//! leave is the first to arrive.

use std::collections::VecDeque;

use host::TransferId;
use program::Rank;

use crate::model::Notice;

/// Transfers between ranks of one node, in the order in which they arrive.
#[derive(Debug, Default)]
pub struct HandOvers {
    under_way: VecDeque<(Rank, TransferId)>,
}

impl HandOvers {
    /// Adds a transfer to a rank, behind those under way.
    pub fn begin(&mut self, to: Rank, transfer: TransferId) {
        self.under_way.push_back((to, transfer));
    }

    /// Ends the transfer that left first.
    ///
    /// # Panics
    /// When there is none.
    pub fn end(&mut self) -> Notice {
        let (to, transfer) = self.under_way.pop_front().expect("a transfer is under way");
        Notice::Arrived(to, transfer)
    }
}
