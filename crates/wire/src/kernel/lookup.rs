//! The kernel's own answers: by which interface and gateway a node would send to an address.

use std::net::IpAddr;

use netlink_packet_route::RouteNetlinkMessage;
use netlink_packet_route::route::{RouteAddress, RouteAttribute, RouteMessage, RouteType};

use super::batch::{Batch, Failure};
use super::node::Node;
use super::requests;
use crate::error::{Step, WireError};

/// The kernel's decision for one destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// The destination is an address of the node itself.
    Local,
    /// By an interface, directly or to a gateway.
    Via {
        /// Index of the interface among those of the node's description.
        interface: u32,
        /// The gateway, if any.
        gateway: Option<IpAddr>,
        /// The source address of the packet.
        source: Option<IpAddr>,
    },
    /// The kernel has no route; the error number of `connect`.
    Refused {
        /// For example ENETUNREACH.
        errno: i32,
    },
}

impl Node {
    /// Returns the decision of the node's kernel for each destination; `node` is its index, for
    /// errors. The calling thread stays in the node.
    ///
    /// # Errors
    /// When the calling thread may not enter the node, or the netlink socket fails.
    pub fn look_up(&self, node: u32, destinations: &[IpAddr]) -> Result<Vec<Lookup>, WireError> {
        let refused = |step, errno| WireError::Refused { node, step, index: 0, errno };
        self.namespace.enter().map_err(|errno| refused(Step::Namespace, errno as i32))?;
        let failed = |failure: Failure<()>| refused(Step::Netlink, failure.errno);
        let questions = destinations.iter().map(|&to| ((), requests::get_route(to, None)));
        let answers = Batch::open().map_err(failed)?.ask(questions).map_err(failed)?;
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

fn ip(address: &RouteAddress) -> Option<IpAddr> {
    match *address {
        RouteAddress::Inet(address) => Some(address.into()),
        RouteAddress::Inet6(address) => Some(address.into()),
        _ => None,
    }
}
