//! A compiled network, whole: the fabric, its addresses and its routes.

use std::sync::OnceLock;

use crate::address::Addressing;
use crate::bridging::Bridging;
use crate::fabric::Fabric;
use crate::ids::{AddressId, NodeId};
use crate::routing::{Decision, Hop, Routing};

/// A fabric with addresses and routes.
#[derive(Debug)]
pub struct Network {
    /// What is plugged together.
    pub fabric: Fabric,
    /// Who has which address on which subnet.
    pub addressing: Addressing,
    /// Where each node sends a packet for each address.
    pub routing: Routing,
    bridging: OnceLock<Bridging>,
}

impl Network {
    /// Returns a network of these parts.
    pub fn new(fabric: Fabric, addressing: Addressing, routing: Routing) -> Network {
        Network { fabric, addressing, routing, bridging: OnceLock::new() }
    }

    /// Returns where node `at` sends a packet for `to`: out of which of its ports, to which port on
    /// the same segment.
    ///
    /// `None` means that the node has no route, or that the address is its own.
    pub fn next_hop(&self, at: NodeId, to: AddressId) -> Option<Hop> {
        self.routing.next_hop(&self.fabric, &self.addressing, at, to)
    }

    /// Returns what node `at` does with a packet for `to`.
    pub fn decide(&self, at: NodeId, to: AddressId) -> Decision {
        self.routing.decide(&self.fabric, &self.addressing, at, to)
    }

    /// Returns how frames cross the hubs and switches; found when first asked for.
    pub fn bridging(&self) -> &Bridging {
        self.bridging.get_or_init(|| Bridging::new(&self.fabric))
    }
}
