//! The engine's state and its loop. What happens at a node is in `send`, `receive` and `process`,
//! what happens between nodes in `layer2`.

use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;

use device::{Backplane, Bond, Random};
use host::{HostModel, Transfer};
use network::{AddressId, Fabric, Network, NodeId, PortId};
use program::Rank;
use quantity::{Rate, Time};
use simulation::{Datagram, EventQueue, NetworkModel, Notice, RunError, Setup, next_event};

use crate::ahead;
use crate::datagram::{Delivery, Socket};
use crate::faults::{FaultState, LostFrame};
use crate::frame::{FrameArena, FrameId};
use crate::hold::Holds;
use crate::lanes::{LaneId, Lanes, ServerId};
use crate::neighbour::{self, NeighbourTable};
use crate::node::{Job, Node};
use crate::observer::Observer;
use crate::pause::Intakes;
use crate::send::Path;
use crate::waits::Waits;
use crate::wiring::{Domain, Outlet, Place, SwitchPlace, Wiring};
use host::tcp::{Endpoint, EndpointId};

/// Purpose number of the random phases of the nodes' clocks.
const TICK_PURPOSE: u64 = 1;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Event {
    /// A frame has arrived at a port.
    Arrive {
        port: PortId,
        frame: FrameId,
    },
    /// A frame is handed to what is plugged into a port.
    Offer {
        port: PortId,
        frame: FrameId,
    },
    /// A frame is handed to the bond that a port belongs to.
    OfferToBond {
        port: PortId,
        frame: FrameId,
    },
    /// A receive queue has waited for more frames long enough.
    Interrupt {
        lane: LaneId,
    },
    /// A processor has done with what it took from a receive queue.
    Served {
        server: ServerId,
    },
    /// A contention on a hub is resolved.
    Decide {
        hub: u32,
    },
    /// A piece of process work may be over.
    JobEnd {
        node: NodeId,
    },
    AckTimer {
        endpoint: EndpointId,
    },
    /// The queue of an interface may have room for connections that it holds back.
    Room {
        port: PortId,
    },
    Timeout {
        endpoint: EndpointId,
    },
    /// The last bit of a frame has left a port that can be stopped.
    Sent {
        port: PortId,
    },
    /// The ring of an interface may be empty enough to lift a pause.
    Relief {
        port: PortId,
    },
    /// A process that sleeps may have something to do.
    Wake {
        node: NodeId,
    },
    /// A process has rested.
    Rested {
        node: NodeId,
    },
    /// An answer to a question for a hardware address has been waited for.
    Unanswered {
        node: NodeId,
        neighbour: PortId,
    },
    /// Links fail or return.
    Change,
    /// A frame is lost by a fault.
    Lost(LostFrame),
}

/// What a run did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Events handled.
    pub events: u64,
    /// Frames put on a wire, once per wire.
    pub frame_hops: u64,
    /// Frames that came into being: sent by hosts, or copied by flooding.
    pub frames_created: u64,
    /// Frames taken in, filtered, or replaced by copies.
    pub frames_consumed: u64,
    /// Frames that found a transmit queue full.
    pub dropped_at_queues: u64,
    /// Frames that found all receive descriptors taken.
    pub dropped_at_receivers: u64,
    /// Frames given up after too many collisions.
    pub dropped_by_collisions: u64,
    /// Packets without a route, or forwarded too often.
    pub dropped_without_route: u64,
    /// Packets whose next hop's hardware address was not found, or waited for by too many.
    pub dropped_unresolved: u64,
    /// Frames on a wire that failed, or that lost them.
    pub lost_on_wire: u64,
    /// Frames that waited at a port that lost its carrier, or came to one without.
    pub no_carrier: u64,
    /// Frames whose check sequence was wrong.
    pub corrupted: u64,
    /// Frames inside a device that died.
    pub at_dead_device: u64,
    /// Datagrams that found the buffer of their socket full; their frames are taken in.
    pub datagrams_overflowed: u64,
    /// Pauses that full receivers asked for.
    pub pauses: u64,
    /// Collisions on hubs.
    pub collisions: u64,
    /// Packets relayed by nodes.
    pub forwards: u64,
    /// Retransmission time-outs.
    pub timeouts: u64,
    /// Interrupts for received frames, where they are counted apart from frames.
    pub interrupts: u64,
}

impl Counters {
    /// Returns the frames lost for whatever reason.
    pub fn frames_dropped(&self) -> u64 {
        self.dropped_at_queues
            + self.dropped_at_receivers
            + self.dropped_by_collisions
            + self.dropped_without_route
            + self.dropped_unresolved
            + self.lost_on_wire
            + self.no_carrier
            + self.corrupted
            + self.at_dead_device
    }
}

