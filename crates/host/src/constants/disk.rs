//! The disk of a node: what it takes to move its head and to read and write.

use quantity::{Cost, Time};

use super::ANY;
use super::table::{Table, constants};

constants! {
    /// A disk that serves one request after the other, and the cache in front of it.
    pub struct DiskModel from table {
        /// Moving the head to another file: before a read that follows a write, and the other way.
        pub access: Time = table.fixed_cost("access"),
        /// Reading, per request and per byte.
        pub read: Cost = table.cost("read"),
        /// Writing, per request and per byte.
        pub write: Cost = table.cost("write"),
        /// Processor time of a read or a write: the copy from or to the program.
        pub copy: Cost = table.cost("copy_data"),
        /// How much is written in one go: what is less waits in memory.
        pub gather: u64 = table.count("gather_bytes", ANY),
    }
}

/// Returns the disk of a table that has one.
pub(super) fn read<T: Table>(table: &T) -> Result<Option<DiskModel>, T::Error> {
    table.section("disk")?.map(|disk| DiskModel::read(&disk)).transpose()
}
