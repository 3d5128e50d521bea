//! The kernel's own answers: by which interface and gateway a node would send a packet, one of its
//! own or one that arrived.

use netlink_packet_route::RouteNetlinkMessage;
use netlink_packet_route::route::{RouteAddress, RouteAttribute, RouteMessage, RouteType};

use network::Ip;

use super::batch::{Batch, Failure};
use super::node::Node;
use super::requests;
use crate::error::{Refusal, Step};

/// A packet whose next hop is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Destination address.
    pub destination: Ip,
    /// Index of the interface at which the packet arrived, and its source address; `None` for a
    /// packet of the node itself.
    pub arrived: Option<(u32, Ip)>,
}

/// The kernel's decision for one packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// The destination is an address of the node itself.
    Local,
    /// By an interface, directly or to a gateway.
    Via {
        /// Index of the interface among those of the node's description.
        interface: u32,
        /// The gateway, if any.
        gateway: Option<Ip>,
        /// The source address of the packet.
        source: Option<Ip>,
    },
    /// The kernel has no route; the error number of `connect`.
    Refused {
        /// For example ENETUNREACH.
        errno: i32,
    },
}

impl Node {
    /// Returns the decision of the node's kernel for each packet. Packets that arrived pass the
    /// reverse-path filter first. The calling thread stays in the node.
    ///
    /// # Errors
    /// When the calling thread may not enter the node, or the netlink socket fails.
    pub fn look_up(&self, packets: &[Packet]) -> Result<Vec<Lookup>, Refusal> {
        self.namespace.enter().map_err(|errno| Refusal::of(Step::Namespace, errno))?;
        let question = |&Packet { destination, arrived }: &Packet| {
            let arrived = arrived.map(|(interface, source)| (self.link(interface), source));
            ((), requests::get_route(destination, arrived))
        };
        let failed =
            |failure: Failure<()>| Refusal { step: Step::Netlink, index: 0, errno: failure.errno };
        let mut batch = Batch::open().map_err(failed)?;
        let answers = batch.ask(packets.iter().map(question)).map_err(failed)?;
        Ok(answers.into_iter().map(|answer| self.decision(answer)).collect())
    }

    fn decision(&self, answer: Result<RouteNetlinkMessage, i32>) -> Lookup {
        match answer {
            Ok(RouteNetlinkMessage::NewRoute(route)) => self.read(&route),
            Ok(_) => Lookup::Refused { errno: 0 },
            Err(errno) => Lookup::Refused { errno },
        }
    }

    fn read(&self, route: &RouteMessage) -> Lookup {
        if route.header.kind == RouteType::Local {
            return Lookup::Local;
        }
        let (mut link, mut gateway, mut source) = (0, None, None);
        for attribute in &route.attributes {
            match attribute {
                RouteAttribute::Oif(index) => link = *index,
                RouteAttribute::Gateway(address) => gateway = ip(address),
                RouteAttribute::PrefSource(address) => source = ip(address),
                _ => {}
            }
        }
        match self.links.iter().position(|&known| known == link) {
            Some(interface) => Lookup::Via { interface: interface as u32, gateway, source },
            None => Lookup::Refused { errno: 0 },
        }
    }
}

fn ip(address: &RouteAddress) -> Option<Ip> {
    match *address {
        RouteAddress::Inet(address) => Some(Ip { is_v6: false, bits: address.to_bits().into() }),
        RouteAddress::Inet6(address) => Some(Ip { is_v6: true, bits: address.to_bits() }),
        _ => None,
    }
}
