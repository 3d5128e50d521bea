//! One transfer on an idle path in progress: hosts and wires, event by event. Hosts act in `ends`
//! and `steering`, wires in `timing`.

use host::process::{Job, WriteCall};
use host::rx::{NapiId, RxQueueId, RxQueues};
use host::tcp::{Endpoint, Flags, Incoming};
use host::{Cpus, Head, HostModel, TickClock, Transfer, WhileBlocked};
use quantity::Time;

use super::frame::Frame;
use super::steering::{N_CPUS, kernel_cpu, rx_queues};
use super::timing::{Medium, Path, RECEIVER, SENDER, Servers, Span};
use super::transfer::{SATURATED_WINDOW, TransferTimes, Writes};
use crate::events::EventQueue;

#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    /// A frame has crossed a leg.
    Arrive { leg: usize, frame: Frame },
    /// A piece of process work may be over.
    JobEnd { node: usize },
    /// A node has sent a frame whole.
    HasSent { node: usize },
    /// The interrupt delay of a receive queue has passed.
    Interrupt { queue: RxQueueId },
    /// A processor may have finished the frames that it took from a receive queue.
    Polled { context: NapiId },
}

/// The state at an acknowledgement.
#[derive(Debug, Default)]
pub(super) struct Snapshot {
    pub outline: [u64; 5],
    pub state: Vec<u64>,
    pub now: Time,
    pub acknowledged: u64,
}

/// A leg from one node to the next, with its transmitters.
#[derive(Debug)]
pub(super) struct Leg {
    pub servers: Servers,
    /// The node at its end.
    pub node: usize,
}

/// A transfer in progress.
#[derive(Debug)]
pub(super) struct Run<'a> {
    pub path: &'a Path,
    pub host: &'a HostModel,
    pub now: Time,
    pub events: EventQueue<Event>,
    /// Processors, per node.
    pub cpus: Vec<Cpus<Job<()>>>,
    /// Receive queues, per leg, of hosts that queue frames.
    pub rx: RxQueues<Frame>,
    /// The processors on which the kernels of both ends work for the connection.
    pub cpu_of_end: [u32; 2],
    /// Departure of the last frame from each end; frames of one processor do not overtake.
    pub left_at: [Time; 2],
    /// The legs of the forward route, then those of the reverse route.
    pub legs: Vec<Leg>,
    pub hubs: Vec<Medium>,
    pub ends: [Endpoint; 2],
    pub call: WriteCall<()>,
    /// Bytes that the window allows before any are read.
    pub first_window: u64,
    /// The most segments in flight that the window ever allows.
    pub most_in_flight: u32,
    pub times: TransferTimes,
    pub has_departed: bool,
    pub is_written: bool,
    pub snapshot: Snapshot,
    /// Whether a tick of the clock was waited for, so that the phase of the clock matters.
    pub waits_for_ticks: bool,
    pub n_acknowledgements: u32,
    /// The acknowledgement at which the next snapshot is taken.
    pub next_snapshot: u32,
    /// Whether whole periods are jumped over; if not, the first one ends the run.
    pub jumps: bool,
    pub period: (Time, u64),
}

