//! Host constants of a calibration (costs and protocol options), in the form that every predictive
//! engine reads.
//!
//! Each constant is defined here once, with its meaning and its reading from the [`Table`] that the
//! schema of calibrations describes.

use std::ops::RangeInclusive;

use quantity::{Cost, Time};

mod disk;
mod links;
mod local;
mod owned;
mod processors;
mod protocol;
mod table;
mod tcp;
mod tcp_rules;

pub use disk::DiskModel;
pub use links::{LinkOptions, Neighbours};
pub use local::LocalModel;
pub use owned::{Constant, Constants, ConstantsError};
pub use processors::{Processors, Steering};
pub use protocol::{MessageCosts, MessageKind, MessageProtocol, ProgressRule, WhileBlocked};
pub use table::{Table, Value};
pub use tcp::{TcpExtensions, TcpOptions};
pub use tcp_rules::{AckRule, CongestionControl, SendBuffer, Waiting, WindowRule};

use table::constants;

/// Bounds of a number that may be anything.
const ANY: RangeInclusive<u64> = 0..=u32::MAX as u64;
/// Bounds of a number that is at least one.
const SOME: RangeInclusive<u64> = 1..=u32::MAX as u64;

constants! {
    /// Processor time of the kernel and of the process for each step of a frame or a segment.
    ///
    /// Sizes are bytes of TCP payload, except for forwarding, which handles whole IP packets.
    pub struct HostCosts from table {
        /// A write system call.
        pub write_call: Time = table.fixed_cost("write_call"),
        /// Sending a segment: fixed when it goes to the interface, per byte when it is copied from
        /// the process.
        pub send_fixed: Time = table.fixed_cost("send"),
        /// Copy and checksum of the data that a process writes.
        pub send_copy: Cost = table.cost_per_byte("send"),
        /// Receiving a frame with data, from the interface through IP and TCP.
        pub receive: Cost = table.cost("receive"),
        /// Reading a segment in the process.
        pub read: Cost = table.cost("read"),
        /// Making a pure acknowledgement.
        pub make_ack: Time = table.fixed_cost("make_ack"),
        /// Receiving a pure acknowledgement.
        pub take_ack: Time = table.fixed_cost("take_ack"),
        /// Relaying an IP packet.
        pub forward: Cost = table.cost("forward"),
        /// An interrupt for received frames, where the costs of frames do not include it.
        pub interrupt: Time = table.fixed_cost("interrupt"),
        /// Taking a frame from the interface, before it is received or forwarded.
        pub receive_frame: Time = table.fixed_cost("receive_frame"),
        /// Each frame after the first of a burst that leaves as one (TSO).
        pub send_frame: Time = table.fixed_cost("send_frame"),
        /// The interrupt at the end of each frame sent, where other costs do not include it.
        pub sent: Time = table.fixed_cost("sent"),
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
    /// Queues of a network interface, and its offloads.
    pub struct InterfaceQueues from table {
        /// Frames that wait to be sent: the driver's ring and the kernel's queue together.
        pub transmit: u32 = table.count("transmit_frames", ANY),
        /// Frames that have arrived at a receive queue and wait for its processor.
        pub receive: u32 = table.count("receive_frames", ANY),
        /// Time an interrupt waits for more frames; zero for none (ethtool's rx-usecs).
        pub interrupt_hold: Time = table.time("interrupt_hold_us"),
        /// Number of frames that raise the interrupt at once; zero for any number (ethtool's
        /// rx-frames).
        pub interrupt_frames: u32 = table.count("interrupt_frames", ANY),
        /// Largest payload that goes to the interface as one (TSO); zero for a segment at a time.
        pub send_bytes: u32 = table.count("tso_bytes", ANY),
        /// Largest payload that TCP receives as one (GRO); zero for a segment at a time.
        pub receive_bytes: u32 = table.count("gro_bytes", ANY),
        /// ECN threshold: a queue in front of a full-duplex link that holds more frames marks those
        /// that may be marked (RFC 8257, sec. 3.1); 0 for never.
        pub mark_above: u32 = table.count("mark_above_frames", ANY),
        /// True if the back-off of an interface on a hub counts only while the medium is silent.
        pub pauses_backoff: bool = table.flag("pauses_backoff"),
        /// True if an interface on a hub that has sent the last frame gives way after a collision.
        pub avoids_capture: bool = table.flag("avoids_capture"),
        /// True if the driver hands the interface one frame at a time: the next one waits for the
        /// interrupt at the end of the last.
        pub sends_singly: bool = table.flag("sends_singly"),
    }
}

impl InterfaceQueues {
    /// Returns queues of this many frames, of an interface without offloads.
    pub const fn plain(transmit: u32, receive: u32) -> InterfaceQueues {
        InterfaceQueues {
            transmit,
            receive,
            interrupt_hold: Time::ZERO,
            interrupt_frames: 0,
            send_bytes: 0,
            receive_bytes: 0,
            mark_above: 0,
            pauses_backoff: false,
            avoids_capture: false,
            sends_singly: false,
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
        /// The protocol that turns messages into transfers.
        pub protocol: MessageProtocol = MessageProtocol::read(table),
        /// Costs of the message library.
        pub message_costs: MessageCosts = MessageCosts::read(table),
        /// The disk of every node, if known.
        pub disk: Option<DiskModel> = disk::read(table),
        /// The transport between processes of one node, if known.
        pub local: Option<LocalModel> = local::read(table),
    }
}

impl HostModel {
    /// Returns the least time from the end of a frame to the start of the next at the interface of
    /// a node, besides the gap of the wire.
    pub fn pause_after_frame(&self) -> Time {
        if self.queues.sends_singly { self.costs.sent } else { Time::ZERO }
    }

    /// Returns the kernel's work on a packet that it forwards, merged from some frames.
    ///
    /// An interface that cuts packets (TSO) takes it as one. Without that the kernel cuts it again,
    /// so that each frame costs as much as one that is forwarded alone.
    #[inline]
    pub fn forward_merged(&self, n_frames: u64, ip_bytes: u64) -> Time {
        let HostCosts { forward, send_frame, .. } = self.costs;
        let each = if self.queues.send_bytes > 0 { send_frame } else { forward.of(0) };
        forward.of(ip_bytes) + each * (n_frames - 1)
    }

    /// Returns whether one processor takes every frame as it arrives. The end of the kernel's work
    /// on a frame is then known on arrival.
    pub fn takes_frames_at_once(&self) -> bool {
        self.processors.n_cpus == 1
            && self.queues.interrupt_hold == Time::ZERO
            && self.queues.receive_bytes == 0
            && self.costs.interrupt == Time::ZERO
            && self.costs.receive_frame == Time::ZERO
    }
}
