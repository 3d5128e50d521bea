//! What a host costs and how its protocols behave: the numbers of a calibration, as every
//! predictive engine takes them. What an engine does with them is its own affair.

use quantity::{Cost, Time};

mod frames;
mod links;
mod tcp;

pub use frames::{frame_sizes, largest_payload};
pub use links::{LinkOptions, Neighbours};
pub use tcp::{AckRule, SendBuffer, TcpOptions, WindowRule};

use crate::protocol::{MessageCosts, MessageProtocol};

/// Processor time of the kernel and of the process for each thing done with a frame or a segment.
///
/// Sizes are bytes of TCP payload, except for forwarding, which handles whole IP packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostCosts {
    /// A write system call.
    pub write_call: Time,
    /// Sending a segment: fixed when it goes to the interface, per byte when it is copied from the
    /// process.
    pub send_fixed: Time,
    /// Copy and checksum of what a process writes.
    pub send_copy: Cost,
    /// A frame with data taken from the interface through IP and TCP.
    pub receive: Cost,
    /// A segment read by the process.
    pub read: Cost,
    /// Making a pure acknowledgement.
    pub make_ack: Time,
    /// Taking a pure acknowledgement.
    pub take_ack: Time,
    /// Relaying an IP packet.
    pub forward: Cost,
}

/// Queues of a network interface, in frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InterfaceQueues {
    /// Frames that wait to be sent: the driver's ring and the kernel's queue together.
    pub transmit: u32,
    /// Frames that have arrived and wait for the processor.
    pub receive: u32,
}

/// Everything about the hosts of a run; all are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostModel {
    /// Costs below the message library.
    pub costs: HostCosts,
    /// Interface queues.
    pub queues: InterfaceQueues,
    /// Options below the transport.
    pub links: LinkOptions,
    /// Transport options.
    pub tcp: TcpOptions,
    /// How messages become transfers.
    pub protocol: MessageProtocol,
    /// Costs of the message library.
    pub message_costs: MessageCosts,
}
