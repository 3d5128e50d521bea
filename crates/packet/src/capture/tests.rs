//! The blocks against the format: structure and lengths, checksums summed again by other means, a
//! golden file that the Python tests read with an independent library.

use host::tcp::{Flags, SegmentOptions};
use network::{Ip, PortId};
use quantity::Time;

use super::block::BLOCK_OVERHEAD_BYTES;
use super::*;

const GOLDEN: &str = include_str!("../../../../tests/golden/capture_blocks.hex");

fn v4(bits: u32) -> Ip {
    Ip { is_v6: false, bits: u128::from(bits) }
}

fn frame(packet: Packet, segment: Segment) -> CapturedFrame {
    CapturedFrame {
        time: Time::from_ps(5_000_000_123_456),
        port: PortId::new(0),
        direction: Direction::Outbound,
        source_port: PortId::new(0),
        target_port: Some(PortId::new(258)),
        carried: Carried::Segment(packet, segment),
    }
}

const DATA: Segment = Segment {
    ports: (49_152, 57_344),
    sequence: (1 << 32) + 7,
    acknowledged: 99,
    window: 7_300,
    flags: Flags::PUSH,
    options: SegmentOptions {
        timestamp: Time::ZERO,
        echo: Time::ZERO,
        blocks: [(0, 0); 3],
        n_blocks: 0,
    },
    bytes: 1_460,
};

fn over_ipv4() -> Packet {
    Packet { source: v4(0x0A00_0001), target: v4(0x0A00_0102), ttl: 64 }
}

fn data() -> CapturedFrame {
    frame(over_ipv4(), DATA)
}

fn acknowledgement() -> CapturedFrame {
    let segment = Segment { bytes: 0, flags: Flags::default(), ..DATA };
    CapturedFrame { direction: Direction::Inbound, ..frame(over_ipv4(), segment) }
}

fn over_ipv6() -> CapturedFrame {
    let address = |host: u128| Ip { is_v6: true, bits: 0xFD00_6C77 << 96 | host };
    let packet = Packet { source: address(1), target: address(0xFFFF), ttl: 64 };
    let segment = Segment { bytes: 33, window: 1 << 20, ..DATA };
    CapturedFrame { port: PortId::new(1), ..frame(packet, segment) }
}

fn word(bytes: &[u8], index: usize) -> u32 {
    u32::from_le_bytes(bytes[4 * index..4 * index + 4].try_into().unwrap())
}

