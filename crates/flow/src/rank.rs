//! What a rank's process is doing: it computes, writes, and reads what comes in, one at a time. How
//! it goes from one to the next is in `process` and `reading`.

use host::SharedCpu;
use host::process::ReadOrder;
use program::Rank;
use quantity::Time;

use crate::connection::ConnectionId;

/// What keeps the processor busy.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Work {
    Compute,
    /// The copy of what is written.
    Write,
}

/// What a process is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Idle,
    /// It computes, copies what it writes, or rests.
    Busy,
    /// Its write waits for room; whether it reads meanwhile.
    Blocked {
        reads: bool,
    },
    Listening,
}

/// The process of a rank.
#[derive(Debug)]
pub(crate) struct Process {
    pub state: State,
    pub cpu: SharedCpu<Work>,
    /// The connections on which something waits to be read.
    pub order: ReadOrder<ConnectionId>,
    /// Whether all of the transfer that is being read is there, and its last bytes are being read.
    pub is_finishing: bool,
    /// When what waited on it before has been read.
    pub caught_up: Time,
    /// The connections from it, by the rank at the other end.
    pub outgoing: Vec<(Rank, ConnectionId)>,
}

impl Process {
    pub fn new() -> Process {
        Process {
            state: State::Idle,
            cpu: SharedCpu::default(),
            order: ReadOrder::default(),
            is_finishing: false,
            caught_up: Time::ZERO,
            outgoing: Vec::new(),
        }
    }

    /// Returns whether it reads what comes in.
    pub fn reads(&self) -> bool {
        matches!(self.state, State::Listening | State::Blocked { reads: true })
    }
}
