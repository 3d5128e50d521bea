//! How far a long count is, for whoever waits for it, and whether anybody still does.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// How many steps of a count are done, of how many.
#[derive(Debug, Default)]
pub struct Progress {
    n_done: AtomicU64,
    n_all: AtomicU64,
}

impl Progress {
    /// Returns how many steps are done, of how many; 0 of 0 before that is known.
    pub fn get(&self) -> (u64, u64) {
        (self.n_done.load(Ordering::Relaxed), self.n_all.load(Ordering::Relaxed))
    }
}

/// What a count looks at and writes to while it goes on.
#[derive(Clone, Copy, Debug)]
pub struct Watch<'a> {
    /// Set when nobody waits for the count any more.
    pub stop: &'a AtomicBool,
    /// How far it is.
    pub progress: &'a Progress,
}

impl Watch<'_> {
    /// Enters how many steps there are.
    pub(super) fn expect(self, n_all: usize) {
        self.progress.n_all.store(n_all as u64, Ordering::Relaxed);
    }

    /// Enters that one more step is done.
    pub(super) fn advance(self) {
        self.progress.n_done.fetch_add(1, Ordering::Relaxed);
    }
}
