//! The engine's state and its loop. Events of a stream are handled in `stream`, those of processes
//! in `process`.

use std::collections::BTreeMap;

use host::{HostModel, Transfer, WhileBlocked};
use network::{AddressId, NodeId, PortId};
use program::{Rank, StreamId};
use quantity::{IdVec, OptionalId, Time};
use simulation::path::{Path, RouteTracer};
use simulation::{Clock, EventDriven, HandOvers, NetworkModel, Notice, RunError, Setup, advance};

use crate::burst::{BurstId, Bursts, Queue};
use crate::claims::{Claim, Claims};
use crate::connection::{Connection, ConnectionId};
use crate::precision::{Deferral, Precision};
use crate::profile::Profiles;
use crate::rank::{Process, Work};
use crate::rank_processors::rank_processors;
use crate::resources::{Resources, Ways};
use crate::solver::{ResourceId, Solver};

#[derive(Clone, Copy, Debug)]
pub(crate) enum Event {
    /// A stream may start to drain.
    Start { connection: ConnectionId },
    /// A stream may have reached a position with an event.
    Stream { connection: ConnectionId },
    /// The first data of a transfer reach the receiving kernel.
    Head { connection: ConnectionId },
    /// The receiving kernel has all of a transfer.
    Arrival { connection: ConnectionId },
    /// A computation or a copy may have ended.
    Job { rank: Rank },
    /// A process has slept long enough.
    SleepEnded { rank: Rank },
    /// The timer of a stream has run down.
    TimerEnded { rank: Rank, stream: StreamId },
    /// A process has read a transfer.
    Read { rank: Rank },
    /// A burst comes to its next resource, or is all there.
    Burst { burst: BurstId },
    /// The sender of a burst has its acknowledgement.
    Acknowledged { connection: ConnectionId, n_segments: u32 },
    /// Deferred rate updates are due.
    Settle,
    /// A transfer between ranks of one node has arrived.
    HandedOver { from: Rank },
}

/// The counters of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Events handled: a measure of the work per message.
    pub events: u64,
    /// Connections made; both directions count as one.
    pub connections: u64,
    /// Number of rate updates.
    pub settlings: u64,
    /// Number of rate updates that were deferred.
    pub deferrals: u64,
}

/// The stations that send into a collision domain.
#[derive(Debug, Default)]
pub(crate) struct Contenders {
    /// Number of streams per station.
    stations: BTreeMap<PortId, u32>,
    n_streams: u64,
    /// Sum of the frame lengths of all streams.
    frame_bytes: u64,
}

impl Contenders {
    /// Counts a stream of frames of this length, or stops counting it.
    pub fn count(&mut self, port: PortId, frame_bytes: u32, is_there: bool) {
        if is_there {
            *self.stations.entry(port).or_default() += 1;
            self.n_streams += 1;
            self.frame_bytes += u64::from(frame_bytes);
            return;
        }
        if let Some(n) = self.stations.get_mut(&port) {
            *n -= 1;
            if *n == 0 {
                self.stations.remove(&port);
            }
        }
        self.n_streams -= 1;
        self.frame_bytes -= u64::from(frame_bytes);
    }

    /// Returns the number of sending stations.
    pub fn n_stations(&self) -> u32 {
        self.stations.len() as u32
    }

    /// Returns the mean length of their frames.
    pub fn frame_bytes(&self) -> u32 {
        self.frame_bytes.checked_div(self.n_streams).unwrap_or(0) as u32
    }
}

