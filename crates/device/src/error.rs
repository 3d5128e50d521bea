//! What can be wrong with the description of a device. Traffic never causes an error: a full queue
//! is an answer.

use quantity::Time;
use thiserror::Error;

/// A device that cannot be built as described.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DeviceError {
    /// A hub without stations.
    #[error("a hub needs at least one station")]
    NoStations,
    /// A collision domain so large that a collision could be missed by its sender.
    #[error(
        "the one-way delay of the collision domain is {delay}, at this rate it may be at most \
         {most} (256 bit times, half a slot); use fewer repeaters, shorter cables or a switch"
    )]
    DomainTooLarge {
        /// The delay asked for.
        delay: Time,
        /// The largest delay at the hub's rate.
        most: Time,
    },
}
