//! Frames lost to a fault: the fault, the reason and the time. Frames that find a queue full are
//! not here, because they are dropped at once.

use quantity::{Id, Time};

use crate::arena::FrameId;

/// A fault, in the order given.
///
/// It has 16 bits, so that the loss of a frame leaves room in its event for the tag that every
/// event has; with 32 bits, each event costs more to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FaultId(u16);

impl Id for FaultId {
    fn new(number: u32) -> FaultId {
        FaultId(number as u16)
    }

    fn get(self) -> u32 {
        u32::from(self.0)
    }
}

/// The reason why a frame was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The wire failed during the transmission, or lost the frame.
    OnWire,
    /// The frame waited at a port that lost its carrier, or came to a port without one.
    NoCarrier,
    /// The frame was inside a device that died, or left a dead one.
    AtDeadDevice,
}

/// The fault that a frame is lost to, and the reason.
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

/// The outcome of a frame's transmission over a wire.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WireOutcome {
    Whole,
    Damaged(FaultId),
    Lost(Time, Loss),
}
