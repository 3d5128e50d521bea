//! The engine: it joins wires, switches, hosts and the clock, and hands each event to its owner.
//! The reactions of hosts are in the files of `hosts`.

use host::tcp::Endpoint;
use host::transport::EndpointId;
use host::{Neighbours, Transfer, WhileBlocked};
use network::{Ip, NodeId, PortId};
use program::{Rank, StreamId};
use quantity::{IdVec, Time};
use simulation::{Datagram, EventDriven, NetworkModel, Notice, RunError, Setup, advance};

use crate::arena::FrameId;
use crate::counters::Counters;
use crate::datagram::Delivery;
use crate::error::PacketError;
use crate::event::Event;
use crate::faults::{Fault, FaultOptions, FaultReport, FaultyWires};
use crate::hosts::{Hosts, Node, Path, Stack, first_on};
use crate::ids::HubId;
use crate::link_layer::LinkLayer;
use crate::medium::Medium;
use crate::observer::Observer;
use crate::prefetch::{self, Ahead};
use crate::wires::{Place, Wires};

/// The packet engine.
#[derive(Debug)]
pub struct PacketModel<'a, M> {
    stack: Stack<'a, M>,
    prefetches: bool,
}

impl<'a, O: Observer> PacketModel<'a, Wires<'a, O>> {
    /// Prepares a silent network at time zero.
    ///
    /// # Errors
    /// If a device cannot be built as the network describes it, for example a hub whose delay
    /// exceeds the collision window.
    pub fn new(setup: Setup<'a>, observer: O) -> Result<Self, PacketError> {
        let link = LinkLayer::new(&setup, observer, know_stations(&setup))?;
        Ok(PacketModel::on(&setup, link))
    }
}

impl<'a, O: Observer> PacketModel<'a, FaultyWires<'a, O>> {
    /// Prepares a silent network at time zero with planned faults.
    ///
    /// # Errors
    /// If a device cannot be built, or if ports pause each other: the two are not modelled
    /// together.
    pub fn with_faults(
        setup: Setup<'a>,
        observer: O,
        faults: &[Fault],
        options: FaultOptions,
    ) -> Result<Self, PacketError> {
        let stations = know_stations(&setup);
        let link = LinkLayer::with_faults(&setup, observer, stations, faults, options)?;
        Ok(PacketModel::on(&setup, link))
    }

    /// Returns the cost of each fault until now, in the order given.
    pub fn fault_reports(&self) -> Vec<FaultReport> {
        self.stack.link.fault_reports()
    }
}

/// Returns whether switches have heard every station before the run begins.
fn know_stations(setup: &Setup<'_>) -> bool {
    setup.host.links.neighbours == Neighbours::Warm
}

impl<'a, M: Medium<'a>> PacketModel<'a, M> {
    /// Adds silent hosts to a link layer.
    fn on(setup: &Setup<'a>, link: LinkLayer<'a, M>) -> Self {
        let Setup { network, host, .. } = *setup;
        PacketModel {
            stack: Stack { network, host, hosts: Hosts::new(setup), link },
            prefetches: prefetch::is_worth_it(&network.fabric),
        }
    }

    /// Prefetches memory of the next events.
    fn prefetch(&self) {
        let Stack { network, hosts, link, .. } = &self.stack;
        let LinkLayer { wires, switches, clock, .. } = link;
        Ahead { network, wires, switches, hosts, clock }.prefetch();
    }

    /// Returns the delivery of each datagram, in the order in which they were sent.
    pub fn deliveries(&self) -> &[Delivery] {
        &self.stack.hosts.deliveries
    }

    /// Returns the counters of the run so far.
    pub fn counters(&self) -> Counters {
        Counters { events: self.stack.link.clock.n_events(), ..self.stack.link.clock.counters }
    }

    /// Returns the number of waits for retransmission time-outs, or for probes after as long, and
    /// the time during which at least one connection waited.
    pub fn waits_for_timeouts(&self) -> (u64, Time) {
        (self.stack.hosts.waits.n, self.stack.hosts.waits.total())
    }

    /// Returns how many frames are in flight or queued.
    pub fn frames_in_flight(&self) -> u64 {
        self.stack.link.wires.plain().frames.n_live() as u64
    }

    /// Returns the ends of all connections.
    pub fn endpoints(&self) -> &IdVec<EndpointId, Endpoint> {
        &self.stack.hosts.endpoints
    }

    /// Returns every connection end with the rank of its own process and that of its peer.
    pub fn connections(&self) -> impl Iterator<Item = (Rank, Rank, &Endpoint)> {
        let ends = self.stack.hosts.endpoints.with_ids();
        ends.map(|(id, end)| {
            (self.stack.hosts.rank_of_end(id), self.stack.hosts.rank_of_end(end.peer), end)
        })
    }

    /// Returns the address of each connection end, by which its peer reaches it.
    pub fn own_addresses(&self) -> IdVec<EndpointId, Ip> {
        let own = |end: &Endpoint| {
            let to_here = &self.stack.hosts.paths[end.peer];
            self.stack.network.addressing.address(to_here.address).ip
        };
        self.stack.hosts.endpoints.iter().map(own).collect()
    }

    /// Returns the observer of the frames.
    pub fn into_observer(self) -> M::Observer {
        self.stack.link.wires.into_observer()
    }

    /// Returns the bytes held by (nodes, connection ends, frames).
    pub fn memory_bytes(&self) -> (usize, usize, usize) {
        let nodes: usize = self.stack.hosts.nodes.iter().map(Node::memory_bytes).sum();
        let ends: usize = self.stack.hosts.endpoints.iter().map(Endpoint::memory_bytes).sum();
        (
            nodes + self.stack.hosts.rx.memory_bytes(),
            ends + self.stack.hosts.paths.capacity() * size_of::<Path>(),
            self.stack.link.wires.plain().frames.memory_bytes(),
        )
    }
}

