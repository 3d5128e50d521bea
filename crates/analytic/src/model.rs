//! The engine's state and its events: a transfer reaches its receiver, a write returns, a job ends.
//! The times come from `connection`; delays to them are decided here.

use network::{NodeId, PortId};
use std::collections::BTreeMap;

use host::process::Job;
use host::{JobEnd, SendBuffer, Transfer, WhileBlocked};
use program::{Rank, StreamId};
use quantity::{IdVec, Time};
use simulation::path::{LastAcks, Work, Writes, work};
use simulation::{Clock, EventDriven, HandOvers, NetworkModel, Notice, RunError, Setup, advance};

use crate::connection::{Connection, Paths};
use crate::rank::{Process, Token, UnderWay};

#[derive(Clone, Copy, Debug)]
enum Event {
    /// The receiving kernel has the first segment of a transfer.
    Reach(Token),
    /// A write returns.
    Written(Rank),
    /// The postponed write of a rank to another is over.
    Flushed(Rank, Rank),
    /// A piece of process work may have ended.
    JobEnd(Rank),
    /// A process has slept long enough.
    SleepEnded(Rank),
    /// A computation that interrupted the reading of a process has ended.
    Computed(Rank),
    /// The timer of a stream has run down.
    TimerEnded(Rank, StreamId),
    /// A transfer between ranks of one node has arrived.
    HandedOver { from: Rank },
}

/// The counters of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Events handled.
    pub events: u64,
    /// Transfers written.
    pub transfers: u64,
    /// Number of different paths.
    pub paths: u64,
}

/// The analytic engine.
#[derive(Debug)]
pub struct AnalyticModel<'a> {
    setup: Setup<'a>,
    paths: Paths<'a>,
    clock: Clock<'a, Event>,
    counters: Counters,
    processes: IdVec<Rank, Process>,
    /// Per rank: its outgoing connections.
    connections: IdVec<Rank, BTreeMap<Rank, Connection>>,
    /// Per port: the time at which its medium becomes free.
    free: IdVec<PortId, Time>,
    under_way: IdVec<Token, UnderWay>,
    unused: Vec<Token>,
    hand_overs: HandOvers,
    /// Bytes that may be sent before any are read, and bytes that may be written beyond them.
    window_bytes: u64,
    buffer_bytes: u64,
}

