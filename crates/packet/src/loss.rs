//! Frames that a fault takes from the wires: by which fault, why and when. Frames that find a queue
//! full are not here: they are dropped at once.

use quantity::Time;

use crate::arena::FrameId;

/// Index of a fault in the order given.
pub(crate) type FaultId = u16;

/// Why a frame was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The wire failed, or lost it, while it was on its way.
    OnWire,
    /// It waited at a port that lost its carrier, or came to one without.
    NoCarrier,
    /// It was inside a device that died, or came from inside a dead one.
    AtDeadDevice,
}

/// By which fault a frame is lost, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Loss {
    pub fault: FaultId,
    pub reason: Reason,
}

/// A frame that is lost at some time.
#[derive(Clone, Copy, Debug)]
pub struct LostFrame {
    pub(crate) frame: FrameId,
    pub(crate) loss: Loss,
}

/// What a wire does to a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WireOutcome {
    Whole,
    Damaged(FaultId),
    Lost(Time, Loss),
}