/// The packet engine.
#[derive(Debug)]
pub struct PacketModel<'a, O> {
    pub(crate) network: &'a Network,
    pub(crate) host: HostModel,
    pub(crate) identities: &'a [AddressId],
    pub(crate) node_of_rank: &'a [NodeId],
    pub(crate) rank_of_node: Vec<Rank>,
    stop: &'a AtomicBool,
    pub(crate) now: Time,
    pub(crate) events: EventQueue<Event>,
    pub(crate) notices: VecDeque<Notice>,
    pub(crate) failure: Option<RunError>,
    pub(crate) counters: Counters,
    pub(crate) frames: FrameArena,
    looks_ahead: bool,
    pub(crate) observer: O,
    pub(crate) nodes: Vec<Node>,
    pub(crate) endpoints: Vec<Endpoint>,
    pub(crate) paths: Vec<Path>,
    /// Per port.
    pub(crate) outlets: Vec<Outlet>,
    pub(crate) places: Vec<Place>,
    pub(crate) rates: Vec<Rate>,
    /// Number of each node port inside its broadcast domain.
    pub(crate) members: Vec<u32>,
    /// Per port: when the processor will have taken each frame that has arrived.
    pub(crate) waiting: Vec<VecDeque<Time>>,
    pub(crate) lanes: Lanes,
    /// Per node, where hardware addresses have to be asked for; empty where all are known.
    pub(crate) neighbours: Vec<NeighbourTable>,
    pub(crate) intakes: Intakes,
    /// Per node, once somebody has sent a datagram.
    pub(crate) sockets: Vec<Socket>,
    pub(crate) deliveries: Vec<Delivery>,
    pub(crate) switches: Vec<SwitchPlace>,
    pub(crate) hubs: Vec<Domain>,
    pub(crate) backplanes: Vec<Backplane>,
    /// Per port, where there are bonds.
    pub(crate) bond_of_port: Vec<Option<u32>>,
    pub(crate) bonds: Vec<Bond>,
    /// Kept for its memory.
    pub(crate) flood_ports: Vec<u32>,
    /// What goes wrong in this run, if anything does.
    pub(crate) faults: Option<Box<FaultState>>,
    /// Connections that wait for room at their interface.
    pub(crate) holds: Holds,
    /// When connections waited for a retransmission time-out.
    pub(crate) waits: Waits,
    /// The wall clock at time zero, in microseconds as far as a sequence number holds them.
    pub(crate) clock_at_start: u32,
}