impl<'a> AnalyticModel<'a> {
    /// Prepares an idle network at time zero.
    pub fn new(setup: Setup<'a>) -> AnalyticModel<'a> {
        let n_ranks = setup.node_of_rank.n();
        let tcp = &setup.host.tcp;
        let buffer_bytes = match tcp.send_buffer {
            SendBuffer::Bytes(bytes) => u64::from(bytes),
            counted => {
                let n = counted.most_segments(tcp.segment_bytes);
                u64::from(n) * u64::from(tcp.segment_bytes)
            }
        };
        AnalyticModel {
            paths: Paths::new(setup.network, setup.host),
            clock: Clock::new(setup.stop, 0),
            counters: Counters::default(),
            processes: setup.node_of_rank.iter().map(|_| Process::default()).collect(),
            connections: IdVec::filled(BTreeMap::new(), n_ranks),
            free: IdVec::filled(Time::ZERO, setup.network.fabric.ports().n()),
            under_way: IdVec::new(),
            unused: Vec::new(),
            hand_overs: HandOvers::default(),
            window_bytes: u64::from(tcp.window(0, tcp.segment_bytes)),
            buffer_bytes,
            setup,
        }
    }

    /// Returns the counters so far.
    pub fn counters(&self) -> Counters {
        let (events, paths) = (self.clock.n_events(), self.paths.n_paths() as u64);
        Counters { events, paths, ..self.counters }
    }

    /// Returns the connection of two ranks, which is made on first use.
    fn connection(&mut self, rank: Rank, to: Rank) -> Result<Connection, RunError> {
        if let Some(&known) = self.connections[rank].get(&to) {
            return Ok(known);
        }
        let end = |rank: Rank| {
            let node = self.setup.node_of_rank[rank];
            (node, self.setup.identities[node])
        };
        self.paths.connect(end(rank), end(to))
    }

    /// Begins a write.
    fn begin(
        &mut self,
        rank: Rank,
        to: Rank,
        transfer: Transfer,
        while_blocked: WhileBlocked,
    ) -> Result<(), RunError> {
        let mut connection = self.connection(rank, to)?;
        let mut acks = LastAcks::default();
        // Data in the reverse direction keep a connection from being idle.
        if let Some(back) = self.connections[to].get(&rank) {
            connection.last_used = connection.last_used.max(back.last_used);
            acks = back.acks;
        }
        let writes = Writes { header: transfer.header, body: transfer.body };
        let times = self.paths.transfer_times(&mut connection, writes, (self.clock.now, acks));
        self.connections[rank].insert(to, connection);
        // The first wire serves the rank's transfers in turn.
        let out = self.clock.now + times.departed;
        let free = &mut self.free[connection.out.port];
        let wait = free.saturating_sub(out);
        let busy = self.paths.occupied(&connection.out, &connection, writes);
        *free = out + wait + busy;
        let begin = self.clock.now + wait;
        let is_blocked = writes.bytes() > self.window_bytes + self.buffer_bytes;
        let is_postponed = is_blocked && while_blocked == WhileBlocked::GoesOn;
        let head = transfer.head;
        let token = self.keep(UnderWay {
            from: rank,
            to,
            head,
            times,
            writes,
            begin,
            is_blocked,
            is_postponed,
        });
        self.counters.transfers += 1;
        self.clock.events.push(begin + times.reached, Event::Reach(token));
        let fits = writes.bytes() <= self.buffer_bytes;
        if is_postponed {
            self.clock.notify(Notice::Postponed(rank));
        } else if !is_blocked {
            // Data in the send buffer may still be unsent when the write returns.
            let start = if fits { self.clock.now } else { begin };
            self.clock.events.push(start + times.written, Event::Written(rank));
        } else {
            self.processes[rank].reads_meanwhile = while_blocked == WhileBlocked::Reads;
            self.read_on(rank);
        }
        Ok(())
    }

    fn keep(&mut self, transfer: UnderWay) -> Token {
        match self.unused.pop() {
            Some(token) => {
                self.under_way[token] = transfer;
                token
            }
            None => self.under_way.push(transfer),
        }
    }

    /// Handles the first segment of a transfer at its receiver: the last wire serves the transfers
    /// of a rank in turn, and the kernel's work on the transfer delays the process.
    fn reach(&mut self, token: Token) {
        let UnderWay { from, to, times, writes, begin, .. } = self.under_way[token];
        if let Some(connection) = self.connections[from].get(&to)
            && let Some(into) = connection.into
        {
            let busy = self.paths.occupied(&into, connection, writes);
            let free = &mut self.free[into.port];
            let taken = (begin + times.taken).max(*free + busy);
            *free = taken;
            self.under_way[token].begin = taken.saturating_sub(times.taken);
        }
        let is_beside = self.setup.host.processors.are_apart();
        let work = self.work(writes).receive;
        let process = &mut self.processes[to];
        if !is_beside {
            process.cpus.put_off(work);
        }
        process.order.arrived(token, 0);
        self.read_on(to);
    }

    /// Returns the processor time of a write.
    fn work(&self, writes: Writes) -> Work {
        work(self.setup.host, writes, false)
    }

    /// Lets an idle, listening process read the transfer that came first.
    fn read_on(&mut self, rank: Rank) {
        let process = &mut self.processes[rank];
        let reads = process.is_listening || process.reads_meanwhile;
        if process.cpus.job().is_some() || !reads {
            return;
        }
        let Some((token, _)) = process.order.take_up() else { return };
        let UnderWay { from, to, times, writes, begin, is_blocked, is_postponed, .. } =
            self.under_way[token];
        let begin_reading = begin + times.reached;
        let end = if self.clock.now <= begin_reading {
            begin + times.read
        } else {
            // Data within the window are read at once; the rest then follows at its own rate.
            let held = writes.bytes().min(self.window_bytes);
            let held = Writes { header: 0, body: held };
            let work = self.work(held).read;
            let rest = times.read.saturating_sub(times.opened);
            (begin + times.read).max(self.clock.now + work + rest)
        };
        if is_blocked {
            let before = times.read.saturating_sub(times.written);
            let written = end.saturating_sub(before).max(self.clock.now);
            let event = if is_postponed { Event::Flushed(from, to) } else { Event::Written(from) };
            self.clock.events.push(written, event);
        }
        self.processes[rank].cpus.run_until(end, Job::Read(token));
        self.clock.events.push(end, Event::JobEnd(rank));
    }

    fn job_end(&mut self, rank: Rank) {
        match self.processes[rank].cpus.end_job(self.clock.now) {
            JobEnd::Later(end) => self.clock.events.push(end, Event::JobEnd(rank)),
            JobEnd::Over(Job::Read(token)) => self.has_read(rank, token),
            JobEnd::Over(_) => self.clock.notify(Notice::Computed(rank)),
            JobEnd::Idle => {}
        }
    }

    fn has_read(&mut self, rank: Rank, token: Token) {
        let process = &mut self.processes[rank];
        process.order.finish(false);
        process.is_listening = false;
        let is_written = std::mem::take(&mut process.is_written);
        self.unused.push(token);
        let UnderWay { from, head, .. } = self.under_way[token];
        self.clock.notify(Notice::Arrived { rank, from, head });
        if is_written {
            self.written(rank);
        }
        self.read_on(rank);
    }

    /// Completes a write after the transfer that its process is reading meanwhile.
    fn written(&mut self, rank: Rank) {
        let process = &mut self.processes[rank];
        process.is_written = process.reads_meanwhile && process.cpus.job().is_some();
        if !process.is_written {
            process.reads_meanwhile = false;
            self.clock.notify(Notice::Written(rank));
        }
    }
}

impl<'a> EventDriven<'a, Event> for AnalyticModel<'a> {
    #[inline]
    fn clock(&mut self) -> &mut Clock<'a, Event> {
        &mut self.clock
    }

    #[inline]
    fn handle(&mut self, event: Event) {
        match event {
            Event::Reach(token) => self.reach(token),
            Event::Written(rank) => self.written(rank),
            Event::Flushed(rank, to) => self.clock.notify(Notice::Flushed { rank, to }),
            Event::JobEnd(rank) => self.job_end(rank),
            Event::SleepEnded(rank) => self.clock.notify(Notice::SleepEnded(rank)),
            Event::Computed(rank) => self.clock.notify(Notice::Computed(rank)),
            Event::TimerEnded(rank, stream) => {
                self.clock.notify(Notice::TimerEnded(rank, stream));
            }
            Event::HandedOver { from } => self.clock.notify(self.hand_overs.end(from)),
        }
    }
}

