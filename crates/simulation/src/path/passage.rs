//! One transfer on an idle path, segment by segment, as the recurrence that the stages define: a
//! segment leaves a stage when it has come, when the one before it has left, and when window,
//! buffer and processor allow it.
//!
//! Such a recurrence falls into a period after a few round trips, however long the transfer (the
//! cyclicity of max-plus systems; Baccelli, Cohen, Olsder, Quadrat 1992, chapter 3), which `period`
//! looks for. So the time of a transfer costs a few dozen segments to work out, and its period is
//! the rate that the path keeps up for ever.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use host::HostModel;
use quantity::Time;

use super::ends::{Ack, Receiving, Segment, Sending};
use super::lanes::{Frame, LaneId, Lanes, ServerId, kernel_cpu};
use super::opening::{LastAcks, Opening};
use super::period::Snapshot;
use super::processor::{Job, Processor};
use super::timing::{Medium, Path, RECEIVER, SENDER, Servers};

/// Beyond any window that matters: a connection that has been in use for a while.
pub const WARM: u32 = 1 << 20;

/// What a process writes in one go, as two writes; a part of zero bytes is not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Writes {
    /// Bytes of the header.
    pub header: u32,
    /// Bytes of the body.
    pub body: u64,
}

impl Writes {
    /// Returns the bytes of both.
    pub fn bytes(&self) -> u64 {
        u64::from(self.header) + self.body
    }
}

/// When a transfer that begins at zero passes which point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Passage {
    /// The write has returned.
    pub written: Time,
    /// The first segment has been handed to the first wire.
    pub departed: Time,
    /// The first segment has been taken in by the receiving kernel.
    pub reached: Time,
    /// As much has been read as a receiver that never reads would let be sent, or all of it.
    pub opened: Time,
    /// The last segment has been taken in by the receiving kernel.
    pub taken: Time,
    /// The process at the other end, which listens all the time, has read the last byte.
    pub read: Time,
    /// The congestion window at the end, in segments.
    pub congestion_window: u32,
    /// When the last acknowledgements left the node that reads.
    pub acks: LastAcks,
}

/// Returns the passage of a transfer between hosts that do nothing else, on a connection of which
/// everything is acknowledged.
pub fn passage(path: &Path, host: &HostModel, writes: Writes, opening: Opening) -> Passage {
    let mut run = Run::new(path, host, writes, opening.congestion_window);
    let begin = run.begin_behind(opening.ahead);
    run.play(writes.bytes());
    let passage = run.passage.since(begin);
    Passage { congestion_window: run.window_at_rest(), ..passage }
}

impl Passage {
    /// Returns the same with times from `begin` on.
    fn since(self, begin: Time) -> Passage {
        let since = |time: Time| time.saturating_sub(begin);
        Passage {
            written: since(self.written),
            departed: since(self.departed),
            reached: since(self.reached),
            opened: since(self.opened),
            taken: since(self.taken),
            read: since(self.read),
            acks: self.acks.map(since),
            ..self
        }
    }
}

/// Returns how long a path takes for how many bytes, again and again, once it is in its period.
pub(super) fn period(path: &Path, host: &HostModel) -> (Time, u64) {
    let endless = Writes { header: 0, body: u64::MAX / 4 };
    let mut run = Run::new(path, host, endless, WARM);
    run.jumps = false;
    run.play(endless.bytes());
    run.period
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Event {
    /// A segment has crossed span `span` of the way there.
    Segment { span: usize, segment: Segment },
    /// An acknowledgement has crossed span `span` of the way back.
    Acknowledgement { span: usize, acknowledged: u64, edge: u64 },
    /// An acknowledgement of earlier data has crossed span `span` of the way there.
    Ahead { span: usize },
    /// A piece of process work may be over.
    JobEnd { processor: usize },
    /// An interrupt has waited long enough.
    Interrupt { lane: LaneId },
    /// A processor may be done with what it has taken from a lane.
    Served { server: ServerId },
}

#[derive(Debug)]
pub(super) struct Run<'a> {
    pub path: &'a Path,
    pub host: &'a HostModel,
    pub segment_bytes: u32,
    pub now: Time,
    pub n_events: u64,
    pub events: BinaryHeap<Reverse<(Time, u64, Event)>>,
    pub processors: Vec<Processor>,
    pub lanes: Lanes,
    /// The processors on which the kernels of both ends work for the connection.
    pub cpus: [usize; 2],
    /// When the last frame left each end: what one processor sends does not overtake another's.
    pub left_at: [Time; 2],
    pub there: Vec<Servers>,
    pub back: Vec<Servers>,
    pub hubs: Vec<Medium>,
    pub sending: Sending,
    pub receiving: Receiving,
    /// What the window lets be sent before anything is read.
    pub first_window: u64,
    /// The most segments that buffer and window ever let be in flight.
    pub most_in_flight: u32,
    pub passage: Passage,
    pub has_departed: bool,
    pub is_written: bool,
    pub snapshot: Snapshot,
    /// Whether a tick of the clock was waited for: the phase of the clock matters.
    pub waits_for_ticks: bool,
    pub n_acknowledgements: u32,
    /// The acknowledgement at which the next snapshot is taken.
    pub next_snapshot: u32,
    /// Whether whole periods are jumped over; otherwise the first one ends the run.
    pub jumps: bool,
    pub period: (Time, u64),
}

