//! The messages that configure a node: its interfaces, addresses, routes and neighbours; and those
//! that ask for the state of a link, or for the route of a packet.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::os::fd::{AsRawFd, BorrowedFd};

use netlink_packet_core::{NLM_F_CREATE, NLM_F_EXCL};
use netlink_packet_route::address::{
    AddressAttribute, AddressHeaderFlags, AddressMessage, AddressScope,
};
use netlink_packet_route::link::{
    InfoData, InfoKind, InfoVeth, LinkAttribute, LinkFlags, LinkInfo, LinkMessage,
};
use netlink_packet_route::neighbour::{NeighbourAttribute, NeighbourMessage, NeighbourState};
use netlink_packet_route::route::{
    RouteAttribute, RouteHeader, RouteMessage, RouteProtocol, RouteScope, RouteType,
};
use netlink_packet_route::rule::{RuleAction, RuleAttribute, RuleMessage};
use netlink_packet_route::{AddressFamily, RouteNetlinkMessage};

use network::Ip;

use super::spec::{Chosen, InterfaceSpec, NeighbourSpec, RouteSpec, TableSpec};

/// Flags of orders that make something new.
pub(super) const CREATE: u16 = NLM_F_CREATE | NLM_F_EXCL;

/// Switches an interface on, after giving it its hardware address and MTU.
pub(super) fn set_up(link: u32, spec: Option<&InterfaceSpec>) -> RouteNetlinkMessage {
    let mut message = LinkMessage::default();
    message.header.index = link;
    message.header.flags = LinkFlags::Up;
    message.header.change_mask = LinkFlags::Up;
    if let Some(spec) = spec {
        message.attributes.push(LinkAttribute::Address(spec.mac.to_vec()));
        message.attributes.push(LinkAttribute::Mtu(spec.mtu));
        message.attributes.push(LinkAttribute::TxQueueLen(spec.queue));
    }
    RouteNetlinkMessage::SetLink(message)
}

/// Switches an interface on as a port of a bridge.
pub(super) fn set_up_at(link: u32, bridge: u32) -> RouteNetlinkMessage {
    let mut message = LinkMessage::default();
    message.header.index = link;
    message.header.flags = LinkFlags::Up;
    message.header.change_mask = LinkFlags::Up;
    message.attributes.push(LinkAttribute::Controller(bridge));
    RouteNetlinkMessage::SetLink(message)
}

/// Adds a bridge.
pub(super) fn add_bridge(name: &str) -> RouteNetlinkMessage {
    let mut message = LinkMessage::default();
    message.attributes.push(LinkAttribute::IfName(name.to_owned()));
    message.attributes.push(LinkAttribute::LinkInfo(vec![LinkInfo::Kind(InfoKind::Bridge)]));
    RouteNetlinkMessage::NewLink(message)
}

/// An interface of a new pair, and the network namespace in which it begins.
#[derive(Debug)]
pub(super) struct NewEnd<'a> {
    pub name: String,
    pub net: BorrowedFd<'a>,
    pub mtu: u32,
}

/// Adds a pair of interfaces, each the other end of the other.
pub(super) fn add_pair(a: &NewEnd<'_>, b: &NewEnd<'_>) -> RouteNetlinkMessage {
    let mut message = new_end(a);
    let peer = LinkInfo::Data(InfoData::Veth(InfoVeth::Peer(new_end(b))));
    message.attributes.push(LinkAttribute::LinkInfo(vec![LinkInfo::Kind(InfoKind::Veth), peer]));
    RouteNetlinkMessage::NewLink(message)
}

fn new_end(end: &NewEnd<'_>) -> LinkMessage {
    let mut message = LinkMessage::default();
    message.attributes.push(LinkAttribute::IfName(end.name.clone()));
    message.attributes.push(LinkAttribute::NetNsFd(end.net.as_raw_fd()));
    message.attributes.push(LinkAttribute::Mtu(end.mtu));
    message
}

/// Asks for the state of a link.
pub(super) fn get_link(link: u32) -> RouteNetlinkMessage {
    let mut message = LinkMessage::default();
    message.header.index = link;
    RouteNetlinkMessage::GetLink(message)
}

/// Adds an address to an interface.
pub(super) fn add_address(link: u32, address: Ip, prefix_length: u8) -> RouteNetlinkMessage {
    let mut message = AddressMessage::default();
    message.header.family = family(address);
    message.header.prefix_len = prefix_length;
    message.header.scope = AddressScope::Universe;
    message.header.index = link;
    if address.is_v6 {
        // The plan has no duplicates: without this flag the address is unusable for a second.
        message.header.flags = AddressHeaderFlags::Nodad;
    }
    message.attributes.push(AddressAttribute::Local(kernel_ip(address)));
    message.attributes.push(AddressAttribute::Address(kernel_ip(address)));
    RouteNetlinkMessage::NewAddress(message)
}

