//! Messages between processes of one node, which no interface carries: through shared memory, or
//! through the kernel where a library knows no other way. And how processes share processors.

use std::ops::RangeInclusive;

use quantity::{Cost, Time};

use super::protocol::MessageKind;
use super::table::{Table, constants};

/// Bounds of the threshold: as large as a table can give it.
const THRESHOLD: RangeInclusive<u64> = 0..=1 << 53;

constants! {
    /// The transport between processes of one node.
    pub struct LocalModel from table {
        /// Entering a send.
        pub send: Time = table.fixed_cost("send"),
        /// From the end of a send to the time at which the other process can see the message.
        pub latency: Time = table.fixed_cost("latency"),
        /// Matching a message, for each transfer received.
        pub take: Time = table.fixed_cost("take"),
        /// One copy of a message: twice, in and out, for a short one, once for a rendezvous.
        pub copy: Cost = table.cost("copy_data"),
        /// Smallest message whose data are copied only when its receive is there.
        pub rendezvous_from: u64 = table.count("rendezvous_from", THRESHOLD),
        /// The time for which a process has a processor while others of its node wait for one.
        pub slice: Time = table.fixed_cost("slice"),
    }
}

impl LocalModel {
    /// Returns the protocol of a message that would have a `kind` between nodes; one that its
    /// receiver must have matched stays so.
    pub fn kind(&self, bytes: u64, kind: MessageKind) -> MessageKind {
        if kind == MessageKind::Rendezvous || bytes >= self.rendezvous_from {
            MessageKind::Rendezvous
        } else {
            MessageKind::Short
        }
    }

    /// Returns the copy of a message to the buffer of its receiver.
    pub fn copy_out(&self, kind: MessageKind) -> Cost {
        match kind {
            MessageKind::Short => self.copy,
            MessageKind::Long | MessageKind::Rendezvous => Cost::ZERO,
        }
    }
}

/// Returns the local transport in a table, if the table has one.
pub(super) fn read<T: Table>(table: &T) -> Result<Option<LocalModel>, T::Error> {
    table.section("local")?.map(|local| LocalModel::read(&local)).transpose()
}
