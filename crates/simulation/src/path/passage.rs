//! One transfer on an idle path, segment by segment, as the recurrence that the stages define: a
//! segment leaves a stage when it has come, when the one before it has left, and when window,
//! buffer and processor allow it.
//!
//! Such a recurrence falls into a period after a few round trips, however long the transfer (the
//! cyclicity of max-plus systems; Baccelli, Cohen, Olsder, Quadrat 1992, chapter 3). The period is
//! looked for at every acknowledgement, by Brent's method, and the transfer jumps over all of it
//! but the end. So the time of a transfer costs a few dozen segments to work out, and its period is
//! the rate that the path keeps up for ever.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use quantity::Time;

use super::ends::{Ack, Receiving, Sending};
use super::processor::{Job, Processor};
use super::timing::{Medium, Path, RECEIVER, SENDER, Servers};
use crate::host::HostModel;

/// Beyond any window that matters: a connection that has been in use for a while.
pub const WARM: u32 = 1 << 20;

/// Segments of a write from which a period is looked for.
const SEGMENTS_FOR_A_PERIOD: u64 = 16;
/// Acknowledgements after which a transfer without end counts as periodic as it is.
const MOST_ACKNOWLEDGEMENTS: u32 = 1_024;

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
}

/// Returns the passage of a transfer between hosts that do nothing else, on a connection of which
/// everything is acknowledged.
///
/// `congestion_window` is in segments; [`WARM`] does not limit.
pub fn passage(path: &Path, host: &HostModel, writes: Writes, congestion_window: u32) -> Passage {
    let mut run = Run::new(path, host, writes, congestion_window);
    run.play(writes.bytes());
    run.passage.congestion_window = run.sending.congestion_window;
    run.passage
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
enum Event {
    /// A segment has crossed span `span` of the way there.
    Segment { span: usize, payload: u32 },
    /// An acknowledgement has crossed span `span` of the way back.
    Acknowledgement { span: usize, acknowledged: u64, edge: u64 },
    /// A piece of process work may be over.
    JobEnd { processor: usize },
}

/// What stood when an acknowledgement came.
#[derive(Debug, Default)]
struct Snapshot {
    state: Vec<u64>,
    now: Time,
    acknowledged: u64,
}

#[derive(Debug)]
struct Run<'a> {
    path: &'a Path,
    host: &'a HostModel,
    segment_bytes: u32,
    now: Time,
    n_events: u64,
    events: BinaryHeap<Reverse<(Time, u64, Event)>>,
    processors: Vec<Processor>,
    there: Vec<Servers>,
    back: Vec<Servers>,
    hubs: Vec<Medium>,
    sending: Sending,
    receiving: Receiving,
    /// What the window lets be sent before anything is read.
    first_window: u64,
    /// The most segments that buffer and window ever let be in flight.
    most_in_flight: u32,
    passage: Passage,
    has_departed: bool,
    is_written: bool,
    snapshot: Snapshot,
    /// Whether a tick of the clock was waited for: the phase of the clock matters.
    waits_for_ticks: bool,
    n_acknowledgements: u32,
    /// The acknowledgement at which the next snapshot is taken.
    next_snapshot: u32,
    /// Whether whole periods are jumped over; otherwise the first one ends the run.
    jumps: bool,
    period: (Time, u64),
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

    fn handle(&mut self, event: Event) {
        match event {
            Event::Segment { span, payload } => self.segment_arrived(span, payload),
            Event::Acknowledgement { span, acknowledged, edge } => {
                self.acknowledgement_arrived(span, Ack { acknowledged, edge });
            }
            Event::JobEnd { processor } => self.job_end(processor),
        }
    }

    fn push(&mut self, time: Time, event: Event) {
        self.n_events += 1;
        self.events.push(Reverse((time, self.n_events, event)));
    }

    /// Lets the frame of a segment cross one span of the way there.
    fn send_segment(&mut self, span: usize, payload: u32, time: Time) {
        if !std::mem::replace(&mut self.has_departed, true) {
            self.passage.departed = time;
        }
        let bytes = self.host.tcp.frame_sizes(payload, self.path.is_v6).1;
        let heard = self.there[span].cross(&mut self.hubs, bytes, time);
        self.push(heard, Event::Segment { span, payload });
    }

    fn send_acknowledgement(&mut self, span: usize, ack: Ack, time: Time) {
        let bytes = self.host.tcp.frame_sizes(0, self.path.is_v6).1;
        let heard = self.back[span].cross(&mut self.hubs, bytes, time);
        let Ack { acknowledged, edge } = ack;
        self.push(heard, Event::Acknowledgement { span, acknowledged, edge });
    }

    fn segment_arrived(&mut self, span: usize, payload: u32) {
        let processor = self.path.there[span].processor;
        if processor != RECEIVER {
            let done = self.forward(processor, payload);
            self.send_segment(span + 1, payload, done);
            return;
        }
        let work = self.host.costs.receive.of(u64::from(payload));
        let done = self.processors[RECEIVER].charge(self.now, work);
        if self.passage.reached == Time::ZERO {
            self.passage.reached = done;
        }
        self.passage.taken = done;
        if self.receiving.take(payload, done, &self.host.tcp) {
            self.acknowledge_by_kernel(done);
        }
        self.step(RECEIVER);
    }

    fn acknowledge_by_kernel(&mut self, now: Time) {
        let made = self.processors[RECEIVER].charge(now, self.host.costs.make_ack);
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
        self.processors[processor].charge(self.now, self.host.costs.forward.of(ip_bytes))
    }

    fn acknowledgement_arrived(&mut self, span: usize, ack: Ack) {
        let processor = self.path.back[span].processor;
        if processor != SENDER {
            let done = self.forward(processor, 0);
            self.send_acknowledgement(span + 1, ack, done);
            return;
        }
        let done = self.processors[SENDER].charge(self.now, self.host.costs.take_ack);
        self.sending.acknowledge(ack, self.most_in_flight);
        self.send_buffered(done);
        self.step(SENDER);
        self.look_for_period();
    }

    /// Sends what is buffered as far as the windows allow, by the kernel.
    fn send_buffered(&mut self, now: Time) {
        let mut time = now;
        while self.sending.may_send() {
            time = self.processors[SENDER].charge(time, self.host.costs.send_fixed);
            if let Some(payload) = self.sending.send() {
                self.send_segment(0, payload, time);
            }
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
    fn step(&mut self, processor: usize) {
        while self.processors[processor].job.is_none() {
            let next = if processor == SENDER { self.next_write() } else { self.next_read() };
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
        let payload = self.sending.left.min(u64::from(self.segment_bytes)) as u32;
        if !self.sending.has_room(payload, &self.host.tcp) {
            return None;
        }
        let costs = &self.host.costs;
        let leaves = self.sending.would_leave(payload);
        let mut work = costs.send_copy.of(u64::from(payload));
        if !self.sending.is_entered {
            work += costs.write_call;
        }
        if leaves {
            work += costs.send_fixed;
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
                let is_paid = leaves && self.sending.would_leave(payload);
                self.sending.buffer(payload);
                if !is_paid {
                    self.send_buffered(self.now);
                } else if let Some(payload) = self.sending.send() {
                    self.send_segment(0, payload, self.now);
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

    /// Compares what stands with the snapshot: where they are equal but for the time, everything
    /// between them happens again until the write comes to its end.
    fn look_for_period(&mut self) {
        self.n_acknowledgements += 1;
        let segment = u64::from(self.segment_bytes);
        if self.sending.left < SEGMENTS_FOR_A_PERIOD * segment {
            return;
        }
        let state = self.describe();
        let span = self.now.saturating_sub(self.snapshot.now);
        let bytes = self.sending.acknowledged - self.snapshot.acknowledged;
        if state == self.snapshot.state && bytes > 0 {
            self.jump(span, bytes);
        } else if self.n_acknowledgements == self.next_snapshot {
            if self.n_acknowledgements >= MOST_ACKNOWLEDGEMENTS && !self.jumps {
                self.period = (span, bytes);
            }
            let (now, acknowledged) = (self.now, self.sending.acknowledged);
            self.snapshot = Snapshot { state, now, acknowledged };
            self.next_snapshot *= 2;
        }
    }

    /// Everything the future depends on, but for the time and what is left to write.
    fn describe(&self) -> Vec<u64> {
        let (now, acknowledged) = (self.now, self.sending.acknowledged);
        let mut state = Vec::with_capacity(128);
        if self.waits_for_ticks {
            state.push(now.ps() % self.host.tcp.tick.ps());
        }
        self.processors.iter().for_each(|processor| processor.describe(now, &mut state));
        let servers = self.there.iter().chain(&self.back);
        servers.for_each(|servers| servers.describe(now, &mut state));
        self.hubs.iter().for_each(|medium| medium.describe(now, &mut state));
        self.sending.describe(&mut state);
        self.receiving.describe(acknowledged, &mut state);
        let mut events: Vec<_> = self.events.iter().map(|Reverse(event)| *event).collect();
        events.sort_unstable();
        for (time, _, event) in events {
            state.push(time.saturating_sub(now).ps());
            state.extend(match event {
                Event::Segment { span, payload } => [0, span as u64, u64::from(payload), 0],
                Event::Acknowledgement { span, acknowledged: to, edge } => {
                    [1, span as u64, to.wrapping_sub(acknowledged), edge - acknowledged]
                }
                Event::JobEnd { processor } => [2, processor as u64, 0, 0],
            });
        }
        state
    }

    /// Jumps over as many whole periods as end before the write does.
    fn jump(&mut self, span: Time, bytes: u64) {
        if !self.jumps {
            self.period = (span, bytes);
            return;
        }
        let n = (self.sending.left - u64::from(self.segment_bytes)) / bytes;
        let (span, bytes) = (Time::from_ps(span.ps() * n), bytes * n);
        self.processors.iter_mut().for_each(|processor| processor.put_off(span));
        self.there.iter_mut().chain(&mut self.back).for_each(|servers| servers.put_off(span));
        self.hubs.iter_mut().for_each(|medium| medium.put_off(span));
        self.sending.skip(bytes);
        self.receiving.skip(bytes);
        self.now += span;
        self.passage.taken += span;
        let events = std::mem::take(&mut self.events);
        let events = events.into_iter().map(|Reverse(event)| Reverse(later(event, span, bytes)));
        self.events = events.collect();
    }
}

fn later((time, number, event): (Time, u64, Event), span: Time, bytes: u64) -> (Time, u64, Event) {
    let event = match event {
        Event::Acknowledgement { span, acknowledged, edge } => {
            Event::Acknowledgement { span, acknowledged: acknowledged + bytes, edge: edge + bytes }
        }
        other => other,
    };
    (time + span, number, event)
}

/// Returns how many segments a window can hold, small ones of a header included.
fn most_in_flight(window: u64, segment_bytes: u32) -> u32 {
    (window / u64::from(segment_bytes) + 2).min(u64::from(WARM)) as u32
}
