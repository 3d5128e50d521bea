//! Receive queues of the nodes on a path and the processors that serve them, as the packet engine
//! has them: interrupts that wait, polling while there is work, and segments that are put together.
//! In use where frames are not taken as they come (`HostModel::takes_frames_at_once`).
//!
//! Each way into a node has a lane of its own. Which processors a hash steers the two ways of a
//! connection to is a matter of luck; here they are neither one nor that of the process, where
//! there are queues enough. So it is for most connections.

use std::collections::VecDeque;

use host::{HostModel, Processors, Steering};
use quantity::Time;

use super::ends::{Ack, Segment};
use super::passage::{Event, Run};
use super::processor::N_CPUS;
use super::timing::{Path, RECEIVER, SENDER, Span};

/// Frames that a poll looks at, as in Linux.
pub(super) const POLLED_FRAMES: usize = 64;

/// Index of a lane: the spans of the way there, then those of the way back.
pub(super) type LaneId = usize;
/// Index of a processor that serves lanes: node times [`N_CPUS`], plus the processor.
pub(super) type ServerId = usize;

/// What waits in a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    Data(Segment),
    Ack(Ack),
    /// An acknowledgement of what went the other way before.
    Ahead,
}

#[derive(Clone, Debug)]
struct Lane {
    server: ServerId,
    waiting: VecDeque<Frame>,
    /// When the pending interrupt is due; `Time::MAX` for none.
    interrupt_at: Time,
    is_polled: bool,
}

#[derive(Clone, Debug, Default)]
struct Server {
    /// Lanes to be polled, in turn.
    polled: VecDeque<LaneId>,
    /// The lane that was polled last, and what was taken from it.
    lane: LaneId,
    taken: Vec<Frame>,
}

/// The lanes of all nodes; empty where frames are taken as they come.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    lanes: Vec<Lane>,
    servers: Vec<Server>,
    n_there: usize,
}

impl Lanes {
    pub fn new(path: &Path, host: &HostModel) -> Lanes {
        if host.takes_frames_at_once() {
            return Lanes::default();
        }
        let lane = |span: &Span, is_back: bool| Lane {
            server: span.processor * N_CPUS + kernel_cpu(&host.processors, span.processor, is_back),
            waiting: VecDeque::new(),
            interrupt_at: Time::MAX,
            is_polled: false,
        };
        let there = path.there.iter().map(|span| lane(span, false));
        let back = path.back.iter().map(|span| lane(span, true));
        Lanes {
            lanes: there.chain(back).collect(),
            servers: vec![Server::default(); path.n_processors * N_CPUS],
            n_there: path.there.len(),
        }
    }

    pub fn is_used(&self) -> bool {
        !self.lanes.is_empty()
    }

    /// Returns the lane at the end of a span of the way there.
    pub fn there(&self, span: usize) -> LaneId {
        span
    }

    /// Returns the lane at the end of a span of the way back.
    pub fn back(&self, span: usize) -> LaneId {
        self.n_there + span
    }

    /// Lets a processor take what it does next; returns whether there is anything.
    fn poll(&mut self, server: ServerId, most_bytes: u32) -> bool {
        let Server { polled, lane, taken } = &mut self.servers[server];
        while let Some(next) = polled.pop_front() {
            let state = &mut self.lanes[next];
            let Some(first) = state.waiting.pop_front() else {
                state.is_polled = false;
                continue;
            };
            polled.push_back(next);
            *lane = next;
            taken.push(first);
            take_more(&mut state.waiting, taken, most_bytes);
            return true;
        }
        false
    }

    /// Puts everything off by `span`, and by `bytes` of the stream, for a jump over whole periods.
    pub fn put_off(&mut self, span: Time, bytes: u64) {
        let waiting = self.lanes.iter_mut().flat_map(|lane| {
            if lane.interrupt_at < Time::MAX {
                lane.interrupt_at += span;
            }
            &mut lane.waiting
        });
        let taken = self.servers.iter_mut().flat_map(|server| &mut server.taken);
        for frame in waiting.chain(taken) {
            if let Frame::Ack(ack) = frame {
                (ack.acknowledged, ack.edge) = (ack.acknowledged + bytes, ack.edge + bytes);
            }
        }
    }

