//! Hubs: one station at a time sends, and all others hear it. The crate `device` decides for a
//! collision domain; here its decisions become events.

use device::Decision;
use network::PortId;
use quantity::Time;

use super::Wires;
use super::hub::{Broadcast, Contention};
use super::outlet::Outlet;
use crate::arena::FrameId;
use crate::clock::Clock;
use crate::event::Event;
use crate::ids::HubId;
use crate::observer::{Collision, Fate, Flight, Observer};

impl<O: Observer> Wires<'_, O> {
    pub(super) fn offer_to_hub(
        &mut self,
        clock: &mut Clock<'_>,
        hub: HubId,
        station: u32,
        frame: FrameId,
    ) -> bool {
        let bytes = self.frames.get(frame).bytes;
        let has_room = self.hubs[hub].device.offer(clock.now, station, frame.get(), bytes);
        if has_room {
            self.observer.queued(clock.now, self.hubs[hub].stations[station as usize], frame);
        }
        self.schedule_contention(clock, hub);
        has_room
    }

    /// Schedules the resolution of the next contention on a hub, unless it is pending.
    pub(crate) fn schedule_contention(&mut self, clock: &mut Clock<'_>, hub: HubId) {
        let domain = &mut self.hubs[hub];
        let next = domain.device.next_decision();
        if next < domain.scheduled {
            domain.scheduled = next;
            clock.events.push(next, Event::Decide { hub });
        }
    }

    /// Resolves a contention on a hub, if one is due.
    pub(crate) fn resolve(&mut self, clock: &mut Clock<'_>, hub: HubId) -> Option<Contention> {
        let domain = &mut self.hubs[hub];
        if domain.scheduled != clock.now {
            return None;
        }
        domain.scheduled = Time::MAX;
        Some(match domain.device.decide(clock.now)? {
            Decision::Sent { station, frame, start, end, heard } => {
                let frame = FrameId::new(frame);
                let sender = domain.stations[station as usize];
                clock.counters.frame_hops += 1;
                let target = self.frames.get(frame).target;
                self.tell_sent(clock, sender, end);
                Contention::Won(Broadcast { hub, sender, target, frame, start, end, heard })
            }
            Decision::Collided { n_stations, start, end } => {
                clock.counters.collisions += 1;
                let fabric = &self.network.fabric;
                if let Some(port) = fabric.peer(domain.stations[0]) {
                    let hub = fabric.port(port).device;
                    self.observer.collided(Collision { hub, start, end, n_stations });
                }
                let mut ports = Vec::new();
                for lost in domain.device.given_up() {
                    clock.counters.dropped_by_collisions += 1;
                    let frame = FrameId::new(lost.frame);
                    self.observer.dropped(
                        clock.now,
                        frame,
                        self.frames.get(frame),
                        Fate::Collisions,
                    );
                    self.frames.remove(frame);
                    ports.push(domain.stations[lost.station as usize]);
                }
                Contention::Lost(ports)
            }
        })
    }

    /// Reports a frame that a hub begins to repeat to the observer.
    pub(crate) fn tell_broadcast(&mut self, broadcast: &Broadcast) {
        let &Broadcast { sender, frame, start, end: sent, heard: end, .. } = broadcast;
        let attached = self.frames.attached(frame);
        self.observer.sent(start, sender, self.frames.get(frame), attached);
        let flight = Flight { from: sender, to: None, start, sent, end };
        self.observer.flies(frame, self.frames.get(frame), flight);
    }

    /// Returns the target of a broadcast, if it is on the same hub.
    #[inline]
    pub(crate) fn addressed(&self, broadcast: &Broadcast) -> Option<PortId> {
        let &Broadcast { hub, target, .. } = broadcast;
        match self.outlets.find(target) {
            Some(Outlet::Station { hub: of_target, .. }) if *of_target == hub => target.get(),
            _ => None,
        }
    }

    /// Returns the `n`th port that receives a broadcast besides its target: the ports of switches,
    /// which learn from it, or all ports if it has no single target.
    #[inline]
    pub(crate) fn listener(&self, broadcast: &Broadcast, n: usize) -> Option<PortId> {
        let domain = &self.hubs[broadcast.hub];
        let is_for_all = broadcast.target.is_none();
        let ports = if is_for_all { &domain.stations } else { &domain.switch_ports };
        ports.get(n).copied()
    }

    /// Empties the queue of a port whose link fails or returns; returns the frames of a station on
    /// a hub, for which no event is pending.
    pub(crate) fn empty_queue(&mut self, now: Time, port: PortId, is_dead: bool) -> Vec<FrameId> {
        match &mut self.outlets[port] {
            Outlet::Channel(outlet) => outlet.channel.clear(now),
            &mut Outlet::Station { hub, station } if is_dead => {
                let frames = self.hubs[hub].device.silence(station);
                return frames.into_iter().map(FrameId::new).collect();
            }
            _ => {}
        }
        Vec::new()
    }
}
