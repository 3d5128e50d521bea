//! A process: it computes, writes transfers piece by piece, and reads arriving ones.
//!
//! Writes block when the send buffer is full; the progress rule of the message library says whether
//! a process reads meanwhile, or goes on with other work, and whether it reads its connections in
//! turn or, as in P4, a transfer once begun to its end [MPITCP, sec. 1].

use host::process::{Job, Piece, Turn, WriteCall};
use host::transport::EndpointId;
use host::{JobEnd, Transfer, WhileBlocked};
use program::Rank;
use quantity::Time;
use simulation::Notice;

use super::stack::Stack;
use crate::event::Event;
use crate::ids::ProcessId;
use crate::medium::Medium;
use crate::observer::{Observer, Work};

impl<'a, M: Medium<'a>> Stack<'a, M> {
    /// Begins a write.
    pub(crate) fn begin_write(
        &mut self,
        process: ProcessId,
        to: Rank,
        transfer: Transfer,
        while_blocked: WhileBlocked,
    ) {
        let Some(endpoint) = self.connection(process, to) else { return };
        let peer = self.hosts.endpoints[endpoint].peer;
        self.hosts.endpoints[peer].receiver.expect_transfer(transfer);
        let call = WriteCall::new(endpoint, transfer, while_blocked);
        self.hosts.nodes[process].writing = Some(call);
        self.step(process);
    }

    /// Begins a computation, behind the data that the process is just reading.
    pub(crate) fn begin_computing(&mut self, process: ProcessId, work: Time) {
        if self.hosts.nodes[process].cpus.job().is_some() {
            self.hosts.nodes[process].next_work = Some(work);
        } else {
            self.start(process, work, Job::Compute);
        }
    }

    pub(crate) fn begin_listening(&mut self, process: ProcessId) {
        self.hosts.nodes[process].is_listening = true;
        self.step(process);
    }

    pub(crate) fn begin_sleep(&mut self, process: ProcessId, end: Time) {
        self.hosts.nodes[process].is_sleeping = true;
        self.link.clock.events.push(end, Event::SleepEnded { process });
    }

    /// Wakes a sleeping process, once it has finished with a datagram that came meanwhile.
    pub(crate) fn sleep_ended(&mut self, process: ProcessId) {
        let state = &mut self.hosts.nodes[process];
        if state.cpus.job().is_some() {
            let end = state.cpus.job_end().max(self.link.clock.now);
            self.link.clock.events.push(end, Event::SleepEnded { process });
            return;
        }
        state.is_sleeping = false;
        self.notify(process, Notice::SleepEnded);
    }

    /// Starts a piece of process work; returns true if it took no time and is already over.
    pub(crate) fn start(&mut self, process: ProcessId, work: Time, job: Job<EndpointId>) -> bool {
        let end = self.hosts.nodes[process].cpus.start(self.link.clock.now, work, job);
        if let Some(end) = end {
            let node = self.hosts.processes.node(process);
            self.observer().began(end - work, node, kind_of(job));
            self.link.clock.events.push(end, Event::JobEnd { process });
        }
        end.is_none()
    }

    pub(crate) fn job_end(&mut self, process: ProcessId) {
        match self.hosts.nodes[process].cpus.end_job(self.link.clock.now) {
            JobEnd::Later(end) => self.link.clock.events.push(end, Event::JobEnd { process }),
            JobEnd::Over(job) => {
                let now = self.link.clock.now;
                let node = self.hosts.processes.node(process);
                self.observer().finished(now, node);
                self.finish(process, job);
                self.step(process);
            }
            JobEnd::Idle => {}
        }
    }

    fn finish(&mut self, process: ProcessId, job: Job<EndpointId>) {
        match job {
            Job::Compute => self.notify(process, Notice::Computed),
            Job::Write(endpoint, piece) => self.piece_copied(process, endpoint, piece),
            Job::Read(endpoint) => self.segment_read(process, endpoint),
            Job::Acknowledge(endpoint) => self.send_acknowledgement(endpoint, self.link.clock.now),
            Job::SendDatagram => self.datagram_written(self.hosts.processes.node(process)),
            Job::ReadDatagram => self.datagram_read(self.hosts.processes.node(process)),
            Job::Look => {}
        }
    }

    pub(crate) fn notify(&mut self, process: ProcessId, notice: impl FnOnce(Rank) -> Notice) {
        self.link.clock.notify(notice(self.hosts.rank_on(process)));
    }

    /// Lets an idle process continue as far as it can without time passing.
    pub(crate) fn step(&mut self, process: ProcessId) {
        while self.hosts.nodes[process].cpus.job().is_none() {
            let state = &mut self.hosts.nodes[process];
            if let Some((endpoint, head)) = state.completed.take() {
                state.is_listening = false;
                let from = self.hosts.rank_of_end(self.hosts.endpoints[endpoint].peer);
                self.notify(process, |rank| Notice::Arrived { rank, from, head });
                continue;
            }
            let Some((job, work)) = self.next_job(process) else { return };
            if self.start(process, work, job) {
                self.finish(process, job);
            }
        }
    }

    /// Returns the next job of an idle process and its processor time; ends a write that is
    /// complete.
    fn next_job(&mut self, process: ProcessId) -> Option<(Job<EndpointId>, Time)> {
        if !self.hosts.sockets.is_empty()
            && let Some(job) = self.next_datagram_job(self.hosts.processes.node(process))
        {
            return Some(job);
        }
        let state = &mut self.hosts.nodes[process];
        let Some(call) = &mut state.writing else {
            if let Some(work) = state.next_work.take() {
                return Some((Job::Compute, work));
            }
            return if state.is_listening { self.next_when_listening(process) } else { None };
        };
        if !call.has_more() {
            state.writing = None;
            self.notify(process, Notice::Written);
            return None;
        }
        let (call, endpoint) = (*call, call.connection);
        let piece = call.next_piece(&self.hosts.endpoints[endpoint], self.host);
        if call.while_blocked == WhileBlocked::Reads
            && self.host.message_costs.look > Time::ZERO
            && let Some(next) = self.look(process, piece.is_none())
        {
            return next;
        }
        match piece {
            Some(Piece { payload, leaves }) => {
                let leaves = leaves && self.goes_out_at_once(endpoint);
                let piece = Piece { payload, leaves };
                let end = &self.hosts.endpoints[endpoint];
                Some((Job::Write(endpoint, piece), call.work(piece, end, self.host)))
            }
            None => match call.while_blocked {
                WhileBlocked::Waits => None,
                WhileBlocked::Reads => self.next_read(process),
                WhileBlocked::GoesOn => {
                    self.postpone(process);
                    None
                }
            },
        }
    }

    /// Returns the job of a process that looks for messages because its write `is_blocked`, or was:
    /// none while nothing is there, or what is left of the round; `None` if it acts now.
    fn look(
        &mut self,
        process: ProcessId,
        is_blocked: bool,
    ) -> Option<Option<(Job<EndpointId>, Time)>> {
        let now = self.link.clock.now;
        let state = &mut self.hosts.nodes[process];
        let turn = match (is_blocked, state.order.reading(), state.order.first_ready()) {
            // A message once begun is read to its end.
            (true, Some(_), _) => return None,
            (true, None, None) => {
                state.looking.waits(now);
                return Some(None);
            }
            (true, None, Some(ready)) => {
                let place = state.connections.iter().position(|&(_, one)| one == ready);
                Turn::Message(place.unwrap_or(0) as u32)
            }
            (false, ..) => Turn::Write,
        };
        let round = (state.connections.len() as u32, self.host.message_costs.look);
        let wait = state.looking.notices(turn, is_blocked, round, now)?;
        Some(Some((Job::Look, wait)))
    }

    /// Returns the key by which a process orders the connections that it reads.
    pub(crate) fn read_key(&self, endpoint: EndpointId) -> u32 {
        if !self.host.protocol.reads_lowest_first {
            return 0;
        }
        let peer = self.hosts.endpoints[endpoint].peer;
        self.hosts.rank_of_end(peer).get()
    }

    /// Returns whether a process may ever read again. A process that has finished does
    /// not, nor does one whose write is blocked forever and that reads nothing meanwhile.
    ///
    /// Without this test a sender would probe a process that never reads until the end of time, and
    /// a program that deadlocks would never end.
    pub(crate) fn may_read(&self, process: ProcessId) -> bool {
        let state = &self.hosts.nodes[process];
        let goes_on = match &state.writing {
            None => state.is_listening,
            Some(call) => {
                let end = &self.hosts.endpoints[call.connection];
                call.while_blocked != WhileBlocked::Waits || !end.sender.is_abandoned()
            }
        };
        goes_on || state.is_sleeping || state.cpus.job().is_some()
    }

    pub(crate) fn next_read(&mut self, process: ProcessId) -> Option<(Job<EndpointId>, Time)> {
        let state = &mut self.hosts.nodes[process];
        let (endpoint, begins) = state.order.take_up()?;
        let receiver = &mut self.hosts.endpoints[endpoint].receiver;
        if begins && self.host.protocol.progress.takes_turns() {
            state.turn_end = receiver.expected();
        }
        let bytes = receiver.begin_read()?;
        Some((Job::Read(endpoint), self.host.costs.read.of(u64::from(bytes))))
    }

    /// Sends a piece that the process has copied to the send buffer, if the windows allow it.
    fn piece_copied(&mut self, process: ProcessId, endpoint: EndpointId, piece: Piece) {
        let now = self.link.clock.now;
        let Some(call) = self.hosts.nodes[process].call(endpoint) else { return };
        let end = &mut self.hosts.endpoints[endpoint];
        match call.copied(piece, end, now, &self.host.tcp) {
            Some(n_paid) => self.send_paid(endpoint, n_paid),
            None => self.send_buffered(endpoint, now),
        }
    }

    /// Sends as many segments as the process has paid for, as far as the windows allow.
    fn send_paid(&mut self, endpoint: EndpointId, n_segments: u32) {
        for _ in 0..n_segments {
            let state = &mut self.hosts.endpoints[endpoint];
            let Some(segment) = state.send(self.link.clock.now, &self.host.tcp) else { break };
            self.transmit(endpoint, segment, self.link.clock.now);
        }
        self.arm_timeout(endpoint);
    }

    fn segment_read(&mut self, process: ProcessId, endpoint: EndpointId) {
        let receiver = &mut self.hosts.endpoints[endpoint].receiver;
        let (completed, must_acknowledge) = receiver.read(self.link.clock.now, &self.host.tcp);
        let (read_to, has_more) = (receiver.read_to(), receiver.next_unread().is_some());
        let state = &mut self.hosts.nodes[process];
        state.completed = completed.map(|head| (endpoint, head));
        if completed.is_some() || read_to >= state.turn_end {
            state.order.finish(has_more);
        }
        if must_acknowledge {
            let work = self.host.costs.make_ack;
            if self.start(process, work, Job::Acknowledge(endpoint)) {
                self.send_acknowledgement(endpoint, self.link.clock.now);
            }
        }
    }
}

/// Returns the kind of work that a job is.
fn kind_of(job: Job<EndpointId>) -> Work {
    match job {
        Job::Compute => Work::Compute,
        Job::Write(..) | Job::SendDatagram => Work::Send,
        Job::Read(_) | Job::ReadDatagram | Job::Look => Work::Receive,
        Job::Acknowledge(_) => Work::Acknowledge,
    }
}
