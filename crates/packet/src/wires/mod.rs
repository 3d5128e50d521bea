//! The wires between nodes and switches: queues, cables and hubs, and the frames on them. For each
//! frame handed to a port they compute its arrival at the other end, or drop it. Hubs are in
//! `contention`, ports that PAUSE frames can stop in `paced`.
//!
//! A frame in flight is an event at its arrival. Frames behind it on the same cable arrive later,
//! so one pending event per cable is enough. Not here: the reactions of switches and nodes, and the
//! effects of faults.
//!
//! The steps of every hop are `inline(always)`: sound and faulty wires share them, and the compiler
//! inlines functions of this size only where they have a single caller.

mod backlog;
mod contention;
mod hub;
mod outlet;
mod paced;
mod pause;

use device::{Departure, DeviceError};
use host::{HostModel, prefetch};
use network::{DeviceKind, Fabric, Network, NodeId, PortId};
use quantity::{Id, IdVec, Rate, Time};

use crate::arena::{Arrival, FrameArena, FrameId};
use crate::clock::Clock;
use crate::event::Event;
use crate::frame::{Frame, Payload};
use crate::ids::{HubId, SwitchId};
use crate::observer::{Fate, Flight, Observer};

pub use hub::Broadcast;
pub use hub::Contention;

use hub::Domain;
use outlet::{Outlet, port_rates};
use pause::PauseState;

/// The owner of a port.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    Node(NodeId),
    Switch(SwitchId),
    /// A switch that forwards by routes.
    RoutedSwitch(SwitchId),
    /// A hub, at whose ports no frame ends.
    Hub,
}

/// The wires of a network, and the frames on them.
#[derive(Debug)]
pub struct Wires<'a, O> {
    pub(crate) network: &'a Network,
    pub(crate) frames: FrameArena,
    outlets: IdVec<PortId, Outlet>,
    places: IdVec<PortId, Place>,
    rates: IdVec<PortId, Rate>,
    hubs: IdVec<HubId, Domain>,
    pause: PauseState,
    /// Number of frames above which a queue marks those that join; 0 for never.
    mark_above: u32,
    /// Whether nodes hear of the end of each frame that they send.
    tells_sent: bool,
    pub(crate) observer: O,
}

