//! The wires between nodes and switches: queues, cables and hubs, and the frames on them. Wires say
//! when a frame that is handed to a port arrives at the other end, or that it is dropped. Hubs are
//! in `contention`, ports that pause frames can stop in `paced`.
//!
//! A frame in flight is an event at its arrival; those behind it on the same cable come later, so
//! that one event at a time is enough for a cable. Not here: what switches and nodes do with
//! frames, and what faults do to wires.
//!
//! The steps of every hop are inlined by force (`inline(always)`): sound and faulty wires share
//! them, and the compiler inlines functions of this size only where they have one caller.

mod backlog;
mod contention;
mod hub;
mod outlet;
mod paced;
mod pause;

use device::{Departure, DeviceError};
use host::{HostModel, prefetch};
use network::{DeviceKind, Fabric, Network, PortId};
use quantity::{Rate, Time};

use crate::arena::{Arrival, FrameArena, FrameId};
use crate::clock::Clock;
use crate::event::Event;
use crate::frame::{Frame, NO_STATION, Payload};
use crate::observer::Observer;

pub use hub::Broadcast;
pub(crate) use hub::Contention;

use hub::Domain;
use outlet::{Outlet, port_rates};
use pause::PauseState;

/// Whose port it is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    Node(u32),
    Switch(u32),
    /// A port of a hub, where no frame ends.
    Hub,
}

