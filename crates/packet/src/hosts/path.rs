//! Where the frames of a connection go: the interface, the next hop, and the processor that does
//! the kernel's work for them.

use device::mixed;
use host::tcp::EndpointId;
use network::{AddressId, NodeId, PortId};
use quantity::Time;

/// Where the frames of one end of a connection go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path {
    pub node: NodeId,
    pub port: PortId,
    pub via: PortId,
    pub address: AddressId,
    pub is_v6: bool,
    /// 0 for the only connection between two stations that are both its ends; otherwise a number of
    /// its own, as several may share a gateway.
    pub flow: u32,
    /// The processor of the node that does the kernel's work for it.
    pub cpu: u32,
    /// When the last of its frames left the kernel. Several processors may work for a connection,
    /// but its frames do not overtake each other.
    pub departed: Time,
}

/// Returns the hash by which interfaces spread what goes to one end of a connection.
#[inline]
pub(crate) fn flow_hash(endpoint: EndpointId) -> u64 {
    mixed(u64::from(endpoint))
}
