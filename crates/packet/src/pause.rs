//! Pause frames: receivers that fill up stop the other end of their cable [IEEE-802.3, annex 31B].
//!
//! A switch counts, per port, what came in by it and has not left; an interface counts the frames
//! that wait for the processor. Above the high mark a PAUSE of the longest time goes back, below
//! the low mark one of no time. The room above the high mark takes what is still under way, so that
//! nothing is lost. A receiver that stays full would repeat its PAUSE before the time is over (336
//! ms at 100 Mb/s); here it simply holds until it is lifted.
//!
//! Channels that wait for each other in a ring wait for ever: see `stuck_channels`.

use std::collections::BTreeMap;

use device::ethernet::{GAP_BYTES, PREAMBLE_BYTES, SHORTEST_FRAME_BYTES};
use device::{PacedChannel, Queued};
use host::HostModel;
use network::{DeviceKind, Fabric, PortId, QueueLimit};
use quantity::Time;
use simulation::RunError;

use crate::arena::FrameId;
use crate::event::Event;
use crate::frame::{Frame, NO_STATION, Pause, Payload};
use crate::layer2::Crossing;
use crate::model::PacketModel;
use crate::observer::Observer;
use crate::rx;
use crate::wiring::Outlet;

/// Quanta of 512 bit times: the longest pause, and none.
const LONGEST: Pause = Pause { quanta: 65_535 };
const NONE: Pause = Pause { quanta: 0 };
const PER_FRAME: u32 = PREAMBLE_BYTES + GAP_BYTES;

/// The outlet of a port whose transmitter can be stopped.
#[derive(Debug)]
pub(crate) struct PacedOutlet {
    pub channel: PacedChannel,
    pub peer: PortId,
    pub delay: Time,
    /// Whether the receiver is told of the first bit of a frame (cut-through) or of its last.
    pub tells_first_bit: bool,
}

/// How full the receiver of a port is: bytes at a switch, frames at a node.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Intake {
    held: u32,
    most: u32,
    high: u32,
    low: u32,
    /// Whether the other end has been stopped.
    has_stopped: bool,
}

impl Intake {
    fn new(most: u32, headroom: u32) -> Intake {
        // A receiver too small for the headroom still stops its peer when half full.
        let high = most.saturating_sub(headroom).max(most / 2);
        Intake { held: 0, most, high, low: high / 2, has_stopped: false }
    }
}

/// The receivers of all ports; empty where nobody pauses.
#[derive(Debug, Default)]
pub(crate) struct Intakes {
    of_port: Vec<Intake>,
    /// Per frame: the port by which it came into a switch.
    origin: Vec<PortId>,
}

impl Intakes {
    pub fn new(fabric: &Fabric, host: &HostModel) -> Intakes {
        if !host.links.pause {
            return Intakes::default();
        }
        let longest = host.tcp.mtu_bytes() + 18;
        let intake = |port| intake(fabric, port, longest, host.queues.receive);
        let of_port = (0..fabric.ports().len() as PortId).map(intake).collect();
        Intakes { of_port, origin: Vec::new() }
    }

    /// Returns whether anybody pauses.
    #[inline]
    pub fn is_used(&self) -> bool {
        !self.of_port.is_empty()
    }

    fn note_origin(&mut self, frame: FrameId, port: PortId) {
        let place = frame as usize;
        if self.origin.len() <= place {
            self.origin.resize(place + 1, Queued::OWN);
        }
        self.origin[place] = port;
    }
}

/// Returns the empty intake of a port. The headroom is what comes until a PAUSE works: a frame is
/// being sent before it, itself, the cable twice, and two frames of the other end that have begun.
fn intake(fabric: &Fabric, port: PortId, longest: u32, ring: u32) -> Intake {
    let Some(link) = fabric.port(port).link else { return Intake::default() };
    let link = fabric.links()[link as usize];
    let in_flight = |time: Time| (time.seconds() * link.rate.bps() as f64 / 8.0).ceil() as u32;
    let pause = SHORTEST_FRAME_BYTES + PER_FRAME;
    let bytes = 3 * (longest + PER_FRAME) + pause + in_flight(link.delay * 2);
    match fabric.kind(fabric.port(port).device) {
        DeviceKind::Switch(model) => {
            let most = match model.queue {
                QueueLimit::Bytes(bytes) => bytes,
                QueueLimit::Frames(frames) => frames.saturating_mul(longest),
            };
            Intake::new(most, bytes + in_flight(model.latency))
        }
        // A ring counts frames: as many of the shortest as that time holds.
        DeviceKind::Node => Intake::new(ring, bytes / pause),
        DeviceKind::Hub(_) => Intake::default(),
    }
}

