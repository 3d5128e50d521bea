//! The disk of a node: what it takes to move its head and to read and write.

use quantity::{Cost, Time};

/// A disk that serves one request after the other, and the cache in front of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskModel {
    /// Moving the head to another file: before a read that follows a write, and the other way.
    pub access: Time,
    /// Reading, per request and per byte.
    pub read: Cost,
    /// Writing, per request and per byte.
    pub write: Cost,
    /// Processor time of a read or a write: the copy from or to the program.
    pub copy: Cost,
    /// How much is written in one go: what is less waits in memory.
    pub gather: u64,
}
