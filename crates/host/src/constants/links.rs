//! Options below the transport, such as the resolution of hardware addresses. Every option is off
//! in the calibrations that do not name it.

use quantity::Time;

use super::ANY;
use super::table::{Table, constants};

/// The state of the nodes' neighbour tables when the run begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Neighbours {
    /// Nodes know all hardware addresses, and every switch has heard every node, as after a first
    /// exchange.
    Warm,
    /// Nodes resolve an address (ARP [RFC-826], over IPv6 neighbour discovery [RFC-4861]) before
    /// the first packet to a neighbour, and switches have heard no node.
    Cold {
        /// Limit of packets that wait for one address; a further one displaces the oldest.
        waiting: u32,
        /// Time to wait for a reply.
        retry: Time,
        /// Requests before the waiting packets are dropped.
        tries: u32,
    },
}

constants! {
    /// Options below the transport.
    pub struct LinkOptions from table {
        /// The state of the neighbour tables.
        pub neighbours: Neighbours = Neighbours::read(table),
        /// Time to live of packets, over IPv6 the hop limit: it allows one forward less.
        pub ttl: u8 = table.count("ttl", 0..=255),
        /// Limit of the user data of datagrams that wait for a process; a datagram beyond it is
        /// lost.
        pub datagram_buffer: u32 = table.count("datagram_buffer_bytes", ANY),
        /// True if interfaces and switches that fill up stop the other end of their cable (IEEE
        /// 802.3x).
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
