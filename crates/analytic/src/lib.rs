//! The analytic engine: every transfer takes its time on an idle path, and ranks contend for their
//! own resources only.
//!
//! [`AnalyticModel`] is a [`simulation::NetworkModel`]: executors of ranks run the program, with
//! the matching and the message protocol of every engine, and this model answers with the times of
//! [`simulation::path`]. The resources of a single rank serve in order: its process, and the first
//! and the last wire of its transfers. That is LogGP (Alexandrov, Ionescu, Schauser, Scheiman 1995)
//! with L, o, g and G taken from the route and the hosts instead of from a fit. So the time of a
//! program is that of its critical path on a network without contention, a bound that the other
//! engines approach when little is shared.

mod connection;
mod model;
mod rank;
mod saturation;

pub use model::{AnalyticModel, Counters};
pub use saturation::{Resource, Saturation, Traffic, saturation};
