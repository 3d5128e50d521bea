//! The compiled, immutable network: devices, ports, links, segments, subnets, addresses and routes
//! as dense arrays.
//!
//! A [`Fabric`] is the cabled hardware; a [`Network`] is a fabric whose interfaces have addresses
//! and whose nodes have routes. Ids are dense indices; names, prices and the text of addresses stay
//! in the package. Nodes come first among the devices.

mod address;
mod bridging;
mod fabric;
mod ids;
pub mod metrics;
mod multipath;
mod network;
pub mod routing;
mod spec;

pub use address::{Address, AddressError, Addressing, Ip, Owner, Subnet};
pub use bridging::{Bridging, Crossing};
pub use fabric::{
    BondSpec, CableSpec, DeviceKind, Fabric, FabricError, FabricSpec, HubModel, Link, Port,
    QueueLimit, SwitchMode, SwitchModel, collision_domains,
};
pub use ids::{
    AddressId, BackplaneId, DeviceId, LinkId, NodeId, PortId, SegmentId, SubnetId, WireId,
};
pub use multipath::{Multipath, flow};
pub use network::Network;
pub use routing::{Decision, ExplicitRoute, Hop, Route, Routing, RoutingError, Ties};
pub use spec::{NetworkSpec, RoutingSpec, Scheme};
