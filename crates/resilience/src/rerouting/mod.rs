//! The pairs of nodes that go on by themselves after a failure of any set of parts, and what the
//! others need: recomputed tables, a routing daemon, or new parts.
//!
//! By themselves means with the tables as they are, each node knowing only what it sees: a port
//! whose link is dead loses its carrier, and the node's next-best route takes over. A failure
//! beyond a switch is not seen. Loops are found by following the packets, not assumed away.
//!
//! Method: a failure can only change the routes over a wire that lost a link. An index from wires
//! to (destination, node) pairs finds the nodes whose next hop is broken; those and all who come
//! through them are followed anew, the others go on as before. Recomputed tables reach whatever the
//! fabric still [joins](crate::connectivity).

mod baseline;
mod destination;
mod relays;
mod reverse_path;
mod trial;

pub use baseline::Baseline;
pub use destination::{Destination, DestinationId, Route, current_route};
pub use trial::{FailureTrial, successor};

use crate::NodeId;

/// What is counted, and what the network is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether the tables are the user's own: only a routing daemon can recompute these.
    pub has_own_tables: bool,
    /// Whether the packets that reverse-path filters drop are counted: all pairs are walked.
    pub with_return_paths: bool,
    /// The node that hands out new tables; while it is dead, the lowest living one does.
    pub planner: NodeId,
    /// How many pairs that do not go on by themselves are listed per failure.
    pub most_examples: usize,
}

/// The caller did not wait for the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Why a packet does not arrive by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// Some node has no route whose port has carrier.
    NoRoute,
    /// Some node sends it where it cannot arrive, because its own port still has carrier.
    Unseen,
    /// The nodes pass it round in a circle.
    Loop,
}

/// What a pair needs that does not go on by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// Nothing helps: no path of forwarding nodes is left.
    NewParts,
    /// A routing daemon: a path is left, but the tables are the user's own.
    Daemon,
    /// New tables, which the routing scheme derives from what is left.
    NewTables,
}

/// A pair that does not go on by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LostPair {
    /// The destination that the sender is itself, by the caller's number.
    pub from: u32,
    /// The destination it sends to, by the caller's number.
    pub to: u32,
    /// Why the packet does not arrive.
    pub cause: Cause,
    /// What it takes to make it arrive.
    pub need: Need,
}

/// What one failure costs. Pairs are ordered, and those of a dead node are not counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FailureImpact {
    /// Pairs whose route does not use what failed.
    pub n_untouched: u64,
    /// Pairs that arrive by themselves on another route.
    pub n_rerouted: u64,
    /// Pairs that need recomputed tables.
    pub n_replanned: u64,
    /// Pairs that need a routing daemon.
    pub n_daemon: u64,
    /// Pairs that no path joins.
    pub n_cut_off: u64,
    /// Of the last three, the pairs whose packets run in a circle.
    pub n_looping: u64,
    /// Pairs that arrive by themselves, but whose answers do not.
    pub n_unanswered: u64,
    /// Nodes that are joined with the one that hands out new tables, but whose packets to it do not
    /// arrive by themselves: their tables cannot be sent over the network.
    pub n_out_of_reach: u64,
    /// Hops of the rerouted pairs beyond those of the whole network, summed.
    pub extra_hops: u64,
    /// The most such hops of one pair.
    pub worst_extra_hops: u32,
    /// The most packets that a living node relays when each pair sends one and it arrives by
    /// itself.
    pub most_forwarded: u64,
    /// Pairs that arrive by themselves, but not past strict reverse-path filters: at some node on
    /// the route the packet comes in by another port than the node's own route to its sender leaves
    /// by. Counted on request.
    pub n_strict: u64,
    /// Pairs that arrive by themselves, but not past loose ones: some node on the route has no
    /// route to the sender at all. Counted on request.
    pub n_loose: u64,
    /// The first pairs that do not go on by themselves, those that are cut off in front, else in
    /// the order of the destinations given: by destination, then by sender.
    pub examples: Vec<LostPair>,
}

impl FailureImpact {
    /// Returns the number of pairs that do not go on by themselves.
    pub fn n_lost(&self) -> u64 {
        self.n_replanned + self.n_daemon + self.n_cut_off
    }
}
