//! Routing schemes: where a node sends a packet for an address. One file per scheme.
//!
//! Regular schemes compute the answer from coordinates, so that no all-pairs table is stored.

use thiserror::Error;

use crate::address::{AddressId, Addressing};
use crate::fabric::{Fabric, NodeId, PortId};

/// One step of a route: out of `port` of this node, addressed on that segment to `via`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The port the packet leaves by.
    pub port: PortId,
    /// The node port it is handed to; the destination's own port where the subnet is connected.
    pub via: PortId,
}