/// Adds a route.
pub(super) fn add_route(link: u32, spec: &RouteSpec) -> RouteNetlinkMessage {
    RouteNetlinkMessage::NewRoute(route(link, spec))
}

/// Removes a route.
pub(super) fn remove_route(link: u32, spec: &RouteSpec) -> RouteNetlinkMessage {
    RouteNetlinkMessage::DelRoute(route(link, spec))
}

fn route(link: u32, spec: &RouteSpec) -> RouteMessage {
    let mut message = RouteMessage::default();
    message.header.address_family = family(spec.destination);
    message.header.destination_prefix_length = spec.prefix_length;
    message.header.table = match spec.table {
        Some(_) => RouteHeader::RT_TABLE_UNSPEC,
        None => RouteHeader::RT_TABLE_MAIN,
    };
    message.header.protocol = RouteProtocol::Static;
    message.header.kind = RouteType::Unicast;
    message.header.scope = match spec.via {
        Some(_) => RouteScope::Universe,
        None => RouteScope::Link,
    };
    let attributes = &mut message.attributes;
    attributes.push(RouteAttribute::Destination(kernel_ip(spec.destination).into()));
    attributes.push(RouteAttribute::Oif(link));
    attributes.push(RouteAttribute::Priority(spec.metric));
    attributes.extend(spec.table.map(|table| RouteAttribute::Table(table.number)));
    attributes.extend(spec.via.map(|via| RouteAttribute::Gateway(kernel_ip(via).into())));
    attributes
        .extend(spec.source.map(|source| RouteAttribute::PrefSource(kernel_ip(source).into())));
    message
}

/// Adds a rule that chooses a table; `names` are those of the node's interfaces.
pub(super) fn add_rule(names: &[String], table: TableSpec, is_v6: bool) -> RouteNetlinkMessage {
    RouteNetlinkMessage::NewRule(rule(names, table, is_v6))
}

/// Removes such a rule.
pub(super) fn remove_rule(names: &[String], table: TableSpec, is_v6: bool) -> RouteNetlinkMessage {
    RouteNetlinkMessage::DelRule(rule(names, table, is_v6))
}

fn rule(names: &[String], table: TableSpec, is_v6: bool) -> RuleMessage {
    let mut message = RuleMessage::default();
    message.header.family = if is_v6 { AddressFamily::Inet6 } else { AddressFamily::Inet };
    message.header.action = RuleAction::ToTable;
    message.attributes.push(RuleAttribute::Priority(table.priority));
    message.attributes.push(RuleAttribute::Table(table.number));
    match table.of {
        Chosen::Incoming(interface) => {
            message.attributes.push(RuleAttribute::Iifname(names[interface as usize].clone()));
        }
        Chosen::Source(source) => {
            message.header.src_len = if is_v6 { 128 } else { 32 };
            message.attributes.push(RuleAttribute::Source(kernel_ip(source)));
        }
    }
    message
}

/// Adds a permanent neighbour.
pub(super) fn add_neighbour(link: u32, spec: &NeighbourSpec) -> RouteNetlinkMessage {
    let mut message = NeighbourMessage::default();
    message.header.family = family(spec.address);
    message.header.ifindex = link;
    message.header.state = NeighbourState::Permanent;
    message.attributes.push(NeighbourAttribute::Destination(kernel_ip(spec.address).into()));
    message.attributes.push(NeighbourAttribute::LinkLayerAddress(spec.mac.to_vec()));
    RouteNetlinkMessage::NewNeighbour(message)
}

/// Asks for the route of a packet: of the node itself, or one that arrived by a link from a source.
pub(super) fn get_route(destination: Ip, arrived: Option<(u32, Ip)>) -> RouteNetlinkMessage {
    let mut message = RouteMessage::default();
    message.header.address_family = family(destination);
    let host_length = if destination.is_v6 { 128 } else { 32 };
    message.header.destination_prefix_length = host_length;
    message.attributes.push(RouteAttribute::Destination(kernel_ip(destination).into()));
    if let Some((link, source)) = arrived {
        message.header.source_prefix_length = host_length;
        message.attributes.push(RouteAttribute::Source(kernel_ip(source).into()));
        message.attributes.push(RouteAttribute::Iif(link));
    }
    RouteNetlinkMessage::GetRoute(message)
}

fn family(address: Ip) -> AddressFamily {
    if address.is_v6 { AddressFamily::Inet6 } else { AddressFamily::Inet }
}

/// Returns an address in the form of the standard library.
pub(super) fn kernel_ip(Ip { is_v6, bits }: Ip) -> IpAddr {
    match is_v6 {
        true => Ipv6Addr::from_bits(bits).into(),
        false => Ipv4Addr::from_bits(bits as u32).into(),
    }
}
