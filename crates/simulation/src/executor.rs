//! The executor of one rank: carries out the operations of its streams, with MPI's matching and the
//! message protocol. Told the time and what has happened, it returns the next effect; it knows no
//! engine and no other rank.
//!
//! A rank is one process that does one thing at a time. Progress is made only inside calls, as in
//! MPICH over P4 [MPICH-1.1]: a clear-to-send that arrives while its rank computes is answered when
//! the rank next waits. This file has the state of a rank and the choice of its next activity;
//! single operations are in `operations`, messages in `messaging`.

use std::collections::VecDeque;

use host::Head;
use program::{Rank, Stream, StreamId, Walk};
use quantity::Time;

use crate::conditions::Conditions;
use crate::connections::Connections;
use crate::disk::Disk;
use crate::effect::{Effect, Flow, Then};
use crate::head::Part;
use crate::matching::Matching;
use crate::message::{Call, MessageArena};
use crate::silence::Silence;
use crate::stream::{StreamState, Wait};
use crate::streams::Streams;
use crate::unwritten::Unwritten;

/// The state of one rank during a run.
#[derive(Debug)]
pub(crate) struct Executor {
    pub rank: Rank,
    /// Whether the run waits for the rank.
    pub is_awaited: bool,
    /// Whether a computation or sleep of the rank outlasts simulated time.
    pub is_overlong: bool,
    /// The stream that the process serves.
    pub stream: StreamState,
    /// All streams of a rank with several.
    pub others: Option<Box<Streams>>,
    pub then: Then,
    pub matching: Matching,
    /// Those of its process, noted if watching them takes time.
    pub connections: Connections,
    /// The messages that it sends and receives.
    pub messages: MessageArena,
    /// Transfers received while writing, with their senders.
    inbox: VecDeque<(Rank, Part)>,
    /// Writes that wait for room while the rank goes on.
    pub postponed: Unwritten,
    /// Whether the rank has passed all operations.
    pub has_finished: bool,
    /// The disk of its node, which no other rank shares.
    pub disk: Disk,
    /// The end of its last sleep.
    pub slept_until: Option<Time>,
    pub silence: Silence,
    /// Actions begun that the run has not counted yet.
    pub n_begun: u64,
}

impl Executor {
    /// Returns the executor of a rank before its first operation.
    pub fn new(run: &Conditions<'_>, rank: Rank, is_awaited: bool) -> Executor {
        let streams = run.program.streams(rank);
        let end = run.program.operations(rank).len() as u32;
        let all = Stream { start: 0, end, cpu: None };
        Executor {
            rank,
            is_awaited,
            is_overlong: false,
            stream: StreamState::new(StreamId::new(0), streams.first().copied().unwrap_or(all)),
            others: (!streams.is_empty()).then(|| Box::new(Streams::new(streams))),
            then: Then::Operation,
            matching: Matching::default(),
            connections: Connections::default(),
            messages: MessageArena::default(),
            inbox: VecDeque::new(),
            postponed: Unwritten::default(),
            has_finished: false,
            disk: Disk::default(),
            slept_until: None,
            silence: Silence::default(),
            n_begun: 0,
        }
    }

    /// Returns the next effect of the rank; `None` while it waits, and when it has finished.
    pub fn next(&mut self, now: Time, run: &Conditions<'_>) -> Option<Effect> {
        loop {
            match self.step(now, run) {
                Flow::Ready => {}
                Flow::Do(effect) => return Some(effect),
                Flow::Wait => return None,
            }
        }
    }

