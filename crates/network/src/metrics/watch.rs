//! The progress of a long count, and its cancellation by the caller.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Progress of a count: steps done and steps in all.
#[derive(Debug, Default)]
pub struct Progress {
    n_done: AtomicU64,
    n_all: AtomicU64,
}

impl Progress {
    /// Sets the number of steps.
    pub fn expect(&self, n_all: u64) {
        self.n_all.store(n_all, Ordering::Relaxed);
    }

    /// Adds some steps done.
    pub fn add(&self, n_done: u64) {
        self.n_done.fetch_add(n_done, Ordering::Relaxed);
    }

    /// Returns the steps done and the steps in all; 0 of 0 before the number is known.
    pub fn get(&self) -> (u64, u64) {
        (self.n_done.load(Ordering::Relaxed), self.n_all.load(Ordering::Relaxed))
    }
}

/// The cancellation flag and the progress of a running count.
#[derive(Clone, Copy, Debug)]
pub struct Watch<'a> {
    /// Set by the caller to cancel the count.
    pub stop: &'a AtomicBool,
    /// Progress of the count.
    pub progress: &'a Progress,
}

impl Watch<'_> {
    /// Sets the number of steps.
    pub(super) fn expect(self, n_all: usize) {
        self.progress.expect(n_all as u64);
    }

    /// Adds one step done.
    pub(super) fn advance(self) {
        self.progress.add(1);
    }
}
