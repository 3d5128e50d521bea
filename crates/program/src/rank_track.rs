//! One rank while its program is being compiled: its streams, with their open repeats and started
//! requests, and the rules that each must keep.

use std::collections::BTreeMap;

use crate::error::ProgramError;
use crate::operation::{
    Action, Cpu, EntryId, EventNumber, Operation, Rank, RequestNumber, StreamId, Tag,
};
use crate::program::Stream;
use crate::step::{RankScope, Step, StepKind};

/// Most processors of a rank, as many as a GOAL file can name.
const MAX_CPUS: u32 = 1 << 8;

/// A repeat without its end yet.
struct OpenRepeat {
    step: usize,
    scope: RankScope,
    /// Index of the repeat's operation.
    start: u32,
}

/// One stream of a rank.
#[derive(Default)]
struct StreamTrack {
    cpu: Option<Cpu>,
    operations: Vec<Operation>,
    repeats: Vec<OpenRepeat>,
    /// By number: the step of the first request that has not been waited for.
    started: BTreeMap<RequestNumber, usize>,
}

/// One rank while its program is being compiled.
pub(crate) struct RankTrack {
    rank: Rank,
    /// The stream of the following steps, and its number.
    stream: StreamTrack,
    number: StreamId,
    others: BTreeMap<StreamId, StreamTrack>,
    /// Events that a step signals.
    signalled: Vec<EventNumber>,
    /// Events that a step waits for, with the step.
    awaited: Vec<(EventNumber, usize)>,
    /// The first step that keeps the process from anything else.
    exclusive: Option<usize>,
}

impl RankTrack {
    pub fn new(rank: Rank) -> RankTrack {
        RankTrack {
            rank,
            stream: StreamTrack::default(),
            number: StreamId::new(0),
            others: BTreeMap::new(),
            signalled: Vec::new(),
            awaited: Vec::new(),
            exclusive: None,
        }
    }

    /// Adds a step that is no collective.
    pub fn add(&mut self, index: usize, step: Step) -> Result<(), ProgramError> {
        if let StepKind::Do(Action::Datagram { to, .. }) = step.kind
            && to == self.rank
        {
            return Err(ProgramError::DatagramToSelf { step: index, rank: to });
        }
        let operation = match step.kind {
            StepKind::Do(action) => {
                self.note(index, action);
                Operation::Do(action)
            }
            StepKind::Repeat { count } => {
                self.begin_repeat(index, step.scope);
                Operation::Repeat { count }
            }
            StepKind::EndRepeat => {
                Operation::EndRepeat { start: self.end_repeat(index, step.scope)? }
            }
            StepKind::Stream { stream, cpu } => return self.turn_to(index, stream, cpu),
            StepKind::Collective(..) | StepKind::Member { .. } => {
                unreachable!("the compiler adds what concerns a group")
            }
        };
        self.stream.operations.push(operation);
        Ok(())
    }

    /// Makes a stream that of the following steps.
    fn turn_to(
        &mut self,
        step: usize,
        stream: StreamId,
        cpu: Option<Cpu>,
    ) -> Result<(), ProgramError> {
        let rank = self.rank;
        if cpu.is_some_and(|cpu| cpu >= MAX_CPUS) {
            return Err(ProgramError::NoSuchProcessor { step, rank, limit: MAX_CPUS - 1 });
        }
        if stream != self.number {
            let next = self.others.remove(&stream).unwrap_or_default();
            let before = std::mem::replace(&mut self.stream, next);
            self.others.insert(std::mem::replace(&mut self.number, stream), before);
        }
        if self.stream.operations.is_empty() {
            self.stream.cpu = cpu;
        } else if self.stream.cpu != cpu {
            return Err(ProgramError::TwoProcessors { step, rank, stream });
        }
        Ok(())
    }

