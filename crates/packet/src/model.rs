//! The engine: it joins wires, switches, hosts and the clock. What hosts do is in `send`, `receive`,
//! `process` and `timers`.

use host::process::Job;
use host::tcp::Endpoint;
use host::{HostModel, Neighbours, Transfer};
use network::{Ip, Network, PortId};
use program::Rank;
use quantity::Time;
use simulation::{Datagram, EventDriven, NetworkModel, Notice, RunError, Setup, advance};

use crate::arena::FrameId;
use crate::bonds::Bonds;
use crate::clock::Clock;
use crate::counters::Counters;
use crate::error::PacketError;
use crate::event::Event;
use crate::faults::{Fault, FaultOptions, FaultReport, FaultyWires};
use crate::hosts::Hosts;
use crate::look_ahead;
use crate::medium::Medium;
use crate::node::Node;
use crate::observer::Observer;
use crate::send::Path;
use crate::switches::Switches;
use crate::wires::{Contention, Place, Wires};

/// The packet engine.
#[derive(Debug)]
pub struct PacketModel<'a, M> {
    pub(crate) network: &'a Network,
    pub(crate) host: HostModel,
    pub(crate) wires: M,
    pub(crate) switches: Switches,
    pub(crate) bonds: Bonds,
    pub(crate) hosts: Hosts<'a>,
    pub(crate) clock: Clock<'a>,
    looks_ahead: bool,
}

impl<'a, O: Observer> PacketModel<'a, Wires<'a, O>> {
    /// Prepares a silent network at time zero.
    ///
    /// # Errors
    /// When a device cannot be what the network says, for example a hub whose delay exceeds the
    /// collision window.
    pub fn new(setup: Setup<'a>, observer: O) -> Result<Self, PacketError> {
        PacketModel::on(setup, observer, |wires, _| wires)
    }
}

impl<'a, O: Observer> PacketModel<'a, FaultyWires<'a, O>> {
    /// Prepares a silent network at time zero on which faults are planned.
    ///
    /// # Errors
    /// As without faults, and where ports pause each other, which is not modelled together.
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

    /// Returns what each fault cost until now, in the order given.
    pub fn fault_reports(&self) -> Vec<FaultReport> {
        self.wires.reports()
    }
}

impl<'a, M: Medium<'a>> PacketModel<'a, M> {
    /// Prepares a silent network whose wires are what `around` makes of them.
    fn on(
        setup: Setup<'a>,
        observer: M::Observer,
        around: impl FnOnce(Wires<'a, M::Observer>, &mut Clock<'a>) -> M,
    ) -> Result<Self, PacketError> {
        let fabric = &setup.network.fabric;
        let wires = Wires::new(fabric, setup.host, setup.seed, observer)?;
        let mut clock = Clock::new(setup.stop, look_ahead::known_ahead(fabric));
        let know_stations = setup.host.links.neighbours == Neighbours::Warm;
        Ok(PacketModel {
            network: setup.network,
            host: *setup.host,
            switches: Switches::new(fabric, wires.rates(), know_stations),
            bonds: Bonds::new(fabric),
            wires: around(wires, &mut clock),
            hosts: Hosts::new(&setup),
            clock,
            looks_ahead: look_ahead::is_worth_it(fabric),
        })
    }

    /// Returns what the run did so far.
    pub fn counters(&self) -> Counters {
        Counters { events: self.clock.n_events(), ..self.clock.counters }
    }

    /// Returns for how long at least one connection waited for a retransmission time-out that came.
    pub fn waited_for_timeouts(&self) -> Time {
        self.hosts.waits.total()
    }

    /// Returns how many frames are in flight or queued.
    pub fn frames_in_flight(&self) -> u64 {
        self.wires.plain().frames.n_live() as u64
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

    /// Returns the address that each connection end is reached by.
    pub fn own_addresses(&self) -> Vec<Ip> {
        let own = |end: &Endpoint| {
            let to_here = &self.hosts.paths[end.peer as usize];
            self.network.addressing.address(to_here.address).ip
        };
        self.hosts.endpoints.iter().map(own).collect()
    }

    /// Returns what watched the frames.
    pub fn into_observer(self) -> M::Observer {
        self.wires.into_observer()
    }

    /// Returns the bytes held by (nodes, connection ends, frames).
    pub fn memory_bytes(&self) -> (usize, usize, usize) {
        let nodes: usize = self.hosts.nodes.iter().map(Node::memory_bytes).sum();
        let ends: usize = self.hosts.endpoints.iter().map(Endpoint::memory_bytes).sum();
        (
            nodes + self.hosts.rx.memory_bytes(),
            ends + self.hosts.paths.capacity() * size_of::<Path>(),
            self.wires.plain().frames.memory_bytes(),
        )
    }
}