impl<'a, O: Observer> PacketModel<'a, O> {
    /// Prepares a silent network at time zero.
    ///
    /// # Errors
    /// When a device cannot be what the network says, for example a hub whose delay exceeds the
    /// collision window.
    pub fn new(setup: Setup<'a>, observer: O) -> Result<PacketModel<'a, O>, device::DeviceError> {
        let fabric = &setup.network.fabric;
        let wiring = Wiring::new(fabric, setup.host, setup.seed)?;
        let (tick, n_cpus) = (setup.host.tcp.tick, setup.host.processors.n_cpus);
        let nodes = (0..fabric.n_nodes())
            .map(|node| Node::new(tick_offset(setup.seed, node, tick), n_cpus));
        Ok(PacketModel {
            network: setup.network,
            host: *setup.host,
            identities: setup.identities,
            node_of_rank: setup.node_of_rank,
            rank_of_node: setup.rank_of_node(),
            stop: setup.stop,
            now: Time::ZERO,
            events: EventQueue::knowing_ahead(ahead::known_ahead(fabric)),
            notices: VecDeque::new(),
            failure: None,
            counters: Counters::default(),
            frames: FrameArena::default(),
            looks_ahead: ahead::is_worth_it(fabric),
            observer,
            nodes: nodes.collect(),
            endpoints: Vec::new(),
            paths: Vec::new(),
            members: member_numbers(fabric),
            waiting: vec![VecDeque::new(); fabric.ports().len()],
            lanes: Lanes::new(fabric, setup.host),
            outlets: wiring.outlets,
            places: wiring.places,
            rates: wiring.rates,
            neighbours: neighbour::tables(fabric, &setup.host.links),
            intakes: Intakes::new(fabric, setup.host),
            sockets: Vec::new(),
            deliveries: Vec::new(),
            switches: wiring.switches,
            hubs: wiring.hubs,
            backplanes: wiring.backplanes,
            bond_of_port: wiring.bond_of_port,
            bonds: wiring.bonds,
            flood_ports: Vec::new(),
            faults: None,
            holds: Holds::default(),
            waits: Waits::default(),
            clock_at_start: clock_at_start(setup.seed),
        })
    }

    /// Returns what the run did so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Returns for how long at least one connection waited for a retransmission time-out that came.
    pub fn waited_for_timeouts(&self) -> Time {
        self.waits.total()
    }

    /// Returns how many frames are in flight or queued.
    pub fn frames_in_flight(&self) -> u64 {
        self.frames.n_live() as u64
    }

    /// Returns the ends of all connections.
    pub fn endpoints(&self) -> &[Endpoint] {
        &self.endpoints
    }

    /// Returns the ends of all connections with the ranks of their own processes and the others'.
    pub fn connections(&self) -> impl Iterator<Item = (Rank, Rank, &Endpoint)> {
        let ends = (0..).zip(&self.endpoints);
        ends.map(|(id, end)| (self.rank_of_end(id), self.rank_of_end(end.peer), end))
    }

    /// Returns what watched the frames.
    pub fn into_observer(self) -> O {
        self.observer
    }

    /// Returns the bytes held by (nodes, connection ends, frames).
    pub fn memory_bytes(&self) -> (usize, usize, usize) {
        let nodes: usize = self.nodes.iter().map(Node::memory_bytes).sum();
        let ends: usize = self.endpoints.iter().map(Endpoint::memory_bytes).sum();
        (
            nodes + self.lanes.memory_bytes(),
            ends + self.paths.capacity() * size_of::<Path>(),
            self.frames.memory_bytes(),
        )
    }

    #[inline]
    fn handle(&mut self, event: Event) {
        match event {
            Event::Arrive { port, frame } => self.arrive(port, frame),
            Event::Offer { port, frame } => self.emit(port, frame, self.now),
            Event::OfferToBond { port, frame } => self.offer_to_bond(port, frame),
            Event::Interrupt { lane } => self.interrupt_due(lane),
            Event::Served { server } => self.served(server),
            Event::Decide { hub } => self.decide(hub),
            Event::JobEnd { node } => self.job_end(node),
            Event::AckTimer { endpoint } => self.ack_timer(endpoint),
            Event::Room { port } => self.room(port),
            Event::Timeout { endpoint } => self.timeout(endpoint),
            Event::Sent { port } => self.sent(port),
            Event::Relief { port } => self.watch_ring(port),
            Event::Wake { node } => self.step(node),
            Event::Rested { node } => self.rested(node),
            Event::Unanswered { node, neighbour } => self.unanswered(node, neighbour),
            Event::Change => self.change(),
            Event::Lost(lost) => self.lose(lost),
        }
    }
}

/// Returns the number of each node port inside its segment; other ports are not members and get 0.
fn member_numbers(fabric: &Fabric) -> Vec<u32> {
    let ports = (0..).zip(fabric.ports());
    let number = |(id, port): (PortId, &network::Port)| match fabric.is_node(port.device) {
        true => fabric.member_of_segment(id),
        false => 0,
    };
    ports.map(number).collect()
}

/// A run begins at any time of the day, and those of successive seeds spread evenly over it.
fn clock_at_start(seed: u64) -> u32 {
    /// The golden ratio of the range, by which multiples spread evenly (Weyl).
    const GOLDEN: u32 = 0x9E37_79B9;
    (seed as u32).wrapping_mul(GOLDEN)
}

/// Hosts are not switched on at the same instant: their clocks tick at random phases.
fn tick_offset(seed: u64, node: NodeId, tick: Time) -> Time {
    match tick.ps() {
        0 => Time::ZERO,
        ps => Time::from_ps(Random::new(seed, &[TICK_PURPOSE, u64::from(node)]).next_u64() % ps),
    }
}

impl<O: Observer> NetworkModel for PacketModel<'_, O> {
    fn now(&self) -> Time {
        self.now
    }

    fn write(&mut self, rank: Rank, to: Rank, transfer: Transfer) {
        self.begin_write(self.node_of_rank[rank as usize], to, transfer);
    }

    fn compute(&mut self, rank: Rank, work: Time) {
        self.start(self.node_of_rank[rank as usize], work, Job::Compute);
    }

    fn rest(&mut self, rank: Rank, end: Time) {
        self.begin_rest(self.node_of_rank[rank as usize], end);
    }

    fn listen(&mut self, rank: Rank) {
        self.begin_listening(self.node_of_rank[rank as usize]);
    }

    fn moves_datagrams(&self) -> bool {
        true
    }

    fn send_datagram(&mut self, rank: Rank, datagram: Datagram) {
        self.begin_datagram(rank, datagram);
    }

    fn advance(&mut self) -> Result<Option<Notice>, RunError> {
        loop {
            if let Some(failure) = self.failure.take() {
                return Err(failure);
            }
            if let Some(notice) = self.notices.pop_front() {
                return Ok(Some(notice));
            }
            let (now, n_events) = (&mut self.now, &mut self.counters.events);
            let Some(event) = next_event(&mut self.events, now, n_events, self.stop)? else {
                self.detect_deadlock();
                return self.failure.take().map_or(Ok(None), Err);
            };
            if self.looks_ahead {
                self.look_ahead();
            }
            self.handle(event);
        }
    }
}
