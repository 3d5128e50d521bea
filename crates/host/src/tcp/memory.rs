//! Memory that segments take in the buffers of a socket of Linux 2.0.30, by which that kernel
//! counts both buffers (`truesize` of `alloc_skb`).
//!
//! Memory is allocated in units of 16 bytes, behind which lies the descriptor of the segment. The
//! driver of a received frame hands on the full-size buffer that the card wrote to, or copies the
//! frame to a buffer of its length (`tulip_rx`): `tulip` 0.78 and 0.79 copy up to 200 bytes
//! (`rx_copybreak`), the driver inside 2.0.30 every frame.

use crate::frame_sizes::frame_sizes;

/// Size of a descriptor on a processor of 32 bits (`struct sk_buff`).
const DESCRIPTOR: u32 = 148;
/// Room for headers of a segment that is sent (`max_header` of `tcp_prot`, and 15).
const HEADER_ROOM: u32 = 128 + 15;
/// Room behind a full segment in the buffer of a short one, to which later writes may be added
/// (`do_tcp_sendmsg`).
const ROOM_FOR_MORE: u32 = 128;
/// Size of the card's buffers, in which frames stay that are not copied (`PKT_BUF_SZ`).
const CARD_BUFFER: u32 = 1536;
/// Bytes of a frame that the card keeps to itself.
const CHECK_SEQUENCE: u32 = 4;
/// Alignment of the IP header and room in front of a received frame (`dev_alloc_skb`).
const FRONT_ROOM: u32 = 2 + 16;
/// Room for that alignment, which the driver adds once more to a frame that it copies.
const COPY_ROOM: u32 = 2;

/// Returns the memory of a segment in a send buffer. One that was written shorter than
/// `segment_bytes` while others were unacknowledged `is_roomy`: later writes may fill it.
pub fn sent(payload: u32, is_roomy: bool, segment_bytes: u32) -> u32 {
    let data = if is_roomy { segment_bytes + ROOM_FOR_MORE } else { payload };
    allocated(data + HEADER_ROOM)
}

/// Returns the memory of a segment in a receive buffer; frames of up to `copied` bytes are copied.
pub fn received(payload: u32, copied: u32) -> u32 {
    let length = frame_sizes(payload, false).1 - CHECK_SEQUENCE;
    allocated(FRONT_ROOM + if length <= copied { length + COPY_ROOM } else { CARD_BUFFER })
}

fn allocated(bytes: u32) -> u32 {
    bytes.next_multiple_of(16) + DESCRIPTOR
}

#[cfg(test)]
mod tests {
    use super::{received, sent};

    #[test]
    fn segments_take_the_memory_of_2_0_30() {
        assert_eq!(sent(1460, false, 1460), 1764);
        assert_eq!(sent(32, true, 1460), 1892);
        assert_eq!(sent(32, false, 1460), 324);
        assert_eq!([1460, 147].map(|payload| received(payload, 200)), [1716; 2]);
        assert_eq!([146, 32, 0].map(|payload| received(payload, 200)), [372, 260, 228]);
    }

    #[test]
    fn a_driver_that_copies_every_frame_leaves_no_memory_unused() {
        assert_eq!([1460, 147, 32].map(|payload| received(payload, 1514)), [1684, 372, 260]);
    }
}
