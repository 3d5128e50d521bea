//! What a process does: it computes, writes transfers segment by segment, and reads what comes in.
//!
//! Writes block when the send buffer is full; who takes in what arrives meanwhile is the drain rule
//! of the message library. As in P4, a transfer once begun is read to its end before any other
//! connection is looked at [MPITCP, sec. 1].

use host::Transfer;
use host::tcp::{Endpoint, EndpointId};
use network::NodeId;
use quantity::Time;
use simulation::Notice;

use crate::event::Event;
use crate::model::PacketModel;
use crate::node::{Job, WriteCall};
use crate::observer::Observer;

impl<O: Observer> PacketModel<'_, O> {
    pub(crate) fn begin_write(&mut self, node: NodeId, to: u32, transfer: Transfer) {
        let Some(endpoint) = self.connection(node, to) else { return };
        let bytes = u64::from(transfer.header) + transfer.body;
        let peer = self.hosts.endpoints[endpoint as usize].peer;
        self.hosts.endpoints[peer as usize].receiver.expect_transfer(bytes, transfer.id);
        self.hosts.nodes[node as usize].writing = Some(WriteCall::new(endpoint, to, transfer));
        self.step(node);
    }

    pub(crate) fn begin_listening(&mut self, node: NodeId) {
        self.hosts.nodes[node as usize].is_listening = true;
        self.step(node);
    }

    pub(crate) fn begin_rest(&mut self, node: NodeId, end: Time) {
        self.hosts.nodes[node as usize].is_resting = true;
        self.clock.events.push(end, Event::Rested { node });
    }

    /// Lets a process go on that has rested, when it is done with a datagram that came meanwhile.
    pub(crate) fn rested(&mut self, node: NodeId) {
        let state = &mut self.hosts.nodes[node as usize];
        if state.job.is_some() {
            self.clock.events.push(state.job_end.max(self.clock.now), Event::Rested { node });
            return;
        }
        state.is_resting = false;
        self.notify(node, Notice::Rested);
    }

    /// Starts a piece of process work; returns whether it took no time and is already over.
    pub(crate) fn start(&mut self, node: NodeId, work: Time, job: Job) -> bool {
        let state = &mut self.hosts.nodes[node as usize];
        let begin = self.clock.now.max(state.kernel_free());
        if begin == self.clock.now && work == Time::ZERO {
            return true;
        }
        state.job = Some(job);
        state.job_end = begin + work;
        self.clock.events.push(state.job_end, Event::JobEnd { node });
        false
    }

    pub(crate) fn job_end(&mut self, node: NodeId) {
        let state = &mut self.hosts.nodes[node as usize];
        if state.job_end > self.clock.now {
            self.clock.events.push(state.job_end, Event::JobEnd { node });
            return;
        }
        if let Some(job) = state.job.take() {
            self.finish(node, job);
            self.step(node);
        }
    }

    fn finish(&mut self, node: NodeId, job: Job) {
        match job {
            Job::Compute => self.notify(node, Notice::Computed),
            Job::Segment { payload, leaves } => self.segment_written(node, payload, leaves),
            Job::Read(endpoint) => self.segment_read(node, endpoint),
            Job::Acknowledge(endpoint) => self.send_acknowledgement(endpoint, self.clock.now),
            Job::SendDatagram => self.datagram_written(node),
            Job::ReadDatagram => self.datagram_read(node),
        }
    }

    pub(crate) fn notify(&mut self, node: NodeId, notice: impl FnOnce(u32) -> Notice) {
        self.clock.notify(notice(self.hosts.rank_of_node[node as usize]));
    }

    /// Lets an idle process go on as far as it can without time passing.
    pub(crate) fn step(&mut self, node: NodeId) {
        while self.hosts.nodes[node as usize].job.is_none() {
            let state = &mut self.hosts.nodes[node as usize];
            if let Some(transfer) = state.completed.take() {
                state.is_listening = false;
                self.notify(node, |rank| Notice::Arrived(rank, transfer));
                continue;
            }
            let job = match self.next_job(node) {
                Some(job) => job,
                None => return,
            };
            let work = self.work(node, job);
            if self.start(node, work, job) {
                self.finish(node, job);
            }
        }
    }

    /// Returns what an idle process does next; ends a write that is complete.
    fn next_job(&mut self, node: NodeId) -> Option<Job> {
        if !self.hosts.sockets.is_empty()
            && let Some(job) = self.next_datagram_job(node)
        {
            return Some(job);
        }
        let tcp = &self.host.tcp;
        let state = &mut self.hosts.nodes[node as usize];
        if let Some(write) = &mut state.writing {
            if write.left == 0 && !write.next_write() {
                state.writing = None;
                self.notify(node, Notice::Written);
                return None;
            }
            let Endpoint { sender, receiver, .. } = &self.hosts.endpoints[write.endpoint as usize];
            let segment = receiver.segment_bytes();
            let payload = match self.host.queues.send_bytes / segment {
                0 | 1 => segment,
                most => sender.room(segment, tcp).clamp(1, most) * segment,
            };
            let payload = write.left.min(u64::from(payload)) as u32;
            if sender.has_room(payload, tcp) {
                let leaves = sender.would_leave(payload.min(segment), tcp);
                let endpoint = write.endpoint;
                let leaves = leaves && self.goes_out_at_once(endpoint);
                return Some(Job::Segment { payload, leaves });
            }
            let drain = self.host.protocol.drain;
            let drains = drain.drains(self.hosts.rank_of_node[node as usize], write.to);
            return if drains { self.next_read(node) } else { None };
        }
        if state.is_listening { self.next_read(node) } else { None }
    }

    /// Returns whether the process of `node` may ever read again. One that has finished does not,
    /// nor does one whose write is blocked for ever and that takes nothing in meanwhile.
    ///
    /// Without this, a sender would probe such a process until the end of time, and the run of a
    /// program that deadlocks would not end.
    pub(crate) fn may_read(&self, node: NodeId) -> bool {
        let state = &self.hosts.nodes[node as usize];
        let goes_on = match &state.writing {
            None => state.is_listening,
            Some(write) => {
                let drain = self.host.protocol.drain;
                drain.drains(self.hosts.rank_of_node[node as usize], write.to)
                    || !self.hosts.endpoints[write.endpoint as usize].sender.is_abandoned()
            }
        };
        goes_on || state.is_resting || state.job.is_some()
    }

    fn next_read(&mut self, node: NodeId) -> Option<Job> {
        let state = &mut self.hosts.nodes[node as usize];
        let endpoint = match state.reading {
            Some(endpoint) => endpoint,
            None => {
                let endpoint = state.ready.pop_front()?;
                state.reading = Some(endpoint);
                endpoint
            }
        };
        self.hosts.endpoints[endpoint as usize].receiver.next_unread().map(|_| Job::Read(endpoint))
    }

    /// Returns the processor time of a job.
    fn work(&self, node: NodeId, job: Job) -> Time {
        let costs = &self.host.costs;
        match job {
            Job::Compute => Time::ZERO,
            Job::Segment { payload, leaves } => {
                let mut work = costs.send_copy.of(u64::from(payload));
                if self.hosts.nodes[node as usize].writing.is_some_and(|write| !write.is_entered) {
                    work += costs.write_call;
                }
                if leaves {
                    work += costs.send_fixed;
                    if costs.send_frame > Time::ZERO {
                        work += costs.send_frame * u64::from(self.n_segments(node, payload) - 1);
                    }
                }
                work
            }
            Job::Read(endpoint) => {
                let payload =
                    self.hosts.endpoints[endpoint as usize].receiver.next_unread().unwrap_or(0);
                costs.read.of(u64::from(payload))
            }
            Job::Acknowledge(_) => costs.make_ack,
            Job::SendDatagram => self.datagram_work(node),
            Job::ReadDatagram => self.reading_work(node),
        }
    }

    /// Buffers a segment. It has paid for its way to the interface when it `leaves`; one that may
    /// leave only now, since an acknowledgement came meanwhile, does so at the kernel's expense.
    fn segment_written(&mut self, node: NodeId, payload: u32, leaves: bool) {
        let Some(write) = &mut self.hosts.nodes[node as usize].writing else { return };
        write.is_entered = true;
        write.left -= u64::from(payload);
        let (endpoint, push) = (write.endpoint, write.left == 0);
        let state = &mut self.hosts.endpoints[endpoint as usize];
        let most = state.receiver.segment_bytes();
        let is_paid = leaves && state.sender.would_leave(payload.min(most), &self.host.tcp);
        let n_segments = payload.div_ceil(most);
        let last = payload - (n_segments - 1) * most;
        (1..n_segments).for_each(|_| state.write(most, false, self.clock.now, &self.host.tcp));
        state.write(last, push, self.clock.now, &self.host.tcp);
        if is_paid {
            self.send_paid(endpoint, n_segments);
        } else {
            self.send_buffered(endpoint, self.clock.now);
        }
    }

    /// Sends as many segments as the process has paid for, as far as the windows allow.
    fn send_paid(&mut self, endpoint: EndpointId, n_segments: u32) {
        for _ in 0..n_segments {
            let state = &mut self.hosts.endpoints[endpoint as usize];
            let Some(segment) = state.send(self.clock.now, &self.host.tcp) else { break };
            self.transmit(endpoint, segment, self.clock.now);
        }
        self.arm_timeout(endpoint);
    }

    /// Returns the number of segments that the process of `node` writes at once.
    fn n_segments(&self, node: NodeId, payload: u32) -> u32 {
        self.hosts.nodes[node as usize].writing.map_or(1, |write| {
            payload.div_ceil(self.hosts.endpoints[write.endpoint as usize].receiver.segment_bytes())
        })
    }

    fn segment_read(&mut self, node: NodeId, endpoint: EndpointId) {
        let receiver = &mut self.hosts.endpoints[endpoint as usize].receiver;
        let (completed, must_acknowledge) = receiver.read(&self.host.tcp);
        let has_more = receiver.next_unread().is_some();
        if completed.is_some() {
            let node_state = &mut self.hosts.nodes[node as usize];
            node_state.completed = completed;
            node_state.reading = None;
            if has_more {
                node_state.ready.push_back(endpoint);
            }
        }
        if must_acknowledge {
            let work = self.host.costs.make_ack;
            if self.start(node, work, Job::Acknowledge(endpoint)) {
                self.send_acknowledgement(endpoint, self.clock.now);
            }
        }
    }
}
