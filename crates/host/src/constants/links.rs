//! Options below the transport: how nodes find each other's hardware addresses. Every option is off
//! in the calibrations that do not name it.

use quantity::Time;

use super::ANY;
use super::table::{Table, constants};

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

constants! {
    /// Options below the transport.
    pub struct LinkOptions from table {
        /// Hardware addresses.
        pub neighbours: Neighbours = Neighbours::read(table),
        /// Time to live with which nodes send packets, over IPv6 the hop limit: it is for one
        /// forward less.
        pub ttl: u8 = table.count("ttl", 0..=255),
        /// User data of datagrams that may wait for a process; what does not fit is lost.
        pub datagram_buffer: u32 = table.count("datagram_buffer_bytes", ANY),
        /// Whether interfaces and switches that fill up stop the other end of their cable.
        pub pause: bool = table.choice("flow_control", &[("none", false), ("pause", true)]),
    }
}

impl Neighbours {
    fn read<T: Table>(table: &T) -> Result<Neighbours, T::Error> {
        if !table.choice("arp", &[("warm", false), ("cold", true)])? {
            return Ok(Neighbours::Warm);
        }
        Ok(Neighbours::Cold {
            waiting: table.count("arp_waiting_frames", ANY)?,
            retry: table.time("arp_retry_us")?,
            tries: table.count("arp_tries", ANY)?,
        })
    }
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