/// The flow engine.
#[derive(Debug)]
pub struct FlowModel<'a> {
    pub(crate) host: HostModel,
    identities: &'a IdVec<NodeId, AddressId>,
    pub(crate) node_of_rank: &'a IdVec<Rank, NodeId>,
    /// Per node: its first rank, and in order those on nodes that have one before.
    pub(crate) first_rank_of_node: IdVec<NodeId, OptionalId<Rank>>,
    pub(crate) further_ranks: Vec<Rank>,
    hand_overs: HandOvers,
    pub(crate) clock: Clock<'a, Event>,
    /// Upper bound of the obsolete stream events in the queue.
    pub(crate) n_stale: usize,
    pub(crate) precision: Precision,
    pub(crate) counters: Counters,
    walker: RouteTracer<'a>,
    pub(crate) resources: Resources,
    pub(crate) profiles: Profiles,
    pub(crate) solver: Solver,
    pub(crate) connections: IdVec<ConnectionId, Connection>,
    pub(crate) processes: IdVec<Rank, Process>,
    pub(crate) ways: Ways,
    pub(crate) bursts: Bursts,
    pub(crate) queues: IdVec<ResourceId, Queue>,
    /// Per processor: share of `CAPACITY` that the kernel spends on flows.
    pub(crate) kernel_busy: Vec<u128>,
    /// Per rank: its processor.
    pub(crate) processors: IdVec<Rank, ResourceId>,
    /// Per port of a node: when the bursts queued there have left.
    pub(crate) outlet_free: IdVec<PortId, Time>,
    pub(crate) contenders: BTreeMap<ResourceId, Contenders>,
    /// Ranks that have begun to read in turn, or stopped, since the last event.
    pub(crate) turned: Vec<Rank>,
    /// Scratch vector, kept to reuse its memory.
    pub(crate) changed: Vec<ConnectionId>,
}

