//! Pause frames: receivers that fill up stop the other end of their cable [IEEE-802.3, annex 31B].
//!
//! A switch counts, per port, what came in by it and has not left; an interface counts the frames
//! that wait for the processor. Above the high mark a PAUSE of the longest time goes back, below
//! the low mark one of no time. The room above the high mark takes what is still under way, so that
//! nothing is lost. A receiver that stays full would repeat its PAUSE before the time is over (336
//! ms at 100 Mb/s); here it simply holds until it is lifted.
//!
//! Channels that wait for each other in a ring wait for ever: see [`stuck_channels`].

use std::collections::BTreeMap;

use device::Queued;
use device::ethernet::{GAP_BYTES, PREAMBLE_BYTES, SHORTEST_FRAME_BYTES};
use host::HostModel;
use network::{DeviceKind, Fabric, PortId, QueueLimit};
use quantity::Time;

use super::outlet::Outlet;
use crate::arena::FrameId;
use crate::frame::Pause;

/// The longest pause.
const LONGEST: Pause = Pause { quanta: 65_535 };
const PER_FRAME: u32 = PREAMBLE_BYTES + GAP_BYTES;

/// How full the receiver of a port is: bytes at a switch, frames at a node.
#[derive(Clone, Copy, Debug, Default)]
struct Intake {
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

    /// Returns the order for the other end that follows from how full it is, if it is a new one.
    fn order(&mut self) -> Option<Pause> {
        if !self.has_stopped && self.held > self.high {
            self.has_stopped = true;
            Some(LONGEST)
        } else if self.has_stopped && self.held <= self.low {
            self.has_stopped = false;
            Some(Pause::LIFTED)
        } else {
            None
        }
    }
}

/// How full the receivers of all ports are; nothing where no port pauses another.
#[derive(Debug, Default)]
pub(crate) struct PauseState {
    of_port: Vec<Intake>,
    /// Per frame: the port by which it came into a switch.
    origin: Vec<PortId>,
}

impl PauseState {
    pub fn new(fabric: &Fabric, host: &HostModel) -> PauseState {
        if !host.links.pause {
            return PauseState::default();
        }
        let longest = host.tcp.mtu_bytes() + 18;
        let intake = |port| intake(fabric, port, longest, host.queues.receive);
        let of_port = (0..fabric.ports().len() as PortId).map(intake).collect();
        PauseState { of_port, origin: Vec::new() }
    }

    /// Returns whether ports pause each other.
    #[inline]
    pub fn is_used(&self) -> bool {
        !self.of_port.is_empty()
    }

    /// Takes a frame into the buffer of a switch, by port `from`; returns whether there is room.
    pub fn admit(&mut self, from: PortId, frame: FrameId, bytes: u32) -> bool {
        let place = frame as usize;
        if self.origin.len() <= place {
            self.origin.resize(place + 1, Queued::OWN);
        }
        self.origin[place] = from;
        let intake = &mut self.of_port[from as usize];
        let has_room = intake.held + bytes <= intake.most;
        if has_room {
            intake.held += bytes;
        }
        has_room
    }

    /// Returns the port by which a frame came into the switch that it is in.
    pub fn origin(&self, frame: FrameId) -> PortId {
        self.origin[frame as usize]
    }

    /// Gives back the room of a frame that has left a switch; returns whether it had taken any.
    pub fn release(&mut self, origin: PortId, bytes: u32) -> bool {
        let intake = self.of_port.get_mut(origin as usize);
        intake.map(|intake| intake.held -= bytes).is_some()
    }

    /// Notes how many frames wait for the processor behind an interface.
    pub fn set_waiting(&mut self, port: PortId, n_frames: u32) {
        self.of_port[port as usize].held = n_frames;
    }

    /// Returns the order that the other end of a cable is to be sent, if there is a new one.
    pub fn order(&mut self, port: PortId) -> Option<Pause> {
        self.of_port[port as usize].order()
    }

    /// Returns below how much the other end of a cable is let go, if it has been stopped.
    pub fn lifted_below(&self, port: PortId) -> Option<u32> {
        let Intake { has_stopped, low, .. } = self.of_port[port as usize];
        has_stopped.then_some(low)
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

/// Returns the ports whose frames will never leave, because they wait for each other's room.
///
/// A stopped channel is let go when enough of what its receiver holds has left. It is stuck if
/// what waits there for stuck channels alone keeps the receiver above its low mark. All stopped
/// channels are taken to be stuck, and those set free until no more are.
pub(crate) fn stuck_channels(
    fabric: &Fabric,
    outlets: &[Outlet],
    state: &PauseState,
) -> Vec<PortId> {
    let held = |port: &PortId| match &outlets[*port as usize] {
        Outlet::Paced(outlet) => outlet.channel.is_held(),
        _ => false,
    };
    let is_switch = |port: PortId| !fabric.is_node(fabric.port(port).device);
    let mut stuck: Vec<PortId> = (0..outlets.len() as PortId).filter(held).collect();
    loop {
        let mut waiting: BTreeMap<PortId, u32> = BTreeMap::new();
        for &port in &stuck {
            let Outlet::Paced(outlet) = &outlets[port as usize] else { continue };
            for queued in outlet.channel.waiting() {
                *waiting.entry(queued.origin).or_default() += queued.bytes;
            }
        }
        let n_before = stuck.len();
        stuck.retain(|&port| {
            let Outlet::Paced(outlet) = &outlets[port as usize] else { return false };
            let stays = waiting.get(&outlet.peer).copied().unwrap_or(0);
            is_switch(outlet.peer) && stays > state.of_port[outlet.peer as usize].low
        });
        if stuck.len() == n_before {
            return stuck;
        }
    }
}
