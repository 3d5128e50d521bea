//! Pause frames: receivers that fill up stop the other end of their cable [IEEE-802.3, annex 31B].
//!
//! A switch counts, per ingress port, the bytes that have not left; an interface counts the frames
//! that wait for the processor. Above the high mark it sends a PAUSE of the longest time, below the
//! low mark one of zero time. The headroom above the high mark holds the frames still in flight, so
//! that nothing is lost. A real receiver that stays full repeats its PAUSE before the time is over
//! (336 ms at 100 Mb/s); here a PAUSE holds until it is lifted.
//!
//! Channels that wait for each other in a ring wait forever: see [`stuck_channels`].

use std::collections::BTreeMap;

use device::Queued;
use device::ethernet::{GAP_BYTES, PREAMBLE_BYTES, SHORTEST_FRAME_BYTES};
use host::HostModel;
use network::{DeviceKind, Fabric, PortId, QueueLimit};
use quantity::{IdVec, Time};

use super::outlet::Outlet;
use crate::arena::FrameId;
use crate::frame::Pause;

/// The PAUSE of the longest time.
const LONGEST: Pause = Pause { quanta: 65_535 };
const PER_FRAME: u32 = PREAMBLE_BYTES + GAP_BYTES;

/// The fill level of the receiver of a port: bytes at a switch, frames at a node.
#[derive(Clone, Copy, Debug, Default)]
struct Intake {
    held: u32,
    most: u32,
    high: u32,
    low: u32,
    /// True if the other end has been stopped.
    has_stopped: bool,
}

impl Intake {
    fn new(most: u32, headroom: u32) -> Intake {
        // A receiver too small for the headroom still stops its peer when half full.
        let high = most.saturating_sub(headroom).max(most / 2);
        Intake { held: 0, most, high, low: high / 2, has_stopped: false }
    }

    /// Returns the PAUSE that the fill level demands, if it is a new one.
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

/// The fill levels of the receivers of all ports; empty where ports do not pause each other.
#[derive(Debug, Default)]
pub(crate) struct PauseState {
    of_port: IdVec<PortId, Intake>,
    /// The ingress port of each frame in a switch, by frame.
    origin: IdVec<FrameId, PortId>,
}

impl PauseState {
    pub fn new(fabric: &Fabric, host: &HostModel) -> PauseState {
        if !host.links.pause {
            return PauseState::default();
        }
        let longest = host.tcp.mtu_bytes() + 18;
        let intake = |port| intake(fabric, port, longest, host.queues.receive);
        let of_port = fabric.ports().ids().map(intake).collect();
        PauseState { of_port, origin: IdVec::new() }
    }

    /// Returns whether ports pause each other.
    #[inline]
    pub fn is_used(&self) -> bool {
        !self.of_port.is_empty()
    }

    /// Admits a frame to the buffer of a switch at ingress port `from`; returns whether there is
    /// room.
    pub fn admit(&mut self, from: PortId, frame: FrameId, bytes: u32) -> bool {
        *self.origin.reach(frame, PortId::new(Queued::OWN)) = from;
        let intake = &mut self.of_port[from];
        let has_room = intake.held + bytes <= intake.most;
        if has_room {
            intake.held += bytes;
        }
        has_room
    }

    /// Returns the ingress port of a frame in a switch.
    pub fn origin(&self, frame: FrameId) -> PortId {
        self.origin[frame]
    }

    /// Releases the buffer space of a frame that has left a switch; returns whether it had taken
    /// any.
    pub fn release(&mut self, origin: PortId, bytes: u32) -> bool {
        let intake = self.of_port.get_mut(origin);
        intake.map(|intake| intake.held -= bytes).is_some()
    }

    /// Notes the number of frames that wait for the processor behind an interface.
    pub fn set_waiting(&mut self, port: PortId, n_frames: u32) {
        self.of_port[port].held = n_frames;
    }

    /// Returns the PAUSE to be sent to the other end of a cable, if the fill level demands a new
    /// one.
    pub fn order(&mut self, port: PortId) -> Option<Pause> {
        self.of_port[port].order()
    }

