//! The wires between nodes and switches: queues, cables and hubs, and the frames on them. Wires say
//! when a frame that is handed to a port arrives at the other end, or that it is dropped.
//!
//! A frame in flight is an event at its arrival; those behind it on the same cable come later, so
//! that one event at a time is enough for a cable. Not here: what switches and nodes do with frames,
//! and what faults do to wires.

mod hub;
mod outlet;
mod pause;

use device::ethernet::SHORTEST_FRAME_BYTES;
use device::{Decision, Departure, DeviceError, Queued};
use host::{HostModel, prefetch};
use network::{DeviceKind, Fabric, PortId};
use quantity::{Rate, Time};

use crate::arena::{Arrival, FrameArena, FrameId};
use crate::clock::Clock;
use crate::event::Event;
use crate::frame::{Frame, NO_STATION, Pause, Payload};
use crate::observer::Observer;

pub use hub::Broadcast;
pub(crate) use hub::Contention;

use hub::Domain;
use outlet::{Outlet, port_rates};
use pause::PauseState;

/// The longest frame of a standard Ethernet, with preamble and gap.
const FULL_FRAME_BYTES: u64 = 1538;

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
    pub(crate) fabric: &'a Fabric,
    pub(crate) frames: FrameArena,
    outlets: Vec<Outlet>,
    places: Vec<Place>,
    rates: Vec<Rate>,
    hubs: Vec<Domain>,
    pause: PauseState,
    /// Frames that a queue may hold before it marks more; 0 where none does.
    mark_above: u32,
    pub(crate) observer: O,
    /// Kept for its memory.
    listeners: Vec<PortId>,
}

impl<'a, O: Observer> Wires<'a, O> {
    pub(crate) fn new(
        fabric: &'a Fabric,
        host: &HostModel,
        seed: u64,
        observer: O,
    ) -> Result<Wires<'a, O>, DeviceError> {
        let rates = port_rates(fabric);
        let mut outlets = outlet::outlets(fabric, host);
        let hubs = hub::domains(fabric, &host.queues, &rates, seed, &mut outlets)?;
        Ok(Wires {
            fabric,
            frames: FrameArena::default(),
            outlets,
            places: places(fabric),
            rates,
            hubs,
            pause: PauseState::new(fabric, host),
            mark_above: host.queues.mark_above,
            observer,
            listeners: Vec::new(),
        })
    }

    /// Returns what is plugged together.
    pub(crate) fn fabric(&self) -> &Fabric {
        self.fabric
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
        match &self.outlets[port as usize] {
            Outlet::Channel(_) => match self.enqueue(port, frame, time) {
                Some(departure) => {
                    let heard = self.depart(clock, port, frame, departure);
                    self.fly(clock, port, frame, heard);
                    true
                }
                None => false,
            },
            Outlet::Station { .. } | Outlet::Paced(_) if time > clock.now => {
                clock.events.push(time, Event::Offer { port, frame });
                true
            }
            &Outlet::Station { hub, station } => self.offer_to_hub(clock, hub, station, frame),
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
    #[inline]
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
    #[inline]
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
    #[inline]
    pub(crate) fn arrive(
        &mut self,
        clock: &mut Clock<'_>,
        port: PortId,
        frame: FrameId,
    ) -> Option<Place> {
        if let Some(next) = self.frames.arrives(frame) {
            push_arrival(clock, port, next);
        }
        if let Payload::Pause(pause) = self.frames.get(frame).payload {
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
            frame.target = self.fabric.on_wire(port, frame.target).unwrap_or(frame.target);
        }
    }
}

/// Hubs.
impl<O: Observer> Wires<'_, O> {
    fn offer_to_hub(
        &mut self,
        clock: &mut Clock<'_>,
        hub: u32,
        station: u32,
        frame: FrameId,
    ) -> bool {
        let bytes = self.frames.get(frame).bytes;
        let has_room = self.hubs[hub as usize].device.offer(clock.now, station, frame, bytes);
        self.schedule_contention(clock, hub);
        has_room
    }

    /// Sees to it that the next contention on a hub is resolved.
    pub(crate) fn schedule_contention(&mut self, clock: &mut Clock<'_>, hub: u32) {
        let domain = &mut self.hubs[hub as usize];
        let next = domain.device.next_decision();
        if next < domain.scheduled {
            domain.scheduled = next;
            clock.events.push(next, Event::Decide { hub });
        }
    }

    /// Resolves a contention on a hub, if one is due.
    pub(crate) fn resolve(&mut self, clock: &mut Clock<'_>, hub: u32) -> Option<Contention> {
        let domain = &mut self.hubs[hub as usize];
        if domain.scheduled != clock.now {
            return None;
        }
        domain.scheduled = Time::MAX;
        Some(match domain.device.decide(clock.now)? {
            Decision::Sent { station, frame, start, end, heard } => {
                let sender = domain.stations[station as usize];
                clock.counters.frame_hops += 1;
                Contention::Won(Broadcast { hub, sender, frame, start, end, heard })
            }
            Decision::Collided { .. } => {
                clock.counters.collisions += 1;
                let mut ports = Vec::new();
                for lost in domain.device.given_up() {
                    clock.counters.dropped_by_collisions += 1;
                    self.frames.remove(lost.frame);
                    ports.push(domain.stations[lost.station as usize]);
                }
                Contention::Lost(ports)
            }
        })
    }

    /// Tells of a frame that a hub begins to repeat.
    pub(crate) fn tell_broadcast(&mut self, broadcast: &Broadcast) {
        let &Broadcast { sender, frame, start, .. } = broadcast;
        let options = self.frames.options(frame);
        self.observer.sent(start, sender, self.frames.get(frame), options);
    }

    /// Returns the ports that do more than filter a frame on a hub, and whether its target is among
    /// them. The list is to be given back with `forget_listeners`.
    pub(crate) fn listeners(&mut self, broadcast: &Broadcast) -> (Vec<PortId>, bool) {
        let domain = &self.hubs[broadcast.hub as usize];
        let target = self.frames.get(broadcast.frame).target;
        let mut listeners = std::mem::take(&mut self.listeners);
        listeners.extend(domain.audience(broadcast.sender, target));
        (listeners, domain.addressed(target).is_some())
    }

    pub(crate) fn forget_listeners(&mut self, mut listeners: Vec<PortId>) {
        listeners.clear();
        self.listeners = listeners;
    }

    /// Empties the queue of a port whose link fails or returns; returns the frames of a station on
    /// a hub, which have no event of their own.
    pub(crate) fn empty_queue(&mut self, now: Time, port: PortId, is_dead: bool) -> Vec<FrameId> {
        match &mut self.outlets[port as usize] {
            Outlet::Channel(outlet) => outlet.channel.clear(now),
            &mut Outlet::Station { hub, station } if is_dead => {
                return self.hubs[hub as usize].device.silence(station);
            }
            _ => {}
        }
        Vec::new()
    }
}

