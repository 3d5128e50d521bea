//! The state of a rank: one activity of its process at a time, with a note of the next.
//!
//! The next activity is in [`Then`]. The executor drives a rank from one to the next. Most ranks
//! have one stream; those of a rank with several are in `streams`.

use std::collections::VecDeque;

use host::{MessageKind, TransferId};
use program::{DiskRequest, Rank, Stream, StreamId, Walk};
use quantity::Time;

use crate::connections::Connections;
use crate::disk::Disk;
use crate::matching::Matching;
use crate::message::{Call, MessageId, Role};
use crate::stream::{StreamState, Wait};
use crate::streams::Streams;

/// The state of one rank during a run.
#[derive(Debug)]
pub(crate) struct RankState {
    /// The stream that the process serves.
    pub stream: StreamState,
    /// All streams of a rank with several.
    pub others: Option<Box<Streams>>,
    pub then: Then,
    pub matching: Matching,
    /// Those of its process, noted if watching them takes time.
    pub connections: Connections,
    /// Transfers received while writing.
    pub inbox: VecDeque<TransferId>,
    /// The disk of its node, which no other rank shares.
    pub disk: Disk,
    /// The end of its last sleep.
    pub slept_until: Option<Time>,
}

impl RankState {
    /// Returns a rank before its first operation, of `n_operations` and perhaps several streams.
    pub fn new(n_operations: usize, streams: &[Stream]) -> RankState {
        let all = Stream { start: 0, end: n_operations as u32, cpu: None };
        RankState {
            stream: StreamState::new(StreamId::new(0), streams.first().copied().unwrap_or(all)),
            others: (!streams.is_empty()).then(|| Box::new(Streams::new(streams))),
            then: Then::Operation,
            matching: Matching::default(),
            connections: Connections::default(),
            inbox: VecDeque::new(),
            disk: Disk::default(),
            slept_until: None,
        }
    }

    /// Returns the stream of a call.
    #[inline]
    pub fn stream_of(&mut self, call: Call) -> &mut StreamState {
        match &mut self.others {
            Some(others) if call.stream != self.stream.id => &mut others.states[call.stream],
            _ => &mut self.stream,
        }
    }

    /// Lets the served stream continue behind the others that can.
    #[inline]
    pub fn give_way(&mut self) {
        if let Some(others) = &mut self.others {
            others.make_ready(self.stream.id);
        }
    }

    /// Lets a stream continue if that for which it has waited is there.
    #[inline]
    pub fn resume(&mut self, call: Call) {
        if self.others.is_none() {
            return;
        }
        let stream = self.stream_of(call);
        let waited = std::mem::replace(&mut stream.wait, Wait::Nothing);
        match waited {
            Wait::Nothing => {}
            _ if !stream.is_over(waited) => stream.wait = waited,
            _ => self.others.iter_mut().for_each(|others| others.make_ready(call.stream)),
        }
    }

    /// Returns the place in which the rank waits: that of a message, if any of its streams waits
    /// for one. A blocking operation counts as passed when it begins.
    pub fn waits_at(&self) -> &Walk {
        let others = self.others.iter().flat_map(|others| others.states.iter());
        let all = || std::iter::once(&self.stream).chain(others.clone());
        let waiting = all().filter(|stream| !matches!(stream.wait, Wait::Nothing | Wait::Ended));
        let first = waiting.min_by_key(|stream| (matches!(stream.wait, Wait::Event), stream.id));
        &first.unwrap_or(&self.stream).walk
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
    /// Its send is over.
    Sent,
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

/// Whether a rank continues at once or at an engine's notice.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    Ready,
    Busy,
}
