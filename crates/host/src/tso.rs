//! Segments that the kernel sends in a row: those that fit together go to the interface as one,
//! which cuts them (TSO).

use quantity::Time;

use crate::constants::{HostCosts, InterfaceQueues};

/// What the kernel is sending.
#[derive(Clone, Copy, Debug)]
pub struct TsoBurst {
    time: Time,
    /// Payload that still goes to the interface with the segment before.
    left: u32,
}

impl TsoBurst {
    /// Returns a burst that begins at `now`.
    #[inline]
    pub fn new(now: Time) -> TsoBurst {
        TsoBurst { time: now, left: 0 }
    }

    /// Returns when the kernel has done with the last segment.
    #[inline]
    pub fn time(&self) -> Time {
        self.time
    }

    /// Returns the kernel's work on the next segment.
    #[inline]
    pub fn work(&self, costs: &HostCosts) -> Time {
        if self.left == 0 { costs.send_fixed } else { costs.send_frame }
    }

    /// Notes that the work on the next segment is done at `time`.
    #[inline]
    pub fn worked_until(&mut self, time: Time) {
        self.time = time;
    }

    /// Notes that a segment leaves.
    #[inline]
    pub fn sent(&mut self, payload: u32, queues: &InterfaceQueues) {
        let together = if self.left == 0 { queues.send_bytes } else { self.left };
        self.left = together.saturating_sub(payload);
    }
}
