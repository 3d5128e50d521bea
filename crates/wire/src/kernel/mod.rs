//! Nodes as network namespaces: what `ip netns`, `ip link`, `ip address` and `ip route` would do,
//! without a process per command.

mod batch;
mod bring_up;
mod cables;
mod flood;
mod lookup;
mod marks;
mod namespace;
mod node;
mod ping;
mod requests;
mod shaper;
mod spec;
mod sysctl;
mod tap;
mod usable;

pub use bring_up::{Backend, bring_up, on_own_threads};
pub use cables::{Cable, Cables, End};
pub use lookup::{Lookup, Packet};
pub use namespace::{Namespace, enter};
pub use node::Node;
pub use ping::{Pings, ping};
pub use spec::{Chosen, InterfaceSpec, MarkSpec, NeighbourSpec, NodeSpec, RouteSpec, TableSpec};
pub use tap::plug;