/// Events on the wires, and their consequences for switches and hosts.
impl<'a, M: Medium<'a>> PacketModel<'a, M> {
    /// Hands a frame that arrives at a port to the node or switch that it belongs to.
    #[inline]
    fn arrive(&mut self, port: PortId, frame: FrameId) {
        match self.stack.link.arrive(port, frame) {
            Some(Place::Node(node)) => self.stack.arrive_at_node(node, port, frame),
            Some(Place::RoutedSwitch(switch)) => {
                self.stack.arrive_at_routed_switch(switch, port, frame);
            }
            Some(Place::Switch(_) | Place::Hub) | None => {}
        }
    }

    /// Resolves a contention on a hub.
    fn decide(&mut self, hub: HubId) {
        let contention = self.stack.link.resolve(hub);
        if let Some(contention) = &contention {
            let now = self.stack.link.clock.now;
            contention.freed(now).for_each(|(port, time)| self.stack.tx_space_made(port, time));
        }
        self.stack.link.settle(hub, contention);
    }

    /// Starts the next frame at a port that PAUSE frames can stop.
    fn sent(&mut self, port: PortId) {
        self.stack.link.sent(port);
        self.stack.wake(port);
        let now = self.stack.link.clock.now;
        self.stack.tx_space_made(port, now);
    }

    /// Applies failures and returns of links, and lets nodes react to them.
    fn change(&mut self) {
        let change = self.stack.link.change();
        // Frames that waited at these ports have left their queues.
        let now = self.stack.link.clock.now;
        change.ports.iter().for_each(|&port| self.stack.tx_space_made(port, now));
        change.noticed_by.into_iter().for_each(|node| self.stack.reroute(node));
        change.dying.into_iter().for_each(|node| self.stack.kill_processes(node));
    }
}

impl<'a, M: Medium<'a>> EventDriven<'a, Event> for PacketModel<'a, M> {
    #[inline]
    fn clock(&mut self) -> &mut simulation::Clock<'a, Event> {
        &mut self.stack.link.clock
    }

    fn at_standstill(&mut self) {
        self.stack.detect_deadlock();
    }

    #[inline]
    fn handle(&mut self, event: Event) {
        if self.prefetches {
            self.prefetch();
        }
        match event {
            Event::Arrive { port, frame } => self.arrive(port, frame),
            Event::Offer { port, frame } => self.stack.link.offer(port, frame),
            Event::OfferToBond { port, frame } => self.stack.link.offer_to_bond(port, frame),
            Event::Interrupt { queue } => self.stack.interrupt_due(queue),
            Event::Polled { context } => self.stack.polled(context),
            Event::Decide { hub } => self.decide(hub),
            Event::JobEnd { process } => self.stack.job_end(process),
            Event::AckTimer { endpoint } => self.stack.ack_timer(endpoint),
            Event::TxSpace { port } => self.stack.tx_space(port),
            Event::Timeout { endpoint } => self.stack.timeout(endpoint),
            Event::Sent { port } => self.sent(port),
            Event::HasSent { port } => self.stack.has_sent(port),
            Event::PauseLifted { port } => self.stack.watch_ring(port),
            Event::Wake { node } => self.stack.step(first_on(node)),
            Event::SleepEnded { process } => self.stack.sleep_ended(process),
            Event::HandedOver { from } => {
                let notice = self.stack.hosts.hand_overs.end(from);
                self.stack.link.clock.notify(notice);
            }
            Event::TimerEnded { rank, stream } => {
                self.stack.link.clock.notify(Notice::TimerEnded(rank, stream));
            }
            Event::Unanswered { node, neighbour } => self.stack.unanswered(node, neighbour),
            Event::Change => self.change(),
            Event::Lost(lost) => self.stack.link.lose(lost),
        }
    }
}

impl<'a, M: Medium<'a>> NetworkModel for PacketModel<'a, M> {
    fn now(&self) -> Time {
        self.stack.link.clock.now
    }

    fn write(&mut self, rank: Rank, to: Rank, transfer: Transfer, while_blocked: WhileBlocked) {
        let process = self.stack.hosts.processes.of_rank(rank);
        self.stack.begin_write(process, to, transfer, while_blocked);
    }

    fn set_timer(&mut self, rank: Rank, stream: StreamId, end: Time) {
        self.stack.link.clock.events.push(end, Event::TimerEnded { rank, stream });
    }

    fn compute(&mut self, rank: Rank, work: Time) {
        let process = self.stack.hosts.processes.of_rank(rank);
        self.stack.begin_computing(process, work);
    }

    fn sleep(&mut self, rank: Rank, end: Time) {
        let process = self.stack.hosts.processes.of_rank(rank);
        self.stack.begin_sleep(process, end);
    }

    fn listen(&mut self, rank: Rank) {
        let process = self.stack.hosts.processes.of_rank(rank);
        self.stack.begin_listening(process);
    }

    fn node_of(&self, rank: Rank) -> Option<NodeId> {
        Some(self.stack.hosts.node_of_rank[rank])
    }

    fn hand_over(&mut self, from: Rank, to: Rank, transfer: Transfer, at: Time) {
        self.stack.hosts.hand_overs.begin(from, to, transfer.head);
        self.stack.link.clock.events.push(at, Event::HandedOver { from });
    }

    fn moves_datagrams(&self) -> bool {
        true
    }

    fn send_datagram(&mut self, rank: Rank, datagram: Datagram) {
        self.stack.begin_datagram(rank, datagram);
    }

    fn advance(&mut self) -> Result<Option<Notice>, RunError> {
        advance(self)
    }
}
