//! Layer 2 of a network: the wires, bonds and switches between hosts, and the clock that moves
//! them. The hosts are the engine's own, or real ones.

use device::ethernet::SHORTEST_FRAME_BYTES;
use network::{Network, PortId};
use quantity::{Ids, Time};
use simulation::Setup;

use crate::arena::{Contents, FrameId};
use crate::bonds::{Bonds, Interface};
use crate::clock::Clock;
use crate::counters::Counters;
use crate::error::PacketError;
use crate::event::Event;
use crate::faults::{Fault, FaultOptions, FaultReport, FaultyWires};
use crate::frame::{Frame, Payload};
use crate::ids::{HubId, SwitchId};
use crate::loss::LostFrame;
use crate::medium::{Change, Medium};
use crate::observer::Observer;
use crate::prefetch;
use crate::switches::Switches;
use crate::wires::{Contention, Place, Wires};

/// Length of the frame check sequence, which real hosts leave to their interfaces.
const FCS_BYTES: u32 = 4;

/// Wires, bonds and switches at the present time.
#[derive(Debug)]
pub struct LinkLayer<'a, M> {
    pub(crate) network: &'a Network,
    pub(crate) wires: M,
    pub(crate) bonds: Bonds,
    pub(crate) switches: Switches,
    /// The clock that all parts share.
    pub clock: Clock<'a>,
}

impl<'a, O: Observer> LinkLayer<'a, Wires<'a, O>> {
    /// Prepares a silent layer 2 at time zero; with `know_stations` its switches have heard every
    /// station.
    ///
    /// # Errors
    /// If a device cannot be built as the network describes it.
    pub fn new(setup: &Setup<'a>, observer: O, know_stations: bool) -> Result<Self, PacketError> {
        LinkLayer::on(setup, observer, know_stations, |wires, _| wires)
    }
}

impl<'a, O: Observer> LinkLayer<'a, FaultyWires<'a, O>> {
    /// Prepares a silent layer 2 with planned faults.
    ///
    /// # Errors
    /// If a device cannot be built as the network describes it.
    pub fn with_faults(
        setup: &Setup<'a>,
        observer: O,
        know_stations: bool,
        faults: &[Fault],
        options: FaultOptions,
    ) -> Result<Self, PacketError> {
        let seed = setup.seed;
        LinkLayer::on(setup, observer, know_stations, |wires, clock| {
            FaultyWires::new(wires, clock, faults, options, seed)
        })
    }
}

impl<'a, M: Medium<'a>> LinkLayer<'a, M> {
    /// Prepares a silent layer 2 whose wires `around` may wrap.
    fn on(
        setup: &Setup<'a>,
        observer: M::Observer,
        know_stations: bool,
        around: impl FnOnce(Wires<'a, M::Observer>, &mut Clock<'a>) -> M,
    ) -> Result<Self, PacketError> {
        let network = setup.network;
        let wires = Wires::new(network, setup.host, setup.seed, observer)?;
        let mut clock = Clock::new(setup.stop, prefetch::known_ahead(&network.fabric));
        Ok(LinkLayer {
            network,
            switches: Switches::new(&network.fabric, wires.rates(), know_stations),
            bonds: Bonds::new(&network.fabric),
            wires: around(wires, &mut clock),
            clock,
        })
    }

    /// Queues a frame at a port at the present time.
    #[inline]
    pub fn offer(&mut self, port: PortId, frame: FrameId) {
        let now = self.clock.now;
        self.wires.send(&mut self.clock, port, frame, now);
    }

    /// Queues a frame at the port of a bond that is next.
    #[inline]
    pub fn offer_to_bond(&mut self, port: PortId, frame: FrameId) {
        self.bonds.send(&mut self.wires, &mut self.clock, port, frame);
    }

    /// Moves a frame that arrives at a port through a switch, or returns the node or the routed
    /// switch that it has reached.
    #[inline]
    pub(crate) fn arrive(&mut self, port: PortId, frame: FrameId) -> Option<Place> {
        match self.wires.plain_mut().arrive(&mut self.clock, port, frame)? {
            Place::Switch(switch) => {
                let LinkLayer { wires, clock, switches, .. } = self;
                switches.forward(wires, clock, switch, port, frame);
                None
            }
            Place::Hub => None,
            place => Some(place),
        }
    }

    /// Takes in a frame that arrives at a routed switch; returns whether it is to be forwarded.
    pub(crate) fn enters(&mut self, switch: SwitchId, port: PortId, frame: FrameId) -> bool {
        let checks = !self.switches.is_cut_through(switch);
        self.wires.plain_mut().take_in(&mut self.clock, port, frame, checks)
    }

    /// Moves a packet through a routed switch from one port to another.
    pub(crate) fn pass(&mut self, switch: SwitchId, ports: (PortId, PortId), frame: FrameId) {
        let LinkLayer { wires, clock, switches, .. } = self;
        switches.pass(wires, clock, switch, ports, frame);
    }

    /// Resolves a contention on a hub, if one is due. Call [`LinkLayer::settle`] next.
    #[inline]
    pub fn resolve(&mut self, hub: HubId) -> Option<Contention> {
        self.wires.plain_mut().resolve(&mut self.clock, hub)
    }

    /// Lets a hub repeat the frame that has won a contention, and schedules the next one.
    pub fn settle(&mut self, hub: HubId, contention: Option<Contention>) {
        if let Some(Contention::Won(broadcast)) = contention {
            self.wires.repeat(&mut self.clock, &broadcast);
        }
        self.wires.plain_mut().schedule_contention(&mut self.clock, hub);
    }

    /// Starts the next frame at a port that PAUSE frames can stop.
    #[inline]
    pub fn sent(&mut self, port: PortId) {
        self.wires.plain_mut().sent(&mut self.clock, port);
    }

    /// Accounts for a frame that is lost now.
    pub fn lose(&mut self, lost: LostFrame) {
        self.wires.lose(&mut self.clock, lost);
    }

    /// Applies failures and returns of links, and lets switches react to them.
    pub fn change(&mut self) -> Change {
        let change = self.wires.change(&mut self.clock);
        self.switches.on_change(&self.wires, &change);
        change
    }
}