impl<'a> Run<'a> {
    fn new(path: &'a Path, host: &'a HostModel, writes: Writes, window: u32) -> Run<'a> {
        let segment_bytes = host.tcp.largest_payload(path.is_v6);
        let receiving = Receiving::new(segment_bytes, &host.tcp);
        let most_in_flight = most_in_flight(receiving.edge(), segment_bytes);
        let (first_window, window) = (receiving.edge(), window.clamp(1, most_in_flight));
        Run {
            path,
            host,
            segment_bytes,
            now: Time::ZERO,
            n_events: 0,
            events: BinaryHeap::new(),
            processors: vec![Processor::default(); path.n_processors],
            cpus: [SENDER, RECEIVER].map(|end| kernel_cpu(&host.processors, end, false)),
            left_at: [Time::ZERO; 2],
            lanes: Lanes::new(path, host),
            there: path.there.iter().map(Servers::new).collect(),
            back: path.back.iter().map(Servers::new).collect(),
            hubs: vec![Medium::default(); path.n_hubs],
            sending: Sending::new(writes.header, writes.body, receiving.edge(), window),
            receiving,
            first_window,
            most_in_flight,
            passage: Passage::default(),
            has_departed: false,
            is_written: false,
            snapshot: Snapshot::default(),
            waits_for_ticks: false,
            n_acknowledgements: 0,
            next_snapshot: 1,
            jumps: true,
            period: (Time::ZERO, 0),
        }
    }

    /// Goes on until so many bytes are read, or the period of a transfer without end is known.
    fn play(&mut self, bytes: u64) {
        self.step(SENDER);
        while !self.is_over(bytes) && self.period.1 == 0 {
            match self.events.pop() {
                Some(Reverse((time, _, event))) => {
                    self.now = time;
                    self.handle(event);
                }
                None if !self.acknowledge_by_timer() => break,
                None => {}
            }
        }
        self.passage.read = self.now;
    }

    /// Returns whether so many bytes are read and the process is free to say so: an acknowledgement
    /// that reading called for goes before.
    fn is_over(&self, bytes: u64) -> bool {
        self.receiving.read_to >= bytes && self.processors[RECEIVER].job.is_none()
    }

    /// Lets acknowledgements go ahead, each so long; returns when the transfer begins.
    fn begin_behind(&mut self, ahead: LastAcks) -> Time {
        let begin = ahead.into_iter().max().unwrap_or(Time::ZERO);
        for span in ahead.into_iter().rev().filter(|&span| span > Time::ZERO) {
            self.send_ahead(0, begin - span);
        }
        self.now = begin;
        begin
    }

    /// Lets an acknowledgement cross one span of the way there.
    pub fn send_ahead(&mut self, span: usize, time: Time) {
        let bytes = self.host.tcp.frame_sizes(0, self.path.is_v6).1;
        let heard = self.there[span].cross(&mut self.hubs, bytes, time);
        self.push(heard, Event::Ahead { span });
    }

    /// Returns the congestion window when all is acknowledged.
    fn window_at_rest(mut self) -> u32 {
        if self.lanes.is_used() {
            while let Some(Reverse((time, _, event))) = self.events.pop() {
                self.now = time;
                self.handle(event);
            }
            // What nothing has acknowledged goes with data the other way.
            let all = self.sending.all_acknowledged();
            self.sending.acknowledge(all, self.most_in_flight, &self.host.tcp);
        }
        self.sending.congestion_window
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Segment { span, segment } if self.lanes.is_used() => {
                self.queue_received(self.lanes.there(span), Frame::Data(segment));
            }
            Event::Acknowledgement { span, acknowledged, edge } if self.lanes.is_used() => {
                let ack = Ack { acknowledged, edge };
                self.queue_received(self.lanes.back(span), Frame::Ack(ack));
            }
            Event::Ahead { span } => self.queue_received(self.lanes.there(span), Frame::Ahead),
            Event::Segment { span, segment } => self.segment_arrived(span, segment),
            Event::Acknowledgement { span, acknowledged, edge } => {
                self.acknowledgement_arrived(span, Ack { acknowledged, edge });
            }
            Event::JobEnd { processor } => self.job_end(processor),
            Event::Interrupt { lane } => self.interrupt_due(lane),
            Event::Served { server } => self.served(server),
        }
    }

    pub fn push(&mut self, time: Time, event: Event) {
        self.n_events += 1;
        self.events.push(Reverse((time, self.n_events, event)));
    }

    /// Lets the frame of a segment cross one span of the way there.
    pub fn send_segment(&mut self, span: usize, segment: Segment, mut time: Time) {
        if span == 0 {
            time = self.leave(SENDER, time);
        }
        if !std::mem::replace(&mut self.has_departed, true) {
            self.passage.departed = time;
        }
        let bytes = self.host.tcp.frame_sizes(segment.payload, self.path.is_v6).1;
        let heard = self.there[span].cross(&mut self.hubs, bytes, time);
        self.push(heard, Event::Segment { span, segment });
    }

    /// Returns when a frame leaves an end that is ready at `time`.
    fn leave(&mut self, end: usize, time: Time) -> Time {
        self.left_at[end] = self.left_at[end].max(time);
        self.left_at[end]
    }

    pub fn send_acknowledgement(&mut self, span: usize, ack: Ack, mut time: Time) {
        if span == 0 {
            time = self.leave(RECEIVER, time);
            self.passage.acks.rotate_right(1);
            self.passage.acks[0] = time;
        }
        let bytes = self.host.tcp.frame_sizes(0, self.path.is_v6).1;
        let heard = self.back[span].cross(&mut self.hubs, bytes, time);
        let Ack { acknowledged, edge } = ack;
        self.push(heard, Event::Acknowledgement { span, acknowledged, edge });
    }

    fn segment_arrived(&mut self, span: usize, segment: Segment) {
        let processor = self.path.there[span].processor;
        if processor != RECEIVER {
            let done = self.forward(processor, segment.payload);
            self.send_segment(span + 1, segment, done);
            return;
        }
        let work = self.host.costs.receive.of(u64::from(segment.payload));
        let done = self.charge(RECEIVER, self.now, work);
        self.take_segment(segment.payload, done);
        self.step(RECEIVER);
    }

    /// Charges the kernel of an end for work on the connection; returns when it is done.
    fn charge(&mut self, end: usize, now: Time, work: Time) -> Time {
        self.processors[end].charge(self.cpus[end], now, work)
    }

    /// Lets TCP take data when the kernel is `done` with them.
    pub fn take_segment(&mut self, payload: u32, done: Time) {
        if self.passage.reached == Time::ZERO {
            self.passage.reached = done;
        }
        self.passage.taken = done;
        if self.receiving.take(payload, done, &self.host.tcp) {
            self.acknowledge_by_kernel(done);
        }
    }

    fn acknowledge_by_kernel(&mut self, now: Time) {
        let made = self.charge(RECEIVER, now, self.host.costs.make_ack);
        let ack = self.receiving.acknowledge(&self.host.tcp);
        self.send_acknowledgement(0, ack, made);
    }

    /// When nothing else will ever happen, the acknowledgement that is owed leaves by its timer;
    /// returns whether one was.
    fn acknowledge_by_timer(&mut self) -> bool {
        let Some(due) = self.receiving.timer(self.now, &self.host.tcp) else { return false };
        self.now = due;
        self.waits_for_ticks = self.host.tcp.tick > Time::ZERO;
        self.acknowledge_by_kernel(due);
        true
    }

    fn forward(&mut self, processor: usize, payload: u32) -> Time {
        let ip_bytes = u64::from(self.host.tcp.frame_sizes(payload, self.path.is_v6).0);
        self.processors[processor].charge(0, self.now, self.host.costs.forward.of(ip_bytes))
    }

    fn acknowledgement_arrived(&mut self, span: usize, ack: Ack) {
        let processor = self.path.back[span].processor;
        if processor != SENDER {
            let done = self.forward(processor, 0);
            self.send_acknowledgement(span + 1, ack, done);
            return;
        }
        let done = self.charge(SENDER, self.now, self.host.costs.take_ack);
        self.take_acknowledgement(ack, done);
        self.step(SENDER);
        self.look_for_period();
    }

    /// Lets TCP take an acknowledgement when the kernel is `done` with it.
    pub fn take_acknowledgement(&mut self, ack: Ack, done: Time) {
        self.sending.acknowledge(ack, self.most_in_flight, &self.host.tcp);
        self.send_buffered(done);
    }

    /// Sends what is buffered as far as the windows allow, by the kernel.
    fn send_buffered(&mut self, now: Time) {
        let HostModel { costs, queues, .. } = self.host;
        let mut time = now;
        // What still goes to the interface with the frame before.
        let mut left = 0;
        while self.sending.may_send() {
            let work = if left == 0 { costs.send_fixed } else { costs.send_frame };
            time = self.charge(SENDER, time, work);
            let Some(segment) = self.sending.send() else { return };
            let together = if left == 0 { queues.send_bytes } else { left };
            left = together.saturating_sub(segment.payload);
            self.send_segment(0, segment, time);
        }
    }

    fn job_end(&mut self, processor: usize) {
        let state = &mut self.processors[processor];
        if state.job_end > self.now {
            let time = state.job_end;
            self.push(time, Event::JobEnd { processor });
        } else if let Some(job) = state.job.take() {
            self.finish(job);
            self.step(processor);
        }
    }

    /// Lets an idle process go on as far as it can without time passing.
    pub fn step(&mut self, processor: usize) {
        while self.processors[processor].job.is_none() {
            let next = match processor {
                SENDER => self.next_write(),
                RECEIVER => self.next_read(),
                _ => None,
            };
            let Some((job, work)) = next else { return };
            self.start(processor, work, job);
        }
    }

    fn start(&mut self, processor: usize, work: Time, job: Job) {
        if self.processors[processor].start(self.now, work, job) {
            self.finish(job);
        } else {
            let end = self.processors[processor].job_end;
            self.push(end, Event::JobEnd { processor });
        }
    }

    fn next_write(&mut self) -> Option<(Job, Time)> {
        if !self.sending.has_more() {
            if !std::mem::replace(&mut self.is_written, true) {
                self.passage.written = self.now;
            }
            return None;
        }
        let segment = self.segment_bytes;
        let most = match self.host.queues.send_bytes / segment {
            0 | 1 => segment,
            most => self.sending.room(segment, &self.host.tcp).clamp(1, most) * segment,
        };
        let payload = self.sending.left.min(u64::from(most)) as u32;
        if !self.sending.has_room(payload, &self.host.tcp) {
            return None;
        }
        let costs = &self.host.costs;
        let leaves = self.sending.would_leave(payload.min(segment));
        let mut work = costs.send_copy.of(u64::from(payload));
        if !self.sending.is_entered {
            work += costs.write_call;
        }
        if leaves {
            let n_more = u64::from(payload.div_ceil(segment).saturating_sub(1));
            work += costs.send_fixed + costs.send_frame * n_more;
        }
        Some((Job::Segment { payload, leaves }, work))
    }

    fn next_read(&self) -> Option<(Job, Time)> {
        let payload = self.receiving.next_unread()?;
        Some((Job::Read, self.host.costs.read.of(u64::from(payload))))
    }

    fn finish(&mut self, job: Job) {
        match job {
            Job::Segment { payload, leaves } => {
                let segment = self.segment_bytes;
                let is_paid = leaves && self.sending.would_leave(payload.min(segment));
                self.sending.buffer(payload, segment);
                if is_paid {
                    self.send_paid(payload.div_ceil(segment));
                } else {
                    self.send_buffered(self.now);
                }
            }
            Job::Read => {
                if self.receiving.read_to < self.first_window {
                    self.passage.opened = self.now;
                }
                if self.receiving.read(&self.host.tcp) {
                    self.start(RECEIVER, self.host.costs.make_ack, Job::Acknowledge);
                }
            }
            Job::Acknowledge => {
                let ack = self.receiving.acknowledge(&self.host.tcp);
                self.send_acknowledgement(0, ack, self.now);
            }
        }
    }

    /// Sends as many segments as the process has paid for, as far as the windows allow.
    fn send_paid(&mut self, n_segments: u32) {
        for _ in 0..n_segments {
            if !self.sending.may_send() {
                return;
            }
            if let Some(segment) = self.sending.send() {
                self.send_segment(0, segment, self.now);
            }
        }
    }
}

/// Returns how many segments a window can hold, small ones of a header included.
fn most_in_flight(window: u64, segment_bytes: u32) -> u32 {
    (window / u64::from(segment_bytes) + 2).min(u64::from(WARM)) as u32
}
