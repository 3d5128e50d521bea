//! Why a run does not finish: ranks wait for ever, a connection or a node is lost, or there is no
//! route.
//! Ids are turned into names where names are known.

use network::NodeId;
use program::{Action, Rank};
use quantity::Time;
use serde::Serialize;
use thiserror::Error;

/// A rank that can never go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct StuckRank {
    /// The rank.
    pub rank: Rank,
    /// Index of the operation it is in.
    pub index: u32,
    /// What it does there.
    pub action: Action,
}

/// Why a run did not finish.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize)]
#[error("{self:?}")]
pub enum RunError {
    /// Nothing will ever happen again, but ranks are still waiting.
    Deadlock {
        /// The ranks that wait.
        stuck: Vec<StuckRank>,
    },
    /// Simulated time came to its end, [`crate::END`], before all ranks had finished.
    TooLong {
        /// The ranks whose operations last too long, else all that had not finished; filled in by
        /// the executor, which knows them.
        stuck: Vec<StuckRank>,
    },
    /// A connection gave up after its last retransmission.
    ConnectionLost {
        /// Sending rank.
        from: Rank,
        /// Receiving rank.
        to: Rank,
        /// Retransmissions of one segment.
        attempts: u32,
        /// When.
        at: Time,
        /// The ranks that had not finished; filled in by the executor, which knows them.
        stuck: Vec<StuckRank>,
    },
    /// A node died whose rank was not done, or whose data had not all arrived.
    NodeDied {
        /// The rank.
        rank: Rank,
        /// When.
        at: Time,
        /// What it had written that its receivers had not acknowledged.
        bytes: u64,
    },
    /// A rank's node has no route to another's.
    NoRoute {
        /// Sending node.
        from: NodeId,
        /// Receiving node.
        to: NodeId,
    },
    /// A route has more forwards than a packet lives.
    RouteTooLong {
        /// Sending node.
        from: NodeId,
        /// Receiving node.
        to: NodeId,
        /// Nodes on the route that relay.
        forwards: u32,
        /// Time to live with which packets are sent.
        ttl: u8,
    },
    /// The program sends datagrams, which this engine does not move.
    NoDatagrams,
    /// The program uses disks, of which nothing is known.
    NoDisk,
    /// Channels stopped by pause frames wait for each other's room.
    PauseDeadlock {
        /// How many.
        channels: u32,
    },
    /// Faults are planned for links whose ends stop each other.
    FaultsWithPauses,
    /// The caller asked to stop.
    Stopped,
}
