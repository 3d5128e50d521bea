//! Frames as they stand on a wire: what switches read of every one, and a payload for the hosts.
//! A frame has sizes and addresses, never contents; its bytes are made by captures only.

use host::tcp::{EndpointId, Flags, Incoming};
use network::{AddressId, PortId};
use program::DatagramProtocol;

/// The target of a frame that is for no one station: a broadcast, or a frame for the port at the
/// other end of the cable alone.
pub const NO_STATION: PortId = PortId::MAX;

/// One Ethernet frame, in this order, as switches look at the fields in front only.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Node port that put it on this segment.
    pub source: PortId,
    /// Node port it is for on this segment, or [`NO_STATION`].
    pub target: PortId,
    /// Header to frame check sequence, in bytes.
    pub bytes: u32,
    /// Tells flows between the same stations apart, where a switch has several shortest paths.
    pub flow: u32,
    /// Whether its check sequence is wrong.
    pub is_damaged: bool,
    /// What it carries.
    pub payload: Payload,
}

/// What a frame carries.
#[derive(Clone, Copy, Debug)]
pub enum Payload {
    /// An IP packet with a TCP segment.
    Segment(IpHeader, Segment),
    /// An IP packet with a datagram or a fragment of one.
    Fragment(IpHeader, Fragment),
    /// A question for a hardware address, or the answer.
    Resolution(Resolution),
    /// An order to the port at the other end of the cable to stop, or to continue.
    Pause(Pause),
}

/// The header of an IP packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IpHeader {
    /// Destination.
    pub destination: AddressId,
    /// The packet with its headers, in bytes.
    pub bytes: u32,
    /// Time to live, over IPv6 the hop limit: one more than the remaining forwards.
    pub ttl: u8,
}

/// A TCP segment. Its options, if it has any, are kept beside the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The end of the connection it is for.
    pub to: EndpointId,
    /// User data, in bytes.
    pub bytes: u32,
    /// Bytes the receiver of this segment may still send beyond `acknowledged`.
    pub window: u32,
    /// Sequence number of the first byte of user data.
    pub sequence: u64,
    /// Everything before this sequence number has arrived.
    pub acknowledged: u64,
    /// The flags of TCP, and the marks of ECN in the IP header.
    pub flags: Flags,
}

/// A datagram, or the part of it that one packet carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// UDP, or IP alone.
    pub protocol: DatagramProtocol,
    /// IP source.
    pub source: AddressId,
    /// The number of the datagram in the run.
    pub datagram: u32,
    /// Where this part begins.
    pub offset: u32,
    /// Bytes of this part.
    pub bytes: u32,
    /// Bytes of all parts.
    pub total_bytes: u32,
}

/// A message of ARP, or over IPv6 of neighbour discovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolution {
    /// The port whose hardware address is asked for.
    pub about: PortId,
    /// Whether it is neighbour discovery.
    pub is_v6: bool,
    /// Whether it is the answer.
    pub is_answer: bool,
}

/// A pause frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pause {
    /// For how long to stop, in quanta of 512 bit times; none to continue.
    pub quanta: u16,
}

impl Pause {
    /// Lets the other end go on.
    pub const LIFTED: Pause = Pause { quanta: 0 };
}

impl Frame {
    /// Marks the segment inside as a queue does that is too long, if its sender allows it.
    pub fn mark(&mut self) {
        if let Payload::Segment(_, segment) = &mut self.payload {
            let flags = segment.flags;
            segment.flags = flags.with_if(flags.has(Flags::CAPABLE), Flags::MARKED);
        }
    }

    /// Readdresses the packet inside to the next hop.
    pub fn forward(&mut self, from: PortId, to: PortId) {
        (self.source, self.target) = (from, to);
        if let Payload::Segment(ip, _) | Payload::Fragment(ip, _) = &mut self.payload {
            ip.ttl -= 1;
        }
    }

    /// Returns the segment inside, if it carries one.
    #[inline]
    pub fn segment(&self) -> Option<&Segment> {
        match &self.payload {
            Payload::Segment(_, segment) => Some(segment),
            _ => None,
        }
    }

    /// Returns the header of the IP packet inside, if it carries one.
    #[inline]
    pub fn ip(&self) -> Option<&IpHeader> {
        match &self.payload {
            Payload::Segment(ip, _) | Payload::Fragment(ip, _) => Some(ip),
            Payload::Resolution(_) | Payload::Pause(_) => None,
        }
    }
}

impl Segment {
    /// Returns the segment as TCP takes it.
    pub fn incoming(&self) -> Incoming {
        let Segment { bytes, window, sequence, acknowledged, flags, .. } = *self;
        Incoming { sequence, payload: bytes, flags, acknowledged, window }
    }
}
