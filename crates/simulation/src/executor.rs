//! The rank executor: runs a program on a network, with MPI's matching and the message protocol.
//!
//! Every rank is one process that does one thing at a time. Progress is made only inside calls, as
//! in MPICH over P4 [MPICH-1.1]: a clear-to-send that arrives while its rank computes is answered
//! when the rank next waits. This file has the operations of a single rank and the scheduling of
//! ranks; messages are in `messaging`.

use host::{DiskModel, HostModel, LocalModel, MessageCosts, MessageProtocol, TransferId};
use network::NodeId;
use network::metrics::Progress;
use program::{Action, Cpu, DiskRequest, EventNumber, Program, Rank, RequestNumber, StreamId};
use quantity::{Id, IdVec, Time};

use crate::adopted::Adopted;
use crate::error::{RunError, StuckRank};
use crate::matching::Receive;
use crate::message::{Call, Message, MessageArena, MessageId};
use crate::model::{Datagram, END, NetworkModel, Notice, over_at};
use crate::rank::{Flow, RankState, Then};
use crate::shared_nodes::{SharedNodes, SliceEnd};
use crate::stream::{StreamState, Wait};

/// A deadlock is reported after this much silence from the awaited ranks, without their
/// computations, sleeps and data in flight. Background ranks keep the event queue busy, so an empty
/// queue cannot tell. Longer than TCP's last retry.
const SILENCE: Time = Time::from_ms(3_600_000);
/// Longer silence allowed per byte in flight, in ps: a fifth of the rate of 10 Mb/s Ethernet.
const SILENCE_PER_BYTE_PS: u64 = 4_000_000;

/// Actions between two reports of progress.
const ACTIONS_PER_REPORT: u64 = 64;

/// A mark passed by a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkRecord {
    /// The number of the mark.
    pub mark: u32,
    /// The rank that passed it.
    pub rank: Rank,
    /// Time of the pass.
    pub time: Time,
}

/// Runs a program on a network.
#[derive(Debug)]
pub struct Executor<'a, M> {
    pub(crate) model: M,
    program: &'a Program,
    pub(crate) protocol: MessageProtocol,
    pub(crate) costs: MessageCosts,
    disk: Option<DiskModel>,
    pub(crate) local: Option<LocalModel>,
    /// The nodes of the ranks, if any share one.
    pub(crate) shared: Option<Box<SharedNodes>>,
    pub(crate) ranks: IdVec<Rank, RankState>,
    pub(crate) messages: MessageArena,
    marks: Vec<MarkRecord>,
    /// Number of awaited ranks that have not finished.
    n_running: u32,
    /// Time by which an awaited rank must be heard of if it has no data in flight.
    heard_by: Time,
    /// Bytes of messages that awaited ranks have begun to write and not yet received.
    pub(crate) under_way_bytes: u64,
    /// The ranks whose computation or sleep outlasts simulated time.
    overlong: Vec<Rank>,
    /// The only rank that this executor drives; `None` for all.
    pub(crate) only: Option<Rank>,
    pub(crate) adopted: Adopted,
    /// Receives the number of actions of awaited ranks, if the caller wants it.
    progress: Option<&'a Progress>,
    /// Actions that awaited ranks have begun since the last report.
    n_unreported: u64,
}