/// What happens on the wires, and who is told of it.
impl<'a, M: Medium<'a>> PacketModel<'a, M> {
    /// Hands a frame that arrives at a port to the node or switch that it belongs to.
    #[inline]
    fn arrive(&mut self, port: PortId, frame: FrameId) {
        match self.wires.plain_mut().arrive(&mut self.clock, port, frame) {
            Some(Place::Node(node)) => self.arrive_at_node(node, port, frame),
            Some(Place::Switch(switch)) => {
                let Self { switches, wires, clock, .. } = self;
                switches.forward(wires, clock, switch, port, frame);
            }
            Some(Place::Hub) | None => {}
        }
    }

    /// Resolves a contention on a hub.
    fn decide(&mut self, hub: u32) {
        match self.wires.plain_mut().resolve(&mut self.clock, hub) {
            Some(Contention::Won(broadcast)) => {
                self.room_made(broadcast.sender, broadcast.end);
                self.wires.repeat(&mut self.clock, &broadcast);
            }
            Some(Contention::Lost(ports)) => {
                ports.into_iter().for_each(|port| self.room_made(port, self.clock.now));
            }
            None => {}
        }
        self.wires.plain_mut().schedule_contention(&mut self.clock, hub);
    }

    /// Lets the next frame begin at a port that can be stopped.
    fn sent(&mut self, port: PortId) {
        self.wires.plain_mut().sent(&mut self.clock, port);
        self.wake(port);
        self.room_made(port, self.clock.now);
    }

    /// Lets links fail and return, and all who notice do what they do about it.
    fn change(&mut self) {
        let change = self.wires.change(&mut self.clock);
        self.switches.on_change(&self.wires, &change);
        // What waited there has made room.
        change.ports.iter().for_each(|&port| self.room_made(port, self.clock.now));
        change.noticed_by.into_iter().for_each(|node| self.find_other_ways(node));
        change.dying.into_iter().for_each(|node| self.kill_processes(node));
    }

    /// Fails where channels wait for each other: when nothing else happens, or a connection has
    /// lost what no queue drops.
    pub(crate) fn detect_deadlock(&mut self) {
        let n_stuck = self.wires.plain().stuck_channels().len() as u32;
        if n_stuck > 0 && !self.clock.has_failed() {
            self.clock.fail(RunError::PauseDeadlock { channels: n_stuck });
        }
    }
}

impl<'a, M: Medium<'a>> EventDriven<'a, Event> for PacketModel<'a, M> {
    #[inline]
    fn clock(&mut self) -> &mut simulation::Clock<'a, Event> {
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
            Event::Offer { port, frame } => {
                let now = self.clock.now;
                self.wires.send(&mut self.clock, port, frame, now);
            }
            Event::OfferToBond { port, frame } => {
                self.bonds.send(&mut self.wires, &mut self.clock, port, frame);
            }
            Event::Interrupt { queue } => self.interrupt_due(queue),
            Event::Polled { context } => self.polled(context),
            Event::Decide { hub } => self.decide(hub),
            Event::JobEnd { node } => self.job_end(node),
            Event::AckTimer { endpoint } => self.ack_timer(endpoint),
            Event::Room { port } => self.room(port),
            Event::Timeout { endpoint } => self.timeout(endpoint),
            Event::Sent { port } => self.sent(port),
            Event::PauseLifted { port } => self.watch_ring(port),
            Event::Wake { node } => self.step(node),
            Event::Rested { node } => self.rested(node),
            Event::Unanswered { node, neighbour } => self.unanswered(node, neighbour),
            Event::Change => self.change(),
            Event::Lost(lost) => self.wires.lose(&mut self.clock, lost),
        }
    }
}

impl<'a, M: Medium<'a>> NetworkModel for PacketModel<'a, M> {
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
