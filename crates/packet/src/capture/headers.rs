//! The Ethernet, IP and TCP headers of a captured frame, with their checksums over a payload of
//! zeros. Datagrams and address resolution have files of their own.

use super::captured::{CapturedFrame, Carried, Packet, Segment, ZEROS, mac_of_port, v4};
use super::{datagram, resolution};
use etherparse::TcpOptionElement::{Noop, SelectiveAcknowledgement, Timestamp};
use etherparse::{
    EtherType, Ethernet2Header, IpEcn, IpNumber, Ipv4Header, Ipv6Header, TcpHeader,
    TcpOptionElement,
};
use host::tcp::{Flags, SegmentOptions};
use network::Ip;
use quantity::Time;

const PICOSECONDS_PER_MILLISECOND: u64 = 1_000_000_000;

/// The shortest frame without its frame check sequence.
const SHORTEST_BYTES: usize = 60;
/// MAC control frames: the group address of the port at the other end, and the EtherType and opcode
/// [IEEE-802.3, clause 31].
const OTHER_END: [u8; 6] = [0x01, 0x80, 0xC2, 0, 0, 1];
const MAC_CONTROL: EtherType = EtherType(0x8808);
const PAUSE: [u8; 2] = [0, 1];

/// Returns the length of the frame without frame check sequence, padding included.
pub(super) fn frame_bytes(headers: &[u8], payload: u32) -> usize {
    (headers.len() + payload as usize).max(SHORTEST_BYTES)
}

/// Returns the headers, Ethernet to the last; of a real frame all bytes.
pub(super) fn of(frame: &CapturedFrame) -> Vec<u8> {
    let (ether_type, packet) = match &frame.carried {
        Carried::Contents(bytes) => return bytes.to_vec(),
        Carried::Segment(ip, segment) => match (v4(ip.source), v4(ip.target)) {
            (Some(source), Some(target)) => {
                (EtherType::IPV4, ipv4_and_tcp(segment, ip.ttl, source, target))
            }
            _ => (EtherType::IPV6, ipv6_and_tcp(ip, segment)),
        },
        Carried::Datagram(ip, part) => datagram::of(ip, *part),
        Carried::Resolution { source, target, is_answer } => {
            resolution::of(frame, *source, *target, *is_answer)
        }
        Carried::Pause { quanta } => (MAC_CONTROL, pause(*quanta)),
    };
    let ethernet = Ethernet2Header {
        source: mac_of_port(frame.source_port),
        destination: destination(frame),
        ether_type,
    };
    let mut headers = ethernet.to_bytes().to_vec();
    headers.extend(packet);
    headers
}

/// Returns the PAUSE opcode and its time [IEEE-802.3, annex 31B].
fn pause(quanta: u16) -> Vec<u8> {
    [PAUSE, quanta.to_be_bytes()].concat()
}

/// Returns the destination MAC address of a frame: of one port, of all, or of the group of a
/// solicited address [RFC-4291, sec. 2.7.1].
fn destination(frame: &CapturedFrame) -> [u8; 6] {
    match (frame.target_port, &frame.carried) {
        (_, Carried::Pause { .. }) => OTHER_END,
        (None, &Carried::Resolution { target: Ip { is_v6: true, bits }, .. }) => {
            let [.., a, b, c] = bits.to_be_bytes();
            [0x33, 0x33, 0xFF, a, b, c]
        }
        (None, _) => [0xFF; 6],
        (Some(port), _) => mac_of_port(port),
    }
}

fn ipv4_and_tcp(segment: &Segment, ttl: u8, source: [u8; 4], target: [u8; 4]) -> Vec<u8> {
    let mut tcp = tcp_header(segment);
    let payload = &ZEROS[..segment.bytes as usize];
    let ip_payload = (tcp.header_len() + payload.len()) as u16;
    // Fragmentation is not allowed, as TCP asks for it; the identification of such packets is free
    // to be zero.
    let mut ip = Ipv4Header::new(ip_payload, ttl, IpNumber::TCP, source, target)
        .expect("a segment fits into an IP packet");
    ip.ecn = ecn(segment.flags);
    ip.header_checksum = ip.calc_header_checksum();
    tcp.checksum = tcp.calc_checksum_ipv4(&ip, payload).expect("a segment fits into an IP packet");
    let mut packet = ip.to_bytes().to_vec();
    packet.extend(tcp.to_bytes());
    packet
}

fn ipv6_and_tcp(packet: &Packet, segment: &Segment) -> Vec<u8> {
    let mut tcp = tcp_header(segment);
    let payload = &ZEROS[..segment.bytes as usize];
    let ip = Ipv6Header {
        payload_length: (tcp.header_len() + payload.len()) as u16,
        next_header: IpNumber::TCP,
        hop_limit: packet.ttl,
        traffic_class: ecn(segment.flags).value(),
        source: packet.source.bits.to_be_bytes(),
        destination: packet.target.bits.to_be_bytes(),
        ..Ipv6Header::default()
    };
    tcp.checksum = tcp.calc_checksum_ipv6(&ip, payload).expect("a segment fits into an IP packet");
    let mut packet = ip.to_bytes().to_vec();
    packet.extend(tcp.to_bytes());
    packet
}

fn tcp_header(segment: &Segment) -> TcpHeader {
    let (source, target) = segment.ports;
    let window = u16::try_from(segment.window).unwrap_or(u16::MAX);
    let mut tcp = TcpHeader::new(source, target, segment.sequence as u32, window);
    tcp.ack = true;
    tcp.acknowledgment_number = segment.acknowledged as u32;
    tcp.psh = segment.flags.has(Flags::PUSH);
    tcp.ece = segment.flags.has(Flags::ECHO);
    tcp.cwr = segment.flags.has(Flags::REDUCED);
    if segment.flags.has(Flags::OPTIONS) {
        let elements = option_elements(&segment.options);
        tcp.set_options(&elements).expect("time stamps and three blocks fit into a header");
    }
    tcp
}

/// Returns the options as Linux lays them out, each behind two bytes that fill up the word.
fn option_elements(options: &SegmentOptions) -> Vec<TcpOptionElement> {
    let mut elements = Vec::new();
    let mut add = |element| elements.extend([Noop, Noop, element]);
    if options.timestamp > Time::ZERO {
        add(Timestamp(milliseconds(options.timestamp), milliseconds(options.echo)));
    }
    let mut blocks = options.blocks().iter().map(|&(start, end)| (start as u32, end as u32));
    if let Some(first) = blocks.next() {
        add(SelectiveAcknowledgement(first, [blocks.next(), blocks.next(), None]));
    }
    elements
}

fn milliseconds(time: Time) -> u32 {
    (time.ps() / PICOSECONDS_PER_MILLISECOND) as u32
}

/// Returns the two bits of ECN (RFC 3168, sec. 5).
fn ecn(flags: Flags) -> IpEcn {
    match (flags.has(Flags::MARKED), flags.has(Flags::CAPABLE)) {
        (true, _) => IpEcn::CongestionExperienced,
        (false, true) => IpEcn::Ect0,
        (false, false) => IpEcn::NotEct,
    }
}
