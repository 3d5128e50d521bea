//! Kernels and processes at the two ends of a path: they drive the machines of `host` as the packet
//! engine does, with no other work and no losses.

use host::process::{Job, Piece};
use host::tcp::{Incoming, Outgoing};
use host::{JobEnd, TsoBurst};
use quantity::Time;

use super::frame::Frame;
use super::run::{Event, Run};
use super::timing::{RECEIVER, SENDER};

impl Run<'_> {
    /// Charges the kernel of an end for work on the connection; returns when the work is done.
    pub fn charge(&mut self, end: usize, now: Time, work: Time) -> Time {
        self.cpus[end].charge(self.cpu_of_end[end], now, work)
    }

    /// Hands TCP a segment when the kernel is `done` with it, and sends the answer.
    pub fn take_segment(&mut self, end: usize, segment: &Incoming, done: Time) {
        let tcp = &self.host.tcp;
        let sender = &mut self.ends[end].sender;
        if sender.on_acknowledgement(segment, done, tcp)
            && let Some(first) = sender.resend_first(done, tcp)
        {
            let at = self.charge(end, done, self.host.costs.send_fixed);
            self.transmit(end, first, at);
        }
        if segment.payload > 0 {
            if self.times.reached == Time::ZERO {
                self.times.reached = done;
            }
            self.times.taken = done;
            if self.ends[end].on_data(segment, done, tcp) {
                self.acknowledge(end, done);
            }
        }
        self.send_buffered(end, done);
    }

    /// Makes an acknowledgement in the kernel.
    pub fn acknowledge(&mut self, end: usize, now: Time) {
        let made = self.charge(end, now, self.host.costs.make_ack);
        self.send_acknowledgement(end, made);
    }

    fn send_acknowledgement(&mut self, end: usize, time: Time) {
        let segment = self.ends[end].without_data(false);
        self.transmit(end, segment, time);
    }

    /// Sends buffered data from the kernel, as far as the windows allow.
    fn send_buffered(&mut self, end: usize, now: Time) {
        let host = self.host;
        let mut burst = TsoBurst::new(now);
        while self.ends[end].sender.may_send(&host.tcp) {
            let time = self.charge(end, burst.time(), burst.work(&host.costs));
            burst.worked_until(time);
            let Some(segment) = self.ends[end].send(time, &host.tcp) else { return };
            burst.sent(segment.payload, &host.queues);
            self.transmit(end, segment, time);
        }
    }

    /// Sends the segments that the process has paid for, as far as the windows allow.
    fn send_paid(&mut self, n_segments: u32) {
        for _ in 0..n_segments {
            let Some(segment) = self.ends[SENDER].send(self.now, &self.host.tcp) else { return };
            self.transmit(SENDER, segment, self.now);
        }
    }

    /// Sends a segment to the other end at `time`.
    fn transmit(&mut self, end: usize, segment: Outgoing, time: Time) {
        let time = time.max(self.left_at[end]);
        self.left_at[end] = time;
        let Outgoing { sequence, payload, flags } = segment;
        let (acknowledged, window) = self.ends[end].receiver.acknowledge(&self.host.tcp);
        let segment = Incoming { sequence, payload, flags, acknowledged, window };
        if end == RECEIVER {
            self.times.acks.rotate_right(1);
            self.times.acks[0] = time;
            return self.cross(self.path.there.len(), Frame { to: SENDER, segment }, time);
        }
        if !std::mem::replace(&mut self.has_departed, true) {
            self.times.departed = time;
        }
        self.cross(0, Frame { to: RECEIVER, segment }, time);
    }

    pub fn job_end(&mut self, node: usize) {
        match self.cpus[node].end_job(self.now) {
            JobEnd::Later(end) => self.events.push(end, Event::JobEnd { node }),
            JobEnd::Over(job) => {
                self.finish(job);
                self.step(node);
            }
            JobEnd::Idle => {}
        }
    }

    /// Advances an idle process as far as possible without time passing.
    pub fn step(&mut self, node: usize) {
        while self.cpus[node].job().is_none() {
            let next = match node {
                SENDER => self.next_write(),
                RECEIVER => self.next_read(),
                _ => None,
            };
            let Some((job, work)) = next else { return };
            self.start(node, work, job);
        }
    }

    fn start(&mut self, node: usize, work: Time, job: Job<()>) {
        match self.cpus[node].start(self.now, work, job) {
            Some(end) => self.events.push(end, Event::JobEnd { node }),
            None => self.finish(job),
        }
    }

    fn next_write(&mut self) -> Option<(Job<()>, Time)> {
        if !self.call.has_more() {
            if !std::mem::replace(&mut self.is_written, true) {
                self.times.written = self.now;
            }
            return None;
        }
        let piece = self.call.next_piece(&self.ends[SENDER], self.host)?;
        Some((Job::Write((), piece), self.call.work(piece, &self.ends[SENDER], self.host)))
    }

    fn next_read(&mut self) -> Option<(Job<()>, Time)> {
        let payload = self.ends[RECEIVER].receiver.begin_read()?;
        Some((Job::Read(()), self.host.costs.read.of(u64::from(payload))))
    }

    fn finish(&mut self, job: Job<()>) {
        match job {
            Job::Write((), piece) => self.piece_copied(piece),
            Job::Read(()) => self.segment_read(),
            Job::Acknowledge(()) => self.send_acknowledgement(RECEIVER, self.now),
            Job::Compute | Job::SendDatagram | Job::ReadDatagram | Job::Look => {}
        }
    }

    fn piece_copied(&mut self, piece: Piece) {
        match self.call.copied(piece, &mut self.ends[SENDER], self.now, &self.host.tcp) {
            Some(n_paid) => self.send_paid(n_paid),
            None => self.send_buffered(SENDER, self.now),
        }
    }

    fn segment_read(&mut self) {
        let receiver = &mut self.ends[RECEIVER].receiver;
        if receiver.read_to() < self.first_window {
            self.times.opened = self.now;
        }
        let (_, must_acknowledge) = receiver.read(self.now, &self.host.tcp);
        if must_acknowledge {
            self.start(RECEIVER, self.host.costs.make_ack, Job::Acknowledge(()));
        }
    }
}
