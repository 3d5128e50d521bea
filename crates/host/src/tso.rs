//! Bursts of segments sent by the kernel: segments that fit together go to the interface as one,
//! which cuts them (TSO).

use quantity::Time;

use crate::constants::{HostCosts, InterfaceQueues};

/// A burst of segments that the kernel sends.
#[derive(Clone, Copy, Debug)]
pub struct TsoBurst {
    time: Time,
    /// Payload that still fits with the segment before, to go to the interface as one.
    left: u32,
}

impl TsoBurst {
    /// Returns a burst that begins at `now`.
    #[inline]
    pub fn new(now: Time) -> TsoBurst {
        TsoBurst { time: now, left: 0 }
    }

    /// Returns the end of the kernel's work on the last segment.
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
