//! Properties of a network, one file per property.
//!
//! Each is counted on the built network, never taken from a topology's formula, so that the two can
//! be compared. Results do not depend on the number of threads. Long counts poll a flag that the
//! caller sets to cancel them.

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
pub use ::resilience::rerouting::{Cause, FailureImpact, LostPair, Need, Route};
pub use bisection::{Bisection, SplitMethod, bisection};
pub use hops::forwards;
pub use load::{
    Forwarding, Load, LoadMethod, MOST_EXACT, WorstCase, forwarding, load, pattern_load, worst_case,
};
pub use path::{path, paths};
pub use reachability::{Reachability, Unreachable, reachability};
pub use resilience::{MOST_NODES, ReroutingOptions, connectivity, rerouting, routes_to};
pub use soundness::{Finding, soundness};
pub use towards::Lost;
pub use watch::{Progress, Watch};

use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use thiserror::Error;

/// The reason why a property cannot be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, Serialize)]
#[error("{self:?}")]
pub enum MetricError {
    /// A matrix over all pairs would be too large.
    TooManyPairs {
        /// Number of nodes requested.
        given: usize,
        /// Most nodes allowed.
        most: usize,
    },
    /// An address does not exist.
    UnknownAddress {
        /// The address requested.
        address: AddressId,
    },
    /// A node does not exist.
    UnknownNode {
        /// The node requested.
        node: NodeId,
    },
    /// A part of a failure does not exist.
    UnknownPart {
        /// The part requested.
        #[serde(with = "resilience::SerializedPart")]
        part: Part,
    },
    /// A split needs two nodes.
    TooFewToSplit {
        /// Number of nodes to split.
        n_nodes: u32,
    },
    /// The caller cancelled the count.
    Stopped,
    /// A packet does not arrive.
    Unreachable {
        /// The sending node.
        node: NodeId,
        /// The destination address.
        address: AddressId,
        /// The reason for the loss.
        reason: Lost,
    },
}

/// Ends a count that the caller has cancelled.
fn expect_wanted(stop: &AtomicBool) -> Result<(), MetricError> {
    if stop.load(Ordering::Relaxed) { Err(MetricError::Stopped) } else { Ok(()) }
}
