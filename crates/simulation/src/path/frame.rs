//! Frames on a path: segments on their way to one of its ends.

use host::tcp::{Flags, Incoming};

use super::timing::SENDER;

/// A frame on the path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// The end that receives it.
    pub to: usize,
    pub segment: Incoming,
}

impl Frame {
    /// Advances the sequence numbers by `bytes` of data.
    pub fn shift(&mut self, bytes: u64) {
        match self.to {
            SENDER => self.segment.acknowledged += bytes,
            _ => self.segment.sequence += bytes,
        }
    }

    /// Appends to `state` the values that the future depends on, relative to data acknowledged up
    /// to `acknowledged`.
    pub fn describe(&self, acknowledged: u64, state: &mut Vec<u64>) {
        let Incoming { sequence, payload, flags, acknowledged: told, window } = self.segment;
        state.extend([self.to as u64, u64::from(payload), u64::from(flags.has(Flags::PUSH))]);
        match self.to {
            SENDER => state.extend([told.wrapping_sub(acknowledged), u64::from(window)]),
            _ if payload > 0 => state.extend([sequence - acknowledged, 0]),
            // An acknowledgement of earlier data in the reverse direction.
            _ => state.extend([0, 0]),
        }
    }
}
