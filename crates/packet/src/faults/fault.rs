//! Planned faults of a run, and the cost of each in the end. The other files of this folder apply
//! them to frames.

use network::metrics::Part;
use quantity::Time;
use serde::{Deserialize, Serialize};

/// The kind of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum FaultKind {
    /// The parts are dead.
    Down,
    /// Every frame on the cables of the parts is lost with this probability.
    Loss(f64),
    /// Every bit on the cables of the parts is wrong with this probability; a frame with a wrong
    /// bit fails its check sequence.
    Corrupt(f64),
}

/// A fault that lasts for a while.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fault {
    /// The parts it strikes; a device stands for all cables plugged into it, and dies with them.
    pub parts: Vec<Part>,
    /// The kind of a fault.
    pub kind: FaultKind,
    /// The time at which the fault begins.
    pub from: Time,
    /// The time at which the fault ends; `Time::MAX` for never.
    pub until: Time,
}

/// Reactions of nodes to faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultOptions {
    /// True if the nodes have the fallback routes that the routing scheme derives.
    pub with_fallback: bool,
    /// Interval at which a bond checks the carrier of its ports; zero for at once. A single port
    /// reports to its node at once.
    pub bond_poll: Time,
}

/// The cost of one fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultReport {
    /// Frames lost to the fault, or damaged by it.
    pub frames_lost: u64,
    /// Connections, in one direction, that lost data to the fault.
    pub n_stalled: u64,
    /// Connections that lost data to the fault which had not arrived when the run ended.
    pub n_unrecovered: u64,
    /// The longest time from a loss of data until the data arrived after all.
    pub longest_stall: Time,
}
