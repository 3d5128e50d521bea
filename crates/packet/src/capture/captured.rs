//! A frame as a capture shows it, before its encoding.
//!
//! The engine has no MAC addresses. A capture shows port p as 02:00 followed by p in four bytes:
//! locally administered, so that it collides with no vendor's, and readable.

use etherparse::UdpHeader;
use host::tcp::{Flags, SegmentOptions};
use network::{Ip, PortId};
use quantity::Time;

use crate::arena::Contents;

/// The longest IP packet.
const LONGEST_PACKET_BYTES: usize = 65_535;
/// The contents of every payload.
pub(super) static ZEROS: [u8; LONGEST_PACKET_BYTES] = [0; LONGEST_PACKET_BYTES];

/// The direction of a frame at a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Received.
    Inbound,
    /// Sent.
    Outbound,
}

/// A datagram, or the part of it that one packet carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// True for UDP, false for raw IP, which no dissector knows.
    pub is_udp: bool,
    /// UDP port numbers, source and destination.
    pub ports: (u16, u16),
    /// Identification, common to the fragments of one datagram.
    pub number: u32,
    /// Offset of the part in the datagram, in bytes.
    pub offset: u32,
    /// Length of the part, in bytes.
    pub bytes: u32,
    /// Length of all parts together, in bytes.
    pub total_bytes: u32,
}

impl Part {
    /// Returns whether the part begins with the UDP header.
    pub(super) fn has_udp_header(&self) -> bool {
        self.is_udp && self.offset == 0
    }

    /// Returns the bytes of user data in the part.
    pub(super) fn payload_bytes(&self) -> u32 {
        let header_bytes = if self.has_udp_header() { UdpHeader::LEN as u32 } else { 0 };
        self.bytes - header_bytes
    }
}

/// The IP header of a captured packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Source address.
    pub source: Ip,
    /// Destination address, of the same family.
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
    /// Receive window in bytes. A window beyond the 16-bit field is shown as 65,535, because window
    /// scaling is negotiated in a handshake, which is not modelled.
    pub window: u32,
    /// The flags of TCP, and the marks of ECN in the IP header.
    pub flags: Flags,
    /// Time stamps and SACK blocks, if the flags say that the segment has any. Time stamps are
    /// shown in milliseconds, as Linux counts them.
    pub options: SegmentOptions,
    /// User data, in bytes.
    pub bytes: u32,
}

/// The content of a captured frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Carried {
    /// A TCP segment.
    Segment(Packet, Segment),
    /// A datagram or a fragment.
    Datagram(Packet, Part),
    /// A request for the hardware address of `target` (ARP or neighbour discovery), or the reply of
    /// `source`.
    Resolution {
        /// IP address of the sender.
        source: Ip,
        /// IP address of the node asked or answered, of the same family.
        target: Ip,
        /// True for the reply, false for the request.
        is_answer: bool,
    },
    /// A pause frame.
    Pause {
        /// Time to stop, in quanta of 512 bit times.
        quanta: u16,
    },
    /// The bytes of a real frame from its header on.
    Contents(Contents),
}

impl Carried {
    /// Returns the bytes behind the last header.
    pub(super) fn payload_bytes(&self) -> u32 {
        match self {
            Carried::Segment(_, segment) => segment.bytes,
            Carried::Datagram(_, part) => part.payload_bytes(),
            Carried::Resolution { .. } | Carried::Pause { .. } | Carried::Contents(_) => 0,
        }
    }
}

/// A frame as a port saw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapturedFrame {
    /// The time at which the port saw the frame.
    pub time: Time,
    /// The port that saw the frame.
    pub port: PortId,
    /// The direction of the frame at the port.
    pub direction: Direction,
    /// The node port that sent the frame on this segment; gives the source MAC address.
    pub source_port: PortId,
    /// The node port on this segment that the frame is for; gives the destination MAC address, that
    /// of a group for none.
    pub target_port: Option<PortId>,
    /// The content of the frame.
    pub carried: Carried,
}

/// Returns the MAC address of a port in captures.
pub fn mac_of_port(port: PortId) -> [u8; 6] {
    let [a, b, c, d] = port.get().to_be_bytes();
    [0x02, 0x00, a, b, c, d]
}

/// Returns the port with a MAC address, the inverse of [`mac_of_port`].
pub fn port_of_mac(mac: [u8; 6]) -> Option<PortId> {
    let [0x02, 0x00, a, b, c, d] = mac else { return None };
    Some(PortId::new(u32::from_be_bytes([a, b, c, d])))
}

/// Returns the bytes of an IPv4 address.
pub(super) fn v4(ip: Ip) -> Option<[u8; 4]> {
    (!ip.is_v6).then(|| (ip.bits as u32).to_be_bytes())
}
