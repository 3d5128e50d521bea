//! The reasons why a run does not finish: a deadlock, a lost connection or node, or a missing
//! route. Ids are turned into names in the package.

use network::NodeId;
use program::{Action, GroupNumber, Operation, Program, Rank, Walk};
use quantity::Time;
use serde::Serialize;
use thiserror::Error;

/// A rank that cannot continue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StuckRank {
    /// The rank.
    pub rank: Rank,
    /// Index of its current operation.
    pub index: u32,
    /// Its current action, one of those of the collective if it is in one.
    pub action: Action,
    /// The collective that it is in.
    pub collective: Option<EnteredCollective>,
}

/// A collective in which a rank cannot continue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EnteredCollective {
    /// The kind of the collective.
    pub kind: &'static str,
    /// Number of its group, 0 for all ranks.
    pub group: GroupNumber,
    /// The first ranks of the group.
    pub ranks: Vec<Rank>,
    /// Number of ranks in the group.
    pub n_ranks: u32,
}

/// Ranks of a group that an error lists.
const MOST_LISTED: usize = 8;

impl StuckRank {
    /// Returns the rank that waits at a place of its operations.
    pub(crate) fn at(walk: &Walk, program: &Program, rank: Rank) -> StuckRank {
        let index = walk.last();
        let operation = program.operations(rank)[index as usize];
        let collective = program.entered(operation).map(|(entry, group)| EnteredCollective {
            kind: entry.collective.name(),
            group: group.number,
            ranks: group.ranks().take(MOST_LISTED).collect(),
            n_ranks: group.n(),
        });
        let action = match operation {
            Operation::Do(action) => Some(action),
            _ => walk.last_entered(),
        };
        let action = action.expect("nothing is waited for at the ends of a loop");
        StuckRank { rank, index, action, collective }
    }
}

/// The reason why a run did not finish.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize)]
#[error("{self:?}")]
pub enum RunError {
    /// No event is left, but ranks are still waiting.
    Deadlock {
        /// The waiting ranks.
        stuck: Vec<StuckRank>,
    },
    /// Simulated time reached its end, [`crate::END`], before all ranks had finished.
    TooLong {
        /// The ranks whose operations last too long, otherwise all unfinished ranks; filled in by
        /// the executor, which knows them.
        stuck: Vec<StuckRank>,
    },
    /// A connection gave up after its last retransmission.
    ConnectionLost {
        /// Sending rank.
        from: Rank,
        /// Receiving rank.
        to: Rank,
        /// Retransmissions of the segment given up.
        attempts: u32,
        /// Time of the failure.
        at: Time,
        /// The ranks that had not finished; filled in by the executor, which knows them.
        stuck: Vec<StuckRank>,
    },
    /// A node died before its rank had finished, or before its data had all arrived.
    NodeDied {
        /// The rank.
        rank: Rank,
        /// Time of the death.
        at: Time,
        /// Bytes written by the rank and not acknowledged.
        bytes: u64,
    },
    /// A rank's node has no route to another's.
    NoRoute {
        /// Sending node.
        from: NodeId,
        /// Receiving node.
        to: NodeId,
    },
    /// A route has more forwards than the time to live of a packet allows.
    RouteTooLong {
        /// Sending node.
        from: NodeId,
        /// Receiving node.
        to: NodeId,
        /// Number of nodes on the route that relay.
        forwards: u32,
        /// Time to live of the packets at their sender.
        ttl: u8,
    },
    /// The program sends datagrams, which this engine does not support.
    NoDatagrams,
    /// The program uses disks, but the calibration has none.
    NoDisk,
    /// Ranks share nodes, but the calibration has no transport between them.
    NoLocalTransport,
    /// Ranks share nodes, but the program uses disks or sends datagrams.
    NotOnSharedNodes,
    /// Channels stopped by pause frames wait for each other's buffers.
    PauseDeadlock {
        /// Number of channels.
        channels: u32,
    },
    /// Faults are planned for links with flow control by pause frames.
    FaultsWithPauses,
    /// The run put more frames on wires than its caller allows.
    TooManyFrames {
        /// Frames on wires that are allowed.
        most: u64,
    },
    /// The caller asked to stop.
    Stopped,
}
