//! Properties of a network, one file per property.
//!
//! Each is counted on the built network, never taken from a topology's formula, so that the two can
//! be held against each other. Results do not depend on the number of threads. What can last looks
//! at a flag by which its caller says that nobody waits for the answer any more.

use crate::ids::{AddressId, NodeId};

mod bisection;
mod hops;
mod load;
mod path;
mod reachability;
mod resilience;
mod sample;
mod soundness;
mod towards;
mod watch;

pub use ::resilience::Part;
pub use ::resilience::rerouting::{Cause, FailureImpact, LostPair, Need};
pub use bisection::{Bisection, SplitMethod, bisection};
pub use hops::forwards;
pub use load::{
    Forwarding, Load, LoadMethod, MOST_EXACT, WorstCase, forwarding, load, pattern_load, worst_case,
};
pub use path::{path, paths};
pub use reachability::{Reachability, Unreachable, reachability};
pub use resilience::{
    MOST_NODES, ReroutingOptions, RouteTable, connectivity, rerouting, route_table,
};
pub use soundness::{Finding, soundness};
pub use towards::Lost;
pub use watch::{Progress, Watch};

use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use thiserror::Error;

/// Why a property cannot be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, Serialize)]
#[error("{self:?}")]
pub enum MetricError {
    /// A matrix over all pairs would be too large.
    TooManyPairs {
        /// How many nodes were asked for.
        given: usize,
        /// How many are allowed.
        most: usize,
    },
    /// An address does not exist.
    UnknownAddress {
        /// The address named.
        address: AddressId,
    },
    /// A node does not exist.
    UnknownNode {
        /// The node named.
        node: NodeId,
    },
    /// A part that is to fail does not exist.
    UnknownPart {
        /// The part named.
        #[serde(with = "resilience::SerializedPart")]
        part: Part,
    },
    /// A split needs two nodes.
    TooFewToSplit {
        /// How many there are.
        n_nodes: u32,
    },
    /// The caller did not wait for the answer.
    Stopped,
    /// A packet does not arrive.
    Unreachable {
        /// The node that sends.
        node: NodeId,
        /// The address it sends to.
        address: AddressId,
        /// Why it does not arrive.
        reason: Lost,
    },
}

/// Ends a count that nobody waits for any more.
fn expect_wanted(stop: &AtomicBool) -> Result<(), MetricError> {
    if stop.load(Ordering::Relaxed) { Err(MetricError::Stopped) } else { Ok(()) }
}
