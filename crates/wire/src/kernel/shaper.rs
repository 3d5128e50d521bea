//! The rate of an interface: a token bucket (tbf) that counts the bytes of a frame on an Ethernet.
//! See `include/uapi/linux/pkt_sched.h` of Linux for the layout.

use netlink_packet_core::DefaultNla;
use netlink_packet_route::RouteNetlinkMessage;
use netlink_packet_route::tc::{TcAttribute, TcHandle, TcMessage, TcOption};

/// Attributes of the options of a token bucket.
const PARAMETERS: u16 = 1;
const RATE_64: u16 = 4;
const BURST: u16 = 6;
/// The link layer of a rate: frames as they are, without cells.
const ETHERNET: u8 = 1;
/// Preamble, checksum and gap, which the kernel does not count.
const OVERHEAD_BYTES: u16 = 8 + 4 + 12;
/// The shortest frame with preamble and gap.
const SHORTEST_BYTES: u16 = 64 + 8 + 12;
/// Header of a frame, and room for a tag.
const HEADER_BYTES: u32 = 18;
/// Packets that wait.
const QUEUE_PACKETS: u32 = 100;
/// A bucket that is full after this part of a second: a timer of the kernel ends some 50 us late.
const BURSTS_PER_S: u64 = 10_000;

/// Limits the rate at which an interface sends, in bits per second.
pub(super) fn limit_rate(link: u32, rate_bps: u64, mtu: u32) -> RouteNetlinkMessage {
    let rate = rate_bps / 8;
    let packet = mtu + HEADER_BYTES + u32::from(OVERHEAD_BYTES);
    let burst = (rate / BURSTS_PER_S).clamp(2 * u64::from(packet), 1 << 20) as u32;
    let mut message = TcMessage::default();
    message.header.index = link as i32;
    message.header.parent = TcHandle::ROOT;
    message.attributes.push(TcAttribute::Kind("tbf".to_owned()));
    message.attributes.push(TcAttribute::Options(vec![
        option(PARAMETERS, &parameters(rate, QUEUE_PACKETS * packet)),
        option(RATE_64, &rate.to_ne_bytes()),
        option(BURST, &burst.to_ne_bytes()),
    ]));
    RouteNetlinkMessage::NewQueueDiscipline(message)
}

/// Returns a `struct tc_tbf_qopt`: rate, no peak rate, limit of the queue, and burst and MTU in
/// ticks, for which the attribute of the burst stands.
fn parameters(rate: u64, limit: u32) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(36);
    bytes.extend([0, ETHERNET]);
    bytes.extend(OVERHEAD_BYTES.to_ne_bytes());
    bytes.extend([0; 2]);
    bytes.extend(SHORTEST_BYTES.to_ne_bytes());
    bytes.extend(u32::try_from(rate).unwrap_or(u32::MAX).to_ne_bytes());
    bytes.extend([0; 12]);
    bytes.extend(limit.to_ne_bytes());
    bytes.extend([0; 8]);
    bytes
}

fn option(kind: u16, value: &[u8]) -> TcOption {
    TcOption::Other(DefaultNla::new(kind, value.to_vec()))
}
