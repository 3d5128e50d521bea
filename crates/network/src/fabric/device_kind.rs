//! What a device is and the constants of its kind, as the engines read them.
//!
//! Behaviour is not here: crate `device` turns these constants into state machines.

use quantity::Time;

use crate::ids::BackplaneId;

/// What a device is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceKind {
    /// A computer.
    Node,
    /// A repeater: all its ports are one collision domain. Stacked hubs are one hub.
    Hub(HubModel),
    /// A switch, or one logical part of a chassis.
    Switch(SwitchModel),
}

/// A repeater's constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HubModel {
    /// One-way delay between any two stations of the collision domain, cables included.
    pub domain_delay: Time,
}

/// When a switch starts to send a frame on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchMode {
    /// After the last bit has arrived.
    StoreAndForward,
    /// As soon as the header is read, where both ports have the same rate.
    CutThrough,
}

/// A switch's constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchModel {
    /// When output may start.
    pub mode: SwitchMode,
    /// Delay (not occupancy) from the moment output may start until it does on an idle port.
    pub latency: Time,
    /// The shared fabric this switch moves its frames over, if it limits.
    pub backplane: Option<BackplaneId>,
    /// What one output port can hold.
    pub queue: QueueLimit,
    /// How long a learned address is remembered.
    pub ageing: Time,
    /// Whether it knows all shortest paths of its segment and spreads flows over them by a hash,
    /// where all other switches of the segment do so too.
    pub is_multipath: bool,
}

/// The room of an output queue; a frame that does not fit is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueLimit {
    /// Frames, counting the one being sent.
    Frames(u32),
    /// Bytes of frames (without preamble and gap), counting the one being sent.
    Bytes(u32),
}