impl<'a, M: NetworkModel> Executor<'a, M> {
    /// Prepares every rank of `program` to start at time zero.
    pub fn new(model: M, program: &'a Program, host: &HostModel) -> Executor<'a, M> {
        let nodes: Option<IdVec<Rank, NodeId>> =
            Rank::first(program.n_ranks()).map(|rank| model.node_of(rank)).collect();
        let slice = host.local.map_or(Time::ZERO, |local| local.slice);
        let shared = nodes.and_then(|nodes| SharedNodes::new(nodes, host.processors.n_cpus, slice));
        Executor {
            model,
            shared,
            local: host.local,
            program,
            protocol: host.protocol,
            costs: host.message_costs,
            disk: host.disk,
            ranks: Rank::first(program.n_ranks())
                .map(|rank| RankState::new(program.operations(rank).len(), program.streams(rank)))
                .collect(),
            messages: MessageArena::default(),
            marks: Vec::new(),
            n_running: program.n_awaited(),
            heard_by: SILENCE,
            under_way_bytes: 0,
            overlong: Vec::new(),
            only: None,
            adopted: Adopted::default(),
            progress: None,
            n_unreported: 0,
        }
    }

    /// Returns the executor with a place for its progress: the actions that awaited ranks have
    /// begun, of all that they carry out.
    pub fn reporting(mut self, progress: &'a Progress) -> Executor<'a, M> {
        progress.expect(self.program.n_awaited_actions());
        self.progress = Some(progress);
        self
    }

    /// Prepares one rank of `program`; other executors drive the others, and `model` joins them.
    pub fn of_rank(
        model: M,
        program: &'a Program,
        host: &HostModel,
        rank: Rank,
    ) -> Executor<'a, M> {
        Executor { only: Some(rank), n_running: 1, ..Executor::new(model, program, host) }
    }

    /// Runs the program until its last awaited rank has finished and returns the marks in order of
    /// time, with the network as it is then: late acknowledgements and transfers of background
    /// ranks may still be in flight, but no datagrams of awaited ranks.
    ///
    /// # Errors
    /// When ranks are deadlocked, or the network gives up.
    pub fn run(mut self) -> Result<(Vec<MarkRecord>, M), RunError> {
        if self.program.has_datagrams() && !self.model.moves_datagrams() {
            return Err(RunError::NoDatagrams);
        }
        if self.disk.is_none() && self.program.has_disks() {
            return Err(RunError::NoDisk);
        }
        self.check_shared_nodes()?;
        match self.only {
            Some(rank) => self.drive(rank),
            None => Rank::first(self.program.n_ranks()).for_each(|rank| self.drive(rank)),
        }
        while self.n_running > 0 {
            match self.model.advance().map_err(|error| self.with_stuck_ranks(error))? {
                Some(Notice::Computed(rank)) if self.shared.is_some() => {
                    self.hear(rank)?;
                    self.slice_ended(rank);
                }
                Some(Notice::Written(rank) | Notice::Computed(rank) | Notice::SleepEnded(rank)) => {
                    self.hear(rank)?;
                    self.drive(rank);
                }
                Some(Notice::Arrived(rank, transfer)) => {
                    self.hear(rank)?;
                    if let Some(head) = self.model.head_of(transfer) {
                        let transfer = self.adopted.adopt(&mut self.messages, head);
                        self.arrived(rank, transfer);
                        continue;
                    }
                    if self.is_awaited(rank) {
                        self.under_way_bytes -= self.data_bytes(transfer);
                    }
                    self.arrived(rank, transfer);
                }
                Some(Notice::TimerEnded(rank, stream)) => {
                    self.hear(rank)?;
                    self.timer_ended(rank, stream);
                }
                None => return Err(RunError::Deadlock { stuck: self.stuck_ranks() }),
            }
        }
        // No rank waits for datagrams, so the last ones are still in flight. Notices to background
        // ranks are ignored from here on, which stops them.
        let has_datagrams = self.program.has_awaited_datagrams();
        while has_datagrams && self.model.advance()?.is_some() {}
        Ok((self.marks, self.model))
    }

    /// Returns whether another executor drives a rank.
    #[inline]
    pub(crate) fn is_elsewhere(&self, rank: Rank) -> bool {
        self.only.is_some_and(|only| only != rank)
    }

    /// Returns whether the run waits for a rank.
    #[inline]
    pub(crate) fn is_awaited(&self, rank: Rank) -> bool {
        rank.get() < self.program.n_awaited()
    }

    /// Records a sign of life of a rank.
    ///
    /// # Errors
    /// When it is a background rank and the awaited ones have been silent for too long.
    #[inline]
    fn hear(&mut self, rank: Rank) -> Result<(), RunError> {
        if self.is_awaited(rank) {
            self.allow(rank, Time::ZERO);
            return Ok(());
        }
        let overdue = self.model.now().saturating_sub(self.heard_by);
        let allowed = Time::from_ps(self.under_way_bytes.saturating_mul(SILENCE_PER_BYTE_PS));
        if overdue > allowed {
            return Err(RunError::Deadlock { stuck: self.stuck_ranks() });
        }
        Ok(())
    }

    /// Extends the silence allowed to an awaited rank by a span.
    #[inline]
    fn allow(&mut self, rank: Rank, time: Time) {
        if self.is_awaited(rank) {
            self.heard_by = self.heard_by.max(over_at(self.model.now(), time) + SILENCE);
        }
    }

    fn with_stuck_ranks(&self, error: RunError) -> RunError {
        match error {
            RunError::ConnectionLost { from, to, attempts, at, .. } => {
                let stuck = self.stuck_ranks();
                RunError::ConnectionLost { from, to, attempts, at, stuck }
            }
            RunError::TooLong { .. } => {
                let mut stuck = self.stuck_ranks();
                if stuck.iter().any(|stuck| self.overlong.contains(&stuck.rank)) {
                    stuck.retain(|stuck| self.overlong.contains(&stuck.rank));
                }
                RunError::TooLong { stuck }
            }
            other => other,
        }
    }

    fn stuck_ranks(&self) -> Vec<StuckRank> {
        Rank::first(self.program.n_awaited())
            .filter(|&rank| !self.is_elsewhere(rank))
            .filter(|&rank| !matches!(self.ranks[rank].then, Then::Finished))
            .map(|rank| StuckRank::at(self.ranks[rank].waits_at(), self.program, rank))
            .collect()
    }

    fn arrived(&mut self, rank: Rank, transfer: TransferId) {
        if matches!(self.state(rank).then, Then::Listening) {
            if self.take(rank, transfer) == Flow::Ready {
                self.drive(rank);
            }
        } else {
            self.state(rank).inbox.push_back(transfer);
        }
    }

    /// Runs a rank until it needs the engine again.
    fn drive(&mut self, rank: Rank) {
        loop {
            let flow = match self.state(rank).then {
                Then::Operation => self.operation(rank),
                Then::Write { to, message, role } => self.write(rank, to, message, role),
                Then::SendToSelf(message) => self.send_to_self(rank, message),
                Then::Sent => self.sent(rank),
                Then::Requested(message) => self.requested(rank, message),
                Then::DataWritten { kind, sent_by } => self.data_written(rank, kind, sent_by),
                Then::Disk(request) => self.ask_disk(rank, request),
                Then::CheckWait => self.check_wait(rank),
                Then::Took(transfer) => self.took(rank, transfer),
                Then::Delivered(message) => self.delivered(rank, message),
                Then::Listening | Then::Finished => Flow::Busy,
            };
            if flow == Flow::Busy {
                return;
            }
        }
    }

    pub(crate) fn state(&mut self, rank: Rank) -> &mut RankState {
        &mut self.ranks[rank]
    }

    pub(crate) fn go_on(&mut self, rank: Rank, then: Then) -> Flow {
        self.state(rank).then = then;
        Flow::Ready
    }

    pub(crate) fn compute(&mut self, rank: Rank, work: Time, then: Then) -> Flow {
        self.state(rank).then = then;
        if work == Time::ZERO {
            return Flow::Ready;
        }
        let work = self.within_time(rank, work);
        let slice = match &mut self.shared {
            None => Some(work),
            Some(shared) => shared.begin(rank, work),
        };
        if let Some(slice) = slice {
            self.model.compute(rank, slice);
        }
        Flow::Busy
    }

    /// Ends a slice of the work of a rank on a node that it shares.
    fn slice_ended(&mut self, rank: Rank) {
        let Some(shared) = &mut self.shared else { return };
        let SliceEnd { is_over, next } = shared.slice_ended(rank);
        if let Some((next, slice)) = next {
            self.allow(next, slice);
            self.model.compute(next, slice);
        }
        if is_over {
            self.drive(rank);
        }
    }

    /// Checks that the ranks of one node can do what the program says.
    fn check_shared_nodes(&self) -> Result<(), RunError> {
        let has_others = self.program.has_datagrams() || self.program.has_disks();
        match self.shared {
            None => Ok(()),
            Some(_) if self.local.is_none() => Err(RunError::NoLocalTransport),
            Some(_) if has_others => Err(RunError::NotOnSharedNodes),
            Some(_) => Ok(()),
        }
    }

    /// Returns the part of a span that lies before the end of time, and records a rank that goes
    /// beyond.
    fn within_time(&mut self, rank: Rank, span: Time) -> Time {
        let left = END.saturating_sub(self.model.now());
        if span >= left {
            self.overlong.push(rank);
        }
        span.min(left)
    }

    fn operation(&mut self, rank: Rank) -> Flow {
        let stream = &mut self.ranks[rank].stream;
        let Some(action) = stream.walk.peek(self.program, rank) else {
            return self.stream_ended(rank);
        };
        if stream.cpu.is_some() && self.waits_for_cpu(rank, action) {
            return self.go_on(rank, Then::CheckWait);
        }
        self.ranks[rank].stream.walk.pass();
        self.count(rank);
        self.act(rank, action)
    }

    /// Ends the served stream, and with the last one its rank.
    fn stream_ended(&mut self, rank: Rank) -> Flow {
        let state = self.state(rank);
        if state.others.as_mut().is_some_and(|others| !others.end_one()) {
            state.stream.wait = Wait::Ended;
            return self.go_on(rank, Then::CheckWait);
        }
        state.then = Then::Finished;
        self.n_running -= u32::from(self.is_awaited(rank) || self.only.is_some());
        Flow::Busy
    }

    /// Returns whether an operation of the served stream waits for the stream's processor.
    fn waits_for_cpu(&mut self, rank: Rank, action: Action) -> bool {
        let state = self.state(rank);
        let StreamState { id, cpu, .. } = state.stream;
        let (Some(others), Some(cpu)) = (&mut state.others, cpu) else {
            return false;
        };
        let waits = !others.take_cpu(cpu, id, action);
        if waits {
            state.stream.wait = Wait::Cpu;
        }
        waits
    }

    /// Counts an action of a rank for the progress of the run.
    #[inline]
    fn count(&mut self, rank: Rank) {
        let Some(progress) = self.progress else { return };
        self.n_unreported += u64::from(self.is_awaited(rank));
        if self.n_unreported == ACTIONS_PER_REPORT {
            progress.add(ACTIONS_PER_REPORT);
            self.n_unreported = 0;
        }
    }

    fn act(&mut self, rank: Rank, action: Action) -> Flow {
        match action {
            Action::Send { to, bytes, tag } => {
                self.send(Message::new(rank, to, bytes, tag, self.call(rank, None)))
            }
            Action::SyncSend { to, bytes, tag } => {
                self.send_synchronously(Message::new(rank, to, bytes, tag, self.call(rank, None)))
            }
            Action::StartSyncSend { to, bytes, tag, number } => self.send_synchronously(
                Message::new(rank, to, bytes, tag, self.call(rank, Some(number))),
            ),
            Action::StartSend { to, bytes, tag, number } => {
                self.send(Message::new(rank, to, bytes, tag, self.call(rank, Some(number))))
            }
            Action::Receive { from, tag } => {
                self.receive(rank, Receive { from, tag, call: self.call(rank, None) })
            }
            Action::StartReceive { from, tag, number } => {
                self.receive(rank, Receive { from, tag, call: self.call(rank, Some(number)) })
            }
            Action::WaitAll => self.wait(rank, Wait::Started),
            Action::Wait { number } => self.wait(rank, Wait::Number(number)),
            Action::Compute { work } => {
                self.allow(rank, work);
                match self.ranks[rank].stream.cpu {
                    Some(cpu) => self.compute_on(rank, cpu, work),
                    None => self.compute(rank, work, Then::Operation),
                }
            }
            Action::Datagram { to, bytes, answer, protocol, spacing } => {
                self.allow(rank, spacing);
                let spacing = self.within_time(rank, spacing);
                self.state(rank).then = Then::Operation;
                self.model.send_datagram(rank, Datagram { to, bytes, answer, protocol, spacing });
                Flow::Busy
            }
            Action::Sleep { spacing } => {
                let now = self.model.now();
                let last = self.state(rank).slept_until;
                let end = last.map_or(now, |last| now.max(over_at(last, spacing)));
                self.state(rank).slept_until = Some(end);
                self.sleep(rank, end)
            }
            Action::Disk(request) => self.use_disk(rank, request),
            Action::Mark { mark } => {
                self.marks.push(MarkRecord { mark, rank, time: self.model.now() });
                Flow::Ready
            }
            Action::Signal { event } => self.signal(rank, event),
            Action::Await { event } => self.wait_for(rank, event),
        }
    }

    /// Returns a call of the served stream.
    fn call(&self, rank: Rank, request: Option<RequestNumber>) -> Call {
        Call { stream: self.ranks[rank].stream.id, request }
    }

    /// Sends a message of a rank to itself; its sender continues in any case.
    fn send_to_self(&mut self, rank: Rank, message: MessageId) -> Flow {
        self.state(rank).give_way();
        self.offer(rank, message)
    }

    /// Signals an event; the process lets streams that it serves go first.
    fn signal(&mut self, rank: Rank, event: EventNumber) -> Flow {
        let state = self.state(rank);
        state.others.as_mut().expect("a rank with events has streams").signal(event);
        if state.stream.cpu.is_some() {
            return Flow::Ready;
        }
        state.give_way();
        self.go_on(rank, Then::CheckWait)
    }

    fn wait_for(&mut self, rank: Rank, event: EventNumber) -> Flow {
        let state = self.state(rank);
        let others = state.others.as_mut().expect("a rank with events has streams");
        if others.use_signal(event, state.stream.id) {
            return Flow::Ready;
        }
        state.stream.wait = Wait::Event;
        self.go_on(rank, Then::CheckWait)
    }

    /// Computes on a processor of the served stream's own, beside the process.
    fn compute_on(&mut self, rank: Rank, cpu: Cpu, work: Time) -> Flow {
        if work == Time::ZERO {
            return Flow::Ready;
        }
        let end = self.model.now() + self.within_time(rank, work);
        let state = self.state(rank);
        state.stream.wait = Wait::Cpu;
        let stream = state.stream.id;
        state.others.iter_mut().for_each(|others| others.occupy(cpu));
        self.model.set_timer(rank, stream, end);
        self.go_on(rank, Then::CheckWait)
    }

    /// Ends the computation of a stream on a processor of its own.
    fn timer_ended(&mut self, rank: Rank, stream: StreamId) {
        let state = self.state(rank);
        let cpu = state.stream_of(Call { stream, request: None }).cpu;
        if let (Some(others), Some(cpu)) = (&mut state.others, cpu) {
            others.free(cpu, stream);
        }
        if matches!(state.then, Then::Listening) {
            state.then = Then::CheckWait;
            self.drive(rank);
        }
    }

    /// Copies the data of a request; the order of copy and disk does not matter to a process that
    /// does one thing at a time.
    fn use_disk(&mut self, rank: Rank, request: DiskRequest) -> Flow {
        let copy = self.disk.map_or(Time::ZERO, |disk| match request {
            DiskRequest::Read { bytes } | DiskRequest::Write { bytes } => disk.copy.of(bytes),
            DiskRequest::Flush => Time::ZERO,
        });
        self.compute(rank, copy, Then::Disk(request))
    }

    fn ask_disk(&mut self, rank: Rank, request: DiskRequest) -> Flow {
        let (Some(model), now) = (self.disk, self.model.now()) else {
            unreachable!("no program that uses disks runs without them")
        };
        let state = self.state(rank);
        let end = match request {
            DiskRequest::Read { bytes } => state.disk.read(&model, now, bytes),
            DiskRequest::Write { bytes } => state.disk.write(&model, now, bytes),
            DiskRequest::Flush => state.disk.flush(&model, now),
        };
        self.sleep(rank, end)
    }

    /// Continues a rank with its next operation at `end`, or at once if that has passed.
    fn sleep(&mut self, rank: Rank, end: Time) -> Flow {
        self.state(rank).then = Then::Operation;
        let now = self.model.now();
        if end <= now {
            return Flow::Ready;
        }
        self.allow(rank, end.saturating_sub(now));
        if end >= END {
            self.overlong.push(rank);
        }
        self.model.sleep(rank, end);
        Flow::Busy
    }

    fn wait(&mut self, rank: Rank, wait: Wait) -> Flow {
        let state = self.state(rank);
        if state.others.is_some() && state.stream.is_over(wait) {
            return Flow::Ready;
        }
        state.stream.wait = wait;
        self.go_on(rank, Then::CheckWait)
    }

    /// Completes the blocking call if its condition holds, or serves the next stream that can
    /// continue; otherwise keeps waiting.
    fn check_wait(&mut self, rank: Rank) -> Flow {
        let state = self.state(rank);
        let continues = match &mut state.others {
            None => state.stream.is_over(state.stream.wait),
            // Messages that were read already may let other streams continue.
            Some(others) => state.inbox.is_empty() && others.serve_next(&mut state.stream),
        };
        if continues {
            state.stream.wait = Wait::Nothing;
            return self.go_on(rank, Then::Operation);
        }
        if let Some(transfer) = state.inbox.pop_front() {
            return self.take(rank, transfer);
        }
        state.then = Then::Listening;
        self.model.listen(rank);
        Flow::Busy
    }
}
