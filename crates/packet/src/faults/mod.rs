//! Faults as events: cables, NICs, hubs, switches and nodes that die and come back, and wires that
//! lose or damage frames.
//!
//! All faults of a run are known before it begins. So the fate of a frame is known when it is
//! handed to a wire, and a loss is an event at the time of the failure: no list of frames in flight
//! is kept. [`FaultyWires`] wraps the wires; ports without planned faults behave as usual.
//! `schedule` knows when links fail and return, `state` the links that are left, `outcome` the
//! result for a frame, and `recovery` the connections that stall, and for how long. The decisions
//! are in docs/design/faults.md.

mod fault;
mod faulty_wires;
mod outcome;
mod recovery;
mod schedule;
mod state;

pub use fault::{Fault, FaultKind, FaultOptions, FaultReport};
pub use faulty_wires::FaultyWires;
