//! Faults as events: cables, NICs, hubs, switches and nodes that die and come back, and wires that
//! lose or damage frames.
//!
//! All faults of a run are known before it begins. So what becomes of a frame that is handed to a
//! wire is known at once, and a loss is an event at the time of the failure: no list of frames
//! under way is kept. [`FaultyWires`] go around the wires; ports for which nothing is planned do
//! what they always do. When a link fails or returns is in `schedule`, what is left then in
//! `state`, what frames meet in `outcome`, and in `recovery`, which connections stall and for how
//! long. The decisions are in docs/design/faults.md.

mod fault;
mod faulty_wires;
mod outcome;
mod recovery;
mod schedule;
mod state;

pub use fault::{Fault, FaultKind, FaultOptions, FaultReport};
pub use faulty_wires::FaultyWires;