impl<'a, O: Observer> Wires<'a, O> {
    pub(crate) fn new(
        network: &'a Network,
        host: &HostModel,
        seed: u64,
        observer: O,
    ) -> Result<Wires<'a, O>, DeviceError> {
        let fabric = &network.fabric;
        let rates = port_rates(fabric);
        let mut outlets = outlet::outlets(fabric, host);
        let hubs = hub::domains(fabric, host, &rates, seed, &mut outlets)?;
        Ok(Wires {
            network,
            frames: FrameArena::default(),
            outlets,
            places: places(fabric),
            rates,
            hubs,
            pause: PauseState::new(fabric, host),
            mark_above: host.queues.mark_above,
            tells_sent: host.costs.sent > Time::ZERO,
            observer,
        })
    }

    /// Returns the fabric as it is wired without faults.
    pub(crate) fn fabric(&self) -> &Fabric {
        &self.network.fabric
    }

    /// Returns the rate of the link in each port.
    pub(crate) fn rates(&self) -> &IdVec<PortId, Rate> {
        &self.rates
    }

    /// Returns the rate of the link in a port.
    pub(crate) fn rate(&self, port: PortId) -> Rate {
        self.rates[port]
    }

    /// Returns whether a port is on a hub.
    pub(crate) fn is_on_hub(&self, port: PortId) -> bool {
        matches!(self.outlets[port], Outlet::Station { .. })
    }

    /// Returns whether a port is wired to anything.
    pub(crate) fn has_outlet(&self, port: PortId) -> bool {
        !matches!(self.outlets[port], Outlet::Nothing)
    }

    /// Queues a frame at `port` from `time` on, which may lie ahead; returns whether the queue has
    /// room.
    #[inline]
    pub(crate) fn offer(
        &mut self,
        clock: &mut Clock<'_>,
        port: PortId,
        frame: FrameId,
        time: Time,
    ) -> bool {
        match &mut self.outlets[port] {
            Outlet::Channel(outlet) => {
                let bytes = self.frames.get(frame).bytes;
                let Some(departure) = outlet.channel.offer(time, bytes) else { return false };
                self.observer.queued(time, port, frame);
                let heard = self.depart(clock, port, frame, departure);
                self.fly(clock, port, frame, heard);
                true
            }
            Outlet::Station { .. } | Outlet::Paced(_) if time > clock.now => {
                clock.events.push(time, Event::Offer { port, frame });
                true
            }
            &mut Outlet::Station { hub, station } => self.offer_to_hub(clock, hub, station, frame),
            Outlet::Paced(_) => self.offer_paced(clock, port, frame),
            Outlet::Nothing => false,
        }
    }

    /// Queues a frame in a channel; returns its departure, if there is room.
    #[inline]
    pub(crate) fn enqueue(
        &mut self,
        port: PortId,
        frame: FrameId,
        time: Time,
    ) -> Option<Departure> {
        let Outlet::Channel(outlet) = &mut self.outlets[port] else { return None };
        let departure = outlet.channel.offer(time, self.frames.get(frame).bytes)?;
        self.observer.queued(time, port, frame);
        Some(departure)
    }

    /// Returns the delay of the cable behind a port, if the port has a channel.
    pub(crate) fn channel_delay(&self, port: PortId) -> Option<Time> {
        match &self.outlets[port] {
            Outlet::Channel(outlet) => Some(outlet.delay),
            _ => None,
        }
    }

    /// Sends a frame from the queue of a channel; returns the time at which the other end hears it.
    #[inline(always)]
    pub(crate) fn depart(
        &mut self,
        clock: &mut Clock<'_>,
        port: PortId,
        frame: FrameId,
        departure: Departure,
    ) -> Time {
        let Outlet::Channel(outlet) = &mut self.outlets[port] else { return Time::MAX };
        clock.counters.frame_hops += 1;
        if self.mark_above > 0 && outlet.channel.n_queued() > self.mark_above {
            self.frames.get_mut(frame).mark();
        }
        let attached = self.frames.attached(frame);
        let Departure { start, end: sent } = departure;
        self.observer.sent(start, port, self.frames.get(frame), attached);
        let (to, end) = (Some(outlet.peer), sent + outlet.delay);
        let flight = Flight { from: port, to, start, sent, end };
        self.observer.flies(frame, self.frames.get(frame), flight);
        let heard = if outlet.tells_first_bit { start } else { sent };
        let heard = heard + outlet.delay;
        self.tell_sent(clock, port, sent);
        heard
    }

    /// Lets a node hear of the end of a frame that it sends, if it does.
    #[inline]
    pub(super) fn tell_sent(&self, clock: &mut Clock<'_>, port: PortId, time: Time) {
        if self.tells_sent && matches!(self.places[port], Place::Node(_)) {
            clock.events.push(time, Event::HasSent { port });
        }
    }

    /// Schedules the arrival of a frame that has departed from a channel.
    #[inline(always)]
    pub(crate) fn fly(&mut self, clock: &mut Clock<'_>, port: PortId, frame: FrameId, time: Time) {
        let Outlet::Channel(outlet) = &mut self.outlets[port] else { return };
        let ahead = std::mem::replace(&mut outlet.last, frame);
        let is_behind = outlet.last_arrives >= clock.now;
        outlet.last_arrives = time;
        let arrival = Arrival { frame, time, number: clock.events.take_number() };
        // At the instant of its arrival the last frame may have arrived or not.
        let is_behind = is_behind && self.frames.queue_behind(ahead, port, arrival);
        self.frames.departs(frame, port);
        if !is_behind {
            push_arrival(clock, outlet.peer, arrival);
        }
    }

    /// Takes a frame off its cable; returns the owner of the port, unless the frame ends there.
    #[inline(always)]
    pub(crate) fn arrive(
        &mut self,
        clock: &mut Clock<'_>,
        port: PortId,
        frame: FrameId,
    ) -> Option<Place> {
        if let Some(next) = self.frames.arrives(frame) {
            push_arrival(clock, port, next);
        }
        if self.pauses()
            && let Payload::Pause(pause) = self.frames.get(frame).payload
        {
            self.on_pause(clock, port, frame, pause);
            return None;
        }
        match self.places[port] {
            Place::Hub => {
                self.drop_at_queue(clock, frame);
                None
            }
            place => Some(place),
        }
    }

    /// Receives a frame at a port, which may check it for damage; returns whether it is kept.
    #[inline]
    pub(crate) fn take_in(
        &mut self,
        clock: &mut Clock<'_>,
        port: PortId,
        id: FrameId,
        checks: bool,
    ) -> bool {
        let frame = self.frames.get(id);
        if checks && frame.is_damaged {
            self.drop_damaged(clock, id);
            return false;
        }
        self.observer.received(clock.now, port, frame, self.frames.attached(id));
        true
    }

    /// Creates a frame.
    #[inline]
    pub(crate) fn create(&mut self, clock: &mut Clock<'_>, frame: Frame) -> FrameId {
        clock.counters.frames_created += 1;
        let id = self.frames.insert(frame);
        self.observer.made(id, &frame, None);
        id
    }

    /// Creates a copy of a frame.
    pub(crate) fn copy(&mut self, clock: &mut Clock<'_>, frame: FrameId) -> FrameId {
        clock.counters.frames_created += 1;
        let copy = self.frames.copy(frame);
        self.observer.made(copy, self.frames.get(copy), Some(frame));
        copy
    }

    /// Removes a frame that has reached its end.
    #[inline]
    pub(crate) fn consume(&mut self, clock: &mut Clock<'_>, frame: FrameId) {
        clock.counters.frames_consumed += 1;
        self.frames.remove(frame);
    }

    /// Drops a frame that finds a queue full.
    pub(crate) fn drop_at_queue(&mut self, clock: &mut Clock<'_>, frame: FrameId) {
        clock.counters.dropped_at_queues += 1;
        self.drop(clock.now, frame, Fate::QueueFull);
    }

    /// Drops a frame whose check sequence is wrong.
    pub(crate) fn drop_damaged(&mut self, clock: &mut Clock<'_>, frame: FrameId) {
        clock.counters.corrupted += 1;
        self.drop(clock.now, frame, Fate::Lost);
    }

    /// Removes a frame that is dropped and counted.
    #[inline]
    pub(crate) fn drop(&mut self, now: Time, frame: FrameId, fate: Fate) {
        self.observer.dropped(now, frame, self.frames.get(frame), fate);
        self.frames.remove(frame);
    }

    /// Sets the source of a frame to a port, and its target to the port of the same interface on
    /// that wire, if there is one.
    pub(crate) fn address_on_wire(&mut self, port: PortId, frame: FrameId) {
        let frame = self.frames.get_mut(frame);
        frame.source = port;
        if let Some(target) = frame.target.get() {
            frame.target = self.network.fabric.on_wire(port, target).unwrap_or(target).into();
        }
    }
}

