//! The writes of a rank that wait for room in send buffers, and the transfers behind them. The
//! steps of a rank with such writes are in `postponed`.

use std::collections::{BTreeMap, VecDeque};

use host::Transfer;
use program::Rank;

use crate::effect::Then;

/// The writes of a rank that wait for room.
#[derive(Debug, Default)]
pub(crate) struct Unwritten {
    /// The peer to which the rank is writing now.
    pub to: Option<Rank>,
    /// By peer, the write that has begun, and those behind it.
    pub lines: BTreeMap<Rank, Line>,
    /// Steps that may be taken now, in order.
    pub ready: VecDeque<Then>,
}

/// The transfers to one rank.
#[derive(Debug)]
pub(crate) struct Line {
    /// The step after the write that has begun.
    pub then: Then,
    /// Transfers behind it, with the step after each.
    pub behind: VecDeque<(Transfer, Then)>,
}

impl Unwritten {
    /// Returns the next step that may be taken.
    pub fn next_step(&mut self) -> Option<Then> {
        self.ready.pop_front()
    }

    /// Returns whether something waits for room.
    pub fn is_waiting(&self) -> bool {
        !self.lines.is_empty()
    }
}
