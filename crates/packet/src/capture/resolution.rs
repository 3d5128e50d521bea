//! Requests for hardware addresses and their replies in a captured frame: ARP packets [RFC-826],
//! neighbour solicitations and advertisements [RFC-4861, sec. 4.3 and 4.4].

use etherparse::{EtherType, Icmpv6Header, Icmpv6Type, IpNumber, Ipv6Header, icmpv6};
use network::{Ip, PortId};

use super::captured::{CapturedFrame, mac_of_port, v4};

/// Ethernet with 6 bytes of address, IPv4 with 4.
const ARP_OF_ETHERNET_AND_IPV4: [u8; 6] = [0, 1, 8, 0, 6, 4];
const NO_MAC: [u8; 6] = [0; 6];
/// Length of a link-layer address option, in units of 8 bytes.
const OPTION_UNITS: u8 = 1;
/// The hop limit of neighbour discovery: a router would have taken one off, so the sender is a
/// neighbour [RFC-4861].
const UNROUTED: u8 = 255;
/// Flags of an advertisement: solicited, and override.
const ANSWER_FLAGS: u32 = 0x6000_0000;
/// The prefix ff02::1:ff00:0/104 of solicited-node groups [RFC-4291, sec. 2.7.1].
const SOLICITED_NODE: u128 = 0xFF02 << 112 | 0x1_FF00_0000;

/// Returns the bytes after the Ethernet header.
pub(super) fn of(
    frame: &CapturedFrame,
    source: Ip,
    target: Ip,
    is_answer: bool,
) -> (EtherType, Vec<u8>) {
    match (v4(source), v4(target)) {
        (Some(source), Some(target)) => (EtherType::ARP, arp(frame, is_answer, source, target)),
        _ => (EtherType::IPV6, discovery(frame.source_port, source, target, is_answer)),
    }
}

fn arp(frame: &CapturedFrame, is_answer: bool, source: [u8; 4], target: [u8; 4]) -> Vec<u8> {
    let operation = if is_answer { [0, 2] } else { [0, 1] };
    let asked = frame.target_port.filter(|_| is_answer).map_or(NO_MAC, mac_of_port);
    let sender = mac_of_port(frame.source_port);
    [&ARP_OF_ETHERNET_AND_IPV4[..], &operation, &sender, &source, &asked, &target].concat()
}

fn discovery(sender: PortId, source: Ip, target: Ip, is_answer: bool) -> Vec<u8> {
    // A solicitation names its target, an advertisement its sender.
    let about = if is_answer { source } else { target };
    let (kind, flags, option) = match is_answer {
        false => (icmpv6::TYPE_NEIGHBOR_SOLICITATION, 0, 1),
        true => (icmpv6::TYPE_NEIGHBOR_ADVERTISEMENT, ANSWER_FLAGS, 2),
    };
    let mut body = about.bits.to_be_bytes().to_vec();
    body.extend([option, OPTION_UNITS]);
    body.extend(mac_of_port(sender));
    let message =
        Icmpv6Type::Unknown { type_u8: kind, code_u8: 0, bytes5to8: u32::to_be_bytes(flags) };
    let destination = if is_answer { target } else { group_of(target) };
    let ip = Ipv6Header {
        payload_length: (Icmpv6Header::MIN_LEN + body.len()) as u16,
        next_header: IpNumber::IPV6_ICMP,
        hop_limit: UNROUTED,
        source: source.bits.to_be_bytes(),
        destination: destination.bits.to_be_bytes(),
        ..Ipv6Header::default()
    };
    let icmp = Icmpv6Header::with_checksum(message, ip.source, ip.destination, &body)
        .expect("a solicitation fits into an IP packet");
    [&ip.to_bytes()[..], &icmp.to_bytes(), &body].concat()
}

/// Returns the multicast group that receives solicitations for an address.
fn group_of(address: Ip) -> Ip {
    Ip { bits: SOLICITED_NODE | (address.bits & 0xFF_FFFF), ..address }
}
