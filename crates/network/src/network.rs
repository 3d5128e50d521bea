//! A compiled network: the fabric, its addresses and its routes. The paths of frames are computed
//! on first use.

use std::sync::OnceLock;

use crate::address::Addressing;
use crate::bridging::Bridging;
use crate::fabric::Fabric;
use crate::ids::{AddressId, NodeId};
use crate::routing::{ByInterface, Decision, Detour, Hop, Routing, RoutingError};

/// A fabric with addresses and routes.
#[derive(Debug)]
pub struct Network {
    /// The devices and cables.
    pub fabric: Fabric,
    /// The addresses, with their owners and subnets.
    pub addressing: Addressing,
    /// The routes of all nodes.
    pub routing: Routing,
    /// The tables by incoming interface, if the fallback routes use them.
    by_interface: Option<ByInterface>,
    bridging: OnceLock<Bridging>,
}

impl Network {
    /// Returns a network of these parts.
    pub fn new(fabric: Fabric, addressing: Addressing, routing: Routing) -> Network {
        Network { fabric, addressing, routing, by_interface: None, bridging: OnceLock::new() }
    }

    /// Returns the same network with fallback routes by incoming interface, which survive any
    /// single cut of a cable that leaves the nodes connected.
    ///
    /// # Errors
    /// When something other than cables joins nodes, or there are too many nodes.
    pub fn with_routes_by_interface(self) -> Result<Network, RoutingError> {
        let decide = |node, to| self.decide(node, to);
        let tables = ByInterface::new(&self.fabric, &self.addressing, decide)?;
        Ok(Network { by_interface: Some(tables), ..self })
    }

    /// Returns the detour of a node for an address; `None` without tables by incoming interface,
    /// and for an address that these do not serve.
    pub(crate) fn detour(&self, at: NodeId, to: AddressId) -> Option<Detour> {
        self.by_interface.as_ref()?.detour(&self.addressing, at, to)
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
