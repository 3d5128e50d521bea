//! Receive queues and the processors that serve them: interrupts that wait for more frames, polling
//! while there is work, and segments that are put together.
//!
//! A *lane* is the receive queue of one interface for one processor. The first frame in it raises
//! an interrupt, at once or after a while; from then on the processor polls, and what comes until
//! it finds the lane empty needs no interrupt (Linux's NAPI). It takes one frame at a time, or the
//! segments of one connection that follow each other in the lane (GRO), and what has come meanwhile
//! and continues them, before TCP takes them all. The event is the end of that work, because only
//! then is it known what comes next; where one processor takes frames as they come
//! (`HostModel::takes_frames_at_once`) it is known on arrival, and nothing here is used.

use std::collections::VecDeque;

use host::HostModel;
use host::tcp::Flags;
use network::{Fabric, NodeId, PortId};
use quantity::Time;

use crate::arena::{FrameArena, FrameId};
use crate::event::Event;
use crate::frame::{IpHeader, Payload, Segment};
use crate::model::PacketModel;
use crate::observer::Observer;
use crate::send::flow_hash;

/// Index of a lane: port of a node times number of processors, plus the processor.
pub(crate) type LaneId = u32;
/// Index of a processor that serves lanes: node times number of processors, plus the processor.
pub(crate) type ServerId = u32;

/// Frames of a lane that a poll looks at, as in Linux.
const POLLED_FRAMES: usize = 64;

#[derive(Clone, Debug)]
struct Lane {
    server: ServerId,
    waiting: VecDeque<FrameId>,
    /// Frames that the processor is busy with.
    n_taken: u32,
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
    taken: Vec<FrameId>,
}

/// The lanes of all nodes; empty where frames are taken as they come.
#[derive(Debug, Default)]
pub(crate) struct Lanes {
    n_cpus: u32,
    lanes: Vec<Lane>,
    servers: Vec<Server>,
}

impl Lanes {
    pub fn new(fabric: &Fabric, host: &HostModel) -> Lanes {
        if host.takes_frames_at_once() {
            return Lanes::default();
        }
        let n_cpus = host.processors.n_cpus;
        let n_servers = fabric.n_nodes() * n_cpus;
        let ports = (0..fabric.n_nodes()).flat_map(|node| fabric.ports_of(node).map(move |_| node));
        let lane = |server| Lane {
            server,
            waiting: VecDeque::new(),
            n_taken: 0,
            interrupt_at: Time::MAX,
            is_polled: false,
        };
        let servers_of = |node| node * n_cpus..(node + 1) * n_cpus;
        Lanes {
            n_cpus,
            lanes: ports.flat_map(servers_of).map(lane).collect(),
            servers: vec![Server::default(); n_servers as usize],
        }
    }

    /// Returns whether frames wait in lanes at all.
    #[inline]
    pub fn is_used(&self) -> bool {
        self.n_cpus > 0
    }

    /// Returns how many frames the fullest lane of an interface holds.
    pub fn fullest(&self, port: PortId) -> u32 {
        let of_port = (port * self.n_cpus) as usize..((port + 1) * self.n_cpus) as usize;
        let held = |lane: &Lane| lane.waiting.len() as u32 + lane.n_taken;
        self.lanes[of_port].iter().map(held).max().unwrap_or(0)
    }

    /// Returns the bytes of memory held.
    pub fn memory_bytes(&self) -> usize {
        let frames: usize = self.lanes.iter().map(|lane| lane.waiting.capacity()).sum();
        let taken: usize = self.servers.iter().map(|server| server.taken.capacity()).sum();
        let polled: usize = self.servers.iter().map(|server| server.polled.capacity()).sum();
        self.lanes.capacity() * size_of::<Lane>()
            + self.servers.capacity() * size_of::<Server>()
            + (frames + taken) * size_of::<FrameId>()
            + polled * size_of::<LaneId>()
    }

    /// Lets a processor take what it does next; returns whether there is anything.
    fn poll(&mut self, server: ServerId, frames: &FrameArena, most_bytes: u32) -> bool {
        let Server { polled, lane, taken } = &mut self.servers[server as usize];
        while let Some(next) = polled.pop_front() {
            let state = &mut self.lanes[next as usize];
            if state.waiting.is_empty() {
                state.is_polled = false;
                continue;
            }
            // Every lane has its turn.
            polled.push_back(next);
            *lane = next;
            taken.extend(state.waiting.pop_front());
            take_more(&mut state.waiting, taken, frames, most_bytes);
            state.n_taken = taken.len() as u32;
            return true;
        }
        false
    }