/// The freed space in transmit queues after a contention.
impl Contention {
    /// Returns the ports that have one frame less to send, and the times from which they do.
    pub fn freed(&self, now: Time) -> impl Iterator<Item = (PortId, Time)> + '_ {
        let (won, lost): (_, &[PortId]) = match self {
            Contention::Won(broadcast) => (Some((broadcast.sender, broadcast.end)), &[]),
            Contention::Lost(ports) => (None, ports),
        };
        won.into_iter().chain(lost.iter().map(move |&port| (port, now)))
    }
}

/// An effect of an event on real hosts.
#[derive(Debug)]
pub enum Effect {
    /// None.
    Nothing,
    /// A frame has reached a port of a node.
    Arrived(PortId, FrameId),
    /// The transmit queue of a port may have room.
    Space(PortId),
    /// Links have failed or returned.
    Changed(Change),
}

/// The link layer below real hosts, which read and write the bytes of frames.
impl<'a, M: Medium<'a>> LinkLayer<'a, M> {
    /// Handles an event at the present time.
    pub fn handle(&mut self, event: Event) -> Effect {
        match event {
            Event::Arrive { port, frame } => {
                let place = self.arrive(port, frame);
                return place.map_or(Effect::Nothing, |_| Effect::Arrived(port, frame));
            }
            Event::Offer { port, frame } => self.offer(port, frame),
            Event::OfferToBond { port, frame } => self.offer_to_bond(port, frame),
            Event::Decide { hub } => {
                let contention = self.resolve(hub);
                self.settle(hub, contention);
            }
            Event::Sent { port } => {
                self.sent(port);
                return Effect::Space(port);
            }
            Event::TxSpace { port } => return Effect::Space(port),
            Event::Change => return Effect::Changed(self.change()),
            Event::Lost(lost) => self.lose(lost),
            // Events of simulated hosts.
            _ => {}
        }
        Effect::Nothing
    }

    /// Sends the bytes of a frame, from its header on, out of an interface at the present time.
    pub fn transmit(&mut self, port: PortId, target: Option<PortId>, contents: Contents) {
        let bytes = (contents.len() as u32 + FCS_BYTES).max(SHORTEST_FRAME_BYTES);
        let payload = Payload::Contents;
        let target = target.into();
        let frame = Frame { source: port, target, bytes, flow: 0, is_damaged: false, payload };
        let wires = self.wires.plain_mut();
        let id = wires.create(&mut self.clock, frame);
        wires.frames.set_contents(id, contents);
        match self.bonds.interface(port) {
            Interface::Port => self.offer(port, id),
            Interface::Bond => self.offer_to_bond(port, id),
            Interface::PortToBond => {
                self.wires.plain_mut().address_on_wire(port, id);
                self.offer(port, id);
            }
        }
    }

    /// Takes a frame that has arrived at a node's port off the wire; returns its bytes, unless it
    /// is damaged or for another station.
    pub fn take(&mut self, port: PortId, frame: FrameId) -> Option<Contents> {
        let wires = self.wires.plain_mut();
        if !wires.take_in(&mut self.clock, port, frame, true) {
            return None;
        }
        let target = wires.frames.get(frame).target;
        let fabric = &self.network.fabric;
        let here = fabric.interface(port);
        let is_for_here = target.get().is_none_or(|target| fabric.interface(target) == here);
        let contents = wires.frames.contents(frame).filter(|_| is_for_here).cloned();
        wires.consume(&mut self.clock, frame);
        contents
    }

    /// Returns whether the transmit queue of an interface has room for a frame, and otherwise
    /// schedules a question for the time at which it may.
    pub fn has_space(&mut self, port: PortId, most: u32) -> bool {
        let now = self.clock.now;
        let ports = self.ports_of_interface(port);
        let wires = self.wires.plain_mut();
        if ports.clone().any(|port| wires.n_queued(now, port) < most) {
            return true;
        }
        let time = ports.filter_map(|port| wires.time_below(now, port, most)).min();
        if let Some(time) = time {
            self.clock.events.push(time.max(now), Event::TxSpace { port });
        }
        false
    }

    /// Returns the number of ports.
    pub fn n_ports(&self) -> u32 {
        self.network.fabric.ports().n()
    }

    /// Returns the ports of the interface that a port belongs to.
    #[inline]
    pub fn ports_of_interface(&self, port: PortId) -> Ids<PortId> {
        match self.bonds.interface(port) {
            Interface::Port => Ids::from(port, 1),
            _ => self.network.fabric.interface_ports(port),
        }
    }

    /// Returns whether an interface has carrier at any of its ports.
    pub fn has_carrier(&self, port: PortId) -> bool {
        let mut ports = self.network.fabric.interface_ports(port);
        ports.any(|port| self.wires.is_in_use(port) && self.wires.plain().has_outlet(port))
    }

    /// Returns the counters so far.
    pub fn counters(&self) -> Counters {
        Counters { events: self.clock.n_events(), ..self.clock.counters }
    }

    /// Returns the observer of the frames.
    pub fn into_observer(self) -> M::Observer {
        self.wires.into_observer()
    }
}

impl<'a, O: Observer> LinkLayer<'a, FaultyWires<'a, O>> {
    /// Returns the cost of each fault until now, in the order given.
    pub fn fault_reports(&self) -> Vec<FaultReport> {
        self.wires.reports()
    }
}