    /// Appends what the times to come depend on.
    pub fn describe(&self, now: Time, acknowledged: u64, state: &mut Vec<u64>) {
        let mut frames = |frames: &mut dyn Iterator<Item = &Frame>| {
            for frame in frames {
                state.extend(match *frame {
                    Frame::Data(of) => [0, u64::from(of.payload), u64::from(of.push)],
                    Frame::Ahead => [2, 0, 0],
                    Frame::Ack(ack) => {
                        [1, ack.acknowledged.wrapping_sub(acknowledged), ack.edge - acknowledged]
                    }
                });
            }
            state.push(u64::MAX);
        };
        self.lanes.iter().for_each(|lane| frames(&mut lane.waiting.iter()));
        self.servers.iter().for_each(|server| frames(&mut server.taken.iter()));
        for lane in &self.lanes {
            // Long ago and for ever are alike.
            let due = lane.interrupt_at.saturating_sub(now).ps();
            state.extend([due.min(u64::MAX / 2), u64::from(lane.is_polled)]);
        }
        for server in &self.servers {
            state.push(server.lane as u64);
            state.extend(server.polled.iter().map(|&lane| lane as u64));
            state.push(u64::MAX);
        }
    }
}

/// Returns the processor of a node that takes what comes one way.
pub(super) fn kernel_cpu(processors: &Processors, node: usize, is_back: bool) -> usize {
    let is_local = node == SENDER || node == RECEIVER;
    match processors.steering {
        _ if processors.n_cpus == 1 => 0,
        Steering::ProcessCpu if is_local => 0,
        Steering::One => 1,
        _ if is_local || !is_back || processors.n_receive_queues == 1 => 1,
        // The second of two queues is on the processor of the process.
        _ if processors.n_cpus == 2 => 0,
        _ => 2,
    }
}

/// Takes what continues the frames that are taken, up to `most_bytes` of payload; the last segment
/// of a write ends what is put together.
fn take_more(waiting: &mut VecDeque<Frame>, taken: &mut Vec<Frame>, most_bytes: u32) {
    let mut bytes = whole(taken).payload;
    while taken.len() < POLLED_FRAMES
        && let (Some(Frame::Data(last)), Some(&Frame::Data(next))) = (taken.last(), waiting.front())
        && !last.push
        && bytes + next.payload <= most_bytes
    {
        bytes += next.payload;
        taken.extend(waiting.pop_front());
    }
}

/// Returns the segments that are taken as one; an acknowledgement has no payload.
fn whole(taken: &[Frame]) -> Segment {
    taken.iter().fold(Segment { payload: 0, push: false }, |whole, frame| match *frame {
        Frame::Data(Segment { payload, push }) => {
            Segment { payload: whole.payload + payload, push }
        }
        Frame::Ack(_) | Frame::Ahead => whole,
    })
}

