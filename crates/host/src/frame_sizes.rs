//! Sizes of the frames that carry TCP segments.

use device::ethernet::SHORTEST_FRAME_BYTES;

/// Ethernet header and frame check sequence.
const ETHERNET_BYTES: u32 = 18;
/// IPv4 header without options.
const IPV4_BYTES: u32 = 20;
/// IPv6 header.
const IPV6_BYTES: u32 = 40;
/// TCP header without options.
const TCP_BYTES: u32 = 20;

/// Returns the sizes of the IP packet and the frame of a segment.
pub fn frame_sizes(payload: u32, is_v6: bool) -> (u32, u32) {
    let ip_bytes = payload + TCP_BYTES + ip_header_bytes(is_v6);
    (ip_bytes, frame_bytes(ip_bytes))
}

/// Returns the size of the header of an IP packet, without options.
pub fn ip_header_bytes(is_v6: bool) -> u32 {
    if is_v6 { IPV6_BYTES } else { IPV4_BYTES }
}

/// Returns the size of the frame of an IP packet.
pub fn frame_bytes(ip_bytes: u32) -> u32 {
    (ip_bytes + ETHERNET_BYTES).max(SHORTEST_FRAME_BYTES)
}

/// Returns the largest payload of a segment, given that `over_ipv4`. The longer header of IPv6
/// leaves less of the same frame.
pub fn largest_payload(over_ipv4: u32, is_v6: bool) -> u32 {
    if !is_v6 {
        return over_ipv4;
    }
    // At least one byte, so that every connection moves its data.
    over_ipv4.saturating_sub(IPV6_BYTES - IPV4_BYTES).max(1)
}
