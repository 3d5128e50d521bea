//! One connection over a pipe that delays, queues, marks and loses: two ends without a network. One
//! writes, the other reads at once. The laws of every transfer are asserted here.

use std::collections::BTreeMap;

use host::TcpOptions;
use host::tcp::{Endpoint, Flags, Incoming, Outgoing, SegmentOptions, TimeoutAction};
use host::transport::EndpointId;
use quantity::Time;

pub const SEGMENT: u32 = 1460;

/// The pipe from the writing end to the reading one; acknowledgements are not queued.
pub struct Pipe<'a> {
    /// One-way delay.
    pub delay: Time,
    /// Time between two segments at the bottleneck; zero for none.
    pub pace: Time,
    /// Most segments in the queue of the bottleneck.
    pub most_queued: u64,
    /// Queue length, in segments, above which the bottleneck marks.
    pub mark_above: u64,
    /// Whether the n-th data segment is lost.
    pub loses_data: &'a dyn Fn(usize) -> bool,
    /// Whether the n-th acknowledgement is lost.
    pub loses_ack: &'a dyn Fn(usize) -> bool,
}

/// The record of a transfer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Story {
    pub end: Time,
    pub n_data: usize,
    pub n_lost: usize,
    pub n_timeouts: u32,
    /// Number of probes of the tail.
    pub n_probes: u32,
    /// Time and congestion window at every acknowledgement.
    pub windows: Vec<(Time, u32)>,
    /// Time and segments in the queue at every departure.
    pub queued: Vec<(Time, u64)>,
    pub n_marked: usize,
}

#[derive(Clone, Copy)]
enum Event {
    AtReader(Incoming, Option<SegmentOptions>),
    AtWriter(Incoming, Option<SegmentOptions>),
}

struct Run<'a> {
    options: TcpOptions,
    pipe: Pipe<'a>,
    writer: Endpoint,
    reader: Endpoint,
    now: Time,
    free: Time,
    events: BTreeMap<(Time, usize), Event>,
    n_events: usize,
    n_acks: usize,
    left: u32,
    read: u64,
    story: Story,
}

/// Transfers `n_segments` full segments over a pipe, until `until` at the latest.
pub fn transfer(options: &TcpOptions, pipe: Pipe<'_>, n_segments: u32, until: Time) -> Story {
    let mut run = Run {
        options: *options,
        pipe,
        writer: Endpoint::new(EndpointId::new(1), SEGMENT, options),
        reader: Endpoint::new(EndpointId::new(0), SEGMENT, options),
        now: Time::from_ms(1),
        free: Time::ZERO,
        events: BTreeMap::new(),
        n_events: 0,
        n_acks: 0,
        left: n_segments,
        read: 0,
        story: Story::default(),
    };
    run.write();
    let total = u64::from(n_segments) * u64::from(SEGMENT);
    while run.writer.totals().1 < total && run.now < until {
        run.step();
    }
    let (written, acknowledged, ..) = run.writer.totals();
    if acknowledged == total {
        assert_eq!((written, run.read), (total, total), "every byte is read once");
    }
    run.story.end = run.now;
    run.story
}