    /// Returns the low mark of a receiver that has stopped the other end of its cable.
    pub fn lifted_below(&self, port: PortId) -> Option<u32> {
        let Intake { has_stopped, low, .. } = self.of_port[port];
        has_stopped.then_some(low)
    }
}

/// Returns the empty receiver of a port. Its headroom holds the data that arrive until a PAUSE
/// takes effect: a frame being sent before it, the PAUSE itself, the cable twice, and two frames
/// that the other end has begun.
fn intake(fabric: &Fabric, port: PortId, longest: u32, ring: u32) -> Intake {
    let Some(link) = fabric.port(port).link else { return Intake::default() };
    let link = fabric.links()[link];
    let in_flight = |time: Time| (time.seconds() * link.rate.bps() as f64 / 8.0).ceil() as u32;
    let pause = SHORTEST_FRAME_BYTES + PER_FRAME;
    let bytes = 3 * (longest + PER_FRAME) + pause + in_flight(link.delay * 2);
    match fabric.kind(fabric.port(port).device) {
        DeviceKind::Switch(model) | DeviceKind::RoutedSwitch(model) => {
            let most = match model.queue {
                QueueLimit::Bytes(bytes) => bytes,
                QueueLimit::Frames(frames) => frames.saturating_mul(longest),
            };
            Intake::new(most, bytes + in_flight(model.latency))
        }
        // A ring counts frames: its headroom is the number of the shortest frames in that time.
        DeviceKind::Node => Intake::new(ring, bytes / pause),
        DeviceKind::Hub(_) => Intake::default(),
    }
}

/// Returns the ports whose frames will never leave, because they wait for each other's buffer
/// space.
///
/// A stopped channel continues when enough of the data in its receiver has left. It is stuck if the
/// data waiting there for stuck channels keep the receiver above its low mark. The search assumes
/// that all stopped channels are stuck, and frees channels until no more can continue.
pub(crate) fn stuck_channels(
    fabric: &Fabric,
    outlets: &IdVec<PortId, Outlet>,
    state: &PauseState,
) -> Vec<PortId> {
    let held = |port: &PortId| match &outlets[*port] {
        Outlet::Paced(outlet) => outlet.channel.is_held(),
        _ => false,
    };
    let is_switch = |port: PortId| fabric.kind(fabric.port(port).device).switch().is_some();
    let mut stuck: Vec<PortId> = fabric.ports().ids().filter(held).collect();
    loop {
        let mut waiting: BTreeMap<PortId, u32> = BTreeMap::new();
        for &port in &stuck {
            let Outlet::Paced(outlet) = &outlets[port] else { continue };
            for queued in outlet.channel.waiting() {
                *waiting.entry(PortId::new(queued.origin)).or_default() += queued.bytes;
            }
        }
        let n_before = stuck.len();
        stuck.retain(|&port| {
            let Outlet::Paced(outlet) = &outlets[port] else { return false };
            let stays = waiting.get(&outlet.peer).copied().unwrap_or(0);
            is_switch(outlet.peer) && stays > state.of_port[outlet.peer].low
        });
        if stuck.len() == n_before {
            return stuck;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use network::{CableSpec, DeviceId, FabricSpec, SwitchMode, SwitchModel};
    use quantity::Rate;

    /// A node on a switch by a cable of `delay`.
    fn cabled(delay: Time) -> Fabric {
        let switch = SwitchModel {
            mode: SwitchMode::StoreAndForward,
            latency: Time::from_us(5),
            backplane: None,
            queue: QueueLimit::Bytes(100_000),
            ageing: Time::from_ms(300_000),
            is_multipath: false,
        };
        let (a, b) = ((DeviceId::new(0), 0), (DeviceId::new(1), 0));
        Fabric::new(FabricSpec {
            kinds: vec![DeviceKind::Node, DeviceKind::Switch(switch)],
            n_ports: vec![1, 1],
            cables: vec![CableSpec { a, b, rate: Rate::from_mbps(100), delay }],
            ..FabricSpec::default()
        })
        .unwrap()
    }

    #[test]
    fn the_headroom_is_what_arrives_until_a_pause_takes_effect() {
        // Three frames of 1518 bytes and a PAUSE of 64, 20 more around each, twice the cable, and
        // the latency of the switch: 12.5 bytes per us.
        for (delay_us, headroom) in [(0, 4_614 + 84 + 63), (4, 4_614 + 84 + 100 + 63)] {
            let fabric = cabled(Time::from_us(delay_us));
            let of_switch = intake(&fabric, PortId::new(1), 1_518, 512);
            assert_eq!((of_switch.most, of_switch.high), (100_000, 100_000 - headroom));
            let of_node = intake(&fabric, PortId::new(0), 1_518, 512);
            assert_eq!((of_node.most, of_node.high), (512, 512 - (headroom - 63) / 84));
        }
    }
}
