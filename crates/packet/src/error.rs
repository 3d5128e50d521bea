//! The reason why a run cannot begin or did not finish.

use device::DeviceError;
use simulation::RunError;
use thiserror::Error;

/// The reason why a run cannot begin or did not finish.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PacketError {
    /// A device cannot be built as the network describes it.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The run ended before the program did.
    #[error(transparent)]
    Run(#[from] RunError),
}
