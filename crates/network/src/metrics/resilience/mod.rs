//! The cost of failures of a network, proved by the crate `resilience`: here routes are listed for
//! it, and the failures shared out over threads.

mod tables;

use quantity::IdVec;
use rayon::prelude::*;
use resilience::rerouting::{Baseline, FailureImpact, FailureTrial, Options, Stopped};
use resilience::{DistinctLosses, Part, connectivity::pairs_cut_off};
use serde::Serialize;

use crate::Network;
use crate::fabric::Fabric;
use crate::ids::{AddressId, DeviceId, LinkId, NodeId, PortId};
use crate::routing::Routing;

use super::{MetricError, Watch, load};
use tables::{destinations, expect_few};

pub use tables::{MOST_NODES, RouteTable, route_table};

/// How an error says which part it is about.
#[derive(Serialize)]
#[serde(remote = "Part")]
#[allow(dead_code)] // only its form is used
pub(super) enum SerializedPart {
    Cable(LinkId),
    Port(PortId),
    Device(DeviceId),
}

/// How rerouting is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReroutingOptions {
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

/// Proves what each failure, a set of parts, costs the pairs among some identities: usually one
/// address per node. An identity given twice counts once. There is one impact per failure, whose
/// pairs are named by these addresses.
///
/// # Errors
/// When an address or a part does not exist, there are too many nodes or identities, or nobody
/// waits for the answer any more.
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

/// Returns for each failure how many ordered pairs of living nodes, of those counted, no path of
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
    Ok(pairs_cut_off(&fabric.wiring(), is_counted, failures))
}

impl Fabric {
    /// Returns for each device the lowest one that the cables `is_alive` allows join it to.
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
