//! Why a run cannot begin or did not finish.

use device::DeviceError;
use simulation::RunError;
use thiserror::Error;

/// Why a run cannot begin or did not finish.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PacketError {
    /// A device cannot be what the network says.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The run came to an end before the program did.
    #[error(transparent)]
    Run(#[from] RunError),
}
