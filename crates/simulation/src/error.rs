//! Why a run does not finish.

use program::{Action, Rank};
use thiserror::Error;

/// A rank that can never go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StuckRank {
    /// The rank.
    pub rank: Rank,
    /// Index of the operation it is in.
    pub index: u32,
    /// What it does there.
    pub action: Action,
}

/// Why a run did not finish.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RunError {
    /// Nothing will ever happen again, but ranks are still waiting.
    #[error("{} ranks wait for ever", .0.len())]
    Deadlock(Vec<StuckRank>),
    /// A connection gave up after its last retransmission.
    #[error(
        "the connection from rank {from} to rank {to} gave up after {attempts} retransmissions"
    )]
    ConnectionLost {
        /// Sending rank.
        from: Rank,
        /// Receiving rank.
        to: Rank,
        /// Retransmissions of one segment.
        attempts: u32,
    },
    /// A rank's node has no route to another's.
    #[error("node {from} has no route to node {to}")]
    NoRoute {
        /// Sending node.
        from: u32,
        /// Receiving node.
        to: u32,
    },
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
}
