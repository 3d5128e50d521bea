//! What a failure of any set of parts costs: which pairs of nodes go on by themselves, which after
//! re-planned tables, which only with a routing daemon, which are cut off.
//!
//! By itself means with the tables as compiled, each node knowing only what it sees: a port whose
//! link is dead loses its carrier, and the node's next-best route takes over. A failure beyond a
//! switch is not seen. Loops are found by following the packets, not assumed away.
//!
//! Method: a failure can only change the ways that use a segment which lost a link. An index from
//! segments to (destination, node) pairs finds the nodes whose next hop is broken; those and all
//! who come through them are followed anew, the others go on as before. Re-planned tables reach
//! whatever the fabric still joins.

mod failure;
mod proof;
mod relays;
mod remains;
mod returns;
mod table;
mod trial;
mod ways;

use rayon::prelude::*;

use crate::Network;
use crate::address::AddressId;
use crate::fabric::NodeId;

use super::{MetricError, Watch};
use failure::Loss;
use proof::Proof;
use trial::Trial;

pub use failure::Part;
pub use table::{Step, WayTable, ways};

/// The most nodes of a proof: 60 to 100 bytes for each ordered pair make 0.4 GB.
pub const MOST_NODES: usize = 2048;

/// How a proof is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurvivalOptions {
    /// Whether the nodes have the fallback routes that the routing scheme derives. Explicit tables
    /// bring their own, which are always used.
    pub with_fallback: bool,
    /// Whether the packets that reverse-path filters drop are counted: all pairs are walked.
    pub with_return_paths: bool,
    /// The node that hands out new tables; while it is dead, the lowest living one does.
    pub planner: NodeId,
    /// How many pairs that do not go on by themselves are listed per failure.
    pub most_examples: usize,
}

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
pub struct Casualty {
    /// The identity of the node that sends.
    pub from: AddressId,
    /// The identity it sends to.
    pub to: AddressId,
    /// Why the packet does not arrive.
    pub cause: Cause,
    /// What it takes to make it arrive.
    pub need: Need,
}

/// What one failure costs. Pairs are ordered, and those of a dead node are not counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Toll {
    /// Pairs whose way does not use what failed.
    pub n_untouched: u64,
    /// Pairs that arrive by themselves on another way.
    pub n_rerouted: u64,
    /// Pairs that need re-planned tables.
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
    /// the way the packet comes in by another port than the node's own route to its sender leaves
    /// by. Counted on request.
    pub n_strict: u64,
    /// Pairs that arrive by themselves, but not past loose ones: some node on the way has no route
    /// to the sender at all. Counted on request.
    pub n_loose: u64,
    /// The first pairs that do not go on by themselves, those that are cut off in front, else in
    /// the order of the identities given: by destination, then by sender.
    pub examples: Vec<Casualty>,
}

impl Toll {
    /// Returns the number of pairs that do not go on by themselves.
    pub fn n_lost(&self) -> u64 {
        self.n_replanned + self.n_daemon + self.n_cut_off
    }
}

/// Proves what each failure, a set of parts, costs the pairs among some identities: usually one
/// address per node. An identity given twice counts once. There is one toll per failure.
///
/// # Errors
/// When an address or a part does not exist, there are too many nodes or identities, or nobody
/// waits for the answer any more.
pub fn survival(
    network: &Network,
    identities: &[AddressId],
    failures: &[Vec<Part>],
    options: SurvivalOptions,
    watch: Watch,
) -> Result<Vec<Toll>, MetricError> {
    expect_few(network, identities)?;
    super::load::expect_addresses(network, identities)?;
    let fabric = &network.fabric;
    if let Some(&part) = failures.iter().flatten().find(|part| !part.exists(fabric)) {
        return Err(MetricError::UnknownPart { part });
    }
    let losses: Vec<Loss> = failures.iter().map(|parts| Loss::of(fabric, parts)).collect();
    let mut distinct = losses.clone();
    distinct.sort_unstable();
    distinct.dedup();
    watch.expect(distinct.len());
    let proof = Proof::new(network, identities, options, watch)?;
    let tolls: Vec<Toll> = distinct
        .par_iter()
        .map_init(|| Trial::new(&proof), |trial, loss| trial.run(loss))
        .collect::<Result<_, _>>()?;
    let toll = |loss: &Loss| {
        let place = distinct.binary_search(loss).expect("each loss was tried");
        tolls[place].clone()
    };
    Ok(losses.iter().map(toll).collect())
}

/// Checks that a proof of all pairs finds room.
fn expect_few(network: &Network, identities: &[AddressId]) -> Result<(), MetricError> {
    let given = identities.len().max(network.fabric.n_nodes() as usize);
    if given > MOST_NODES {
        return Err(MetricError::TooManyPairs { given, most: MOST_NODES });
    }
    Ok(())
}
