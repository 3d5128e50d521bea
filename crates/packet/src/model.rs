//! The engine: it joins wires, hosts and clock. What happens at a node is in `send`, `receive` and
//! `process`, what happens between nodes in `layer2`.

use host::process::Job;
use host::tcp::Endpoint;
use host::{HostModel, Transfer};
use network::Network;
use program::Rank;
use quantity::Time;
use simulation::{Clock, Datagram, EventDriven, NetworkModel, Notice, RunError, Setup, advance};

use crate::counters::Counters;
use crate::event::Event;
use crate::faults::FaultState;
use crate::hosts::Hosts;
use crate::look_ahead;
use crate::node::Node;
use crate::observer::Observer;
use crate::send::Path;
use crate::wiring::Wires;

/// The packet engine.
#[derive(Debug)]
pub struct PacketModel<'a, O> {
    pub(crate) network: &'a Network,
    pub(crate) host: HostModel,
    pub(crate) wires: Wires,
    pub(crate) hosts: Hosts<'a>,
    pub(crate) clock: Clock<'a, Event>,
    pub(crate) counters: Counters,
    looks_ahead: bool,
    pub(crate) observer: O,
    /// What goes wrong in this run, if anything does.
    pub(crate) faults: Option<Box<FaultState>>,
}

impl<'a, O: Observer> PacketModel<'a, O> {
    /// Prepares a silent network at time zero.
    ///
    /// # Errors
    /// When a device cannot be what the network says, for example a hub whose delay exceeds the
    /// collision window.
    pub fn new(setup: Setup<'a>, observer: O) -> Result<PacketModel<'a, O>, device::DeviceError> {
        let fabric = &setup.network.fabric;
        Ok(PacketModel {
            network: setup.network,
            host: *setup.host,
            wires: Wires::new(fabric, setup.host, setup.seed)?,
            hosts: Hosts::new(&setup),
            clock: Clock::new(setup.stop, look_ahead::known_ahead(fabric)),
            counters: Counters::default(),
            looks_ahead: look_ahead::is_worth_it(fabric),
            observer,
            faults: None,
        })
    }

    /// Returns what the run did so far.
    pub fn counters(&self) -> Counters {
        Counters { events: self.clock.n_events(), ..self.counters }
    }

    /// Returns for how long at least one connection waited for a retransmission time-out that came.
    pub fn waited_for_timeouts(&self) -> Time {
        self.hosts.waits.total()
    }

    /// Returns how many frames are in flight or queued.
    pub fn frames_in_flight(&self) -> u64 {
        self.wires.frames.n_live() as u64
    }

    /// Returns the ends of all connections.
    pub fn endpoints(&self) -> &[Endpoint] {
        &self.hosts.endpoints
    }

    /// Returns the ends of all connections with the ranks of their own processes and the others'.
    pub fn connections(&self) -> impl Iterator<Item = (Rank, Rank, &Endpoint)> {
        let ends = (0..).zip(&self.hosts.endpoints);
        ends.map(|(id, end)| (self.rank_of_end(id), self.rank_of_end(end.peer), end))
    }

    /// Returns what watched the frames.
    pub fn into_observer(self) -> O {
        self.observer
    }

    /// Returns the bytes held by (nodes, connection ends, frames).
    pub fn memory_bytes(&self) -> (usize, usize, usize) {
        let nodes: usize = self.hosts.nodes.iter().map(Node::memory_bytes).sum();
        let ends: usize = self.hosts.endpoints.iter().map(Endpoint::memory_bytes).sum();
        (
            nodes + self.hosts.rx.memory_bytes(),
            ends + self.hosts.paths.capacity() * size_of::<Path>(),
            self.wires.frames.memory_bytes(),
        )
    }
}

impl<'a, O: Observer> EventDriven<'a, Event> for PacketModel<'a, O> {
    #[inline]
    fn clock(&mut self) -> &mut Clock<'a, Event> {
        &mut self.clock
    }

    fn at_standstill(&mut self) {
        self.detect_deadlock();
    }

    #[inline]
    fn handle(&mut self, event: Event) {
        if self.looks_ahead {
            self.look_ahead();
        }
        match event {
            Event::Arrive { port, frame } => self.arrive(port, frame),
            Event::Offer { port, frame } => self.emit(port, frame, self.clock.now),
            Event::OfferToBond { port, frame } => self.offer_to_bond(port, frame),
            Event::Interrupt { queue } => self.interrupt_due(queue),
            Event::Polled { context } => self.polled(context),
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

impl<O: Observer> NetworkModel for PacketModel<'_, O> {
    fn now(&self) -> Time {
        self.clock.now
    }

    fn write(&mut self, rank: Rank, to: Rank, transfer: Transfer) {
        self.begin_write(self.hosts.node_of_rank[rank as usize], to, transfer);
    }

    fn compute(&mut self, rank: Rank, work: Time) {
        self.start(self.hosts.node_of_rank[rank as usize], work, Job::Compute);
    }

    fn rest(&mut self, rank: Rank, end: Time) {
        self.begin_rest(self.hosts.node_of_rank[rank as usize], end);
    }

    fn listen(&mut self, rank: Rank) {
        self.begin_listening(self.hosts.node_of_rank[rank as usize]);
    }

    fn moves_datagrams(&self) -> bool {
        true
    }

    fn send_datagram(&mut self, rank: Rank, datagram: Datagram) {
        self.begin_datagram(rank, datagram);
    }

    fn advance(&mut self) -> Result<Option<Notice>, RunError> {
        advance(self)
    }
}
