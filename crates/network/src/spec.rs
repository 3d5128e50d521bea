//! A network as data: the description that its fabric, its addresses and its routes are built from.
//! A network that is stored or passed on is this, because every table follows from it.

use serde::{Deserialize, Serialize};

use crate::address::{Addressing, Ip, Owner};
use crate::fabric::{Fabric, FabricSpec};
use crate::network::Network;
use crate::routing::{ExplicitRoute, Routing, RoutingError, Ties};

/// The routing scheme as the caller requests it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoutingSpec {
    /// The scheme.
    pub scheme: Scheme,
    /// Whether ties are broken so that nodes have alternates.
    pub with_fallback: bool,
    /// Number of cuts that fallback routes by incoming interface survive; 0 without such routes.
    pub by_interface: u32,
    /// The tie-break of rings.
    pub ties: Ties,
}

/// A routing scheme.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scheme {
    /// One dimension of a grid after the other.
    DimensionOrder,
    /// Along fewest hops.
    ShortestPath,
    /// Over groups of nodes that share stacks.
    Stack,
    /// The routes given.
    Explicit(Vec<ExplicitRoute>),
}

/// A network as the caller describes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetworkSpec {
    /// The devices and cables.
    pub fabric: FabricSpec,
    /// Each address with the length of its prefix and its interface.
    pub addresses: Vec<(Ip, u8, Owner)>,
    /// The routes.
    pub routing: RoutingSpec,
}

impl RoutingSpec {
    /// Returns the network of a fabric and its addresses with these routes.
    ///
    /// # Errors
    /// When the scheme does not fit the fabric.
    pub fn network(&self, fabric: Fabric, addressing: Addressing) -> Result<Network, RoutingError> {
        let routing = self.routing(&fabric, &addressing)?.with_ties(self.ties);
        let plain = Network::new(fabric, addressing, routing);
        match self.by_interface {
            0 => Ok(plain),
            n_cuts => plain.with_routes_by_interface(n_cuts),
        }
    }

    fn routing(&self, fabric: &Fabric, addressing: &Addressing) -> Result<Routing, RoutingError> {
        match &self.scheme {
            Scheme::DimensionOrder => Routing::dimension_order(fabric),
            Scheme::ShortestPath if self.with_fallback && self.by_interface == 0 => {
                Routing::shortest_path_with_alternates(fabric)
            }
            Scheme::ShortestPath => Routing::shortest_path(fabric),
            Scheme::Stack => Routing::stack(fabric),
            Scheme::Explicit(routes) => Routing::explicit(fabric, addressing, routes),
        }
    }
}

impl Network {
    /// Returns the description of this network, whose routes were requested by `routing`.
    pub fn spec(&self, routing: RoutingSpec) -> NetworkSpec {
        let addresses = self.addressing.addresses().iter();
        NetworkSpec {
            fabric: self.fabric.spec(),
            addresses: addresses.map(|one| (one.ip, one.prefix_length, one.owner)).collect(),
            routing,
        }
    }
}