/// The wires of a network, and the frames on them.
#[derive(Debug)]
pub struct Wires<'a, O> {
    pub(crate) network: &'a Network,
    pub(crate) frames: FrameArena,
    outlets: Vec<Outlet>,
    places: Vec<Place>,
    rates: Vec<Rate>,
    hubs: Vec<Domain>,
    pause: PauseState,
    /// Frames that a queue may hold before it marks more; 0 where none does.
    mark_above: u32,
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
        let hubs = hub::domains(fabric, &host.queues, &rates, seed, &mut outlets)?;
        Ok(Wires {
            network,
            frames: FrameArena::default(),
            outlets,
            places: places(fabric),
            rates,
            hubs,
            pause: PauseState::new(fabric, host),
            mark_above: host.queues.mark_above,
            observer,
        })
    }

    /// Returns what is plugged together.
    pub(crate) fn fabric(&self) -> &Fabric {
        &self.network.fabric
    }

    /// Returns the rate of the link in each port.
    pub(crate) fn rates(&self) -> &[Rate] {
        &self.rates
    }

    /// Returns the rate of the link in a port.
    pub(crate) fn rate(&self, port: PortId) -> Rate {
        self.rates[port as usize]
    }

    /// Returns whether a port is on a hub.
    pub(crate) fn is_on_hub(&self, port: PortId) -> bool {
        matches!(self.outlets[port as usize], Outlet::Station { .. })
    }

    /// Returns whether a port sends into anything.
    pub(crate) fn has_outlet(&self, port: PortId) -> bool {
        !matches!(self.outlets[port as usize], Outlet::Nothing)
    }

    /// Hands a frame to what is plugged into `port`, at `time`, which may lie ahead; returns
    /// whether the queue has room.
    #[inline]
    pub(crate) fn offer(
        &mut self,
        clock: &mut Clock<'_>,
        port: PortId,
        frame: FrameId,
        time: Time,
    ) -> bool {
        match &mut self.outlets[port as usize] {
            Outlet::Channel(outlet) => {
                let bytes = self.frames.get(frame).bytes;
                let Some(departure) = outlet.channel.offer(time, bytes) else { return false };
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

    /// Puts a frame into the queue of a channel; returns when it is sent, if there is room.
    #[inline]
    pub(crate) fn enqueue(
        &mut self,
        port: PortId,
        frame: FrameId,
        time: Time,
    ) -> Option<Departure> {
        let Outlet::Channel(outlet) = &mut self.outlets[port as usize] else { return None };
        outlet.channel.offer(time, self.frames.get(frame).bytes)
    }

    /// Returns whether a port has a channel, and the delay of the cable behind it.
    pub(crate) fn channel_delay(&self, port: PortId) -> Option<Time> {
        match &self.outlets[port as usize] {
            Outlet::Channel(outlet) => Some(outlet.delay),
            _ => None,
        }
    }

    /// Lets a frame depart from the queue of a channel; returns when the other end hears of it.
    #[inline(always)]
    pub(crate) fn depart(
        &mut self,
        clock: &mut Clock<'_>,
        port: PortId,
        frame: FrameId,
        departure: Departure,
    ) -> Time {
        let Outlet::Channel(outlet) = &mut self.outlets[port as usize] else { return Time::MAX };
        clock.counters.frame_hops += 1;
        if self.mark_above > 0 && outlet.channel.n_queued() > self.mark_above {
            self.frames.get_mut(frame).mark();
        }
        let options = self.frames.options(frame);
        self.observer.sent(departure.start, port, self.frames.get(frame), options);
        let heard = if outlet.tells_first_bit { departure.start } else { departure.end };
        heard + outlet.delay
    }

    /// Lets a frame that has departed from the queue of a channel arrive at the other end.
    #[inline(always)]
    pub(crate) fn fly(&mut self, clock: &mut Clock<'_>, port: PortId, frame: FrameId, time: Time) {
        let Outlet::Channel(outlet) = &mut self.outlets[port as usize] else { return };
        let ahead = std::mem::replace(&mut outlet.last, frame);
        let is_behind = outlet.last_arrives >= clock.now;
        outlet.last_arrives = time;
        let arrival = Arrival { frame, time, number: clock.events.take_number() };
        // At the instant of its arrival the last one may have come or not.
        let is_behind = is_behind && self.frames.queue_behind(ahead, port, arrival);
        self.frames.departs(frame, port);
        if !is_behind {
            push_arrival(clock, outlet.peer, arrival);
        }
    }

    /// Takes a frame off its cable; returns whose port it has come to, unless it ends there.
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
        match self.places[port as usize] {
            Place::Hub => {
                self.drop_at_queue(clock, frame);
                None
            }
            place => Some(place),
        }
    }

    /// Takes a frame in at a port, which may check it; returns whether it is kept.
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
        self.observer.received(clock.now, port, frame, self.frames.options(id));
        true
    }

    /// Keeps a frame that comes into being.
    #[inline]
    pub(crate) fn create(&mut self, clock: &mut Clock<'_>, frame: Frame) -> FrameId {
        clock.counters.frames_created += 1;
        self.frames.insert(frame)
    }

    /// Keeps a copy of a frame.
    pub(crate) fn copy(&mut self, clock: &mut Clock<'_>, frame: FrameId) -> FrameId {
        clock.counters.frames_created += 1;
        self.frames.copy(frame)
    }

    /// Forgets a frame that has come to its end.
    #[inline]
    pub(crate) fn consume(&mut self, clock: &mut Clock<'_>, frame: FrameId) {
        clock.counters.frames_consumed += 1;
        self.frames.remove(frame);
    }

    /// Drops a frame that finds a queue full.
    pub(crate) fn drop_at_queue(&mut self, clock: &mut Clock<'_>, frame: FrameId) {
        clock.counters.dropped_at_queues += 1;
        self.frames.remove(frame);
    }

    /// Drops a frame whose check sequence is wrong.
    pub(crate) fn drop_damaged(&mut self, clock: &mut Clock<'_>, frame: FrameId) {
        clock.counters.corrupted += 1;
        self.frames.remove(frame);
    }

    /// Addresses a frame from a port to the port of its target that is on the same wire, if any.
    pub(crate) fn address_on_wire(&mut self, port: PortId, frame: FrameId) {
        let frame = self.frames.get_mut(frame);
        frame.source = port;
        if frame.target != NO_STATION {
            frame.target = self.network.fabric.on_wire(port, frame.target).unwrap_or(frame.target);
        }
    }
}

/// Memory of events to come.
impl<O: Observer> Wires<'_, O> {
    /// Returns whose port it is.
    #[inline]
    pub(crate) fn place(&self, port: PortId) -> Place {
        self.places[port as usize]
    }

    #[inline]
    pub(crate) fn prefetch_outlet(&self, port: PortId) {
        prefetch(&self.outlets[port as usize]);
    }

    /// Asks for the memory of the frame that was sent last by a port.
    #[inline]
    pub(crate) fn prefetch_last(&self, port: PortId) {
        if let Outlet::Channel(outlet) = &self.outlets[port as usize] {
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

fn places(fabric: &Fabric) -> Vec<Place> {
    let mut places = vec![Place::Hub; fabric.ports().len()];
    let mut n_switches = 0;
    for device in 0..fabric.n_devices() {
        let place = match fabric.kind(device) {
            DeviceKind::Hub(_) => continue,
            DeviceKind::Node => Place::Node(device),
            DeviceKind::Switch(_) => {
                n_switches += 1;
                Place::Switch(n_switches - 1)
            }
        };
        fabric.ports_of(device).for_each(|port| places[port as usize] = place);
    }
    places
}