/// Sums 16-bit words with end-around carry; 0xFFFF over data that includes its own checksum.
fn internet_sum(bytes: &[u8]) -> u32 {
    let mut sum: u32 = bytes
        .chunks(2)
        .map(|pair| u32::from(pair[0]) << 8 | u32::from(pair.get(1).copied().unwrap_or(0)))
        .sum();
    while sum > 0xFFFF {
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    sum
}

/// Returns the packet of a single block.
fn packet(block: &[u8]) -> &[u8] {
    &block[28..28 + word(block, 5) as usize]
}

#[test]
fn a_block_has_its_length_at_both_ends_and_the_true_length_of_the_frame() {
    let block = encode([data()], 128);
    assert_eq!(word(&block, 0), 6);
    assert_eq!(word(&block, 1) as usize, block.len());
    assert_eq!(word(&block, block.len() / 4 - 1) as usize, block.len());
    assert_eq!((word(&block, 5), word(&block, 6)), (128, 1_514));
    let time_ns = u64::from(word(&block, 3)) << 32 | u64::from(word(&block, 4));
    assert_eq!(time_ns, 5_000_000_123);
}

#[test]
fn short_frames_are_padded_to_sixty_bytes_and_odd_lengths_to_words() {
    let ack = encode([acknowledgement()], 128);
    assert_eq!((word(&ack, 5), word(&ack, 6)), (60, 60));
    let odd = encode([over_ipv6()], 128);
    assert_eq!((word(&odd, 5), word(&odd, 6)), (107, 107));
    assert_eq!(odd.len() % 4, 0);
    let cut = encode([data()], 54);
    assert_eq!((packet(&cut).len(), cut.len()), (54, BLOCK_OVERHEAD_BYTES + 56));
}

#[test]
fn checksums_hold_over_headers_and_zeros() {
    let ipv4 = encode([data()], 2_000);
    let ip = &packet(&ipv4)[14..];
    assert_eq!(internet_sum(&ip[..20]), 0xFFFF);
    let pseudo = [&ip[12..20], &[0, 6], &(1_480u16).to_be_bytes(), &ip[20..]].concat();
    assert_eq!(internet_sum(&pseudo), 0xFFFF);
    let ipv6 = encode([over_ipv6()], 2_000);
    let ip = &packet(&ipv6)[14..];
    let pseudo = [&ip[8..40], &53u32.to_be_bytes(), &6u32.to_be_bytes(), &ip[40..]].concat();
    assert_eq!(internet_sum(&pseudo), 0xFFFF);
}

#[test]
fn addresses_and_numbers_stand_where_the_protocols_put_them() {
    let block = encode([data()], 128);
    let bytes = packet(&block);
    assert_eq!(bytes[..6], mac_of_port(PortId::new(258)));
    assert_eq!(bytes[6..12], [2, 0, 0, 0, 0, 0]);
    assert_eq!(bytes[12..14], [8, 0]);
    assert_eq!(bytes[26..34], [10, 0, 0, 1, 10, 0, 1, 2]);
    assert_eq!(bytes[38..42], [0, 0, 0, 7], "the sequence number is shown modulo 2^32");
    assert_eq!(bytes[47], 0x18, "PSH and ACK");
    let block = encode([over_ipv6()], 128);
    assert_eq!(packet(&block)[12..14], [0x86, 0xDD]);
    assert_eq!(packet(&block)[68..70], [0xFF, 0xFF], "a window beyond the field is clipped");
}

#[test]
fn time_stamps_are_whole_milliseconds() {
    let mut segment = Segment { flags: Flags::OPTIONS, ..DATA };
    segment.options.timestamp = Time::from_us(1_234_999);
    segment.options.echo = Time::from_us(70_000_001);
    let block = encode([frame(over_ipv4(), segment)], 128);
    // Two bytes that fill up the word, kind 8, 10 bytes long.
    assert_eq!(packet(&block)[54..58], [1, 1, 8, 10]);
    assert_eq!(packet(&block)[58..62], 1_234u32.to_be_bytes());
    assert_eq!(packet(&block)[62..66], 70_000u32.to_be_bytes());
}

#[test]
fn over_ipv6_only_a_part_of_a_datagram_has_a_fragment_header() {
    let bytes_of = |part: Part| {
        let Carried::Segment(header, _) = over_ipv6().carried else { panic!("a segment") };
        let carried = Carried::Datagram(header, part);
        let block = encode([CapturedFrame { carried, ..over_ipv6() }], 2_000);
        packet(&block).to_vec()
    };
    let ports = (49_152, 57_344);
    let part = Part { is_udp: true, ports, number: 7, offset: 0, bytes: 108, total_bytes: 108 };
    let whole = bytes_of(part);
    assert_eq!((&whole[18..21], whole.len()), (&[0, 108, 17][..], 14 + 40 + 108));
    let pseudo = [&whole[22..54], &108u32.to_be_bytes(), &17u32.to_be_bytes(), &whole[54..]];
    assert_eq!(internet_sum(&pseudo.concat()), 0xFFFF);
    let second = bytes_of(Part { offset: 1_448, total_bytes: 1_556, ..part });
    assert_eq!((&second[18..21], second.len()), (&[0, 116, 44][..], 14 + 40 + 8 + 108));
    // The last part, at 181 times eight bytes, of datagram 7.
    assert_eq!(second[54..62], [17, 0, 5, 0xA8, 0, 0, 0, 7]);
}

#[test]
fn the_blocks_are_those_of_the_golden_file() {
    let hex = |frame| -> String {
        encode([frame], 128).iter().map(|byte| format!("{byte:02x}")).collect()
    };
    let found = [data(), acknowledgement(), over_ipv6()].map(hex).join("\n");
    assert_eq!(found, GOLDEN.trim_end(), "found:\n{found}");
}
