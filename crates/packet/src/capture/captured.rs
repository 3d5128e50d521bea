//! A frame as a capture shows it, before it is bytes.
//!
//! MAC addresses do not exist in the engine. The one of port p is 02:00 followed by p in four
//! bytes: locally administered, so that it collides with no maker's, and readable in a capture.

use etherparse::UdpHeader;
use host::tcp::{Flags, SegmentOptions};
use network::{Ip, PortId};
use quantity::Time;

/// The longest IP packet.
const LONGEST_PACKET_BYTES: usize = 65_535;
/// What segments carry.
pub(super) static ZEROS: [u8; LONGEST_PACKET_BYTES] = [0; LONGEST_PACKET_BYTES];

/// Which way a frame passed a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Taken in.
    Inbound,
    /// Sent.
    Outbound,
}

/// A datagram, or the part of it that one packet carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Whether it is UDP, or nothing that a dissector knows.
    pub is_udp: bool,
    /// UDP port numbers, source and destination.
    pub ports: (u16, u16),
    /// What the fragments of one datagram have in common.
    pub number: u32,
    /// Where the part begins.
    pub offset: u32,
    /// Its bytes.
    pub bytes: u32,
    /// Bytes of all parts.
    pub total_bytes: u32,
}

impl Part {
    /// Returns whether it begins with the header of UDP.
    pub(super) fn has_udp_header(&self) -> bool {
        self.is_udp && self.offset == 0
    }

    /// Returns its bytes of user data.
    pub(super) fn payload_bytes(&self) -> u32 {
        let header_bytes = if self.has_udp_header() { UdpHeader::LEN as u32 } else { 0 };
        self.bytes - header_bytes
    }
}

/// The IP header of a captured packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Source.
    pub source: Ip,
    /// Destination, of the same family.
    pub target: Ip,
    /// Time to live, or hop limit.
    pub ttl: u8,
}

/// A captured TCP segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// TCP port numbers, source and destination.
    pub ports: (u16, u16),
    /// Sequence number; its low 32 bits are shown.
    pub sequence: u64,
    /// Acknowledgement number; its low 32 bits are shown.
    pub acknowledged: u64,
    /// Receive window in bytes; a larger one than the field holds is shown as 65,535, because a
    /// scale is agreed on in a handshake, of which there is none.
    pub window: u32,
    /// The flags of TCP, and the marks of ECN in the IP header.
    pub flags: Flags,
    /// Time stamps and SACK blocks, where the flags say that it has any. Time stamps are shown in
    /// milliseconds, as Linux counts them.
    pub options: SegmentOptions,
    /// User data, in bytes.
    pub bytes: u32,
}

/// What a captured frame carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carried {
    /// A TCP segment.
    Segment(Packet, Segment),
    /// A datagram or a fragment.
    Datagram(Packet, Part),
    /// A question for the hardware address of `target` (ARP or neighbour discovery), or the answer
    /// of `source`.
    Resolution {
        /// IP address of the sender.
        source: Ip,
        /// IP address of who is asked or answered, of the same family.
        target: Ip,
        /// Whether it is the answer.
        is_answer: bool,
    },
    /// A pause frame.
    Pause {
        /// Its time, in quanta of 512 bit times.
        quanta: u16,
    },
}

impl Carried {
    /// Returns the bytes behind the last header.
    pub(super) fn payload_bytes(&self) -> u32 {
        match self {
            Carried::Segment(_, segment) => segment.bytes,
            Carried::Datagram(_, part) => part.payload_bytes(),
            Carried::Resolution { .. } | Carried::Pause { .. } => 0,
        }
    }
}

/// A frame as a port saw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CapturedFrame {
    /// When the port saw it.
    pub time: Time,
    /// The port.
    pub port: PortId,
    /// Which way it went.
    pub direction: Direction,
    /// Node port that put it on this segment; gives the source MAC address.
    pub source_port: PortId,
    /// Node port it is for on this segment; gives the destination MAC address, that of a group for
    /// [`crate::frame::NO_STATION`].
    pub target_port: PortId,
    /// What it carries.
    pub carried: Carried,
}

/// Returns the MAC address that captures show for a port.
pub fn mac_of_port(port: PortId) -> [u8; 6] {
    let [a, b, c, d] = port.to_be_bytes();
    [0x02, 0x00, a, b, c, d]
}

/// Returns the bytes of an IPv4 address.
pub(super) fn v4(ip: Ip) -> Option<[u8; 4]> {
    (!ip.is_v6).then(|| (ip.bits as u32).to_be_bytes())
}
