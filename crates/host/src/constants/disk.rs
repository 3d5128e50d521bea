//! The disk of a node: the costs of moving its head, of reading and of writing.

use quantity::{Cost, Time};

use super::ANY;
use super::table::{Table, constants};

constants! {
    /// A disk that serves one request after the other, and its cache.
    pub struct DiskModel from table {
        /// Moving the head to another file: before a read that follows a write, or a write that
        /// follows a read.
        pub access: Time = table.fixed_cost("access"),
        /// Reading, per request and per byte.
        pub read: Cost = table.cost("read"),
        /// Writing, per request and per byte.
        pub write: Cost = table.cost("write"),
        /// Processor time of a read or a write: the copy from or to the program.
        pub copy: Cost = table.cost("copy_data"),
        /// Bytes written at once; fewer wait in memory.
        pub gather: u64 = table.count("gather_bytes", ANY),
    }
}

/// Returns the disk in a table, if the table has one.
pub(super) fn read<T: Table>(table: &T) -> Result<Option<DiskModel>, T::Error> {
    table.section("disk")?.map(|disk| DiskModel::read(&disk)).transpose()
}
