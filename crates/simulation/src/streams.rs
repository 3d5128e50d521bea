//! The streams of a rank that has several: which one its process serves next, the events between
//! them, and the processors of their own on which they compute.
//!
//! The process serves one stream at a time, in the order in which they became ready. A stream on a
//! processor of its own computes while the process does something else; its operations begin when
//! the processor is free.

use std::collections::{BTreeMap, VecDeque};

use program::{Action, Cpu, EventNumber, Stream, StreamId};
use quantity::{Id, IdVec};

use crate::stream::{StreamState, Wait};

/// The streams of a rank.
#[derive(Debug)]
pub(crate) struct Streams {
    /// The state of each, except of the one that is served.
    pub states: IdVec<StreamId, StreamState>,
    /// Those that can continue, in order.
    ready: VecDeque<StreamId>,
    events: BTreeMap<EventNumber, Event>,
    cpus: Vec<CpuState>,
    /// Number of streams that have not ended.
    n_left: u32,
}

/// The signals of an event that nothing has waited for, or the streams that wait for one.
#[derive(Debug, Default)]
struct Event {
    n_signals: u32,
    waiting: VecDeque<StreamId>,
}

/// A processor of the rank's own.
#[derive(Clone, Debug, Default)]
struct CpuState {
    is_busy: bool,
    /// Streams whose next operation needs it.
    waiting: VecDeque<StreamId>,
}

impl Streams {
    /// Returns the streams of a rank before their first operations, the first of them served.
    pub fn new(streams: &[Stream]) -> Streams {
        let n_cpus = streams.iter().filter_map(|stream| stream.cpu).max().map_or(0, |cpu| cpu + 1);
        let states: IdVec<StreamId, StreamState> = StreamId::first(streams.len() as u32)
            .map(|id| StreamState::new(id, streams[id.index()]))
            .collect();
        Streams {
            ready: states.ids().skip(1).collect(),
            n_left: states.n(),
            states,
            events: BTreeMap::new(),
            cpus: vec![CpuState::default(); n_cpus as usize],
        }
    }

    /// Returns whether messages leave the process at once, as some stream has a processor of its
    /// own.
    pub fn posts(&self) -> bool {
        !self.cpus.is_empty()
    }

    /// Lets a stream continue behind those that already can.
    pub fn make_ready(&mut self, stream: StreamId) {
        self.ready.push_back(stream);
    }

    /// Serves the stream that is the next to continue instead of the present one; returns whether
    /// there is any.
    pub fn serve_next(&mut self, served: &mut StreamState) -> bool {
        let Some(next) = self.ready.pop_front() else { return false };
        if next != served.id {
            let state = std::mem::take(&mut self.states[next]);
            let before = std::mem::replace(served, state);
            let place = before.id;
            self.states[place] = before;
        }
        served.wait = Wait::Nothing;
        true
    }

    /// Notes that a stream has ended; returns whether it was the last.
    pub fn end_one(&mut self) -> bool {
        self.n_left -= 1;
        self.n_left == 0
    }

    /// Signals an event once.
    pub fn signal(&mut self, event: EventNumber) {
        let state = self.events.entry(event).or_default();
        match state.waiting.pop_front() {
            Some(stream) => self.ready.push_back(stream),
            None => state.n_signals += 1,
        }
        self.forget(event);
    }

    /// Uses up a signal of an event for a stream, which waits if there is none; returns whether
    /// there was one.
    pub fn use_signal(&mut self, event: EventNumber, stream: StreamId) -> bool {
        let state = self.events.entry(event).or_default();
        let is_there = state.n_signals > 0;
        if is_there {
            state.n_signals -= 1;
        } else {
            state.waiting.push_back(stream);
        }
        self.forget(event);
        is_there
    }

    /// Forgets an event that is as it was at first.
    fn forget(&mut self, event: EventNumber) {
        let is_new = |state: &Event| state.n_signals == 0 && state.waiting.is_empty();
        if self.events.get(&event).is_some_and(is_new) {
            self.events.remove(&event);
        }
    }

    /// Gives a processor to the operation of a stream, which waits if it is busy; returns whether
    /// it is free.
    pub fn take_cpu(&mut self, cpu: Cpu, stream: StreamId, action: Action) -> bool {
        let state = &mut self.cpus[cpu as usize];
        match action {
            _ if !needs_cpu(action) => true,
            _ if state.is_busy => {
                state.waiting.push_back(stream);
                false
            }
            _ => {
                self.pass_on(cpu);
                true
            }
        }
    }

    /// Occupies a processor until [`Streams::free`].
    pub fn occupy(&mut self, cpu: Cpu) {
        self.cpus[cpu as usize].is_busy = true;
    }

    /// Frees the processor on which a stream has computed, and lets it continue.
    pub fn free(&mut self, cpu: Cpu, stream: StreamId) {
        self.cpus[cpu as usize].is_busy = false;
        self.ready.push_back(stream);
        self.pass_on(cpu);
    }

    /// Lets the stream that has waited longest for a free processor use it before any other.
    fn pass_on(&mut self, cpu: Cpu) {
        if let Some(stream) = self.cpus[cpu as usize].waiting.pop_front() {
            self.ready.push_front(stream);
        }
    }
}

/// Returns whether an operation begins only when its processor is free.
fn needs_cpu(action: Action) -> bool {
    action.sent().is_some() || matches!(action, Action::Compute { .. })
}
