//! One hop of a packet, and the decision of a node for it.

use crate::ids::PortId;

/// One hop of a route: out of `port` of this node, addressed on that segment to `via`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The port the packet leaves by.
    pub port: PortId,
    /// The node port that receives it; the destination's own port if the subnet is connected.
    pub via: PortId,
}

/// The decision of a node for a packet to an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The address is its own: the packet has arrived.
    Own,
    /// The node hands the packet on.
    Forward(Hop),
    /// The node has no route.
    NoRoute,
    /// The node's tables place the address on one of its segments, but the owner is elsewhere.
    WrongSegment,
}
