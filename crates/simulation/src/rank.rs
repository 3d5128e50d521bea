//! The state of a rank: one activity at a time, with a note of the next.
//!
//! The next activity is in [`Then`], the condition of a blocking call in [`Wait`]. The executor
//! drives a rank from one to the next.

use std::collections::VecDeque;

use host::{MessageKind, TransferId};
use program::{DiskRequest, Rank, RequestNumber};
use quantity::Time;

use crate::disk::Disk;
use crate::matching::Matching;
use crate::message::{Call, MessageId, Role};

/// The state of one rank during a run.
#[derive(Debug)]
pub(crate) struct RankState {
    /// Index of the next operation.
    pub index: u32,
    /// Remaining passes of each open repeat, innermost last.
    pub repeats: Vec<u32>,
    pub wait: Wait,
    pub then: Then,
    pub matching: Matching,
    /// Transfers received while writing.
    pub inbox: VecDeque<TransferId>,
    pub started: Started,
    /// The disk of its node, which no other rank shares.
    pub disk: Disk,
    /// The end of its last sleep.
    pub slept_until: Option<Time>,
}

impl RankState {
    /// Returns a rank before its first operation.
    pub fn new() -> RankState {
        RankState {
            index: 0,
            repeats: Vec::new(),
            wait: Wait::Nothing,
            then: Then::Operation,
            matching: Matching::default(),
            inbox: VecDeque::new(),
            started: Started::default(),
            disk: Disk::default(),
            slept_until: None,
        }
    }
}

/// Incomplete sends and receives that were started, counted by their number.
#[derive(Debug, Default)]
pub(crate) struct Started {
    /// Numbers in use with their counts, which are never zero; few at a time.
    counts: Vec<(RequestNumber, u32)>,
}

impl Started {
    pub fn add(&mut self, number: RequestNumber) {
        match self.position(number) {
            Some(position) => self.counts[position].1 += 1,
            None => self.counts.push((number, 1)),
        }
    }

    pub fn complete(&mut self, number: RequestNumber) {
        let position = self.position(number).expect("what is completed was started");
        let count = &mut self.counts[position].1;
        *count -= 1;
        if *count == 0 {
            self.counts.swap_remove(position);
        }
    }

    pub fn is_done(&self) -> bool {
        self.counts.is_empty()
    }

    pub fn is_number_done(&self, number: RequestNumber) -> bool {
        self.position(number).is_none()
    }

    fn position(&self, number: RequestNumber) -> Option<usize> {
        self.counts.iter().position(|&(used, _)| used == number)
    }
}

/// The action of a rank at the end of its present activity.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Then {
    Operation,
    Write {
        to: Rank,
        message: MessageId,
        role: Role,
    },
    SendToSelf(MessageId),
    /// Its data are written. The message may be gone: its receiver can be done with it before its
    /// sender is.
    DataWritten {
        kind: MessageKind,
        sent_by: Call,
    },
    Requested(MessageId),
    /// Its data are copied; the disk request follows.
    Disk(DiskRequest),
    CheckWait,
    Listening,
    Took(TransferId),
    Delivered(MessageId),
    Finished,
}

/// The condition of a rank inside a blocking call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    Nothing,
    /// Its blocking receive, or the clear-to-send of its blocking send.
    Message,
    /// All its started operations complete.
    Started,
    /// Its started operations of a number complete.
    Number(RequestNumber),
}

/// Whether a rank continues at once or at an engine's notice.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    Ready,
    Busy,
}
