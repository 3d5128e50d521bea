//! The message library: how it turns a message into transfers, and its costs.
//!
//! [`MessageProtocol`] describes the three protocols of MPICH 1.1 over P4: *short* (data behind the
//! envelope), *long* (envelope first, then data, both at once) and *rendezvous* (request,
//! clear-to-send, data), told apart by size [MPICH-1.1]. A protocol without headers and thresholds
//! is a plain byte stream.

use std::ops::RangeInclusive;

use quantity::{Cost, Time};

use super::table::{Table, Value, constants};

/// Bounds of headers of messages.
const HEADER: RangeInclusive<u64> = 0..=1 << 20;
/// Bounds of thresholds: as large as a table can give them.
const THRESHOLD: RangeInclusive<u64> = 0..=1 << 53;

constants! {
    /// Sizes and thresholds, in bytes.
    pub struct MessageProtocol from table {
        /// Header written before every transfer; 0 for none.
        pub header: u32 = table.count("header_bytes", HEADER),
        /// Envelope (source, tag, length) in front of a message's data, and the body of the control
        /// transfers of the long protocol.
        pub envelope: u32 = table.count("envelope_bytes", HEADER),
        /// Body of the request of the rendezvous protocol.
        pub request: u32 = table.count("control_bytes", HEADER),
        /// Body of its clear-to-send message.
        pub clear: u32 = clear_to_send(table),
        /// Smallest message that uses the long protocol.
        pub long_from: u64 = table.count("long_from", THRESHOLD),
        /// Smallest message that uses the rendezvous protocol.
        pub rendezvous_from: u64 = table.count("rendezvous_from", THRESHOLD),
        /// The processes that read while their write is blocked.
        pub progress: ProgressRule = ProgressRule::read(table),
        /// True if a process that finds several messages reads that of the lowest rank first; false
        /// if they are read in order of arrival.
        pub reads_lowest_first: bool = table.flag("reads_lowest_first"),
        /// Share of a loop of calls that would block, in per cent, for which the socket is in use;
        /// zero for a process that sleeps instead.
        pub retry_in_use: u32 = table.count("retry_in_use_percent", 0..=100),
    }
}

/// Returns the body of a clear-to-send message, which is as long as the request unless it is given.
fn clear_to_send<T: Table>(table: &T) -> Result<u32, T::Error> {
    match table.get("clear_to_send_bytes")? {
        Value::Off => table.count("control_bytes", HEADER),
        _ => table.count("clear_to_send_bytes", HEADER),
    }
}

/// The progress rule: the process of a pair that reads while its write is blocked. If neither did,
/// two processes that write to each other would wait forever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgressRule {
    /// The process of the lower rank reads, the other only waits: P4 [MPITCP, sec. 1].
    LowerRank,
    /// Both go on with other transfers, as libraries with non-blocking writes do: the rest of a
    /// write leaves when an event says that there is room (Open MPI 4.1,
    /// `mca_btl_tcp_endpoint_send` and `mca_btl_tcp_endpoint_send_handler`; UCX,
    /// `uct_tcp_ep_progress_tx`).
    Both,
}

/// The work of a process while its write has no room in the send buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhileBlocked {
    /// It waits.
    Waits,
    /// It reads transfers, and acts on them after the write.
    Reads,
    /// It goes on with all other work of the rank.
    GoesOn,
}

constants! {
    /// Costs of the message library to its process, beside the system calls.
    pub struct MessageCosts from table {
        /// Entering a send.
        pub send: Time = table.fixed_cost("send_call"),
        /// Matching, select and peek, for each transfer received.
        pub take: Time = table.fixed_cost("take"),
        /// Watching one more connection, for each transfer received.
        pub watch: Time = table.fixed_cost("watch"),
        /// Looking for a message on one connection, while a write is blocked.
        pub look: Time = table.fixed_cost("look"),
        /// One copy of a short message inside the library: one at the sender, two at the receiver.
        pub short_copy: Cost = table.cost("short_copy"),
        /// The copy of a long message to its user buffer once its last byte is there.
        pub long_copy: Cost = table.cost("long_copy"),
    }
}

/// The protocol of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKind {
    /// Data travels behind the envelope.
    Short,
    /// Envelope, then data, without a request.
    Long,
    /// Data travels after the receiver's clear-to-send.
    Rendezvous,
}

impl ProgressRule {
    fn read<T: Table>(table: &T) -> Result<ProgressRule, T::Error> {
        Ok(if table.flag("both_drain")? { ProgressRule::Both } else { ProgressRule::LowerRank })
    }

    /// Returns whether a process reads its connections in turn, each as far as data are there, as
    /// libraries with non-blocking sockets do at each event (Open MPI 4.1,
    /// `mca_btl_tcp_frag_recv`; UCX, `uct_tcp_ep_progress_rx`), and not one transfer to its end.
    #[inline]
    pub fn takes_turns(self) -> bool {
        self == ProgressRule::Both
    }

    /// Returns the work of the process of `rank` while its write to `to` is blocked.
    #[inline]
    pub fn while_blocked<Rank: Ord>(self, rank: Rank, to: Rank) -> WhileBlocked {
        match self {
            ProgressRule::LowerRank if rank < to => WhileBlocked::Reads,
            ProgressRule::LowerRank => WhileBlocked::Waits,
            ProgressRule::Both => WhileBlocked::GoesOn,
        }
    }
}

impl MessageProtocol {
    /// Returns the protocol a message of `bytes` uses.
    pub fn kind(&self, bytes: u64) -> MessageKind {
        if bytes >= self.rendezvous_from {
            MessageKind::Rendezvous
        } else if bytes >= self.long_from {
            MessageKind::Long
        } else {
            MessageKind::Short
        }
    }
}
