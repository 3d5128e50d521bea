//! Consistency of addresses and cables, checked before any route is followed.
//!
//! These are findings about a network that compiles, in stable order; their presentation contains
//! the remedy.

use quantity::IdVec;

use crate::Network;
use crate::address::{Addressing, Ip, Owner, Subnet};
use crate::fabric::Fabric;
use crate::ids::{AddressId, LinkId, NodeId, PortId, SegmentId, SubnetId};

/// A fault of addresses or cables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// Two interfaces have the same address.
    DuplicateAddress(AddressId, AddressId),
    /// The second subnet lies within the first.
    OverlappingSubnets(SubnetId, SubnetId),
    /// Two addresses of one subnet are on different segments, both with a cable.
    SubnetSpansSegments(AddressId, AddressId),
    /// An address is on a port without a cable.
    UnpluggedInterface(AddressId),
    /// The first or last address of an IPv4 subnet, which hosts may not have.
    ReservedAddress(AddressId),
    /// A port with a cable in it has no address.
    NoAddress(PortId),
    /// A link closes a loop among hubs and switches.
    BridgeLoop(LinkId),
}

/// Finds faults of addresses, subnets and cables.
pub fn soundness(network: &Network) -> Vec<Finding> {
    let Network { fabric, addressing, .. } = network;
    let mut findings = duplicates(addressing);
    findings.extend(overlaps(addressing.subnets()));
    for subnet in addressing.subnets() {
        findings.extend(spans(fabric, addressing, subnet));
    }
    findings.extend(misplaced(fabric, addressing));
    findings.extend(bare_ports(fabric, addressing).map(Finding::NoAddress));
    findings.extend(network.bridging().blocked().iter().map(|&link| Finding::BridgeLoop(link)));
    findings
}

fn duplicates(addressing: &Addressing) -> Vec<Finding> {
    let ip = |id: AddressId| addressing.address(id).ip;
    let mut order: Vec<AddressId> = addressing.addresses().ids().collect();
    order.sort_by_key(|&id| (ip(id), id));
    let same = order.chunk_by(|&a, &b| ip(a) == ip(b));
    same.flat_map(|ids| ids[1..].iter().map(|&id| Finding::DuplicateAddress(ids[0], id))).collect()
}

/// Subnets are sorted by first address, so those that contain the next one are the last open ones.
fn overlaps(subnets: &IdVec<SubnetId, Subnet>) -> Vec<Finding> {
    let holds = |outer: &Subnet, ip: Ip| {
        outer.first.is_v6 == ip.is_v6 && ip.network(outer.prefix_length) == outer.first
    };
    let mut open: Vec<SubnetId> = Vec::new();
    let mut findings = Vec::new();
    for (id, subnet) in subnets.with_ids() {
        while open.last().is_some_and(|&last| !holds(&subnets[last], subnet.first)) {
            open.pop();
        }
        findings.extend(open.last().map(|&outer| Finding::OverlappingSubnets(outer, id)));
        open.push(id);
    }
    findings
}

/// The location of an address: a segment, or a node (on its loopback interface).
fn place(fabric: &Fabric, owner: Owner) -> Result<SegmentId, NodeId> {
    match owner {
        Owner::Port(port) => Ok(fabric.port(port).segment),
        Owner::Loopback(node) => Err(node),
    }
}

fn is_unplugged(fabric: &Fabric, owner: Owner) -> bool {
    matches!(owner, Owner::Port(port) if !fabric.is_plugged(port))
}

fn spans(fabric: &Fabric, addressing: &Addressing, subnet: &Subnet) -> Option<Finding> {
    let place_of = |id: AddressId| place(fabric, addressing.address(id).owner);
    let mut members = subnet
        .members
        .iter()
        .copied()
        .filter(|&id| !is_unplugged(fabric, addressing.address(id).owner));
    let first = members.next()?;
    let stray = members.find(|&id| place_of(id) != place_of(first))?;
    Some(Finding::SubnetSpansSegments(first, stray))
}

fn misplaced<'a>(
    fabric: &'a Fabric,
    addressing: &'a Addressing,
) -> impl Iterator<Item = Finding> + 'a {
    addressing.addresses().with_ids().flat_map(|(id, address)| {
        let unplugged =
            is_unplugged(fabric, address.owner).then_some(Finding::UnpluggedInterface(id));
        let reserved =
            is_reserved(address.ip, address.prefix_length).then_some(Finding::ReservedAddress(id));
        [unplugged, reserved].into_iter().flatten()
    })
}

/// The network and broadcast addresses of an IPv4 subnet; a /31 has neither (RFC 3021).
fn is_reserved(ip: Ip, prefix_length: u8) -> bool {
    if ip.is_v6 || prefix_length > 30 {
        return false;
    }
    let host_bits = 32 - u32::from(prefix_length);
    let host = ip.bits & ((1 << host_bits) - 1);
    host == 0 || host == (1 << host_bits) - 1
}

fn bare_ports<'a>(
    fabric: &'a Fabric,
    addressing: &Addressing,
) -> impl Iterator<Item = PortId> + 'a {
    let mut has_address = IdVec::filled(false, fabric.ports().n());
    for address in addressing.addresses() {
        if let Owner::Port(port) = address.owner {
            has_address[port] = true;
        }
    }
    fabric.ports().with_ids().filter_map(move |(id, port)| {
        let is_station = fabric.is_node(port.device) && port.link.is_some();
        (is_station && !has_address[fabric.interface(id)]).then_some(id)
    })
}
