//! One step of a packet, and what a node decides for it.

use crate::ids::PortId;

/// One step of a route: out of `port` of this node, addressed on that segment to `via`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The port the packet leaves by.
    pub port: PortId,
    /// The node port it is handed to; the destination's own port where the subnet is connected.
    pub via: PortId,
}

/// What a node does with a packet for an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The address is its own: the packet has arrived.
    Own,
    /// It hands the packet on.
    Forward(Hop),
    /// It knows no way.
    NoRoute,
    /// Its tables say that the address is on one of its segments, but its owner is elsewhere.
    WrongSegment,
}
