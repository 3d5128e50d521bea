//! Packet capture: what ports sent and took in, as Enhanced Packet Blocks of a pcapng file.
//!
//! [`Recorder`] watches a run; [`encode`] turns frames into blocks (pcapng draft, section 4.3),
//! little-endian, with time stamps in nanoseconds and the direction in the flags. The frames carry
//! real headers and checksums over a payload of zeros, cut at the snap length with their true
//! length beside. The frame check sequence is left out, as in captures on real hosts. Not here:
//! names and files. The section header and the description of each interface, which need them, come
//! from Python; an interface number in a block is the number of the port.

mod datagram;
mod headers;
mod recorder;
mod resolution;

pub use headers::mac_of_port;
pub use recorder::Recorder;

use host::tcp::{Flags, SegmentOptions};
use network::{Ip, PortId};
use quantity::Time;

/// Block type of an Enhanced Packet Block.
const ENHANCED_PACKET: u32 = 6;
/// Option `epb_flags`, 4 bytes: the direction in its lowest two bits.
const FLAGS_OPTION: [u8; 4] = [2, 0, 4, 0];
const END_OF_OPTIONS: [u8; 4] = [0; 4];
/// Everything in a block but the packet: seven words in front, two options of 12 bytes and the
/// length behind.
const BLOCK_OVERHEAD_BYTES: usize = 28 + 12 + 4;
const PICOSECONDS_PER_NANOSECOND: u64 = 1_000;

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
    fn payload_bytes(&self) -> u32 {
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

/// Returns the frames as Enhanced Packet Blocks, in the order given.
///
/// At most `snap_bytes` of each frame are kept.
///
/// # Panics
/// When a payload exceeds 65,495 bytes: no IP packet carries it.
pub fn encode(frames: impl IntoIterator<Item = CapturedFrame>, snap_bytes: u32) -> Vec<u8> {
    let mut blocks = Vec::new();
    for frame in frames {
        append_block(&mut blocks, &frame, snap_bytes as usize);
    }
    blocks
}

fn append_block(blocks: &mut Vec<u8>, frame: &CapturedFrame, snap_bytes: usize) {
    let headers = headers::of(frame);
    let frame_bytes = headers::frame_bytes(&headers, frame.carried.payload_bytes());
    let kept_bytes = frame_bytes.min(snap_bytes);
    let padded_bytes = kept_bytes.next_multiple_of(4);
    let block_bytes = (BLOCK_OVERHEAD_BYTES + padded_bytes) as u32;
    let time_ns = frame.time.ps() / PICOSECONDS_PER_NANOSECOND;
    for word in [
        ENHANCED_PACKET,
        block_bytes,
        frame.port,
        (time_ns >> 32) as u32,
        time_ns as u32,
        kept_bytes as u32,
        frame_bytes as u32,
    ] {
        blocks.extend(word.to_le_bytes());
    }
    let end_of_packet = blocks.len() + padded_bytes;
    blocks.extend(headers.iter().take(kept_bytes));
    blocks.resize(end_of_packet, 0);
    let direction: u32 = match frame.direction {
        Direction::Inbound => 1,
        Direction::Outbound => 2,
    };
    blocks.extend(FLAGS_OPTION);
    blocks.extend(direction.to_le_bytes());
    blocks.extend(END_OF_OPTIONS);
    blocks.extend(block_bytes.to_le_bytes());
}

#[cfg(test)]
mod tests;
