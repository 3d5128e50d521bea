//! What a rank's process is doing, and what waits for it.

use host::Cpus;
use host::process::{Job, ReadOrder};
use program::Rank;
use quantity::Time;

/// Number of a transfer under way.
pub(crate) type Token = u32;

/// The process of a rank, on one processor for all that it does.
#[derive(Debug, Default)]
pub(crate) struct Process {
    pub cpus: Cpus<Job<Token>>,
    pub is_listening: bool,
    /// Whether its write is blocked while it takes in what arrives.
    pub reads_meanwhile: bool,
    /// Whether that write is done, and waits for what is being read.
    pub is_written: bool,
    /// Transfers that have begun to arrive and are not read.
    pub order: ReadOrder<Token>,
}

/// A transfer between its write and the end of its reading.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnderWay {
    pub from: Rank,
    pub to: Rank,
    pub id: u64,
    /// When everything would happen on idle wires to a process that listens.
    pub times: simulation::path::TransferTimes,
    pub writes: simulation::path::Writes,
    /// When it was written, put off by the wires of its ranks.
    pub begin: Time,
    /// Whether its write returns only when the receiver reads.
    pub is_blocked: bool,
}
