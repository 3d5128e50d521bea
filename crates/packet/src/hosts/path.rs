//! The path of a connection's frames as far as its host chooses it: the interface, the next hop,
//! and the processor that does the kernel's work.

use device::mixed;
use host::transport::EndpointId;
use network::{AddressId, NodeId, PortId};
use quantity::Time;

use crate::ids::ProcessId;

/// The path of the frames of one connection end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path {
    pub node: NodeId,
    /// The process at this end.
    pub process: ProcessId,
    pub port: PortId,
    pub via: PortId,
    pub address: AddressId,
    pub is_v6: bool,
    /// Flow number: 0 if both ends are stations of one segment, which have a single connection;
    /// otherwise a number of its own, as several connections may share a gateway.
    pub flow: u32,
    /// The processor that does the kernel's work for the connection.
    pub cpu: u32,
    /// The time at which the last frame left the kernel. Several processors may work for a
    /// connection, but its frames do not overtake each other.
    pub departed: Time,
    /// The time at which the last data are on the wire, kept only where a tail is probed.
    pub drained: Time,
}

/// Returns the hash by which interfaces spread frames for one connection end over processors.
#[inline]
pub(crate) fn flow_hash(endpoint: EndpointId) -> u64 {
    mixed(u64::from(endpoint.get()))
}
