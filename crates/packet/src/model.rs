//! The engine: it joins wires, switches, hosts and the clock, and hands each event to its owner.
//! The reactions of hosts are in the files of `hosts`.

use host::process::Job;
use host::tcp::{Endpoint, EndpointId};
use host::{Neighbours, Transfer};
use network::{Ip, PortId};
use program::Rank;
use quantity::{IdVec, Time};
use simulation::{Datagram, EventDriven, NetworkModel, Notice, RunError, Setup, advance};

use crate::arena::FrameId;
use crate::bonds::Bonds;
use crate::clock::Clock;
use crate::counters::Counters;
use crate::datagram::Delivery;
use crate::error::PacketError;
use crate::event::Event;
use crate::faults::{Fault, FaultOptions, FaultReport, FaultyWires};
use crate::hosts::{Hosts, Node, Path, Stack};
use crate::ids::HubId;
use crate::medium::Medium;
use crate::observer::Observer;
use crate::prefetch::{self, Ahead};
use crate::switches::Switches;
use crate::wires::{Contention, Place, Wires};

/// The packet engine.
#[derive(Debug)]
pub struct PacketModel<'a, M> {
    stack: Stack<'a, M>,
    switches: Switches,
    prefetches: bool,
}

impl<'a, O: Observer> PacketModel<'a, Wires<'a, O>> {
    /// Prepares a silent network at time zero.
    ///
    /// # Errors
    /// If a device cannot be built as the network describes it, for example a hub whose delay
    /// exceeds the collision window.
    pub fn new(setup: Setup<'a>, observer: O) -> Result<Self, PacketError> {
        PacketModel::on(setup, observer, |wires, _| wires)
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
        if setup.host.links.pause {
            return Err(RunError::FaultsWithPauses.into());
        }
        let seed = setup.seed;
        PacketModel::on(setup, observer, |wires, clock| {
            FaultyWires::new(wires, clock, faults, options, seed)
        })
    }

    /// Returns the cost of each fault until now, in the order given.
    pub fn fault_reports(&self) -> Vec<FaultReport> {
        self.stack.wires.reports()
    }
}

impl<'a, M: Medium<'a>> PacketModel<'a, M> {
    /// Prepares a silent network whose wires `around` may wrap.
    fn on(
        setup: Setup<'a>,
        observer: M::Observer,
        around: impl FnOnce(Wires<'a, M::Observer>, &mut Clock<'a>) -> M,
    ) -> Result<Self, PacketError> {
        let fabric = &setup.network.fabric;
        let wires = Wires::new(setup.network, setup.host, setup.seed, observer)?;
        let mut clock = Clock::new(setup.stop, prefetch::known_ahead(fabric));
        let know_stations = setup.host.links.neighbours == Neighbours::Warm;
        Ok(PacketModel {
            switches: Switches::new(fabric, wires.rates(), know_stations),
            stack: Stack {
                network: setup.network,
                host: setup.host,
                hosts: Hosts::new(&setup),
                bonds: Bonds::new(fabric),
                wires: around(wires, &mut clock),
                clock,
            },
            prefetches: prefetch::is_worth_it(fabric),
        })
    }

    /// Prefetches memory of the next events.
    fn prefetch(&self) {
        let Stack { network, wires, hosts, clock, .. } = &self.stack;
        let switches = &self.switches;
        Ahead { network, wires, switches, hosts, clock }.prefetch();
    }

    /// Returns the delivery of each datagram, in the order in which they were sent.
    pub fn deliveries(&self) -> &[Delivery] {
        &self.stack.hosts.deliveries
    }

    /// Returns the counters of the run so far.
    pub fn counters(&self) -> Counters {
        Counters { events: self.stack.clock.n_events(), ..self.stack.clock.counters }
    }

    /// Returns the time during which at least one connection waited for a retransmission time-out
    /// that fired.
    pub fn waited_for_timeouts(&self) -> Time {
        self.stack.hosts.waits.total()
    }

    /// Returns how many frames are in flight or queued.
    pub fn frames_in_flight(&self) -> u64 {
        self.stack.wires.plain().frames.n_live() as u64
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
        self.stack.wires.into_observer()
    }

    /// Returns the bytes held by (nodes, connection ends, frames).
    pub fn memory_bytes(&self) -> (usize, usize, usize) {
        let nodes: usize = self.stack.hosts.nodes.iter().map(Node::memory_bytes).sum();
        let ends: usize = self.stack.hosts.endpoints.iter().map(Endpoint::memory_bytes).sum();
        (
            nodes + self.stack.hosts.rx.memory_bytes(),
            ends + self.stack.hosts.paths.capacity() * size_of::<Path>(),
            self.stack.wires.plain().frames.memory_bytes(),
        )
    }
}

