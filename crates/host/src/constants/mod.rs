//! What a host costs and how its protocols behave: the numbers of a calibration, as every
//! predictive engine takes them. What an engine does with them is its own affair.

use quantity::{Cost, Time};

mod disk;
mod links;
mod processors;
mod protocol;
mod tcp;

pub use disk::DiskModel;
pub use links::{LinkOptions, Neighbours};
pub use processors::{Processors, Steering};
pub use protocol::{DrainRule, MessageCosts, MessageKind, MessageProtocol};
pub use tcp::{
    AckRule, CongestionControl, SendBuffer, TcpExtensions, TcpOptions, Waiting, WindowRule,
};

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
    /// An interrupt for received frames, where it is not part of what a frame costs.
    pub interrupt: Time,
    /// Taking a frame from the interface, whatever becomes of it.
    pub receive_frame: Time,
    /// Each frame after the first of those that leave as one.
    pub send_frame: Time,
}

impl HostCosts {
    /// Returns the kernel's work on a segment, from the interface through TCP.
    #[inline]
    pub fn receive_segment(&self, payload: u32) -> Time {
        match payload {
            0 => self.take_ack,
            payload => self.receive.of(u64::from(payload)),
        }
    }
}

/// Queues of a network interface, and what it spares the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InterfaceQueues {
    /// Frames that wait to be sent: the driver's ring and the kernel's queue together.
    pub transmit: u32,
    /// Frames that have arrived at a receive queue and wait for its processor.
    pub receive: u32,
    /// How long an interrupt waits for more frames; zero for not at all (ethtool's rx-usecs).
    pub interrupt_hold: Time,
    /// Frames at which it waits no longer; zero for any number (ethtool's rx-frames).
    pub interrupt_frames: u32,
    /// Most payload that goes to the interface as one (TSO); zero for a segment at a time.
    pub send_bytes: u32,
    /// Most payload that TCP takes as one (GRO); zero for a segment at a time.
    pub receive_bytes: u32,
    /// A queue in front of a full-duplex link, of an interface or a switch, that holds more frames
    /// than this marks those that may be marked (RFC 8257, sec. 3.1); 0 for never.
    pub mark_above: u32,
}

impl InterfaceQueues {
    /// Queues of so many frames, of an interface that spares the processor nothing.
    pub const fn plain(transmit: u32, receive: u32) -> InterfaceQueues {
        InterfaceQueues {
            transmit,
            receive,
            interrupt_hold: Time::ZERO,
            interrupt_frames: 0,
            send_bytes: 0,
            receive_bytes: 0,
            mark_above: 0,
        }
    }
}

/// Everything about the hosts of a run; all are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostModel {
    /// Costs below the message library.
    pub costs: HostCosts,
    /// Processors of a node.
    pub processors: Processors,
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
    /// The disk of every node, if it is known.
    pub disk: Option<DiskModel>,
}

impl HostModel {
    /// Returns whether one processor takes every frame as it comes: then the end of the kernel's
    /// work on a frame is known when it arrives.
    pub fn takes_frames_at_once(&self) -> bool {
        self.processors.n_cpus == 1
            && self.queues.interrupt_hold == Time::ZERO
            && self.queues.receive_bytes == 0
            && self.costs.interrupt == Time::ZERO
            && self.costs.receive_frame == Time::ZERO
    }
}
