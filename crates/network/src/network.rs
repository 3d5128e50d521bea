//! A compiled network: the fabric, its addresses and its routes.

use std::sync::OnceLock;

use crate::address::Addressing;
use crate::bridging::Bridging;
use crate::fabric::Fabric;
use crate::ids::{AddressId, NodeId};
use crate::routing::{Decision, Hop, Routing};

/// A fabric with addresses and routes.
#[derive(Debug)]
pub struct Network {
    /// The devices and cables.
    pub fabric: Fabric,
    /// The addresses, with their owners and subnets.
    pub addressing: Addressing,
    /// The routes of all nodes.
    pub routing: Routing,
    bridging: OnceLock<Bridging>,
}

impl Network {
    /// Returns a network of these parts.
    pub fn new(fabric: Fabric, addressing: Addressing, routing: Routing) -> Network {
        Network { fabric, addressing, routing, bridging: OnceLock::new() }
    }

    /// Returns the next hop of node `at` towards `to`: the port by which the packet leaves, and the
    /// receiving port on the same segment.
    ///
    /// `None` means that the node has no route, or that the address is its own.
    pub fn next_hop(&self, at: NodeId, to: AddressId) -> Option<Hop> {
        self.routing.next_hop(&self.fabric, &self.addressing, at, to)
    }

    /// Returns the forwarding decision of node `at` for a packet to `to`.
    pub fn decide(&self, at: NodeId, to: AddressId) -> Decision {
        self.routing.decide(&self.fabric, &self.addressing, at, to)
    }

    /// Returns the paths of frames through hubs and switches; computed on first use.
    pub fn bridging(&self) -> &Bridging {
        self.bridging.get_or_init(|| Bridging::new(&self.fabric))
    }
}
