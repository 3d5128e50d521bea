//! The cost of failures of a network, proved by the crate `resilience`: this module lists the
//! routes for it and distributes the failures over threads.

mod tables;

use quantity::IdVec;
use rayon::prelude::*;
use resilience::rerouting::{Baseline, FailureImpact, FailureTrial, Options, Stopped};
use resilience::{DistinctLosses, Part, connectivity::disconnected_pairs};
use serde::Serialize;

use crate::Network;
use crate::fabric::Fabric;
use crate::ids::{AddressId, DeviceId, LinkId, NodeId, PortId};
use crate::routing::Routing;

use super::{MetricError, Watch, load};
use tables::{destinations, expect_few};

pub use tables::{MOST_NODES, routes_to};

/// The name of a part in an error.
#[derive(Serialize)]
#[serde(remote = "Part")]
#[allow(dead_code)] // only its form is used
pub(super) enum SerializedPart {
    Cable(LinkId),
    Port(PortId),
    Device(DeviceId),
}

/// The options of a proof of rerouting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReroutingOptions {
    /// Whether nodes have the fallback routes that the routing scheme derives. Explicit tables
    /// contain their own, which are always used.
    pub with_fallback: bool,
    /// Whether drops by reverse-path filters are counted; all pairs are walked then.
    pub with_return_paths: bool,
    /// The node that distributes recomputed tables; while it is dead, the lowest living node does.
    pub planner: NodeId,
    /// Most lost pairs listed per failure.
    pub most_examples: usize,
}

/// Proves the cost of each failure, a set of parts, to the connections among some identities:
/// usually one address per node. A repeated identity counts once. The result has one impact per
/// failure, with pairs named by these addresses.
///
/// # Errors
/// When an address or a part does not exist, there are too many nodes or identities, or the caller
/// cancels.
pub fn rerouting(
    network: &Network,
    identities: &[AddressId],
    failures: &[Vec<Part>],
    options: ReroutingOptions,
    watch: Watch,
) -> Result<Vec<FailureImpact>, MetricError> {
    expect_few(network, identities)?;
    load::expect_addresses(network, identities)?;
    expect_parts(&network.fabric, failures)?;
    let wiring = network.fabric.wiring();
    let distinct = DistinctLosses::of(&wiring, failures);
    watch.expect(distinct.losses().len());
    let ReroutingOptions { with_fallback, with_return_paths, planner, most_examples } = options;
    let to = destinations(network, &wiring, identities, with_fallback, watch.stop)?;
    let has_own_tables = matches!(network.routing, Routing::Explicit(_));
    let options = Options { has_own_tables, with_return_paths, planner, most_examples };
    let baseline = Baseline::new(wiring, to, options);
    let try_loss = |trial: &mut FailureTrial, loss| {
        let impact = trial.run(loss, watch.stop);
        watch.advance();
        impact.map_err(|Stopped| MetricError::Stopped)
    };
    let losses = distinct.losses().par_iter();
    let impacts = losses.map_init(|| FailureTrial::new(&baseline), try_loss);
    let impacts: Vec<FailureImpact> = impacts.collect::<Result<_, _>>()?;
    Ok(distinct.per_failure(&impacts))
}

/// Returns per failure the number of ordered pairs of counted living nodes that no path of
/// forwarding nodes joins any more. `is_counted` has an entry per node.
///
/// # Errors
/// When a part does not exist.
pub fn connectivity(
    fabric: &Fabric,
    is_counted: &IdVec<NodeId, bool>,
    failures: &[Vec<Part>],
) -> Result<Vec<u64>, MetricError> {
    expect_parts(fabric, failures)?;
    Ok(disconnected_pairs(&fabric.wiring(), is_counted, failures))
}

impl Fabric {
    /// Returns for each device the lowest device that the cables of `is_alive` join it to.
    pub fn components(&self, is_alive: impl Fn(LinkId) -> bool) -> IdVec<DeviceId, DeviceId> {
        resilience::connectivity::components(&self.wiring(), is_alive)
    }
}

fn expect_parts(fabric: &Fabric, failures: &[Vec<Part>]) -> Result<(), MetricError> {
    match failures.iter().flatten().find(|&&part| !fabric.has_part(part)) {
        Some(&part) => Err(MetricError::UnknownPart { part }),
        None => Ok(()),
    }
}
