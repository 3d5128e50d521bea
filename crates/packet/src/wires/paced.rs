//! Wires with ports that PAUSE frames can stop: each frame begins when its port may send, and full
//! receivers stop the other end of their cable. `pause` decides when they do.

use super::outlet::Outlet;
use super::{Place, Wires, pause};
use crate::arena::FrameId;
use crate::clock::Clock;
use crate::event::Event;
use crate::frame::{Frame, Pause, Payload};
use crate::observer::{Flight, Observer};
use device::ethernet::SHORTEST_FRAME_BYTES;
use device::{Departure, Queued};
use network::PortId;
use quantity::OptionalId;

impl<O: Observer> Wires<'_, O> {
    /// Admits a frame to the buffer of a switch between two ports; returns whether there is room.
    /// Only frames that leave by a port that can be stopped count.
    #[inline]
    pub(crate) fn admit(
        &mut self,
        clock: &mut Clock<'_>,
        frame: FrameId,
        from: PortId,
        to: PortId,
    ) -> bool {
        if !self.pauses() || !matches!(self.outlets[to], Outlet::Paced(_)) {
            return true;
        }
        let has_room = self.pause.admit(from, frame, self.frames.get(frame).bytes);
        if has_room {
            self.order_pause(clock, from);
        }
        has_room
    }

    /// Notes the number of frames that wait for the processor behind an interface; if the other end
    /// of its cable is stopped, returns the number at which it may continue.
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

    /// Sends a PAUSE to the other end of a cable if the fill level of the receiver demands one, to
    /// stop it or to let it continue.
    fn order_pause(&mut self, clock: &mut Clock<'_>, port: PortId) {
        let Some(pause) = self.pause.order(port) else { return };
        let frame = self.create(
            clock,
            Frame {
                source: port,
                target: OptionalId::none(),
                bytes: SHORTEST_FRAME_BYTES,
                flow: 0,
                is_damaged: false,
                payload: Payload::Pause(pause),
            },
        );
        clock.counters.pauses += u64::from(pause != Pause::LIFTED);
        if let Outlet::Paced(outlet) = &mut self.outlets[port] {
            let (bytes, origin) = (SHORTEST_FRAME_BYTES, Queued::CONTROL);
            outlet.channel.offer_control(Queued { frame: frame.get(), bytes, origin });
        }
        self.begin_paced(clock, port);
    }

    /// Stops a port that has received a PAUSE, or lets it continue.
    pub(super) fn on_pause(
        &mut self,
        clock: &mut Clock<'_>,
        port: PortId,
        frame: FrameId,
        pause: Pause,
    ) {
        self.take_in(clock, port, frame, false);
        self.consume(clock, frame);
        if let Outlet::Paced(outlet) = &mut self.outlets[port] {
            outlet.channel.stop(pause != Pause::LIFTED);
        }
        self.begin_paced(clock, port);
    }

    pub(super) fn offer_paced(
        &mut self,
        clock: &mut Clock<'_>,
        port: PortId,
        frame: FrameId,
    ) -> bool {
        let bytes = self.frames.get(frame).bytes;
        let origin = match self.places[port] {
            Place::Node(_) => Queued::OWN,
            Place::Switch(_) | Place::RoutedSwitch(_) | Place::Hub => {
                self.pause.origin(frame).get()
            }
        };
        let Outlet::Paced(outlet) = &mut self.outlets[port] else { return false };
        if !outlet.channel.offer(Queued { frame: frame.get(), bytes, origin }) {
            return false;
        }
        self.observer.queued(clock.now, port, frame);
        if self.mark_above > 0 && outlet.channel.queued().frames > self.mark_above {
            self.frames.get_mut(frame).mark();
        }
        self.begin_paced(clock, port);
        true
    }

    /// Starts the next frame of a port, if the port may send.
    fn begin_paced(&mut self, clock: &mut Clock<'_>, port: PortId) {
        let Outlet::Paced(outlet) = &mut self.outlets[port] else { return };
        let Some((frame, departure)) = outlet.channel.begin(clock.now) else { return };
        let (frame, peer, delay) = (FrameId::new(frame), outlet.peer, outlet.delay);
        // A PAUSE ends at the port, which must receive all of it.
        let is_pause = matches!(self.frames.get(frame).payload, Payload::Pause(_));
        let first_bit = outlet.tells_first_bit && !is_pause;
        let heard = if first_bit { departure.start } else { departure.end };
        clock.counters.frame_hops += 1;
        let attached = self.frames.attached(frame);
        let Departure { start, end: sent } = departure;
        self.observer.sent(start, port, self.frames.get(frame), attached);
        let flight = Flight { from: port, to: Some(peer), start, sent, end: sent + delay };
        self.observer.flies(frame, self.frames.get(frame), flight);
        clock.events.push(heard + delay, Event::Arrive { port: peer, frame });
        clock.events.push(departure.end, Event::Sent { port });
        self.tell_sent(clock, port, departure.end);
    }

    /// Releases the buffer space of a frame that has left, and starts the next one.
    pub(crate) fn sent(&mut self, clock: &mut Clock<'_>, port: PortId) {
        let Outlet::Paced(outlet) = &mut self.outlets[port] else { return };
        if let Some(Queued { bytes, origin, .. }) = outlet.channel.finish()
            && self.pause.release(PortId::new(origin), bytes)
        {
            self.order_pause(clock, PortId::new(origin));
        }
        self.begin_paced(clock, port);
    }

    /// Returns the ports whose frames will never leave, because they wait for each other's buffer
    /// space.
    pub(crate) fn stuck_channels(&self) -> Vec<PortId> {
        match self.pause.is_used() {
            true => pause::stuck_channels(self.fabric(), &self.outlets, &self.pause),
            false => Vec::new(),
        }
    }
}
