//! The state of a stream: its place in its operations, what it has started, and the condition of
//! the blocking call that it is in.

use program::{Cpu, RequestNumber, Stream, StreamId, Walk};

/// The state of one stream during a run.
#[derive(Debug, Default)]
pub(crate) struct StreamState {
    pub id: StreamId,
    /// The place in its operations.
    pub walk: Walk,
    /// The processor of its own, `None` for that of the process.
    pub cpu: Option<Cpu>,
    pub wait: Wait,
    pub started: Started,
}

impl StreamState {
    /// Returns a stream before its first operation.
    pub fn new(id: StreamId, stream: Stream) -> StreamState {
        let (walk, cpu) = (Walk::new(stream.operations()), stream.cpu);
        StreamState { id, walk, cpu, ..StreamState::default() }
    }

    /// Returns whether a blocking call with this condition is over.
    #[inline]
    pub fn is_over(&self, wait: Wait) -> bool {
        match wait {
            Wait::Nothing => true,
            Wait::Message | Wait::Written | Wait::Event | Wait::Cpu | Wait::Ended => false,
            Wait::Started => self.started.is_done(),
            Wait::Number(number) => self.started.is_number_done(number),
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

/// The condition of a stream inside a blocking call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Wait {
    #[default]
    Nothing,
    /// Its blocking receive, or the clear-to-send of its blocking send.
    Message,
    /// Its data are written.
    Written,
    /// All its started operations complete.
    Started,
    /// Its started operations of a number complete.
    Number(RequestNumber),
    /// An event of another stream.
    Event,
    /// Its processor, or its computation there.
    Cpu,
    /// It has ended.
    Ended,
}
