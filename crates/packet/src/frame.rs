//! Frames on a wire: the fields that switches read, and a payload for the hosts. A frame has sizes
//! and addresses, never contents; only captures make its bytes.

use host::tcp::{Flags, Incoming};
use host::transport::EndpointId;
use network::{AddressId, PortId};
use program::DatagramProtocol;
use quantity::OptionalId;

use crate::datagram::DatagramId;

/// One Ethernet frame. The order of its fields is fixed, because switches read only those in front.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The node port that sent the frame on this segment.
    pub source: PortId,
    /// The node port on this segment that the frame is for. A broadcast has none, nor has a frame
    /// for the port at the other end of the cable alone.
    pub target: OptionalId<PortId>,
    /// Length from header to frame check sequence, in bytes.
    pub bytes: u32,
    /// Number that tells flows between the same stations apart, where a switch has several shortest
    /// paths.
    pub flow: u32,
    /// True if the frame check sequence is wrong.
    pub is_damaged: bool,
    /// The content of the frame.
    pub payload: Payload,
}

/// The content of a frame.
#[derive(Clone, Copy, Debug)]
pub enum Payload {
    /// An IP packet with a TCP segment.
    Segment(IpHeader, Segment),
    /// An IP packet with a datagram or a fragment of one.
    Fragment(IpHeader, Fragment),
    /// A request for a hardware address, or the reply.
    Resolution(Resolution),
    /// An order to the port at the other end of the cable to stop, or to continue.
    Pause(Pause),
    /// The bytes of a real frame, which the arena keeps.
    Contents,
}

/// The header of an IP packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IpHeader {
    /// Destination address.
    pub destination: AddressId,
    /// Length of the packet with its headers, in bytes.
    pub bytes: u32,
    /// Time to live, or the hop limit of IPv6: one more than the forwards that remain.
    pub ttl: u8,
}

/// A TCP segment. The arena keeps its options, if it has any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The connection end that receives the segment.
    pub to: EndpointId,
    /// User data, in bytes.
    pub bytes: u32,
    /// Bytes the receiver of this segment may still send beyond `acknowledged`.
    pub window: u32,
    /// Sequence number of the first byte of user data.
    pub sequence: u64,
    /// Acknowledgement number: everything before it has arrived.
    pub acknowledged: u64,
    /// The flags of TCP, and the marks of ECN in the IP header.
    pub flags: Flags,
}

/// A datagram, or the part of it that one packet carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// The protocol: UDP, or IP alone.
    pub protocol: DatagramProtocol,
    /// Source address.
    pub source: AddressId,
    /// The datagram.
    pub datagram: DatagramId,
    /// Offset of this part in the datagram, in bytes.
    pub offset: u32,
    /// Length of this part, in bytes.
    pub bytes: u32,
    /// Length of all parts together, in bytes.
    pub total_bytes: u32,
}

/// A message of ARP, or of neighbour discovery over IPv6.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolution {
    /// The port whose hardware address is requested.
    pub about: PortId,
    /// True for neighbour discovery, false for ARP.
    pub is_v6: bool,
    /// True for the reply, false for the request.
    pub is_answer: bool,
}

/// A pause frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pause {
    /// Time to stop, in quanta of 512 bit times; 0 to continue.
    pub quanta: u16,
}

impl Pause {
    /// The PAUSE frame that lets the other end continue.
    pub const LIFTED: Pause = Pause { quanta: 0 };
}

impl Frame {
    /// Marks the segment inside as a queue above its threshold does, if the sender supports ECN.
    pub fn mark(&mut self) {
        if let Payload::Segment(_, segment) = &mut self.payload {
            let flags = segment.flags;
            segment.flags = flags.with_if(flags.has(Flags::CAPABLE), Flags::MARKED);
        }
    }

    /// Readdresses the frame to the next hop of the packet inside.
    pub fn forward(&mut self, from: PortId, to: PortId) {
        (self.source, self.target) = (from, to.into());
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
            Payload::Resolution(_) | Payload::Pause(_) | Payload::Contents => None,
        }
    }
}

impl Segment {
    /// Returns the segment in the form that TCP receives.
    pub fn incoming(&self) -> Incoming {
        let Segment { bytes, window, sequence, acknowledged, flags, .. } = *self;
        Incoming { sequence, payload: bytes, flags, acknowledged, window }
    }
}