impl<'a> Run<'a> {
    pub fn new(path: &'a Path, host: &'a HostModel, writes: Writes, window: u32) -> Run<'a> {
        let segment_bytes = host.tcp.largest_payload(path.is_v6);
        let first_window = u64::from(host.tcp.window(0, segment_bytes));
        let most_in_flight = most_in_flight(first_window, segment_bytes);
        let window = window.clamp(1, most_in_flight);
        let transfer = Transfer { head: Head::default(), header: writes.header, body: writes.body };
        let mut ends = [window, 1].map(|window| Endpoint::in_use(segment_bytes, window, &host.tcp));
        ends[RECEIVER].receiver.expect_transfer(transfer);
        let n_cpus = if host.processors.n_cpus == 1 { 1 } else { N_CPUS };
        let pause = host.pause_after_frame();
        let leg = |span: &Span| Leg { servers: Servers::new(span, pause), node: span.processor };
        Run {
            path,
            host,
            now: Time::ZERO,
            events: EventQueue::new(),
            cpus: vec![Cpus::new(n_cpus); path.n_processors],
            rx: rx_queues(path, host, n_cpus),
            cpu_of_end: [SENDER, RECEIVER].map(|end| kernel_cpu(&host.processors, end, false)),
            left_at: [Time::ZERO; 2],
            legs: path.there.iter().chain(&path.back).map(leg).collect(),
            hubs: vec![Medium::default(); path.n_hubs],
            ends,
            call: WriteCall::new((), transfer, WhileBlocked::Waits),
            first_window,
            most_in_flight,
            times: TransferTimes::default(),
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

    /// Runs until `bytes` are read, or the period of an endless transfer is known.
    pub fn simulate(&mut self, bytes: u64) {
        self.step(SENDER);
        while !self.is_over(bytes) && self.period.1 == 0 {
            if !self.happens_next() && !self.acknowledge_by_timer() {
                break;
            }
        }
        self.times.read = self.now;
    }

    /// Handles the next event; returns whether there was one.
    pub fn happens_next(&mut self) -> bool {
        let Some((time, event)) = self.events.pop() else { return false };
        self.now = time;
        match event {
            Event::Arrive { leg, frame } => self.arrive(leg, frame),
            Event::JobEnd { node } => self.job_end(node),
            Event::HasSent { node } => {
                self.cpus[node].charge(0, time, self.host.costs.sent);
            }
            Event::Interrupt { queue } => self.interrupt_due(queue),
            Event::Polled { context } => self.polled(context),
        }
        true
    }

    /// Returns whether `bytes` are read and the process is idle: an acknowledgement caused by
    /// reading comes first.
    fn is_over(&self, bytes: u64) -> bool {
        self.ends[RECEIVER].receiver.read_to() >= bytes && self.cpus[RECEIVER].job().is_none()
    }

    /// Sends acknowledgements of earlier data ahead, each by its span; returns the start of the
    /// transfer.
    pub fn begin_behind(&mut self, ahead: impl DoubleEndedIterator<Item = Time> + Clone) -> Time {
        let begin = ahead.clone().max().unwrap_or(Time::ZERO);
        for span in ahead.rev().filter(|&span| span > Time::ZERO) {
            let (acknowledged, flags) = (0, Flags::default());
            let segment = Incoming { sequence: 0, payload: 0, flags, acknowledged, window: 0 };
            self.cross(0, Frame { to: RECEIVER, segment }, begin - span);
        }
        self.now = begin;
        begin
    }

    /// Sends a frame over a leg.
    pub fn cross(&mut self, leg: usize, frame: Frame, time: Time) {
        let bytes = self.host.tcp.frame_sizes(frame.segment.payload, self.path.is_v6).1;
        let crossed = self.legs[leg].servers.cross(&mut self.hubs, bytes, time);
        self.events.push(crossed.heard, Event::Arrive { leg, frame });
        if self.host.costs.sent > Time::ZERO {
            self.events.push(crossed.sent, Event::HasSent { node: self.sender_of(leg) });
        }
    }

    /// Returns the node at the beginning of a leg.
    fn sender_of(&self, leg: usize) -> usize {
        match leg {
            0 => SENDER,
            leg if leg == self.path.there.len() => RECEIVER,
            leg => self.legs[leg - 1].node,
        }
    }

    /// Takes a frame at the end of a leg: it is queued, or the kernel processes it at once.
    fn arrive(&mut self, leg: usize, frame: Frame) {
        if self.rx.is_used() {
            return self.queue_received(leg, frame);
        }
        let node = self.legs[leg].node;
        if node == frame.to {
            let work = self.host.costs.receive_segment(frame.segment.payload);
            let done = self.charge(node, self.now, work);
            self.take_segment(node, &frame.segment, done);
            self.step(node);
            self.end_taken(node);
        } else {
            let ip_bytes = self.host.tcp.frame_sizes(frame.segment.payload, self.path.is_v6).0;
            let work = self.host.costs.forward.of(u64::from(ip_bytes));
            let done = self.cpus[node].charge(0, self.now, work);
            self.cross(leg + 1, frame, done);
        }
    }

    /// Looks for a period after the sender has taken an acknowledgement.
    pub fn end_taken(&mut self, end: usize) {
        if end == SENDER {
            self.look_for_period();
        }
    }

    /// Sends the delayed acknowledgement by its timer when no other event is pending, on a clock
    /// that first ticks after half a period; returns whether one was due.
    fn acknowledge_by_timer(&mut self) -> bool {
        let tick = self.host.tcp.tick;
        let ticks = TickClock::new(tick, Time::from_ps(tick.ps() / 2));
        let Some(due) = self.ends[RECEIVER].ack_due(self.now, ticks) else { return false };
        self.now = due;
        self.waits_for_ticks = tick > Time::ZERO;
        self.ends[RECEIVER].note_late_ack(&self.host.tcp);
        self.acknowledge(RECEIVER, due);
        true
    }

    /// Returns the segments in flight that the congestion window allows, limited to the most that
    /// the receiver's window ever allows.
    pub fn congestion_window(&self) -> u32 {
        self.ends[SENDER].sender.in_flight(&self.host.tcp).1.min(self.most_in_flight)
    }

    /// Returns the congestion window after all data are acknowledged.
    pub fn window_at_rest(mut self) -> u32 {
        if self.rx.is_used() {
            while self.happens_next() {}
            // Data not yet acknowledged will be acknowledged by data in the other direction.
            self.ends[SENDER].sender.acknowledge_all(self.now, &self.host.tcp);
        }
        self.congestion_window()
    }
}

/// Returns the number of segments that a window can hold, including the small ones of a header.
fn most_in_flight(window: u64, segment_bytes: u32) -> u32 {
    (window / u64::from(segment_bytes) + 2).min(u64::from(SATURATED_WINDOW)) as u32
}