impl<O: Observer> PacketModel<'_, O> {
    /// Takes a frame into the buffer of a switch on its way to a port; returns whether there is
    /// room. Only what leaves by a port that can be stopped counts.
    pub(crate) fn admit(&mut self, crossing: &Crossing, to: PortId) -> bool {
        if !matches!(self.wires.outlets[to as usize], Outlet::Paced(_)) {
            return true;
        }
        let bytes = self.wires.frames.get(crossing.frame).bytes;
        self.wires.intakes.note_origin(crossing.frame, crossing.from);
        let intake = &mut self.wires.intakes.of_port[crossing.from as usize];
        if intake.held + bytes > intake.most {
            return false;
        }
        intake.held += bytes;
        self.watch(crossing.from);
        true
    }

    /// Stops the other end of a cable or lets it go on, as full as the intake of a port is.
    fn watch(&mut self, port: PortId) {
        let intake = &mut self.wires.intakes.of_port[port as usize];
        if !intake.has_stopped && intake.held > intake.high {
            intake.has_stopped = true;
            self.send_pause(port, LONGEST);
        } else if intake.has_stopped && intake.held <= intake.low {
            intake.has_stopped = false;
            self.send_pause(port, NONE);
        }
    }

    /// Stops the other end of a node's cable or lets it go on, as full as the rings of the
    /// interface are; looks again when enough frames of the one that is not polled have been taken.
    pub(crate) fn watch_ring(&mut self, port: PortId) {
        let now = self.clock.now;
        let waiting = &mut self.hosts.waiting[port as usize];
        while waiting.front().is_some_and(|&done| done <= now) {
            waiting.pop_front();
        }
        let n_waiting = waiting.len() as u32;
        let intake = &mut self.wires.intakes.of_port[port as usize];
        intake.held = n_waiting.max(rx::fullest(&self.hosts.rx, port));
        self.watch(port);
        let Intake { has_stopped, low, .. } = self.wires.intakes.of_port[port as usize];
        if has_stopped && n_waiting > low {
            let time = self.hosts.waiting[port as usize][(n_waiting - low) as usize - 1];
            self.clock.events.push(time, Event::Relief { port });
        }
    }

    fn send_pause(&mut self, port: PortId, pause: Pause) {
        let frame = self.wires.frames.insert(Frame {
            source: port,
            target: NO_STATION,
            bytes: SHORTEST_FRAME_BYTES,
            flow: 0,
            is_damaged: false,
            payload: Payload::Pause(pause),
        });
        self.counters.frames_created += 1;
        self.counters.pauses += u64::from(pause != NONE);
        if let Outlet::Paced(outlet) = &mut self.wires.outlets[port as usize] {
            let (bytes, origin) = (SHORTEST_FRAME_BYTES, Queued::CONTROL);
            outlet.channel.offer_control(Queued { frame, bytes, origin });
        }
        self.begin_paced(port);
    }

    /// Stops a port to which a PAUSE has come, or lets it continue.
    pub(crate) fn on_pause(&mut self, port: PortId, id: FrameId, pause: Pause) {
        let frame = *self.wires.frames.get(id);
        self.observer.received(self.clock.now, port, &frame, None);
        self.counters.frames_consumed += 1;
        self.wires.frames.remove(id);
        if let Outlet::Paced(outlet) = &mut self.wires.outlets[port as usize] {
            outlet.channel.stop(pause != NONE);
        }
        self.begin_paced(port);
    }

    /// Queues a frame at a port that can be stopped; returns whether there is room.
    pub(crate) fn offer_paced(&mut self, port: PortId, frame: FrameId) -> bool {
        let bytes = self.wires.frames.get(frame).bytes;
        let is_node = self.network.fabric.is_node(self.network.fabric.port(port).device);
        let origin = if is_node { Queued::OWN } else { self.wires.intakes.origin[frame as usize] };
        let Outlet::Paced(outlet) = &mut self.wires.outlets[port as usize] else { return false };
        if !outlet.channel.offer(Queued { frame, bytes, origin }) {
            return false;
        }
        let mark_above = self.host.queues.mark_above;
        if mark_above > 0 && outlet.channel.queued().frames > mark_above {
            self.wires.frames.get_mut(frame).mark();
        }
        self.begin_paced(port);
        true
    }

    /// Lets the next frame of a port begin, if it may.
    fn begin_paced(&mut self, port: PortId) {
        let Outlet::Paced(outlet) = &mut self.wires.outlets[port as usize] else { return };
        let Some((frame, departure)) = outlet.channel.begin(self.clock.now) else { return };
        let (peer, delay) = (outlet.peer, outlet.delay);
        // A PAUSE is heard by the port itself, which must have all of it.
        let is_pause = matches!(self.wires.frames.get(frame).payload, Payload::Pause(_));
        let first_bit = outlet.tells_first_bit && !is_pause;
        let heard = if first_bit { departure.start } else { departure.end };
        self.counters.frame_hops += 1;
        let options = self.wires.frames.options(frame);
        self.observer.sent(departure.start, port, self.wires.frames.get(frame), options);
        self.clock.events.push(heard + delay, Event::Arrive { port: peer, frame });
        self.clock.events.push(departure.end, Event::Sent { port });
    }

    /// Gives back the room of a frame that has left, and lets the next one begin.
    pub(crate) fn sent(&mut self, port: PortId) {
        let Outlet::Paced(outlet) = &mut self.wires.outlets[port as usize] else { return };
        if let Some(Queued { bytes, origin, .. }) = outlet.channel.finish()
            && let Some(intake) = self.wires.intakes.of_port.get_mut(origin as usize)
        {
            intake.held -= bytes;
            self.watch(origin);
        }
        self.begin_paced(port);
        self.wake(port);
        self.room_made(port, self.clock.now);
    }

    /// Fails where channels wait for each other: when nothing else happens, or a connection has
    /// lost what no queue drops.
    pub(crate) fn detect_deadlock(&mut self) {
        let stuck = if self.wires.intakes.is_used() { self.stuck_channels() } else { Vec::new() };
        if !stuck.is_empty() && !self.clock.has_failed() {
            self.clock.fail(RunError::PauseDeadlock { channels: stuck.len() as u32 });
        }
    }

    /// Returns the ports whose frames will never leave, because they wait for each other's room.
    ///
    /// A stopped channel is let go when enough of what its receiver holds has left. It is stuck if
    /// what waits there for stuck channels alone keeps the receiver above its low mark. All stopped
    /// channels are taken to be stuck, and those set free until no more are.
    fn stuck_channels(&self) -> Vec<PortId> {
        let held = |port: &PortId| match &self.wires.outlets[*port as usize] {
            Outlet::Paced(outlet) => outlet.channel.is_held(),
            _ => false,
        };
        let is_switch = |port: PortId| {
            let fabric = &self.network.fabric;
            !fabric.is_node(fabric.port(port).device)
        };
        let mut stuck: Vec<PortId> = (0..self.wires.outlets.len() as PortId).filter(held).collect();
        loop {
            let mut waiting: BTreeMap<PortId, u32> = BTreeMap::new();
            for &port in &stuck {
                let Outlet::Paced(outlet) = &self.wires.outlets[port as usize] else { continue };
                for queued in outlet.channel.waiting() {
                    *waiting.entry(queued.origin).or_default() += queued.bytes;
                }
            }
            let n_before = stuck.len();
            stuck.retain(|&port| {
                let Outlet::Paced(outlet) = &self.wires.outlets[port as usize] else {
                    return false;
                };
                let stays = waiting.get(&outlet.peer).copied().unwrap_or(0);
                is_switch(outlet.peer)
                    && stays > self.wires.intakes.of_port[outlet.peer as usize].low
            });
            if stuck.len() == n_before {
                return stuck;
            }
        }
    }
}
