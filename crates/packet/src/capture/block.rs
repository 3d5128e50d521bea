//! Enhanced Packet Blocks of a pcapng file (pcapng draft, section 4.3): little-endian, with time
//! stamps in nanoseconds and the direction in the flags.

use super::captured::{CapturedFrame, Direction};
use super::headers;

/// Block type of an Enhanced Packet Block.
const ENHANCED_PACKET: u32 = 6;
/// Option `epb_flags`, 4 bytes: the direction in its lowest two bits.
const FLAGS_OPTION: [u8; 4] = [2, 0, 4, 0];
const END_OF_OPTIONS: [u8; 4] = [0; 4];
/// Length of a block without the packet: seven words in front, two options of 12 bytes and the
/// length behind.
pub(super) const BLOCK_OVERHEAD_BYTES: usize = 28 + 12 + 4;
const PICOSECONDS_PER_NANOSECOND: u64 = 1_000;

/// Returns the frames as Enhanced Packet Blocks, in the order given.
///
/// At most `snap_bytes` of each frame are kept.
///
/// # Panics
/// If a payload exceeds 65,495 bytes, which no IP packet carries.
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
        frame.port.get(),
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
