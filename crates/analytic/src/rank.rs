//! What a rank's process is doing, and what waits for it.

use std::collections::VecDeque;

use program::Rank;
use quantity::Time;

/// Number of a transfer under way.
pub(crate) type Token = u32;

/// A piece of work of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Job {
    Compute,
    Read(Token),
}

/// A process.
#[derive(Debug, Default)]
pub(crate) struct Process {
    pub job: Option<Job>,
    /// When the job ends, if the kernel does not put it off.
    pub job_end: Time,
    pub is_listening: bool,
    /// Whether its write is blocked while it takes in what arrives.
    pub drains: bool,
    /// Whether that write is done, and waits for what is being read.
    pub is_written: bool,
    /// Transfers that have begun to arrive and are not read, in order.
    pub arrived: VecDeque<Token>,
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