impl NetworkModel for AnalyticModel<'_> {
    fn now(&self) -> Time {
        self.clock.now
    }

    fn write(&mut self, rank: Rank, to: Rank, transfer: Transfer, while_blocked: WhileBlocked) {
        if let Err(failure) = self.begin(rank, to, transfer, while_blocked) {
            self.clock.fail(failure);
        }
    }

    fn set_timer(&mut self, rank: Rank, stream: StreamId, end: Time) {
        self.clock.events.push(end, Event::TimerEnded(rank, stream));
    }

    fn node_of(&self, rank: Rank) -> Option<NodeId> {
        Some(self.setup.node_of_rank[rank])
    }

    fn hand_over(&mut self, from: Rank, to: Rank, transfer: Transfer, at: Time) {
        self.hand_overs.begin(from, to, transfer.head);
        self.clock.events.push(at, Event::HandedOver { from });
    }

    fn compute(&mut self, rank: Rank, work: Time) {
        let end = self.clock.now + work;
        if self.processes[rank].cpus.job().is_some() {
            self.processes[rank].cpus.put_off(work);
            return self.clock.events.push(end, Event::Computed(rank));
        }
        self.processes[rank].cpus.run_until(end, Job::Compute);
        self.clock.events.push(end, Event::JobEnd(rank));
    }

    fn sleep(&mut self, rank: Rank, end: Time) {
        self.clock.events.push(end, Event::SleepEnded(rank));
    }

    fn listen(&mut self, rank: Rank) {
        self.processes[rank].is_listening = true;
        self.read_on(rank);
    }

    fn advance(&mut self) -> Result<Option<Notice>, RunError> {
        advance(self)
    }
}