/// Prefetches for events to come.
impl<O: Observer> Wires<'_, O> {
    /// Returns the owner of a port.
    #[inline]
    pub(crate) fn place(&self, port: PortId) -> Place {
        self.places[port]
    }

    #[inline]
    pub(crate) fn prefetch_outlet(&self, port: PortId) {
        prefetch(&self.outlets[port]);
    }

    /// Prefetches the in-flight record of the last frame sent by a port.
    #[inline]
    pub(crate) fn prefetch_last(&self, port: PortId) {
        if let Outlet::Channel(outlet) = &self.outlets[port] {
            prefetch(&outlet.last_arrives);
            self.frames.prefetch_in_flight(outlet.last);
        }
    }
}

#[inline]
fn push_arrival(clock: &mut Clock<'_>, port: PortId, arrival: Arrival) {
    let Arrival { frame, time, number } = arrival;
    clock.events.push_numbered(time, number, Event::Arrive { port, frame });
}

fn places(fabric: &Fabric) -> IdVec<PortId, Place> {
    let mut places = IdVec::filled(Place::Hub, fabric.ports().n());
    let mut next_switch = SwitchId::new(0);
    for device in fabric.devices() {
        let place = match fabric.kind(device) {
            DeviceKind::Hub(_) => continue,
            DeviceKind::Node => Place::Node(NodeId::new(device.get())),
            kind => {
                let switch = next_switch;
                next_switch = switch.following();
                match kind.has_routes() {
                    true => Place::RoutedSwitch(switch),
                    false => Place::Switch(switch),
                }
            }
        };
        fabric.ports_of(device).for_each(|port| places[port] = place);
    }
    places
}