    /// Lets a processor take what continues what it has taken; returns whether there is anything.
    fn take_more(&mut self, server: ServerId, frames: &FrameArena, most_bytes: u32) -> bool {
        let Server { lane, taken, .. } = &mut self.servers[server as usize];
        let state = &mut self.lanes[*lane as usize];
        take_more(&mut state.waiting, taken, frames, most_bytes);
        let n_before = std::mem::replace(&mut state.n_taken, taken.len() as u32);
        state.n_taken > n_before
    }
}

/// Takes what continues the frames that are taken, up to `most_bytes` of payload.
fn take_more(
    waiting: &mut VecDeque<FrameId>,
    taken: &mut Vec<FrameId>,
    frames: &FrameArena,
    most_bytes: u32,
) {
    if most_bytes == 0 || waiting.is_empty() {
        return;
    }
    let (_, mut whole) = whole(taken, frames);
    let mut place = 0;
    while place < waiting.len() && taken.len() + place < POLLED_FRAMES {
        let (_, next) = packet(waiting[place], frames);
        if next.to != whole.to {
            place += 1;
            continue;
        }
        if !continues(&whole, &next) || whole.bytes + next.bytes > most_bytes {
            return;
        }
        whole = joined(&whole, &next);
        taken.extend(waiting.remove(place));
    }
}

/// Returns whether `next` can be put behind `whole`: data in order that say the same of the other
/// direction; the last segment of a write ends what is put together.
fn continues(whole: &Segment, next: &Segment) -> bool {
    let unpushed = next.flags.without(Flags::PUSH);
    whole.bytes > 0
        && next.bytes > 0
        && next.sequence == whole.sequence + u64::from(whole.bytes)
        && next.acknowledged == whole.acknowledged
        && whole.flags == unpushed
}

/// Returns the packet in a frame of a lane.
fn packet(frame: FrameId, frames: &FrameArena) -> (IpHeader, Segment) {
    match frames.get(frame).payload {
        Payload::Segment(ip, segment) => (ip, segment),
        _ => unreachable!("lanes hold segments"),
    }
}

/// Returns the frames that are taken as one packet.
fn whole(taken: &[FrameId], frames: &FrameArena) -> (IpHeader, Segment) {
    taken[1..].iter().fold(packet(taken[0], frames), |(ip, whole), &id| {
        let (next_ip, next) = packet(id, frames);
        (IpHeader { bytes: ip.bytes + next_ip.bytes, ..ip }, joined(&whole, &next))
    })
}

/// Returns `whole` with `next` behind it.
fn joined(whole: &Segment, next: &Segment) -> Segment {
    let Segment { flags, window, .. } = *next;
    Segment { bytes: whole.bytes + next.bytes, flags, window, ..*whole }
}

