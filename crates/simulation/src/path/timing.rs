//! A route and its reverse as numbers: two transfers on equal paths take the same time. Device ids
//! are left out, so that equal paths compare equal and their transfers are computed once.

use device::ethernet::{ByteTime, GAP_BYTES, PREAMBLE_BYTES};
use network::{DeviceId, NodeId, PortId};
use quantity::{Rate, Time};

use super::route::{Leg, Route, Stage};

/// The processor of the sending node, in `Path`.
pub(super) const SENDER: usize = 0;
/// The processor of the receiving node.
pub(super) const RECEIVER: usize = 1;

/// The forward and reverse routes between two nodes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Path {
    pub(super) there: Vec<Span>,
    pub(super) back: Vec<Span>,
    /// Number of processors: sender, receiver, and every node that relays in either direction.
    pub(super) n_processors: usize,
    pub(super) n_hubs: usize,
    pub(super) is_v6: bool,
}

/// The stages from one processor to the next.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Span {
    pub steps: Vec<Step>,
    pub n_lanes: u32,
    /// The processor at its end.
    pub processor: usize,
}

/// A stage without ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    Wire { rate: Rate, delay: Time, tells_first_bit: bool },
    Hub { number: usize, station: usize, rate: Rate, delay: Time },
    Switch { latency: Time, backplane: Option<Rate>, stores_at: Option<Rate> },
}

impl Path {
    /// Returns whether its packets are IPv6.
    pub fn is_v6(&self) -> bool {
        self.is_v6
    }

    /// Returns the path of data along `there`, with acknowledgements along `back`.
    pub fn new(there: &Route, back: &Route) -> Path {
        let destination = there.legs.last().map_or(there.from, |leg| leg.to);
        let nodes = vec![there.from, destination];
        let mut numbers = Numbers { nodes, hubs: Vec::new(), stations: Vec::new() };
        let mut spans = |route: &Route| route.legs.iter().map(|leg| numbers.span(leg)).collect();
        let (there_spans, back_spans) = (spans(there), spans(back));
        Path {
            there: there_spans,
            back: back_spans,
            n_processors: numbers.nodes.len(),
            n_hubs: numbers.hubs.len(),
            is_v6: there.is_v6,
        }
    }
}

/// Numbers for nodes, hubs and their stations, in the order of their first use.
struct Numbers {
    nodes: Vec<NodeId>,
    hubs: Vec<DeviceId>,
    stations: Vec<PortId>,
}

impl Numbers {
    fn span(&mut self, leg: &Leg) -> Span {
        let steps = leg.stages.iter().map(|stage| self.step(stage, leg.n_lanes)).collect();
        Span { steps, n_lanes: leg.n_lanes, processor: number(&mut self.nodes, leg.to) }
    }

    fn step(&mut self, stage: &Stage, n_lanes: u32) -> Step {
        match *stage {
            Stage::Wire { rate, delay, tells_first_bit, .. } => {
                Step::Wire { rate, delay, tells_first_bit }
            }
            Stage::Hub { hub, port, rate, delay } => Step::Hub {
                number: self.hub(hub, n_lanes),
                station: number(&mut self.stations, port),
                rate,
                delay,
            },
            Stage::Switch { latency, backplane, stores_at, .. } => {
                Step::Switch { latency, backplane: backplane.map(|(_, rate)| rate), stores_at }
            }
        }
    }
}

impl Numbers {
    /// Returns the number of a hub. A hub that represents all lanes of a bond has a consecutive
    /// number for each lane.
    fn hub(&mut self, hub: DeviceId, n_lanes: u32) -> usize {
        let found = number(&mut self.hubs, hub);
        if found + 1 == self.hubs.len() {
            self.hubs.resize(found + n_lanes.max(1) as usize, hub);
        }
        found
    }
}

fn number<I: PartialEq>(known: &mut Vec<I>, id: I) -> usize {
    known.iter().position(|other| *other == id).unwrap_or_else(|| {
        known.push(id);
        known.len() - 1
    })
}

/// The medium of a collision domain. The last sender may send again a gap after its frame, all
/// others a gap after they have heard it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Medium {
    station: usize,
    sent: Time,
    heard: Time,
}

impl Medium {
    /// Returns the earliest time at which a station may send.
    fn free(&self, station: usize) -> Time {
        if station == self.station { self.sent } else { self.heard }
    }

    /// Delays all times by `span`, for a jump over whole periods.
    pub fn put_off(&mut self, span: Time) {
        self.sent += span;
        self.heard += span;
    }

    /// Appends the state on which future times depend.
    pub fn describe(&self, now: Time, state: &mut Vec<u64>) {
        let times = [self.sent, self.heard].map(|time| time.saturating_sub(now).ps());
        state.extend([self.station as u64, times[0], times[1]]);
    }
}