/// Ports that can be stopped.
impl<O: Observer> Wires<'_, O> {
    /// Takes a frame into the buffer of a switch on its way from one port to another; returns
    /// whether there is room. Only frames that leave by a port that can be stopped count.
    #[inline]
    pub(crate) fn admit(
        &mut self,
        clock: &mut Clock<'_>,
        frame: FrameId,
        from: PortId,
        to: PortId,
    ) -> bool {
        if !matches!(self.outlets[to as usize], Outlet::Paced(_)) {
            return true;
        }
        let has_room = self.pause.admit(from, frame, self.frames.get(frame).bytes);
        if has_room {
            self.order_pause(clock, from);
        }
        has_room
    }

    /// Notes how many frames wait for the processor behind an interface; returns below how many
    /// the other end of its cable is let go, if it is stopped.
    pub(crate) fn note_waiting(
        &mut self,
        clock: &mut Clock<'_>,
        port: PortId,
        n_frames: u32,
    ) -> Option<u32> {
        self.pause.set_waiting(port, n_frames);
        self.order_pause(clock, port);
        self.pause.lifted_below(port)
    }

    /// Returns whether ports pause each other.
    #[inline]
    pub(crate) fn pauses(&self) -> bool {
        self.pause.is_used()
    }

    /// Stops the other end of a cable or lets it go on, as full as the receiver is.
    fn order_pause(&mut self, clock: &mut Clock<'_>, port: PortId) {
        let Some(pause) = self.pause.order(port) else { return };
        let frame = self.create(
            clock,
            Frame {
                source: port,
                target: NO_STATION,
                bytes: SHORTEST_FRAME_BYTES,
                flow: 0,
                is_damaged: false,
                payload: Payload::Pause(pause),
            },
        );
        clock.counters.pauses += u64::from(pause != Pause::LIFTED);
        if let Outlet::Paced(outlet) = &mut self.outlets[port as usize] {
            let (bytes, origin) = (SHORTEST_FRAME_BYTES, Queued::CONTROL);
            outlet.channel.offer_control(Queued { frame, bytes, origin });
        }
        self.begin_paced(clock, port);
    }

    /// Stops a port to which a PAUSE has come, or lets it go on.
    fn on_pause(&mut self, clock: &mut Clock<'_>, port: PortId, frame: FrameId, pause: Pause) {
        self.take_in(clock, port, frame, false);
        self.consume(clock, frame);
        if let Outlet::Paced(outlet) = &mut self.outlets[port as usize] {
            outlet.channel.stop(pause != Pause::LIFTED);
        }
        self.begin_paced(clock, port);
    }

    fn offer_paced(&mut self, clock: &mut Clock<'_>, port: PortId, frame: FrameId) -> bool {
        let bytes = self.frames.get(frame).bytes;
        let origin = match self.places[port as usize] {
            Place::Node(_) => Queued::OWN,
            Place::Switch(_) | Place::Hub => self.pause.origin(frame),
        };
        let Outlet::Paced(outlet) = &mut self.outlets[port as usize] else { return false };
        if !outlet.channel.offer(Queued { frame, bytes, origin }) {
            return false;
        }
        if self.mark_above > 0 && outlet.channel.queued().frames > self.mark_above {
            self.frames.get_mut(frame).mark();
        }
        self.begin_paced(clock, port);
        true
    }

    /// Lets the next frame of a port begin, if it may.
    fn begin_paced(&mut self, clock: &mut Clock<'_>, port: PortId) {
        let Outlet::Paced(outlet) = &mut self.outlets[port as usize] else { return };
        let Some((frame, departure)) = outlet.channel.begin(clock.now) else { return };
        let (peer, delay) = (outlet.peer, outlet.delay);
        // A PAUSE is heard by the port itself, which must have all of it.
        let is_pause = matches!(self.frames.get(frame).payload, Payload::Pause(_));
        let first_bit = outlet.tells_first_bit && !is_pause;
        let heard = if first_bit { departure.start } else { departure.end };
        clock.counters.frame_hops += 1;
        let options = self.frames.options(frame);
        self.observer.sent(departure.start, port, self.frames.get(frame), options);
        clock.events.push(heard + delay, Event::Arrive { port: peer, frame });
        clock.events.push(departure.end, Event::Sent { port });
    }

    /// Gives back the room of a frame that has left, and lets the next one begin.
    pub(crate) fn sent(&mut self, clock: &mut Clock<'_>, port: PortId) {
        let Outlet::Paced(outlet) = &mut self.outlets[port as usize] else { return };
        if let Some(Queued { bytes, origin, .. }) = outlet.channel.finish()
            && self.pause.release(origin, bytes)
        {
            self.order_pause(clock, origin);
        }
        self.begin_paced(clock, port);
    }

    /// Returns the ports whose frames will never leave, because they wait for each other's room.
    pub(crate) fn stuck_channels(&self) -> Vec<PortId> {
        match self.pause.is_used() {
            true => pause::stuck_channels(self.fabric, &self.outlets, &self.pause),
            false => Vec::new(),
        }
    }
}

