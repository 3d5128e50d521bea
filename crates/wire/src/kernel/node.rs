//! The description of a node, as the kernel is to be configured, and a node that has been.

use std::net::IpAddr;
use std::os::fd::OwnedFd;

use super::namespace::Namespace;
use super::tap;
use crate::error::{Step, WireError};

/// The configuration of one node.
#[derive(Clone, Debug, Default)]
pub struct NodeSpec {
    /// The node's host name.
    pub hostname: String,
    /// Its interfaces; each becomes a TAP.
    pub interfaces: Vec<InterfaceSpec>,
    /// Its routes, besides those of the connected subnets.
    pub routes: Vec<RouteSpec>,
    /// Permanent entries of its neighbour table.
    pub neighbours: Vec<NeighbourSpec>,
    /// Settings below /proc/sys/net, as path and value, made before there are interfaces, which
    /// inherit them.
    pub sysctls: Vec<(String, String)>,
}

/// An interface with its addresses.
#[derive(Clone, Debug)]
pub struct InterfaceSpec {
    /// Name, at most 15 bytes.
    pub name: String,
    /// Hardware address.
    pub mac: [u8; 6],
    /// Longest IP packet, in bytes.
    pub mtu: u32,
    /// Addresses with the lengths of their prefixes.
    pub addresses: Vec<(IpAddr, u8)>,
}

/// A route of a node.
#[derive(Clone, Copy, Debug)]
pub struct RouteSpec {
    /// First address of the destination.
    pub destination: IpAddr,
    /// Length of its prefix.
    pub prefix_length: u8,
    /// The gateway; `None` where the destination is on the wire.
    pub via: Option<IpAddr>,
    /// Index of the interface.
    pub interface: u32,
    /// The lower, the better.
    pub metric: u32,
    /// Source address of packets that the node itself sends by this route.
    pub source: Option<IpAddr>,
}

/// A permanent entry of a neighbour table.
#[derive(Clone, Copy, Debug)]
pub struct NeighbourSpec {
    /// The neighbour's address.
    pub address: IpAddr,
    /// Its hardware address.
    pub mac: [u8; 6],
    /// Index of the interface.
    pub interface: u32,
}

/// A node that is up.
#[derive(Debug)]
pub struct Node {
    /// Its namespaces.
    pub namespace: Namespace,
    /// The other end of each interface, in the order of the description.
    pub taps: Vec<OwnedFd>,
    /// The kernel's index of each interface.
    pub(super) links: Vec<u32>,
}

impl Node {
    /// Gives an interface carrier, or takes it away as when the cable is unplugged.
    ///
    /// # Errors
    /// When the kernel refuses.
    pub fn plug(&self, interface: u32, has_carrier: bool) -> Result<(), WireError> {
        tap::plug(&self.taps[interface as usize], has_carrier).map_err(|errno| WireError::Refused {
            node: 0,
            step: Step::Tap,
            index: interface,
            errno: errno as i32,
        })
    }
}
