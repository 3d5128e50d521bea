//! What a host costs and how its protocols behave: the numbers of a calibration, as every
//! predictive engine takes them. What an engine does with them is its own affair.
//!
//! Each constant stands here once, with its meaning and how it is read from the [`Table`] that the
//! schema of calibrations gives.

use std::ops::RangeInclusive;

use quantity::{Cost, Time};

mod disk;
mod links;
mod processors;
mod protocol;
mod table;
mod tcp;
mod tcp_rules;

pub use disk::DiskModel;
pub use links::{LinkOptions, Neighbours};
pub use processors::{Processors, Steering};
pub use protocol::{MessageCosts, MessageKind, MessageProtocol, ProgressRule};
pub use table::{Table, Value};
pub use tcp::{TcpExtensions, TcpOptions};
pub use tcp_rules::{AckRule, CongestionControl, SendBuffer, Waiting, WindowRule};

use table::constants;

/// Bounds of what may be any number.
const ANY: RangeInclusive<u64> = 0..=u32::MAX as u64;
/// Bounds of what hosts have one of at least.
const SOME: RangeInclusive<u64> = 1..=u32::MAX as u64;

constants! {
    /// Processor time of the kernel and of the process for each thing done with a frame or a
    /// segment.
    ///
    /// Sizes are bytes of TCP payload, except for forwarding, which handles whole IP packets.
    pub struct HostCosts from table {
        /// A write system call.
        pub write_call: Time = table.fixed_cost("write_call"),
        /// Sending a segment: fixed when it goes to the interface, per byte when it is copied from
        /// the process.
        pub send_fixed: Time = table.fixed_cost("send"),
        /// Copy and checksum of what a process writes.
        pub send_copy: Cost = table.cost_per_byte("send"),
        /// A frame with data taken from the interface through IP and TCP.
        pub receive: Cost = table.cost("receive"),
        /// A segment read by the process.
        pub read: Cost = table.cost("read"),
        /// Making a pure acknowledgement.
        pub make_ack: Time = table.fixed_cost("make_ack"),
        /// Taking a pure acknowledgement.
        pub take_ack: Time = table.fixed_cost("take_ack"),
        /// Relaying an IP packet.
        pub forward: Cost = table.cost("forward"),
        /// An interrupt for received frames, where it is not part of what a frame costs.
        pub interrupt: Time = table.fixed_cost("interrupt"),
        /// Taking a frame from the interface, whatever becomes of it.
        pub receive_frame: Time = table.fixed_cost("receive_frame"),
        /// Each frame after the first of those that leave as one.
        pub send_frame: Time = table.fixed_cost("send_frame"),
    }
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

constants! {
    /// Queues of a network interface, and what it spares the processor.
    pub struct InterfaceQueues from table {
        /// Frames that wait to be sent: the driver's ring and the kernel's queue together.
        pub transmit: u32 = table.count("transmit_frames", ANY),
        /// Frames that have arrived at a receive queue and wait for its processor.
        pub receive: u32 = table.count("receive_frames", ANY),
        /// How long an interrupt waits for more frames; zero for not at all (ethtool's rx-usecs).
        pub interrupt_hold: Time = table.time("interrupt_hold_us"),
        /// Frames at which it waits no longer; zero for any number (ethtool's rx-frames).
        pub interrupt_frames: u32 = table.count("interrupt_frames", ANY),
        /// Most payload that goes to the interface as one (TSO); zero for a segment at a time.
        pub send_bytes: u32 = table.count("tso_bytes", ANY),
        /// Most payload that TCP takes as one (GRO); zero for a segment at a time.
        pub receive_bytes: u32 = table.count("gro_bytes", ANY),
        /// A queue in front of a full-duplex link, of an interface or a switch, that holds more
        /// frames than this marks those that may be marked (RFC 8257, sec. 3.1); 0 for never.
        pub mark_above: u32 = table.count("mark_above_frames", ANY),
    }
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

constants! {
    /// Everything about the hosts of a run; all are alike.
    pub struct HostModel from table {
        /// Costs below the message library.
        pub costs: HostCosts = HostCosts::read(table),
        /// Processors of a node.
        pub processors: Processors = Processors::read(table),
        /// Interface queues.
        pub queues: InterfaceQueues = InterfaceQueues::read(table),
        /// Options below the transport.
        pub links: LinkOptions = LinkOptions::read(table),
        /// Transport options.
        pub tcp: TcpOptions = TcpOptions::read(table),
        /// How messages become transfers.
        pub protocol: MessageProtocol = MessageProtocol::read(table),
        /// Costs of the message library.
        pub message_costs: MessageCosts = MessageCosts::read(table),
        /// The disk of every node, if it is known.
        pub disk: Option<DiskModel> = disk::read(table),
    }
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
