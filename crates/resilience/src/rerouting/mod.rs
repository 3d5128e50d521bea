//! The connections that reroute by themselves after a failure of any set of parts, and the remedy
//! for the others: recomputed tables, a routing daemon, or new parts. Every node opens one
//! connection to every other, and it lasts while the packets of both directions arrive.
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
mod connections;
mod destination;
mod relays;
mod reverse_path;
mod trial;

pub use baseline::Baseline;
pub use destination::{Destination, DestinationId, Route, RoutesTo, current_route};
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

/// The remedy for a connection that does not reroute by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// None: no path of forwarding nodes is left.
    NewParts,
    /// A routing daemon: a path is left, but the tables are the user's own.
    Daemon,
    /// Tables recomputed by the routing scheme for the residual network.
    RecomputedTables,
}

/// An ordered pair of addresses whose packets do not arrive by themselves.
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

/// The cost of one failure to connections: every address opens one to every address of another
/// node, so that two addresses have two. Connections with a dead node are not counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FailureImpact {
    /// Connections whose routes, in both directions, do not use a failed part.
    pub n_untouched: u64,
    /// Connections that last on another route, in one direction or in both.
    pub n_rerouted: u64,
    /// Connections that need recomputed tables.
    pub n_recomputed: u64,
    /// Connections that need a routing daemon.
    pub n_daemon: u64,
    /// Connections whose ends no path joins.
    pub n_disconnected: u64,
    /// Connections whose packets loop in some direction; each is also in one of the three counts
    /// above.
    pub n_looping: u64,
    /// Connections whose packets arrive, but whose replies do not; each is also in one of these
    /// three counts.
    pub n_unanswered: u64,
    /// Nodes that some path joins with the node that distributes recomputed tables, but without a
    /// connection to it: their tables cannot be sent over the network.
    pub n_out_of_reach: u64,
    /// Total extra hops of the rerouted connections, from client to server.
    pub extra_hops: u64,
    /// The most extra hops of a rerouted connection, in any direction.
    pub worst_extra_hops: u32,
    /// The most packets that a living node relays when each address sends one to each of another
    /// node, lost packets not counted.
    pub most_forwarded: u64,
    /// Connections that last unless reverse-path filters are strict: at some node on a route the
    /// packet enters by another port than the one of that node's route to the sender. Counted on
    /// request.
    pub n_strict: u64,
    /// Connections that last unless reverse-path filters are loose or strict: some node on a route
    /// has no route to the sender at all. Counted on request.
    pub n_loose: u64,
    /// The first lost packets: those of disconnected pairs in front, then by destination and sender
    /// in the order of the destinations given.
    pub examples: Vec<LostPair>,
}

impl FailureImpact {
    /// Returns all counts with their names, by which Python and the script of a page know them.
    pub fn counts(&self) -> [(&'static str, u64); 13] {
        [
            ("n_untouched", self.n_untouched),
            ("n_rerouted", self.n_rerouted),
            ("n_recomputed", self.n_recomputed),
            ("n_daemon", self.n_daemon),
            ("n_disconnected", self.n_disconnected),
            ("n_looping", self.n_looping),
            ("n_unanswered", self.n_unanswered),
            ("n_out_of_reach", self.n_out_of_reach),
            ("extra_hops", self.extra_hops),
            ("worst_extra_hops", u64::from(self.worst_extra_hops)),
            ("most_forwarded", self.most_forwarded),
            ("n_strict", self.n_strict),
            ("n_loose", self.n_loose),
        ]
    }

    /// Returns the number of connections that do not last by themselves.
    pub fn n_lost(&self) -> u64 {
        self.n_recomputed + self.n_daemon + self.n_disconnected
    }
}
