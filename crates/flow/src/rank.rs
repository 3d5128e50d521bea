//! The state of a rank's process: it computes, writes, and reads arriving data, one at a time. The
//! transitions are in `process` and `reading`.

use host::SharedCpu;
use host::process::ReadOrder;
use program::Rank;
use quantity::Time;

use crate::connection::ConnectionId;

/// The work that occupies the processor.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Work {
    Compute,
    /// The copy of a write.
    Write,
}

/// The state of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Idle,
    /// It computes, copies data to write, or sleeps.
    Busy,
    /// Its write is blocked for lack of room; `reads` tells if it reads meanwhile.
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
    /// Time that its processor had lost to bursts when its present work was last looked at.
    pub lost: Time,
    /// The connections with data waiting to be read; with whole transfers if it takes turns.
    pub order: ReadOrder<ConnectionId>,
    /// The connections that it reads in turn, on each of which a transfer has come in part.
    pub in_turn: Vec<ConnectionId>,
    /// Whether the streams of `in_turn` flow as it reads.
    pub is_reading_in_turn: bool,
    /// Whether the current transfer has arrived completely and its last bytes are being read.
    pub is_finishing: bool,
    /// Time at which the data that had waited on the current connection are read.
    pub caught_up: Time,
    /// The outgoing connections, by the rank at the other end.
    pub outgoing: Vec<(Rank, ConnectionId)>,
}

impl Process {
    pub fn new() -> Process {
        Process {
            state: State::Idle,
            cpu: SharedCpu::default(),
            lost: Time::ZERO,
            order: ReadOrder::default(),
            in_turn: Vec::new(),
            is_reading_in_turn: false,
            is_finishing: false,
            caught_up: Time::ZERO,
            outgoing: Vec::new(),
        }
    }

    /// Returns whether it reads arriving data.
    pub fn reads(&self) -> bool {
        matches!(self.state, State::Listening | State::Blocked { reads: true })
    }
}
