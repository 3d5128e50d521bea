//! IP packets that carry a datagram or a fragment of one, as they stand in a captured frame
//! [RFC-791], [RFC-768], [RFC-8200]. The UDP checksum is over all of the datagram, zeros.

use etherparse::{
    EtherType, IpFragOffset, IpNumber, Ipv4Header, Ipv6FragmentHeader, Ipv6Header, UdpHeader,
};

use super::captured::{Packet, Part, ZEROS, v4};

/// Protocol number of raw packets: one for experiments [RFC-3692].
const RAW: IpNumber = IpNumber(253);

/// Returns the bytes after the Ethernet header.
pub(super) fn of(packet: &Packet, part: Part) -> (EtherType, Vec<u8>) {
    match (v4(packet.source), v4(packet.target)) {
        (Some(source), Some(target)) => {
            (EtherType::IPV4, in_ipv4(part, packet.ttl, source, target))
        }
        _ => (EtherType::IPV6, in_ipv6(packet, part)),
    }
}

fn in_ipv4(part: Part, ttl: u8, source: [u8; 4], target: [u8; 4]) -> Vec<u8> {
    let udp = part.has_udp_header().then(|| {
        let whole = Ipv4Header::new(part.total_bytes as u16, 64, IpNumber::UDP, source, target);
        let whole = whole.expect("a datagram fits into an IP packet");
        UdpHeader::with_ipv4_checksum(part.ports.0, part.ports.1, &whole, part.user_data())
            .expect("a datagram fits into an IP packet")
    });
    let protocol = if part.is_udp { IpNumber::UDP } else { RAW };
    let mut ip = Ipv4Header::new(part.bytes as u16, ttl, protocol, source, target)
        .expect("a fragment fits into an IP packet");
    ip.dont_fragment = false;
    ip.identification = part.number as u16;
    ip.more_fragments = part.has_more();
    ip.fragment_offset = part.units();
    ip.header_checksum = ip.calc_header_checksum();
    let mut packet = ip.to_bytes().to_vec();
    packet.extend(udp.iter().flat_map(UdpHeader::to_bytes));
    packet
}

fn in_ipv6(packet: &Packet, part: Part) -> Vec<u8> {
    let protocol = if part.is_udp { IpNumber::UDP } else { RAW };
    let is_whole = part.bytes == part.total_bytes;
    let fragment = Ipv6FragmentHeader::new(protocol, part.units(), part.has_more(), part.number);
    let fragment = (!is_whole).then(|| fragment.to_bytes());
    let ip = Ipv6Header {
        payload_length: (part.bytes + fragment.map_or(0, |header| header.len() as u32)) as u16,
        next_header: if is_whole { protocol } else { IpNumber::IPV6_FRAGMENTATION_HEADER },
        hop_limit: packet.ttl,
        source: packet.source.bits.to_be_bytes(),
        destination: packet.target.bits.to_be_bytes(),
        ..Ipv6Header::default()
    };
    let udp = part.has_udp_header().then(|| {
        let (from, to) = part.ports;
        UdpHeader::with_ipv6_checksum(from, to, &ip, part.user_data())
            .expect("a datagram fits into an IP packet")
    });
    let mut packet = ip.to_bytes().to_vec();
    packet.extend(fragment.iter().flatten());
    packet.extend(udp.iter().flat_map(UdpHeader::to_bytes));
    packet
}

impl Part {
    fn has_more(&self) -> bool {
        self.offset + self.bytes < self.total_bytes
    }

    fn units(&self) -> IpFragOffset {
        IpFragOffset::try_new((self.offset / 8) as u16).expect("an IP packet is short enough")
    }

    /// Returns the user data of the whole datagram.
    fn user_data(&self) -> &'static [u8] {
        &ZEROS[..(self.total_bytes - UdpHeader::LEN as u32) as usize]
    }
}
