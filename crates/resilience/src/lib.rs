//! The cost of failures: two questions about a network in which parts have failed.
//!
//! - [`connectivity`]: which pairs of nodes does some path of forwarding nodes still join? These
//!   are the pairs that recomputed tables can reach. Nearly linear in the cables, for any size.
//! - [`rerouting`]: which connections last with the tables as they are? The packets of every pair
//!   that a failure affects are traced.
//!
//! A failure is any set of [`Part`]s that fail together. The crate knows cables, bonds and routes,
//! and neither addresses nor rates, nor how routes are computed. It depends on nothing but the
//! types of ids, because the page of a check carries it as WebAssembly and answers with the same
//! rule.

pub mod connectivity;
mod failure;
mod ids;
pub mod rerouting;
mod residual;
mod tracer;
mod wiring;

pub use failure::{DistinctLosses, Loss, Part};
pub use ids::{DeviceId, LinkId, NodeId, PlaceId, PortId, WireId};
pub use residual::ResidualFabric;
pub use tracer::{Next, RouteTracer};
pub use wiring::Wiring;
