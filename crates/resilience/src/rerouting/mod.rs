//! The pairs of nodes that reroute by themselves after a failure of any set of parts, and the
//! remedy for the others: recomputed tables, a routing daemon, or new parts.
//!
//! By themselves means with the tables as they are and local knowledge only: a port whose link is
//! dead loses its carrier, and the node's next-best route takes over. A failure beyond a switch
//! stays unnoticed. Loops are found by tracing the packets, not assumed away.
//!
//! Method: a failure can only change the routes over a wire that lost a link. An index from wires
//! to (destination, node) pairs finds the nodes whose next hop is broken; these and all nodes
//! routed through them are traced again, the others keep their routes. Recomputed tables reach
//! whatever the fabric still [joins](crate::connectivity).

mod baseline;
mod destination;
mod relays;
mod reverse_path;
mod trial;

pub use baseline::Baseline;
pub use destination::{Destination, DestinationId, Route, current_route};
pub use trial::{FailureTrial, successor};

use crate::NodeId;

/// Options of the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether the user wrote the tables: then only a routing daemon can recompute them.
    pub has_own_tables: bool,
    /// Whether packets dropped by reverse-path filters are counted, which traces every pair.
    pub with_return_paths: bool,
    /// The node that distributes recomputed tables; while it is dead, the lowest living node does.
    pub planner: NodeId,
    /// The most lost pairs listed per failure.
    pub most_examples: usize,
}

/// The caller stopped the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// The reason why a packet is lost with the tables as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// A node on its route has no route left whose port has carrier.
    NoRoute,
    /// A node sends it into a broken wire, because the node's own port still has carrier.
    Unseen,
    /// Its route has become a loop.
    Loop,
}

/// The remedy for a pair that does not reroute by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// None: no path of forwarding nodes is left.
    NewParts,
    /// A routing daemon: a path is left, but the tables are the user's own.
    Daemon,
    /// Tables recomputed by the routing scheme for the residual network.
    RecomputedTables,
}

/// A pair that does not reroute by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LostPair {
    /// The sender's own address, by the caller's number.
    pub from: u32,
    /// The destination of its packet, by the caller's number.
    pub to: u32,
    /// The reason for the loss.
    pub cause: Cause,
    /// The remedy.
    pub need: Need,
}

/// The cost of one failure. Pairs are ordered; pairs with a dead node are not counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FailureImpact {
    /// Pairs whose route does not use a failed part.
    pub n_untouched: u64,
    /// Pairs that reroute by themselves.
    pub n_rerouted: u64,
    /// Pairs that need recomputed tables.
    pub n_recomputed: u64,
    /// Pairs that need a routing daemon.
    pub n_daemon: u64,
    /// Pairs that no path joins.
    pub n_disconnected: u64,
    /// Pairs whose packets loop; each is also in one of the three counts above.
    pub n_looping: u64,
    /// Pairs whose packets arrive, but whose replies do not.
    pub n_unanswered: u64,
    /// Nodes that some path joins with the node that distributes recomputed tables, but whose
    /// packets to it are lost: their tables cannot be sent over the network.
    pub n_out_of_reach: u64,
    /// Total extra hops of the rerouted pairs.
    pub extra_hops: u64,
    /// The most extra hops of one rerouted pair.
    pub worst_extra_hops: u32,
    /// The most packets that a living node relays when each pair sends one, lost packets not
    /// counted.
    pub most_forwarded: u64,
    /// Pairs that reach each other unless reverse-path filters are strict: at some node on the
    /// route the packet enters by another port than the one of that node's route to the sender.
    /// Counted on request.
    pub n_strict: u64,
    /// Pairs that reach each other unless reverse-path filters are loose or strict: some node on
    /// the route has no route to the sender at all. Counted on request.
    pub n_loose: u64,
    /// The first lost pairs: disconnected pairs in front, then by destination and sender in the
    /// order of the destinations given.
    pub examples: Vec<LostPair>,
}

impl FailureImpact {
    /// Returns the number of pairs that do not reroute by themselves.
    pub fn n_lost(&self) -> u64 {
        self.n_recomputed + self.n_daemon + self.n_disconnected
    }
}