impl<O: Observer> PacketModel<'_, O> {
    /// Puts a frame that has arrived at a node into the lane that its flow is steered to.
    pub(crate) fn queue_received(&mut self, node: NodeId, port: PortId, id: FrameId) {
        let (ip, segment) = packet(id, &self.wires.frames);
        let hash = flow_hash(segment.to);
        let cpu = self.host.processors.cpu_of(hash, self.is_for(node, &ip));
        let lane_id = port * self.hosts.lanes.n_cpus + cpu;
        let queues = self.host.queues;
        let lane = &mut self.hosts.lanes.lanes[lane_id as usize];
        if lane.waiting.len() as u32 + lane.n_taken >= queues.receive {
            return self.drop_at_receiver(id);
        }
        lane.waiting.push_back(id);
        let is_polled = lane.is_polled;
        if self.wires.intakes.is_used() {
            self.watch_ring(port);
        }
        if is_polled {
            return;
        }
        let lane = &mut self.hosts.lanes.lanes[lane_id as usize];
        let is_enough = lane.waiting.len() as u32 == queues.interrupt_frames;
        if queues.interrupt_hold == Time::ZERO || is_enough {
            self.interrupt(lane_id);
        } else if lane.interrupt_at == Time::MAX {
            lane.interrupt_at = self.clock.now + queues.interrupt_hold;
            self.clock.events.push(lane.interrupt_at, Event::Interrupt { lane: lane_id });
        }
    }

    /// Raises an interrupt that has waited for more frames, unless enough have come before.
    pub(crate) fn interrupt_due(&mut self, lane: LaneId) {
        if self.hosts.lanes.lanes[lane as usize].interrupt_at == self.clock.now {
            self.interrupt(lane);
        }
    }

    fn interrupt(&mut self, lane_id: LaneId) {
        let lane = &mut self.hosts.lanes.lanes[lane_id as usize];
        lane.interrupt_at = Time::MAX;
        lane.is_polled = true;
        let id = lane.server;
        self.charge_server(id, self.host.costs.interrupt);
        self.counters.interrupts += 1;
        let server = &mut self.hosts.lanes.servers[id as usize];
        server.polled.push_back(lane_id);
        if server.taken.is_empty() {
            self.serve(id);
        }
    }

    fn charge_server(&mut self, server: ServerId, work: Time) -> Time {
        let (node, cpu) = (server / self.hosts.lanes.n_cpus, server % self.hosts.lanes.n_cpus);
        self.hosts.nodes[node as usize].charge(cpu, self.clock.now, work)
    }

    /// Lets an idle processor begin what it does next.
    fn serve(&mut self, server: ServerId) {
        if self.hosts.lanes.poll(server, &self.wires.frames, self.host.queues.receive_bytes) {
            let work = self.work_on_taken(server);
            let end = self.charge_server(server, work);
            self.clock.events.push(end, Event::Served { server });
        }
    }

    fn work_on_taken(&self, server: ServerId) -> Time {
        let costs = &self.host.costs;
        let taken = &self.hosts.lanes.servers[server as usize].taken;
        let n_frames = taken.len() as u64;
        let (ip, whole) = whole(taken, &self.wires.frames);
        let from_interface = costs.receive_frame * n_frames;
        if self.is_for(server / self.hosts.lanes.n_cpus, &ip) {
            return from_interface + self.receive_work(&whole);
        }
        let forward = costs.forward.of(u64::from(ip.bytes));
        from_interface + forward + costs.send_frame * (n_frames - 1)
    }

    /// Lets a processor go on with what continues what it has taken; returns whether it does.
    fn goes_on(&mut self, server: ServerId) -> bool {
        let most_bytes = self.host.queues.receive_bytes;
        if most_bytes == 0 {
            return false;
        }
        let before = self.work_on_taken(server);
        if !self.hosts.lanes.take_more(server, &self.wires.frames, most_bytes) {
            return false;
        }
        let end = self.charge_server(server, self.work_on_taken(server) - before);
        self.clock.events.push(end, Event::Served { server });
        true
    }

    /// Hands on what a processor has done with, and lets it take more.
    pub(crate) fn served(&mut self, server: ServerId) {
        if self.goes_on(server) {
            return;
        }
        let state = &mut self.hosts.lanes.servers[server as usize];
        let mut taken = std::mem::take(&mut state.taken);
        let lane = state.lane;
        self.hosts.lanes.lanes[lane as usize].n_taken = 0;
        if self.wires.intakes.is_used() {
            self.watch_ring(lane / self.hosts.lanes.n_cpus);
        }
        let node = server / self.hosts.lanes.n_cpus;
        if self.is_for(node, &packet(taken[0], &self.wires.frames).0) {
            self.take_segments(&taken);
        } else {
            taken.iter().for_each(|&id| self.forward(node, id, self.clock.now));
        }
        taken.clear();
        self.hosts.lanes.servers[server as usize].taken = taken;
        self.serve(server);
        self.step(node);
    }

    /// Lets TCP take segments that were put together: as one where they are in order.
    fn take_segments(&mut self, taken: &[FrameId]) {
        let (_, first) = packet(taken[0], &self.wires.frames);
        let expected = self.hosts.endpoints[first.to as usize].receiver.expected();
        if taken.len() == 1 || first.sequence != expected {
            for &id in taken {
                let (_, segment) = packet(id, &self.wires.frames);
                self.take_segment(id, &segment, self.clock.now);
            }
        } else {
            let (_, whole) = whole(taken, &self.wires.frames);
            self.take_segment(taken[taken.len() - 1], &whole, self.clock.now);
        }
        self.counters.frames_consumed += taken.len() as u64;
        taken.iter().for_each(|&id| self.wires.frames.remove(id));
    }
}
