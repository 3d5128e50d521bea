//! Clusters on one machine: a network namespace per node, configured by netlink, and the frames
//! between the nodes moved in real time through the devices of crate `device`, or by the kernel.
//!
//! This is the only crate with a clock and file descriptors. It touches namespaces of its own and
//! nothing else of the machine; whatever it makes lives as long as its descriptors, so that a
//! killed process leaves nothing behind.

// The rules for engines, which answer from their inputs alone, do not hold for real time.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod carrier;
pub mod error;
pub mod kernel;
pub mod player;

pub use error::{Refusal, WireError};
