//! Routing schemes: the next hop of each node for each address. One file per scheme.
//!
//! Regular schemes compute the answer from coordinates, so that no all-pairs table is stored. The
//! rules common to all schemes are here and in `connected`: a node that has an interface in the
//! destination's subnet delivers directly; a route counts only where that is not so, or where it
//! has the longer prefix. An address whose owner is not on the segment of its subnet, because a
//! cable is unplugged, has a route of its own: it belongs to the node (the weak host model of
//! Linux), which answers for it on any port.

mod adjacent;
mod alternates;
mod by_interface;
mod connected;
mod costs;
mod crossings;
mod dimension_order;
mod error;
mod explicit;
mod fallback;
mod grid;
mod groups;
mod hop;
mod listing;
mod relays;
mod shortest_path;
mod stack;
mod stack_relays;
mod standby;
mod surviving;
mod ties;

use crate::address::Addressing;
use crate::fabric::Fabric;
use crate::ids::{AddressId, NodeId};

use adjacent::Adjacent;
use connected::Connected;
use costs::Costs;
use dimension_order::DimensionOrder;
use explicit::Explicit;
use shortest_path::ShortestPath;

pub use error::RoutingError;
pub use explicit::ExplicitRoute;
pub use hop::{Decision, Hop};
pub use listing::Route;
pub use ties::Ties;

pub(crate) use by_interface::{Backup, ByInterface};
pub(crate) use fallback::alternate;
pub(crate) use grid::{Axis, Grid, Joint, Reach};
pub(crate) use groups::{groups, shared_hop};
pub(crate) use stack::Stack;
pub(crate) use standby::standby;

/// The routes of all nodes.
#[derive(Clone, Debug)]
pub enum Routing {
    /// Coordinates are corrected one axis after the other, the last axis first.
    DimensionOrder(DimensionOrder),
    /// One hop, in networks where some segment holds every node.
    Adjacent(Adjacent),
    /// Fewest hops, ties to the next hop that relays least.
    ShortestPath(ShortestPath),
    /// Over groups in dimension order, from node to node of the same place.
    Stack(Stack),
    /// The given tables: longest prefix, then lowest metric.
    Explicit(Explicit),
}

impl Routing {
    /// Routes by coordinates in dimension order.
    ///
    /// # Errors
    /// When the nodes do not fill a grid or links between neighbours are missing.
    pub fn dimension_order(fabric: &Fabric) -> Result<Routing, RoutingError> {
        DimensionOrder::new(fabric).map(Routing::DimensionOrder)
    }

    /// Routes over groups of nodes that share stacks with the neighbouring groups.
    ///
    /// # Errors
    /// When the nodes do not fill a grid of groups, or a segment joins other than two neighbours.
    pub fn stack(fabric: &Fabric) -> Result<Routing, RoutingError> {
        Stack::new(fabric).map(Routing::Stack)
    }

    /// Returns the same routes with exact ties broken by this rule, if the scheme knows rings;
    /// default: spread.
    pub fn with_ties(self, ties: Ties) -> Routing {
        match self {
            Routing::DimensionOrder(scheme) => Routing::DimensionOrder(scheme.with_ties(ties)),
            Routing::Stack(scheme) => Routing::Stack(scheme.with_ties(ties)),
            other => other,
        }
    }

    /// Routes along fewest hops, or faster ones where rates differ, ties balanced.
    ///
    /// # Errors
    /// When the tables would be too large.
    pub fn shortest_path(fabric: &Fabric) -> Result<Routing, RoutingError> {
        Routing::adjacent_or(fabric, ShortestPath::new)
    }

    /// Routes along fewest hops, with ties broken so that as many nodes as possible have an
    /// alternate for a fallback route; balance comes second.
    ///
    /// # Errors
    /// When the tables would be too large.
    pub fn shortest_path_with_alternates(fabric: &Fabric) -> Result<Routing, RoutingError> {
        Routing::adjacent_or(fabric, ShortestPath::with_alternates)
    }

    /// Stores no table if some segment holds every node and all hops cost the same; there, every
    /// node that shares another segment with a node is its alternate.
    fn adjacent_or(
        fabric: &Fabric,
        otherwise: fn(&Fabric) -> Result<ShortestPath, RoutingError>,
    ) -> Result<Routing, RoutingError> {
        match Adjacent::new(fabric) {
            Some(scheme) if Costs::of(fabric).are_hops() => Ok(Routing::Adjacent(scheme)),
            _ => otherwise(fabric).map(Routing::ShortestPath),
        }
    }

    /// Routes by the given tables.
    ///
    /// # Errors
    /// When a route names something that does not exist or a gateway that is not on its segment.
    pub fn explicit(
        fabric: &Fabric,
        addressing: &Addressing,
        routes: &[ExplicitRoute],
    ) -> Result<Routing, RoutingError> {
        Explicit::new(fabric, addressing, routes).map(Routing::Explicit)
    }

    /// Returns the next hop of node `at` for a packet to `to`.
    ///
    /// `None` means that the node has no route, or that the address is its own.
    pub fn next_hop(
        &self,
        fabric: &Fabric,
        addressing: &Addressing,
        at: NodeId,
        to: AddressId,
    ) -> Option<Hop> {
        match self.decide(fabric, addressing, at, to) {
            Decision::Forward(hop) => Some(hop),
            _ => None,
        }
    }

    /// Returns the forwarding decision of node `at` for a packet to `to`.
    pub fn decide(
        &self,
        fabric: &Fabric,
        addressing: &Addressing,
        at: NodeId,
        to: AddressId,
    ) -> Decision {
        let connected = connected::find(fabric, addressing, at, to);
        let address = addressing.address(to);
        // Prefix length of a derived route: that of the subnet, which a connected one precedes, or
        // the full length for a route to this address only.
        let derived_length = match connected {
            Connected::Own => return Decision::Own,
            Connected::On { hop: None, .. } => address.ip.host_length(),
            _ => address.prefix_length,
        };
        let is_delivered = matches!(connected, Connected::On { prefix_length, hop: Some(_) }
            if prefix_length >= derived_length);
        let (route, prefix_length) = match self {
            Routing::Explicit(scheme) => scheme.route(fabric, addressing, at, to),
            _ if is_delivered => (None, 0),
            Routing::DimensionOrder(scheme) => {
                (scheme.route(fabric, addressing, at, to), derived_length)
            }
            Routing::Adjacent(scheme) => (scheme.route(fabric, addressing, at, to), derived_length),
            Routing::ShortestPath(scheme) => {
                (scheme.route(fabric, addressing, at, to), derived_length)
            }
            Routing::Stack(scheme) => (scheme.route(fabric, addressing, at, to), derived_length),
        };
        match connected {
            Connected::On { prefix_length: own, hop }
                if own >= prefix_length || route.is_none() =>
            {
                hop.map_or(Decision::WrongSegment, Decision::Forward)
            }
            _ => route.map_or(Decision::NoRoute, Decision::Forward),
        }
    }
}
