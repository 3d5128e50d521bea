//! The cost of failures: two questions about a network in which parts have failed.
//!
//! - [`connectivity`]: which pairs of nodes does some path of forwarding nodes still join? These
//!   are the pairs that recomputed tables can reach. Nearly linear in the cables, for any size.
//! - [`rerouting`]: which pairs still reach each other with the tables as they are? Every pair that
//!   a failure affects is traced.
//!
//! A failure is any set of [`Part`]s that fail together. The crate knows cables, bonds and routes,
//! but no addresses, no rates, and not how routes are computed. It has no dependencies, because the
//! page of a check embeds it as WebAssembly and answers by the same rule.

pub mod connectivity;
mod failure;
pub mod rerouting;
mod residual;
mod tracer;
mod wiring;

pub use failure::{DistinctLosses, Loss, Part};
pub use residual::ResidualFabric;
pub use tracer::{Next, RouteTracer};
pub use wiring::Wiring;

/// Index of a device. Nodes are `0..n_nodes`, hubs and switches follow.
pub type DeviceId = u32;
/// Index of a node, which is also its [`DeviceId`].
pub type NodeId = u32;
/// Index of a port over all devices.
pub type PortId = u32;
/// Index of a link.
pub type LinkId = u32;
/// Index of a wire: the ports that a frame joins without passing a node, bonds or not.
pub type WireId = u32;
