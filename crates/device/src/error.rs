//! Errors in the description of a device. Traffic never causes an error: a full queue is an answer.

use quantity::Time;
use serde::Serialize;
use thiserror::Error;

/// A device that cannot be built as described.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, Serialize)]
#[error("{self:?}")]
pub enum DeviceError {
    /// A hub without stations.
    NoStations,
    /// A collision domain so large that a collision could be missed by its sender.
    DomainTooLarge {
        /// The delay asked for.
        delay: Time,
        /// The largest delay at the hub's rate.
        most: Time,
    },
}
