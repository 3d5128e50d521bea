//! A limit of the frames that a run may put on wires, for callers who cannot use a longer one. An
//! observer counts them and stops the run, so that runs without a limit pay nothing.

use std::sync::atomic::{AtomicBool, Ordering};

use simulation::RunError;

use crate::arena::FrameId;
use crate::error::PacketError;
use crate::frame::Frame;
use crate::observer::{Flight, Observer};

/// An [`Observer`] that stops a run which puts too many frames on wires. It stops at the next poll
/// of the flag: a run that ends before is not stopped.
#[derive(Debug)]
pub struct HopLimit<'a> {
    left: u64,
    stop: &'a AtomicBool,
}

impl<'a> HopLimit<'a> {
    /// Returns an observer that sets the stop flag of a run after `most` frames on wires.
    pub fn new(most: u64, stop: &'a AtomicBool) -> HopLimit<'a> {
        HopLimit { left: most, stop }
    }

    /// Returns the error of a run that had a limit, where its user did not stop it.
    pub fn explained(error: PacketError, most: u64) -> PacketError {
        match error {
            PacketError::Run(RunError::Stopped) => {
                PacketError::Run(RunError::TooManyFrames { most })
            }
            error => error,
        }
    }
}

impl Observer for HopLimit<'_> {
    #[inline]
    fn flies(&mut self, _: FrameId, _: &Frame, _: Flight) {
        match self.left.checked_sub(1) {
            Some(left) => self.left = left,
            None => self.stop.store(true, Ordering::Relaxed),
        }
    }
}
