//! The cut of a datagram into packets: IPv4 fragments [RFC-791, sec. 3.2] and IPv6 fragments
//! [RFC-8200, sec. 4.5]. Only the sender cuts, because all links of a network carry the same
//! packets.

use host::ip_header_bytes;
use program::DatagramProtocol;

/// The fragment header of IPv6.
const FRAGMENT_HEADER_BYTES: u32 = 8;
/// Unit of fragment offsets, in bytes.
const UNIT_BYTES: u32 = 8;

/// The cut of one datagram: the data behind the IP header, in equal parts but for the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Protocol header and user data, in bytes.
    pub total_bytes: u32,
    part_bytes: u32,
    header_bytes: u32,
}

/// The part of a datagram that one packet carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Offset of the part, in bytes.
    pub offset: u32,
    /// Length of the part, in bytes.
    pub bytes: u32,
    /// Length of the packet with its headers, in bytes.
    pub ip_bytes: u32,
}

impl Cut {
    /// Cuts `bytes` of user data for packets of `mtu_bytes` at most.
    pub fn new(bytes: u32, protocol: DatagramProtocol, is_v6: bool, mtu_bytes: u32) -> Cut {
        let total_bytes = bytes + protocol.header_bytes();
        let whole = ip_header_bytes(is_v6);
        if total_bytes + whole <= mtu_bytes {
            return Cut { total_bytes, part_bytes: total_bytes, header_bytes: whole };
        }
        let header_bytes = whole + if is_v6 { FRAGMENT_HEADER_BYTES } else { 0 };
        let room = mtu_bytes.saturating_sub(header_bytes) / UNIT_BYTES * UNIT_BYTES;
        // At least one unit, so that every datagram makes progress.
        Cut { total_bytes, part_bytes: room.max(UNIT_BYTES), header_bytes }
    }

    /// Returns the number of packets.
    pub fn n_fragments(&self) -> u32 {
        self.total_bytes.div_ceil(self.part_bytes.max(1)).max(1)
    }

    /// Returns the parts of the datagram, one for each packet, in order.
    pub fn pieces(self) -> impl Iterator<Item = Piece> {
        (0..self.n_fragments()).map(move |index| {
            let offset = index * self.part_bytes;
            let bytes = (self.total_bytes - offset).min(self.part_bytes);
            Piece { offset, bytes, ip_bytes: bytes + self.header_bytes }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [ETHERNET, sec. 5]: n bytes over UDP need ceil((n + 8) / 1480) frames.
    #[test]
    fn every_size_makes_as_many_fragments_as_the_formula_says() {
        for (protocol, header) in [(DatagramProtocol::Udp, 8), (DatagramProtocol::Raw, 0)] {
            for bytes in 0..=protocol.most_bytes() {
                let total = bytes + header;
                let in_ipv4 = Cut::new(bytes, protocol, false, 1500).n_fragments();
                assert_eq!(in_ipv4, total.div_ceil(1480).max(1), "{bytes}");
                let in_ipv6 = Cut::new(bytes, protocol, true, 1500).n_fragments();
                let expected = if total <= 1460 { 1 } else { total.div_ceil(1448) };
                assert_eq!(in_ipv6, expected, "{bytes}");
            }
        }
    }

    #[test]
    fn the_parts_follow_each_other_in_units_of_eight_and_fit() {
        for (user_bytes, mtu, is_v6) in
            [(0, 1500, false), (1472, 1500, false), (1473, 1500, true), (65_507, 576, false)]
        {
            let cut = Cut::new(user_bytes, DatagramProtocol::Udp, is_v6, mtu);
            let mut next = 0;
            for Piece { offset, bytes, ip_bytes } in cut.pieces() {
                assert_eq!((offset, offset % UNIT_BYTES), (next, 0));
                assert!(ip_bytes <= mtu);
                next += bytes;
            }
            assert_eq!(next, user_bytes + 8);
        }
    }

    #[test]
    fn packets_too_small_for_their_headers_still_move_data() {
        let cut = Cut::new(100, DatagramProtocol::Raw, true, 41);
        assert_eq!(cut.pieces().map(|piece| piece.bytes).sum::<u32>(), 100);
    }
}
