//! Nodes as network namespaces: what `ip netns`, `ip link`, `ip address` and `ip route` would do,
//! without a process per command.

mod bring_up;
mod namespace;
mod node;
mod requests;
mod tap;

pub use bring_up::bring_up;
pub use namespace::Namespace;
pub use node::{InterfaceSpec, NeighbourSpec, Node, NodeSpec, RouteSpec};