/// A frame on a span.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossed {
    /// Its last bit has left the first transmitter.
    pub sent: Time,
    /// It arrives at the end.
    pub heard: Time,
}

/// The transmitters and backplanes of a span, each with the time at which it becomes free.
#[derive(Clone, Debug)]
pub(super) struct Servers {
    steps: Vec<TimedStep>,
    /// The least time between two frames of the first transmitter, that of a node.
    pause: Time,
    n_lanes: usize,
    next_lane: usize,
    /// Lane by lane, one entry per step.
    free: Vec<Time>,
}

#[derive(Clone, Copy, Debug)]
enum TimedStep {
    Wire { byte: ByteTime, delay: Time, tells_first_bit: bool },
    Hub { number: usize, station: usize, byte: ByteTime, delay: Time },
    Switch { latency: Time, backplane: Option<ByteTime>, stores_at: Option<ByteTime> },
}

impl Servers {
    /// Returns idle transmitters, the first of which needs at least `pause` between two frames.
    pub fn new(span: &Span, pause: Time) -> Servers {
        let n_lanes = span.n_lanes.max(1) as usize;
        Servers {
            steps: span.steps.iter().map(TimedStep::new).collect(),
            pause,
            n_lanes,
            next_lane: 0,
            free: vec![Time::ZERO; span.steps.len() * n_lanes],
        }
    }

    /// Sends a frame of `bytes`, offered to the first transmitter at `time`; returns its arrival at
    /// the end. `hubs` are shared with other spans.
    pub fn cross(&mut self, hubs: &mut [Medium], bytes: u32, time: Time) -> Crossed {
        let lane = self.next_lane;
        self.next_lane = (lane + 1) % self.n_lanes;
        let n_steps = self.steps.len();
        let free = &mut self.free[lane * n_steps..(lane + 1) * n_steps];
        let (mut time, mut sent, mut pause) = (time, None, self.pause);
        for (step, free) in self.steps.iter().zip(free) {
            time = match *step {
                TimedStep::Wire { byte, delay, tells_first_bit } => {
                    let start = time.max(*free);
                    let end = start + byte.of_frame(bytes);
                    *free = end + byte.of(GAP_BYTES).max(pause);
                    sent.get_or_insert(end);
                    delay + if tells_first_bit { start } else { end }
                }
                TimedStep::Hub { number, station, byte, delay } => {
                    let medium = &mut hubs[number + lane];
                    let start = time.max(medium.free(station)).max(*free);
                    let end = start + byte.of_frame(bytes);
                    *free = end + pause;
                    sent.get_or_insert(end);
                    let sent = end + byte.of(GAP_BYTES);
                    *medium = Medium { station, sent, heard: sent + delay };
                    end + delay
                }
                TimedStep::Switch { latency, backplane, stores_at } => {
                    let mut crossed = time;
                    if let Some(byte) = backplane {
                        crossed = time.max(*free);
                        *free = crossed + byte.of(bytes);
                    }
                    let stored = stores_at.map_or(Time::ZERO, |byte| byte.of_frame(bytes));
                    crossed + stored + latency
                }
            };
            pause = Time::ZERO;
        }
        Crossed { sent: sent.unwrap_or(time), heard: time }
    }

    /// Delays all times by `span`, for a jump over whole periods.
    pub fn put_off(&mut self, span: Time) {
        self.free.iter_mut().for_each(|free| *free += span);
    }

    /// Appends the state on which future times depend.
    pub fn describe(&self, now: Time, state: &mut Vec<u64>) {
        state.push(self.next_lane as u64);
        state.extend(self.free.iter().map(|free| free.saturating_sub(now).ps()));
    }
}

impl TimedStep {
    fn new(step: &Step) -> TimedStep {
        match *step {
            Step::Wire { rate, delay, tells_first_bit } => {
                TimedStep::Wire { byte: ByteTime::new(rate), delay, tells_first_bit }
            }
            Step::Hub { number, station, rate, delay } => {
                TimedStep::Hub { number, station, byte: ByteTime::new(rate), delay }
            }
            Step::Switch { latency, backplane, stores_at } => TimedStep::Switch {
                latency,
                backplane: backplane.map(ByteTime::new),
                stores_at: stores_at.map(ByteTime::new),
            },
        }
    }
}

/// Returns the time that a frame, with preamble and gap, occupies the medium of a step; zero for a
/// switch without a backplane.
pub(super) fn occupancy(step: &Step, frame_bytes: u32) -> Time {
    match *step {
        Step::Wire { rate, .. } | Step::Hub { rate, .. } => {
            ByteTime::new(rate).of(frame_bytes + PREAMBLE_BYTES + GAP_BYTES)
        }
        Step::Switch { backplane, .. } => {
            backplane.map_or(Time::ZERO, |rate| ByteTime::new(rate).of(frame_bytes))
        }
    }
}
