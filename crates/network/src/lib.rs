//! The compiled, immutable network: devices, ports, links, segments, subnets, addresses and routes
//! as dense arrays.
//!
//! A [`Fabric`] is what is plugged together; a [`Network`] is a fabric whose interfaces have
//! addresses and whose nodes have routes. Ids are dense indices; names, prices and address text
//! stay outside. Nodes come first among the devices.

mod address;
mod bridging;
mod fabric;
pub mod metrics;
mod multipath;
pub mod routing;

pub use address::{Address, AddressError, AddressId, Addressing, Ip, Owner, Subnet, SubnetId};
pub use bridging::{Bridging, Crossing};
pub use fabric::{
    BackplaneId, BondSpec, CableSpec, DeviceId, DeviceKind, Fabric, FabricError, FabricSpec,
    HubModel, Link, LinkId, NodeId, Port, PortId, QueueLimit, SegmentId, SwitchMode, SwitchModel,
    WireId, collision_domains,
};
pub use multipath::{Multipath, flow};
pub use routing::{Decision, ExplicitRoute, Hop, Route, Routing, RoutingError, Ties};

/// A fabric with addresses and routes.
#[derive(Debug)]
pub struct Network {
    /// What is plugged together.
    pub fabric: Fabric,
    /// Who has which address on which subnet.
    pub addressing: Addressing,
    /// Where each node sends a packet for each address.
    pub routing: Routing,
}

impl Network {
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

    /// Returns the same where only the interfaces that `has_carrier` names do: the next-best route
    /// takes over, as in a kernel that ignores routes whose link is down. `with_fallback` says
    /// whether the nodes have the fallback routes that the routing scheme derives.
    pub fn surviving_hop(
        &self,
        at: NodeId,
        to: AddressId,
        with_fallback: bool,
        has_carrier: impl Fn(PortId) -> bool,
    ) -> Option<Hop> {
        routing::surviving(self, at, to, with_fallback, has_carrier)
    }

    /// Returns the routes of a node, connected subnets left out; `with_fallback` also those that
    /// take over when the link of a route has lost its carrier.
    pub fn routes_of(&self, node: NodeId, with_fallback: bool) -> Vec<Route> {
        routing::routes_of(self, node, with_fallback)
    }
}