impl<'a> FlowModel<'a> {
    /// Prepares an idle network at time zero.
    pub fn new(setup: Setup<'a>, deferral: Deferral) -> FlowModel<'a> {
        let fabric = &setup.network.fabric;
        let (of_ranks, n_further) =
            rank_processors(setup.node_of_rank, setup.host.processors.n_cpus);
        let resources = Resources::new(fabric, &setup.host.processors, n_further);
        let processes = setup.node_of_rank.iter().map(|_| Process::new()).collect();
        FlowModel {
            host: *setup.host,
            identities: setup.identities,
            node_of_rank: setup.node_of_rank,
            first_rank_of_node: setup.first_rank_of_node(),
            further_ranks: setup.further_ranks(),
            hand_overs: HandOvers::default(),
            clock: Clock::new(setup.stop, 0),
            n_stale: 0,
            precision: Precision::new(deferral),
            counters: Counters::default(),
            walker: RouteTracer::new(setup.network),
            resources,
            profiles: Profiles::new(setup.host),
            solver: Solver::new(resources.n()),
            connections: IdVec::from(Vec::new()),
            processes,
            ways: Ways::default(),
            bursts: Bursts::default(),
            queues: IdVec::filled(Queue::default(), resources.n()),
            kernel_busy: vec![0; resources.n_processors()],
            processors: of_ranks.iter().map(|&processor| resources.of_rank(processor)).collect(),
            outlet_free: IdVec::filled(Time::ZERO, fabric.ports().n()),
            contenders: BTreeMap::new(),
            turned: Vec::new(),
            changed: Vec::new(),
        }
    }

    /// Returns the counters so far.
    pub fn counters(&self) -> Counters {
        Counters { events: self.clock.n_events(), ..self.counters }
    }

    /// Returns the connection from a rank to another, which is made on first use with its reverse.
    pub(crate) fn connection(&mut self, from: Rank, to: Rank) -> Option<ConnectionId> {
        let outgoing = &self.processes[from].outgoing;
        if let Ok(place) = outgoing.binary_search_by_key(&to, |&(rank, _)| rank) {
            return Some(outgoing[place].1);
        }
        match self.connect(from, to) {
            Ok(id) => Some(id),
            Err(error) => {
                self.clock.fail(error);
                None
            }
        }
    }

    fn connect(&mut self, from: Rank, to: Rank) -> Result<ConnectionId, RunError> {
        let [a, b] = [from, to].map(|rank| self.node_of_rank[rank]);
        let ttl = self.host.links.ttl;
        let there = self.walker.route(a, self.identities[b])?.within(ttl)?;
        let back = self.walker.route(b, self.identities[a])?.within(ttl)?;
        self.counters.connections += 1;
        let id = self.add_connection((from, to), &there, &back);
        self.add_connection((to, from), &back, &there);
        Ok(id)
    }

    fn add_connection(
        &mut self,
        (from, to): (Rank, Rank),
        there: &simulation::path::Route,
        back: &simulation::path::Route,
    ) -> ConnectionId {
        let Claims { data, acks, hubs, outlet } = {
            let are_apart = self.host.processors.are_apart();
            let ends = [from, to].map(|rank| self.processors[rank]);
            Claims::new(&self.resources, are_apart, (there, back), ends)
        };
        let split = |claims: &[(ResourceId, Claim)]| -> (Vec<ResourceId>, Vec<Claim>) {
            claims.iter().copied().unzip()
        };
        let ((data_ids, data), (ack_ids, acks)) = (split(&data), split(&acks));
        let id = self.solver.add_flow(&data_ids, &ack_ids);
        let class = self.profiles.class(Path::new(there, back), data, acks);
        let mut connection = Connection::new(from, to, class, self.host.tcp.initial_window);
        (connection.hubs, connection.outlet) = (hubs, outlet);
        connection.way = self.ways.add(data_ids.into_iter().chain(ack_ids));
        self.connections.push(connection);
        let outgoing = &mut self.processes[from].outgoing;
        let place = outgoing.partition_point(|&(rank, _)| rank < to);
        outgoing.insert(place, (to, id));
        id
    }
}

impl<'a> EventDriven<'a, Event> for FlowModel<'a> {
    #[inline]
    fn clock(&mut self) -> &mut Clock<'a, Event> {
        &mut self.clock
    }

    /// All changes of one time are settled together.
    #[inline]
    fn before_event(&mut self) {
        if !self.turned.is_empty() {
            self.follow_turned();
        }
        if !self.clock.events.has_more_now() {
            self.settle_in_time();
        }
    }

    #[inline]
    fn handle(&mut self, event: Event) {
        match event {
            Event::Start { connection } => self.start_stream(connection),
            Event::Stream { connection } => self.stream_due(connection),
            Event::Head { connection } => self.head_reached(connection),
            Event::Arrival { connection } => self.arrival(connection),
            Event::Job { rank } => self.job_due(rank),
            Event::SleepEnded { rank } => self.sleep_ended(rank),
            Event::TimerEnded { rank, stream } => {
                self.clock.notify(Notice::TimerEnded(rank, stream));
            }
            Event::Read { rank } => self.read_due(rank),
            Event::Burst { burst } => self.burst_due(burst),
            Event::Acknowledged { connection, n_segments } => {
                self.acknowledged(connection, n_segments);
            }
            Event::Settle => self.settle_due(),
            Event::HandedOver { from } => self.clock.notify(self.hand_overs.end(from)),
        }
    }
}

impl NetworkModel for FlowModel<'_> {
    fn now(&self) -> Time {
        self.clock.now
    }

    fn write(&mut self, rank: Rank, to: Rank, transfer: Transfer, while_blocked: WhileBlocked) {
        self.begin_write(rank, to, transfer, while_blocked);
    }

    fn set_timer(&mut self, rank: Rank, stream: StreamId, end: Time) {
        self.clock.events.push(end, Event::TimerEnded { rank, stream });
    }

    fn node_of(&self, rank: Rank) -> Option<NodeId> {
        Some(self.node_of_rank[rank])
    }

    fn hand_over(&mut self, from: Rank, to: Rank, transfer: Transfer, at: Time) {
        self.hand_overs.begin(from, to, transfer.head);
        self.clock.events.push(at, Event::HandedOver { from });
    }

    fn compute(&mut self, rank: Rank, work: Time) {
        self.start_job(rank, work, Work::Compute);
    }

    fn sleep(&mut self, rank: Rank, end: Time) {
        self.begin_sleep(rank, end);
    }

    fn listen(&mut self, rank: Rank) {
        self.begin_listening(rank);
    }

    fn advance(&mut self) -> Result<Option<Notice>, RunError> {
        advance(self)
    }
}
