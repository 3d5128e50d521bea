//! What every single failure of a cable, NIC, hub, switch or node costs: which pairs of nodes go on
//! by themselves, which after re-planned tables, which are cut off.
//!
//! By itself means with the tables as compiled, each node knowing only what it sees: a port whose
//! link is dead loses its carrier, and the node's next-best route takes over. A failure beyond a
//! switch is not seen. Loops are found by following the packets, not assumed away.
//!
//! Method: a failure can only change the ways that use a segment which lost a link. An index from
//! segments to (destination, node) pairs finds the nodes whose next hop is broken; those and all
//! who come through them are followed anew, the others go on as before. Re-planned tables reach
//! whatever the fabric still joins. A chassis of several logical switches is not one failure here.

mod failure;
mod remains;
mod table;
mod trial;
mod ways;

use rayon::prelude::*;

use crate::Network;
use crate::address::AddressId;
use crate::fabric::NodeId;

use super::MetricError;
use trial::{Proof, Trial};

pub use failure::Failure;
pub use table::{Step, WayTable, ways};

/// The most nodes of a proof: about 100 bytes for each pair.
const MOST_NODES: usize = 4096;

/// How a proof is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurvivalOptions {
    /// Whether the nodes have the fallback routes that the routing scheme derives. Explicit tables
    /// bring their own, which are always used.
    pub with_fallback: bool,
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

/// A pair that does not go on by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Casualty {
    /// The identity of the node that sends.
    pub from: AddressId,
    /// The identity it sends to.
    pub to: AddressId,
    /// Why the packet does not arrive.
    pub cause: Cause,
    /// Whether no path of forwarding nodes is left either.
    pub is_cut_off: bool,
}

/// What one failure costs. Pairs are ordered, and those of a dead node are not counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toll {
    /// What failed.
    pub failure: Failure,
    /// Pairs whose way does not use what failed.
    pub n_untouched: u64,
    /// Pairs that arrive by themselves on another way.
    pub n_rerouted: u64,
    /// Pairs that need re-planned tables.
    pub n_replanned: u64,
    /// Pairs that no path joins.
    pub n_cut_off: u64,
    /// Of the last two, the pairs whose packets run in a circle until tables are re-planned.
    pub n_looping: u64,
    /// Pairs that arrive by themselves, but whose answers do not.
    pub n_unanswered: u64,
    /// Hops of the rerouted pairs beyond those of the whole network, summed.
    pub extra_hops: u64,
    /// The most such hops of one pair.
    pub worst_extra_hops: u32,
    /// The first pairs that do not go on by themselves, in the order of the identities given: by
    /// destination, then by sender.
    pub examples: Vec<Casualty>,
}

impl Toll {
    /// Returns whether all pairs go on without anybody doing anything.
    pub fn costs_nobody(&self) -> bool {
        self.n_replanned + self.n_cut_off == 0
    }

    /// Returns whether all pairs go on once tables are re-planned.
    pub fn costs_nobody_replanned(&self) -> bool {
        self.n_cut_off == 0
    }
}

/// What all single failures cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survival {
    /// One per failure: cables, NICs, hubs, switches, nodes, each in order of id.
    pub tolls: Vec<Toll>,
}

impl Survival {
    /// Returns the fraction of failures after which all remaining pairs go on by themselves.
    pub fn by_itself(&self) -> f64 {
        self.fraction(Toll::costs_nobody)
    }

    /// Returns the fraction of failures after which all remaining pairs go on with new tables.
    pub fn replanned(&self) -> f64 {
        self.fraction(Toll::costs_nobody_replanned)
    }

    /// Returns the fraction of failures that are so; 1 where nothing can fail.
    fn fraction(&self, is_so: fn(&Toll) -> bool) -> f64 {
        let n = self.tolls.iter().filter(|toll| is_so(toll)).count();
        if self.tolls.is_empty() { 1.0 } else { n as f64 / self.tolls.len() as f64 }
    }
}

/// Proves what every single failure costs the pairs among some identities: usually one address per
/// node. An identity given twice counts once.
///
/// # Errors
/// When an address does not exist, or there are more than 4096 nodes or identities.
pub fn survival(
    network: &Network,
    identities: &[AddressId],
    options: SurvivalOptions,
) -> Result<Survival, MetricError> {
    expect_few(network, identities)?;
    super::load::expect_addresses(network, identities)?;
    let fabric = &network.fabric;
    let proof = Proof::new(network, identities, options);
    let failures = Failure::all(fabric);
    let is_first = |failure: &&Failure| failure.same_effect(fabric) == **failure;
    let distinct: Vec<Failure> = failures.iter().filter(is_first).copied().collect();
    let tolls: Vec<Toll> = distinct
        .par_iter()
        .map_init(|| Trial::new(&proof), |trial, &failure| trial.run(failure))
        .collect();
    let toll = |&failure: &Failure| {
        let same = failure.same_effect(fabric);
        let place = distinct.binary_search(&same).expect("each effect was tried");
        Toll { failure, ..tolls[place].clone() }
    };
    Ok(Survival { tolls: failures.iter().map(toll).collect() })
}

/// Checks that a proof of all pairs finds room.
fn expect_few(network: &Network, identities: &[AddressId]) -> Result<(), MetricError> {
    let given = identities.len().max(network.fabric.n_nodes() as usize);
    if given > MOST_NODES {
        return Err(MetricError::TooManyPairs { given, most: MOST_NODES });
    }
    Ok(())
}

/// Returns the node that owns an identity.
fn owner(network: &Network, identity: AddressId) -> NodeId {
    network.addressing.address(identity).node
}
