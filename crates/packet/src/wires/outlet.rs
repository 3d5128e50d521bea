//! Outlets: the queue and cable, or the hub, that each port sends into. The fabric knows the
//! wiring; here it is set up for a run.

use device::{Channel, PacedChannel, QueueLimit};
use host::{HostModel, InterfaceQueues};
use network::{DeviceKind, Fabric, PortId, SwitchMode};
use quantity::{IdVec, Rate, Time};

use crate::arena::FrameId;
use crate::ids::HubId;

/// The transmitter of a port. Nearly all are channels, which every hop reads: they lie in the table
/// itself, in two lines of a processor's cache.
#[derive(Debug)]
#[allow(clippy::large_enum_variant)]
pub(crate) enum Outlet {
    Nothing,
    Channel(ChannelOutlet),
    /// A channel that PAUSE frames can stop.
    Paced(Box<PacedOutlet>),
    /// A station on a hub.
    Station {
        hub: HubId,
        station: u32,
    },
}

/// A channel and the cable behind it. The order of the fields is fixed, so that the first cache
/// line has those that are prefetched.
#[repr(C, align(64))]
#[derive(Debug)]
pub(crate) struct ChannelOutlet {
    /// The frame sent last; any before the first.
    pub last: FrameId,
    pub peer: PortId,
    pub channel: Channel,
    pub delay: Time,
    /// The time at which the last frame arrives.
    pub last_arrives: Time,
    /// True if the receiver reacts to the first bit of a frame (cut-through), false if to its last.
    pub tells_first_bit: bool,
}

#[cfg(not(debug_assertions))]
const _: () = assert!(size_of::<Outlet>() <= 128);

/// A channel that PAUSE frames can stop, and the cable behind it.
#[derive(Debug)]
pub(crate) struct PacedOutlet {
    pub channel: PacedChannel,
    pub peer: PortId,
    pub delay: Time,
    /// True if the receiver reacts to the first bit of a frame (cut-through), false if to its last.
    pub tells_first_bit: bool,
}

/// Returns the outlet of each port of a node or a switch, before stations on hubs are connected.
pub(crate) fn outlets(fabric: &Fabric, host: &HostModel) -> IdVec<PortId, Outlet> {
    fabric.ports().ids().map(|port| outlet(fabric, host, port)).collect()
}

fn outlet(fabric: &Fabric, host: &HostModel, port: PortId) -> Outlet {
    let (Some(link), Some(peer)) = (fabric.port(port).link, fabric.peer(port)) else {
        return Outlet::Nothing;
    };
    let link = fabric.links()[link];
    if matches!(fabric.kind(fabric.port(port).device), DeviceKind::Hub(_)) {
        return Outlet::Nothing;
    }
    let limit = queue_limit(fabric, &host.queues, port);
    let of_peer = fabric.kind(fabric.port(peer).device).switch();
    let tells_first_bit = of_peer.is_some_and(|model| model.mode == SwitchMode::CutThrough);
    if host.links.pause {
        // A switch limits its frames by their ingress port.
        let is_switch = fabric.kind(fabric.port(port).device).switch().is_some();
        let limit = (!is_switch).then_some(limit);
        let channel = PacedChannel::new(link.rate, limit);
        let outlet = PacedOutlet { channel, peer, delay: link.delay, tells_first_bit };
        return Outlet::Paced(Box::new(outlet));
    }
    let is_node = matches!(fabric.kind(fabric.port(port).device), DeviceKind::Node);
    let pause = if is_node { host.pause_after_frame() } else { Time::ZERO };
    Outlet::Channel(ChannelOutlet {
        channel: Channel::new(link.rate, Some(limit)).with_pause(pause),
        peer,
        delay: link.delay,
        tells_first_bit,
        last: FrameId::new(0),
        last_arrives: Time::ZERO,
    })
}

/// Returns the limit of the transmit queue of a port of a node or switch.
pub(crate) fn queue_limit(fabric: &Fabric, queues: &InterfaceQueues, port: PortId) -> QueueLimit {
    match fabric.kind(fabric.port(port).device) {
        DeviceKind::Switch(model) | DeviceKind::RoutedSwitch(model) => match model.queue {
            network::QueueLimit::Frames(frames) => QueueLimit::Frames(frames),
            network::QueueLimit::Bytes(bytes) => QueueLimit::Bytes(bytes),
        },
        DeviceKind::Node | DeviceKind::Hub(_) => QueueLimit::Frames(queues.transmit),
    }
}

/// Returns the rate of the link in each port; ports without a link never send.
pub(crate) fn port_rates(fabric: &Fabric) -> IdVec<PortId, Rate> {
    fabric
        .ports()
        .iter()
        .map(|port| port.link.map_or(Rate::from_mbps(10), |link| fabric.links()[link].rate))
        .collect()
}