impl Run<'_> {
    /// Puts a frame that has arrived at a node into a lane of it.
    pub(super) fn queue_received(&mut self, lane: LaneId, frame: Frame) {
        let queues = &self.host.queues;
        let state = &mut self.lanes.lanes[lane];
        state.waiting.push_back(frame);
        if state.is_polled {
            return;
        }
        let is_enough = state.waiting.len() as u32 == queues.interrupt_frames;
        if queues.interrupt_hold == Time::ZERO || is_enough {
            self.interrupt(lane);
        } else if state.interrupt_at == Time::MAX {
            let due = self.now + queues.interrupt_hold;
            state.interrupt_at = due;
            self.push(due, Event::Interrupt { lane });
        }
    }

    /// Raises an interrupt that has waited for more frames, unless enough have come before.
    pub(super) fn interrupt_due(&mut self, lane: LaneId) {
        if self.lanes.lanes[lane].interrupt_at == self.now {
            self.interrupt(lane);
        }
    }

    fn interrupt(&mut self, lane: LaneId) {
        let state = &mut self.lanes.lanes[lane];
        state.interrupt_at = Time::MAX;
        state.is_polled = true;
        let id = state.server;
        self.charge_server(id, self.host.costs.interrupt);
        let server = &mut self.lanes.servers[id];
        server.polled.push_back(lane);
        if server.taken.is_empty() {
            self.serve(id);
        }
    }

    fn charge_server(&mut self, server: ServerId, work: Time) -> Time {
        self.processors[server / N_CPUS].charge(server % N_CPUS, self.now, work)
    }

    /// Lets an idle processor begin what it does next.
    fn serve(&mut self, server: ServerId) {
        if self.lanes.poll(server, self.host.queues.receive_bytes) {
            let end = self.charge_server(server, self.work_on_taken(server));
            self.push(end, Event::Served { server });
        }
    }

    fn work_on_taken(&self, server: ServerId) -> Time {
        let costs = &self.host.costs;
        let Server { lane, taken, .. } = &self.lanes.servers[server];
        let n_frames = taken.len() as u64;
        let payload = whole(taken).payload;
        let from_interface = costs.receive_frame * n_frames;
        if self.is_last(*lane) {
            return from_interface
                + if payload == 0 { costs.take_ack } else { costs.receive.of(u64::from(payload)) };
        }
        let ip_bytes = |frame: &Frame| {
            let payload = if let Frame::Data(of) = frame { of.payload } else { 0 };
            u64::from(self.host.tcp.frame_sizes(payload, self.path.is_v6).0)
        };
        let forward = costs.forward.of(taken.iter().map(ip_bytes).sum());
        from_interface + forward + costs.send_frame * (n_frames - 1)
    }

    /// Returns whether what is in a lane is for the process of its node.
    fn is_last(&self, lane: LaneId) -> bool {
        let n_there = self.path.there.len();
        lane + 1 == n_there || lane + 1 == n_there + self.path.back.len()
    }

    /// Lets a processor go on with what continues what it has taken; returns whether it does.
    fn goes_on(&mut self, server: ServerId) -> bool {
        let before = self.work_on_taken(server);
        let Server { lane, taken, .. } = &mut self.lanes.servers[server];
        let n_before = taken.len();
        take_more(&mut self.lanes.lanes[*lane].waiting, taken, self.host.queues.receive_bytes);
        if taken.len() == n_before {
            return false;
        }
        let end = self.charge_server(server, self.work_on_taken(server) - before);
        self.push(end, Event::Served { server });
        true
    }

    /// Hands on what a processor has done with, and lets it take more.
    pub(super) fn served(&mut self, server: ServerId) {
        if self.goes_on(server) {
            return;
        }
        let state = &mut self.lanes.servers[server];
        let (lane, taken) = (state.lane, std::mem::take(&mut state.taken));
        let n_there = self.path.there.len();
        let span = if lane < n_there { lane } else { lane - n_there };
        let whole = whole(&taken);
        let is_last = self.is_last(lane);
        if is_last && whole.payload > 0 {
            self.take_segment(whole.payload, self.now);
        } else {
            for frame in taken {
                match frame {
                    Frame::Ahead if is_last => {}
                    Frame::Ahead => self.send_ahead(span + 1, self.now),
                    Frame::Ack(ack) if is_last => self.take_acknowledgement(ack, self.now),
                    Frame::Ack(ack) => self.send_acknowledgement(span + 1, ack, self.now),
                    Frame::Data(segment) => self.send_segment(span + 1, segment, self.now),
                }
            }
        }
        self.serve(server);
        self.step(server / N_CPUS);
        if is_last && lane >= n_there {
            self.look_for_period();
        }
    }
}