/// How full the queues of ports are.
impl<O: Observer> Wires<'_, O> {
    /// Returns how many frames stand in the queue of a port.
    pub(crate) fn n_queued(&mut self, now: Time, port: PortId) -> u32 {
        match &mut self.outlets[port as usize] {
            Outlet::Channel(outlet) => outlet.channel.queued(now).frames,
            &mut Outlet::Station { hub, station } => {
                self.hubs[hub as usize].device.queued(now, station).frames
            }
            Outlet::Paced(outlet) => outlet.channel.queued().frames,
            Outlet::Nothing => 0,
        }
    }

    /// Returns when the queue of a port may hold fewer than `most` frames: when a link will have
    /// sent enough, or after the time of a full frame on a hub, where it is not known. `None` where
    /// a port tells each time that a frame has left.
    pub(crate) fn time_below(&mut self, now: Time, port: PortId, most: u32) -> Option<Time> {
        match &mut self.outlets[port as usize] {
            Outlet::Channel(outlet) => Some(outlet.channel.time_below(most)),
            Outlet::Paced(_) => None,
            Outlet::Station { .. } | Outlet::Nothing => {
                Some(now + self.rates[port as usize].time_of_bytes(FULL_FRAME_BYTES))
            }
        }
    }

    /// Returns when a queue of `limit` frames will have room for `frames` more, or for as many as it
    /// ever has, if no others come; `Time::MAX` when only the departure of one tells.
    pub(crate) fn room_at(&mut self, now: Time, port: PortId, frames: u32, limit: u32) -> Time {
        if let Outlet::Channel(outlet) = &mut self.outlets[port as usize] {
            return outlet.channel.room_at(now, frames);
        }
        let queued = self.n_queued(now, port);
        let is_free = queued == 0 || queued + frames <= limit;
        if is_free { now } else { Time::MAX }
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
