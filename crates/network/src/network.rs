//! A compiled network: the fabric, its addresses and its routes. The paths of frames are computed
//! on first use.

use std::sync::OnceLock;

use crate::address::Addressing;
use crate::bridging::Bridging;
use crate::fabric::Fabric;
use crate::ids::{AddressId, NodeId, PortId};
use crate::routing::{Backup, ByInterface, Decision, Hop, Routing, RoutingError};

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

    /// Returns the same network with a computer in the place of each routed switch, without tables
    /// by incoming interface: the link layer of hosts that are real, and route themselves.
    pub fn with_computers(&self) -> Network {
        let fabric = self.fabric.with_computers();
        Network::new(fabric, self.addressing.clone(), self.routing.clone())
    }

    /// Returns the same network with fallback routes by incoming interface, which survive any one
    /// cut cable that leaves the nodes connected, or any `n_cuts`, if that is more.
    ///
    /// # Errors
    /// When something other than cables joins nodes, there are too many nodes, or no tables that
    /// survive the cuts are found.
    pub fn with_routes_by_interface(self, n_cuts: u32) -> Result<Network, RoutingError> {
        let decide = |node, to| self.decide(node, to);
        let tables = ByInterface::new(&self.fabric, &self.addressing, n_cuts, decide)?;
        Ok(Network { by_interface: Some(tables), ..self })
    }

    /// Returns the backup routes of a node's main table for an address; `None` without tables by
    /// incoming interface, and for an address that these do not serve.
    pub(crate) fn instead(&self, at: NodeId, to: AddressId) -> Option<Vec<Backup>> {
        self.by_interface.as_ref()?.instead(&self.fabric, &self.addressing, at, to)
    }

    /// Returns the routes of a node for an address in its tables by incoming interface, in order
    /// of these.
    pub(crate) fn behind(&self, at: NodeId, to: AddressId) -> Vec<(PortId, Vec<Hop>)> {
        let Some(tables) = &self.by_interface else { return Vec::new() };
        let Some(route) = self.next_hop(at, to) else { return Vec::new() };
        tables.behind(&self.fabric, &self.addressing, at, to, route.port)
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
