//! The state of a rank's process, and the transfers that wait for it.

use host::process::{Job, ReadOrder};
use host::{Cpus, Head};
use program::Rank;
use quantity::Time;

quantity::id! {
    /// A transfer in progress.
    pub(crate) Token;
}

/// The process of a rank, with one processor for all its work.
#[derive(Debug, Default)]
pub(crate) struct Process {
    pub cpus: Cpus<Job<Token>>,
    pub is_listening: bool,
    /// Whether its write is blocked while it reads arriving data.
    pub reads_meanwhile: bool,
    /// Whether that write is done and waits for the transfer being read.
    pub is_written: bool,
    /// Transfers that have begun to arrive and are unread.
    pub order: ReadOrder<Token>,
}

/// A transfer between its write and its last read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnderWay {
    pub from: Rank,
    pub to: Rank,
    pub head: Head,
    /// Its times on idle wires to a listening process.
    pub times: simulation::path::TransferTimes,
    pub writes: simulation::path::Writes,
    /// Time of its write, delayed by the wires of its ranks.
    pub begin: Time,
    /// Whether its write returns only when the receiver reads.
    pub is_blocked: bool,
    /// Whether its writer does other work until then.
    pub is_postponed: bool,
}