    /// Takes the next step. Inside the loop of `next`, the compiler would read all conditions
    /// before the first step, a quarter of the instructions of an executor.
    #[inline(never)]
    fn step(&mut self, now: Time, run: &Conditions<'_>) -> Flow {
        match self.then {
            Then::Operation => self.operation(now, run),
            Then::Write(message, writing) => self.write(message, writing, run),
            Then::SendToSelf(message) => self.send_to_self(message, run),
            Then::Sent => self.sent(),
            Then::Requested(message) => self.requested(message),
            Then::DataWritten(message) => self.data_written(message),
            Then::CallWritten(stream) => self.call_written(stream),
            Then::WriteBehind(to) => self.write_behind(to),
            Then::Disk(request) => self.ask_disk(request, now, run),
            Then::Take(from, part) => self.take(from, part, run),
            Then::Took(from, part) => self.took(from, part, run),
            Then::Delivered(message) => self.delivered(message),
            Then::CheckWait => self.check_wait(run),
            Then::Listening | Then::Finished => Flow::Wait,
        }
    }

    /// Takes a transfer that has arrived; returns whether the rank goes on at once.
    ///
    /// # Panics
    /// When no executor has made the head.
    pub fn arrived(&mut self, from: Rank, head: Head) -> bool {
        let part = Part::of(head).expect("the executor of a rank has made the head");
        self.silence.has_read(self.data_bytes(part));
        let is_listening = matches!(self.then, Then::Listening);
        if is_listening {
            self.then = Then::Take(from, part);
        } else {
            self.inbox.push_back((from, part));
        }
        is_listening
    }

    /// Ends the computation of a stream on a processor of its own; returns whether the rank goes on
    /// at once.
    pub fn timer_ended(&mut self, stream: StreamId) -> bool {
        let cpu = self.stream_of(Call { stream, request: None }).cpu;
        if let (Some(others), Some(cpu)) = (&mut self.others, cpu) {
            others.free(cpu, stream);
        }
        let is_listening = matches!(self.then, Then::Listening);
        if is_listening {
            self.then = Then::CheckWait;
        }
        is_listening
    }

    /// Returns whether the rank has passed all operations.
    pub fn has_finished(&self) -> bool {
        self.has_finished
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

    pub(crate) fn go_on(&mut self, then: Then) -> Flow {
        self.then = then;
        Flow::Ready
    }

    pub(crate) fn compute(&mut self, work: Time, then: Then) -> Flow {
        self.then = then;
        if work == Time::ZERO { Flow::Ready } else { Flow::Do(Effect::Compute(work)) }
    }

    /// Returns the stream of a call.
    #[inline]
    pub(crate) fn stream_of(&mut self, call: Call) -> &mut StreamState {
        match &mut self.others {
            Some(others) if call.stream != self.stream.id => &mut others.states[call.stream],
            _ => &mut self.stream,
        }
    }

    /// Lets the served stream continue behind the others that can.
    pub(crate) fn give_way(&mut self) {
        if let Some(others) = &mut self.others {
            others.make_ready(self.stream.id);
        }
    }

    /// Lets a stream continue if that for which it has waited is there.
    pub(crate) fn resume(&mut self, call: Call) {
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

    pub(crate) fn wait(&mut self, wait: Wait) -> Flow {
        if self.others.is_some() && self.stream.is_over(wait) {
            return Flow::Ready;
        }
        self.stream.wait = wait;
        self.go_on(Then::CheckWait)
    }

    /// Completes the blocking call if its condition holds, or serves the next stream that can
    /// continue; otherwise keeps waiting.
    fn check_wait(&mut self, run: &Conditions<'_>) -> Flow {
        if let Some(then) = self.postponed.next_step() {
            return self.go_on(then);
        }
        if self.has_finished && !self.postponed.is_waiting() {
            self.then = Then::Finished;
            return Flow::Wait;
        }
        let continues = match &mut self.others {
            None => self.stream.is_over(self.stream.wait),
            // Messages that were read already may let other streams continue.
            Some(others) => self.inbox.is_empty() && others.serve_next(&mut self.stream),
        };
        if continues {
            self.stream.wait = Wait::Nothing;
            return self.go_on(Then::Operation);
        }
        if let Some((from, part)) = self.inbox.pop_front() {
            return self.take(from, part, run);
        }
        self.then = Then::Listening;
        Flow::Do(Effect::Listen)
    }
}

#[cfg(test)]
mod tests;
