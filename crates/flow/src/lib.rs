//! The flow engine: messages are flows that share the resources on their paths, and one message
//! costs a few events whatever its size.
//!
//! [`FlowModel`] is the [`simulation::NetworkModel`] on which executors of ranks run a program. A
//! transfer on an idle path takes exactly the time of [`simulation::path`]; a part of that, its
//! volume, drains at a rate that it shares max-min fairly with all others on every channel,
//! collision domain, backplane and processor on the path ([`solver`]).
//!
//! Frames, queues and losses belong to `packet`, the behaviour of ranks to `simulation`, routes to
//! `network`.

mod burst;
mod claims;
mod connection;
mod contention;
mod flight;
mod joining;
mod model;
mod passage;
mod precision;
mod process;
mod profile;
mod rank;
mod rank_processors;
mod reading;
mod resources;
pub mod solver;
mod stream;
mod turns;
pub mod units;

pub use model::{Counters, FlowModel};
pub use precision::Deferral;
