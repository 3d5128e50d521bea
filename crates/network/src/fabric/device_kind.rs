//! The kind of each device and the constants of the kind, as the engines read them.
//!
//! Behaviour is not here: crate `device` turns these constants into state machines.

use quantity::Time;
use serde::{Deserialize, Serialize};

use crate::ids::BackplaneId;

/// The kind of a device, with its constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DeviceKind {
    /// A computer.
    Node,
    /// A repeater: all its ports are one collision domain. Stacked hubs are one hub.
    Hub(HubModel),
    /// A switch, or one logical part of a chassis.
    Switch(SwitchModel),
    /// A switch that forwards packets by routes: each of its ports is a station of its own segment.
    RoutedSwitch(SwitchModel),
}

impl DeviceKind {
    /// Returns whether the device has addresses and routes: a computer or a routed switch. The ids
    /// of nodes are those of these devices.
    pub fn has_routes(self) -> bool {
        matches!(self, DeviceKind::Node | DeviceKind::RoutedSwitch(_))
    }

    /// Returns the constants of a switch, routed or not.
    pub fn switch(self) -> Option<SwitchModel> {
        match self {
            DeviceKind::Switch(model) | DeviceKind::RoutedSwitch(model) => Some(model),
            DeviceKind::Node | DeviceKind::Hub(_) => None,
        }
    }
}

/// A repeater's constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HubModel {
    /// One-way delay between any two stations of the collision domain, cables included.
    pub domain_delay: Time,
}

/// The moment at which a switch starts to forward a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SwitchMode {
    /// After the last bit has arrived.
    StoreAndForward,
    /// As soon as the header has been read, between ports of the same rate.
    CutThrough,
}

/// A switch's constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwitchModel {
    /// The moment at which output may start.
    pub mode: SwitchMode,
    /// Delay (not occupancy) on an idle port, from the moment output may start until it does.
    pub latency: Time,
    /// The shared backplane that moves the frames of this switch, if it limits them.
    pub backplane: Option<BackplaneId>,
    /// The capacity of one output port's queue.
    pub queue: QueueLimit,
    /// Lifetime of a learned address.
    pub ageing: Time,
    /// Whether the switch knows all shortest paths of its segment and hashes flows over them; takes
    /// effect where every switch of the segment does so.
    pub is_multipath: bool,
}

/// The capacity of an output queue; a frame that does not fit is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum QueueLimit {
    /// Frames, including the one being sent.
    Frames(u32),
    /// Bytes of frames (without preamble and gap), including the one being sent.
    Bytes(u32),
}
