//! Faults as they are planned for a run, and what each cost in the end. What they do to frames is
//! in the other files of this folder.

use network::metrics::Part;
use quantity::Time;

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FaultKind {
    /// The parts are dead.
    Down,
    /// Every frame on the cables of the parts is lost with this probability.
    Loss(f64),
    /// Every bit on the cables of the parts is wrong with this probability; a frame with a wrong
    /// bit fails its check sequence.
    Corrupt(f64),
}

/// Something that goes wrong for a while.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// What it happens to; a device stands for all cables plugged into it, and dies with them.
    pub parts: Vec<Part>,
    /// What goes wrong.
    pub kind: FaultKind,
    /// When it begins.
    pub from: Time,
    /// When it is over; `Time::MAX` for never.
    pub until: Time,
}

/// What nodes do about faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultOptions {
    /// Whether the nodes have the fallback routes that the routing scheme derives.
    pub with_fallback: bool,
    /// How often a bond looks at the carrier of its ports; zero for at once. A single port tells
    /// its node at once.
    pub bond_poll: Time,
}

/// What one fault cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultReport {
    /// Frames lost by it, or damaged.
    pub frames_lost: u64,
    /// Connections, in one direction, that lost data by it.
    pub n_stalled: u64,
    /// Those of them whose lost data had not arrived when the run ended.
    pub n_unrecovered: u64,
    /// The longest time from the loss of data until they had arrived after all.
    pub longest_stall: Time,
}