    /// Records started requests and waits, signals, and what keeps the process busy.
    fn note(&mut self, step: usize, action: Action) {
        let started = &mut self.stream.started;
        match action {
            Action::StartSend { number, .. }
            | Action::StartSyncSend { number, .. }
            | Action::StartReceive { number, .. } => {
                started.entry(number).or_insert(step);
            }
            Action::WaitAll => started.clear(),
            Action::Wait { number } => {
                started.remove(&number);
            }
            Action::Signal { event } => self.signalled.push(event),
            Action::Await { event } => self.awaited.push((event, step)),
            Action::Datagram { .. } | Action::Disk(_) | Action::Sleep { .. } => {
                self.exclusive.get_or_insert(step);
            }
            Action::Send { .. }
            | Action::SyncSend { .. }
            | Action::Receive { .. }
            | Action::Compute { .. }
            | Action::Mark { .. } => {}
        }
    }

    fn begin_repeat(&mut self, step: usize, scope: RankScope) {
        let stream = &mut self.stream;
        let start = stream.operations.len() as u32;
        stream.repeats.push(OpenRepeat { step, scope, start });
    }

    fn end_repeat(&mut self, step: usize, scope: RankScope) -> Result<u32, ProgramError> {
        let (rank, stream) = (self.rank, &mut self.stream);
        let repeat = stream.repeats.pop().ok_or(ProgramError::EndWithoutRepeat { step, rank })?;
        if repeat.scope != scope {
            return Err(ProgramError::RepeatOfOtherRanks { step, begin: repeat.step });
        }
        Ok(repeat.start)
    }

    /// Returns the steps that began the open repeats, outermost first.
    pub fn open_repeats(&self) -> impl Iterator<Item = usize> + '_ {
        self.stream.repeats.iter().map(|repeat| repeat.step)
    }

    /// Adds a collective that this rank enters.
    pub fn enter(&mut self, entry: EntryId, tag: Tag) {
        self.stream.operations.push(Operation::Enter { entry, tag });
    }

    /// Appends the operations of all streams to a table; returns the streams, none if there is one
    /// order for the process.
    pub fn finish(mut self, table: &mut Vec<Operation>) -> Result<Vec<Stream>, ProgramError> {
        self.check_end()?;
        let has_streams = self.has_streams();
        let first = table.len();
        let mut streams = Vec::new();
        self.others.insert(self.number, self.stream);
        for track in self.others.into_values() {
            let start = (table.len() - first) as u32;
            table.extend(track.operations.iter().map(|&operation| match operation {
                Operation::EndRepeat { start: repeat } => {
                    Operation::EndRepeat { start: start + repeat }
                }
                other => other,
            }));
            let end = (table.len() - first) as u32;
            if has_streams {
                streams.push(Stream { start, end, cpu: track.cpu });
            }
        }
        Ok(streams)
    }

    fn has_streams(&self) -> bool {
        !self.others.is_empty()
            || self.stream.cpu.is_some()
            || !self.signalled.is_empty()
            || !self.awaited.is_empty()
    }

    fn check_end(&self) -> Result<(), ProgramError> {
        let rank = self.rank;
        for stream in self.others.values().chain([&self.stream]) {
            if let Some(repeat) = stream.repeats.last() {
                return Err(ProgramError::RepeatWithoutEnd { step: repeat.step, rank });
            }
            if let Some(&step) = stream.started.values().min() {
                return Err(ProgramError::NeverWaited { step, rank });
            }
        }
        match self.exclusive {
            Some(step) if self.has_streams() => Err(ProgramError::NotBesideStreams { step, rank }),
            _ => self.check_events(),
        }
    }

    /// Checks that every event that is waited for is signalled somewhere.
    fn check_events(&self) -> Result<(), ProgramError> {
        let mut signalled = self.signalled.clone();
        signalled.sort_unstable();
        let is_signalled = |event: &EventNumber| signalled.binary_search(event).is_ok();
        match self.awaited.iter().find(|(event, _)| !is_signalled(event)) {
            Some(&(event, step)) => {
                Err(ProgramError::NeverSignalled { step, rank: self.rank, event })
            }
            None => Ok(()),
        }
    }
}
