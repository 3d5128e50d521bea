//! Options below the transport: how nodes find each other's hardware addresses. Every option is off
//! in the calibrations that do not name it.

use quantity::Time;

/// Whether nodes know the hardware addresses of their neighbours when the run begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Neighbours {
    /// They do, and every switch has heard every node, as after the first exchange.
    Warm,
    /// They ask (ARP [RFC-826], over IPv6 neighbour discovery [RFC-4861]) before the first packet
    /// to a neighbour, and switches have heard nobody.
    Cold {
        /// Packets that wait for one address; the oldest makes room.
        waiting: u32,
        /// How long an answer is waited for.
        retry: Time,
        /// Requests before the waiting packets are dropped.
        tries: u32,
    },
}

/// Options below the transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkOptions {
    /// Hardware addresses.
    pub neighbours: Neighbours,
    /// Time to live with which nodes send packets, over IPv6 the hop limit: it is for one forward
    /// less.
    pub ttl: u8,
    /// User data of datagrams that may wait for a process; what does not fit is lost.
    pub datagram_buffer: u32,
    /// Whether interfaces and switches that fill up stop the other end of their cable.
    pub pause: bool,
}

impl LinkOptions {
    /// Every option off, the TTL of Linux and the buffer of Linux 2.0.
    pub const PLAIN: LinkOptions = LinkOptions {
        neighbours: Neighbours::Warm,
        ttl: 64,
        datagram_buffer: 65_535,
        pause: false,
    };
}