/// Events on the wires, and their consequences for switches and hosts.
impl<'a, M: Medium<'a>> PacketModel<'a, M> {
    /// Hands a frame that arrives at a port to the node or switch that it belongs to.
    #[inline]
    fn arrive(&mut self, port: PortId, frame: FrameId) {
        match self.stack.wires.plain_mut().arrive(&mut self.stack.clock, port, frame) {
            Some(Place::Node(node)) => self.stack.arrive_at_node(node, port, frame),
            Some(Place::Switch(switch)) => {
                let Stack { wires, clock, .. } = &mut self.stack;
                self.switches.forward(wires, clock, switch, port, frame);
            }
            Some(Place::Hub) | None => {}
        }
    }

    /// Resolves a contention on a hub.
    fn decide(&mut self, hub: HubId) {
        match self.stack.wires.plain_mut().resolve(&mut self.stack.clock, hub) {
            Some(Contention::Won(broadcast)) => {
                self.stack.tx_space_made(broadcast.sender, broadcast.end);
                self.stack.wires.repeat(&mut self.stack.clock, &broadcast);
            }
            Some(Contention::Lost(ports)) => {
                let now = self.stack.clock.now;
                ports.into_iter().for_each(|port| self.stack.tx_space_made(port, now));
            }
            None => {}
        }
        self.stack.wires.plain_mut().schedule_contention(&mut self.stack.clock, hub);
    }

    /// Starts the next frame at a port that PAUSE frames can stop.
    fn sent(&mut self, port: PortId) {
        self.stack.wires.plain_mut().sent(&mut self.stack.clock, port);
        self.stack.wake(port);
        let now = self.stack.clock.now;
        self.stack.tx_space_made(port, now);
    }

    /// Applies failures and returns of links, and lets switches and nodes react to them.
    fn change(&mut self) {
        let change = self.stack.wires.change(&mut self.stack.clock);
        self.switches.on_change(&self.stack.wires, &change);
        // Frames that waited at these ports have left their queues.
        let now = self.stack.clock.now;
        change.ports.iter().for_each(|&port| self.stack.tx_space_made(port, now));
        change.noticed_by.into_iter().for_each(|node| self.stack.reroute(node));
        change.dying.into_iter().for_each(|node| self.stack.kill_processes(node));
    }
}

impl<'a, M: Medium<'a>> EventDriven<'a, Event> for PacketModel<'a, M> {
    #[inline]
    fn clock(&mut self) -> &mut simulation::Clock<'a, Event> {
        &mut self.stack.clock
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
            Event::Offer { port, frame } => {
                let now = self.stack.clock.now;
                self.stack.wires.send(&mut self.stack.clock, port, frame, now);
            }
            Event::OfferToBond { port, frame } => {
                self.stack.bonds.send(&mut self.stack.wires, &mut self.stack.clock, port, frame);
            }
            Event::Interrupt { queue } => self.stack.interrupt_due(queue),
            Event::Polled { context } => self.stack.polled(context),
            Event::Decide { hub } => self.decide(hub),
            Event::JobEnd { node } => self.stack.job_end(node),
            Event::AckTimer { endpoint } => self.stack.ack_timer(endpoint),
            Event::TxSpace { port } => self.stack.tx_space(port),
            Event::Timeout { endpoint } => self.stack.timeout(endpoint),
            Event::Sent { port } => self.sent(port),
            Event::PauseLifted { port } => self.stack.watch_ring(port),
            Event::Wake { node } => self.stack.step(node),
            Event::SleepEnded { node } => self.stack.sleep_ended(node),
            Event::Unanswered { node, neighbour } => self.stack.unanswered(node, neighbour),
            Event::Change => self.change(),
            Event::Lost(lost) => self.stack.wires.lose(&mut self.stack.clock, lost),
        }
    }
}

impl<'a, M: Medium<'a>> NetworkModel for PacketModel<'a, M> {
    fn now(&self) -> Time {
        self.stack.clock.now
    }

    fn write(&mut self, rank: Rank, to: Rank, transfer: Transfer) {
        let node = self.stack.hosts.node_of_rank[rank];
        self.stack.begin_write(node, to, transfer);
    }

    fn compute(&mut self, rank: Rank, work: Time) {
        let node = self.stack.hosts.node_of_rank[rank];
        self.stack.start(node, work, Job::Compute);
    }

    fn sleep(&mut self, rank: Rank, end: Time) {
        let node = self.stack.hosts.node_of_rank[rank];
        self.stack.begin_sleep(node, end);
    }

    fn listen(&mut self, rank: Rank) {
        let node = self.stack.hosts.node_of_rank[rank];
        self.stack.begin_listening(node);
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