impl Run<'_> {
    /// Advances to the next event.
    fn step(&mut self) {
        let arrival = self.events.keys().next().map_or(Time::MAX, |&(time, _)| time);
        let (timeout, ack) = (self.writer.sender.timeout_at(), self.reader.receiver.ack_at());
        let next = arrival.min(timeout).min(ack);
        assert!(next < Time::MAX, "the connection stalls at {}", self.now);
        self.now = self.now.max(next);
        if next == arrival {
            let (_, event) = self.events.pop_first().unwrap();
            match event {
                Event::AtReader(segment, header) => self.take_data(segment, header),
                Event::AtWriter(segment, header) => self.take_ack(segment, header),
            }
        } else if next == ack {
            self.acknowledge();
        } else {
            self.time_out();
        }
    }

    fn write(&mut self) {
        while self.left > 0 && self.writer.sender.has_room(SEGMENT) {
            self.left -= 1;
            self.writer.write(SEGMENT, false, self.now, &self.options);
        }
        while self.writer.sender.may_send(&self.options) {
            let segment = self.writer.send(self.now, &self.options).expect("it said it may");
            let (in_flight, most) = self.writer.sender.in_flight(&self.options);
            assert!(in_flight <= most, "{in_flight} segments in a window of {most}");
            self.send(segment);
        }
        self.writer.sender.watch_closed_window(self.now, &self.options);
    }

    fn send(&mut self, segment: Outgoing) {
        let n = self.story.n_data;
        self.story.n_data += 1;
        let pace = self.pipe.pace.ps();
        let waiting = self.free.saturating_sub(self.now).ps().checked_div(pace).unwrap_or(0);
        self.story.queued.push((self.now, waiting));
        if (self.pipe.loses_data)(n) || waiting > self.pipe.most_queued {
            self.story.n_lost += 1;
            return;
        }
        let is_marked = waiting > self.pipe.mark_above && segment.flags.has(Flags::CAPABLE);
        self.story.n_marked += usize::from(is_marked);
        self.free = self.free.max(self.now) + self.pipe.pace;
        let Outgoing { sequence, payload, flags } = segment;
        let flags = flags.with_if(is_marked, Flags::MARKED);
        let arriving = Incoming { sequence, payload, flags, acknowledged: 0, window: u32::MAX };
        let header = self.writer.header(payload, self.now, &self.options);
        self.schedule(self.free + self.pipe.delay, Event::AtReader(arriving, header));
    }

    fn schedule(&mut self, time: Time, event: Event) {
        self.n_events += 1;
        self.events.insert((time, self.n_events), event);
    }

    fn take_data(&mut self, segment: Incoming, header: Option<SegmentOptions>) {
        if let Some(header) = header {
            self.reader.on_options(&segment, &header, self.now, &self.options);
        }
        if segment.payload == 0 {
            return self.acknowledge();
        }
        if self.reader.receiver.must_acknowledge_first(segment.flags, &self.options) {
            self.acknowledge();
        }
        let mut must_acknowledge = self.reader.on_data(&segment, self.now, &self.options);
        while let Some(payload) = self.reader.receiver.next_unread() {
            self.read += u64::from(payload);
            must_acknowledge |= self.reader.receiver.read(self.now, &self.options).1;
        }
        if must_acknowledge {
            self.acknowledge();
        }
    }

    fn acknowledge(&mut self) {
        let header = self.reader.header(0, self.now, &self.options);
        let flags = Flags::default().with_if(self.reader.receiver.is_echoing(), Flags::ECHO);
        let (acknowledged, window) = self.reader.receiver.acknowledge(&self.options);
        self.n_acks += 1;
        if !(self.pipe.loses_ack)(self.n_acks) {
            let ack = Incoming { sequence: 0, payload: 0, flags, acknowledged, window };
            self.schedule(self.now + self.pipe.delay, Event::AtWriter(ack, header));
        }
    }

    fn take_ack(&mut self, ack: Incoming, header: Option<SegmentOptions>) {
        if let Some(header) = header {
            self.writer.on_options(&ack, &header, self.now, &self.options);
        }
        if self.writer.sender.on_acknowledgement(&ack, self.now, &self.options)
            && let Some(segment) = self.writer.sender.resend_first(self.now, &self.options)
        {
            self.send(segment);
        }
        self.write();
        let window = self.writer.sender.in_flight(&self.options).1;
        self.story.windows.push((self.now, window));
    }

    fn time_out(&mut self) {
        match self.writer.sender.on_timeout(self.now, &self.options) {
            TimeoutAction::Nothing => {}
            TimeoutAction::Retransmit => {
                self.story.n_timeouts += 1;
                self.write();
            }
            TimeoutAction::Repair => self.write(),
            TimeoutAction::ProbeTail => {
                self.story.n_probes += 1;
                let probe = self.writer.sender.probe_tail(self.now, &self.options);
                self.send(probe.expect("the last segment at least"));
            }
            TimeoutAction::Probe => {
                let probe = self.writer.without_data(true);
                self.send(probe);
            }
            TimeoutAction::GiveUp(n) => panic!("given up after {n} attempts"),
        }
    }
}
