//! The description of a node, as its kernel is to be configured: interfaces with their addresses,
//! routes, permanent neighbours and settings.

use std::collections::BTreeSet;

use network::Ip;

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
    /// Destinations of packets that the node marks, so that each packet's route is looked up.
    pub marks: Vec<MarkSpec>,
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
    /// Longest transmit queue, in packets.
    pub queue: u32,
    /// Addresses with the lengths of their prefixes.
    pub addresses: Vec<(Ip, u8)>,
}

/// A route of a node.
#[derive(Clone, Copy, Debug)]
pub struct RouteSpec {
    /// First address of the destination.
    pub destination: Ip,
    /// Length of its prefix.
    pub prefix_length: u8,
    /// The gateway; `None` where the destination is on the wire.
    pub via: Option<Ip>,
    /// Index of the interface.
    pub interface: u32,
    /// The lower, the better.
    pub metric: u32,
    /// Source address of packets that the node itself sends by this route.
    pub source: Option<Ip>,
    /// The table of the route; `None` for the main one.
    pub table: Option<TableSpec>,
}

/// A table that a rule chooses, before the main one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TableSpec {
    /// Its number.
    pub number: u32,
    /// The packets that the rule is for.
    pub of: Chosen,
    /// Priority of the rule; a lower one is asked earlier.
    pub priority: u32,
}

/// Packets that a rule chooses a table for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Chosen {
    /// Those that come in by an interface, by its index.
    Incoming(u32),
    /// Those with a source address.
    Source(Ip),
}

/// A mark of the packets that a node itself sends to a destination.
#[derive(Clone, Copy, Debug)]
pub struct MarkSpec {
    /// First address of the destination, of IPv6.
    pub destination: Ip,
    /// Length of its prefix.
    pub prefix_length: u8,
    /// The mark.
    pub mark: u32,
}

/// Returns the tables besides the main one that routes are in, each with whether it is of IPv6.
pub(super) fn tables(routes: &[RouteSpec]) -> BTreeSet<(TableSpec, bool)> {
    let of_route = |route: &RouteSpec| Some((route.table?, route.destination.is_v6));
    routes.iter().filter_map(of_route).collect()
}

/// A permanent entry of a neighbour table.
#[derive(Clone, Copy, Debug)]
pub struct NeighbourSpec {
    /// The neighbour's address.
    pub address: Ip,
    /// Its hardware address.
    pub mac: [u8; 6],
    /// Index of the interface.
    pub interface: u32,
}
