//! Delivery without a route: the subnets of a node's own interfaces.
//!
//! As in a kernel, the longest prefix that contains the address decides, whether or not its owner
//! is really on that segment; identities on a loopback interface are on no segment at all. A port
//! without a cable has no carrier, and its subnet does not count (`ignore_routes_with_linkdown`).

use crate::address::{Address, Addressing, Owner, Subnet};
use crate::fabric::Fabric;
use crate::ids::{AddressId, NodeId, PortId, SegmentId};

use super::hop::Hop;

/// The connection of a node to an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Connected {
    /// The address is its own.
    Own,
    /// An interface of the node is in a subnet that contains the address.
    On {
        /// Length of the longest prefix that contains the address.
        prefix_length: u8,
        /// The hop to the owner; `None` if the owner is not on that segment.
        hop: Option<Hop>,
    },
    /// No interface of the node is in a subnet that contains the address.
    No,
}

/// Returns the connection of node `at` to address `to`.
pub(super) fn find(
    fabric: &Fabric,
    addressing: &Addressing,
    at: NodeId,
    to: AddressId,
) -> Connected {
    let address = addressing.address(to);
    if address.node == at {
        return Connected::Own;
    }
    let mut found = Connected::No;
    let consider = |own: &Address| {
        let Some(port) = live_port(fabric, own.owner) else { return };
        let hop = on_segment(fabric, port, address.owner).map(|via| Hop { port, via });
        if is_better(found, own.prefix_length, hop) {
            found = Connected::On { prefix_length: own.prefix_length, hop };
        }
    };
    let own = addressing.of_node(at).iter().map(|&id| addressing.address(id));
    let members = &addressing.subnets()[address.subnet].members;
    if !addressing.is_disjoint() {
        own.filter(|own| address.ip.is_in(own.ip.network(own.prefix_length), own.prefix_length))
            .for_each(consider);
    } else if members.len() < own.len() {
        // At a node with hundreds of cables the search among the two ends of one cable is faster.
        let members = members.iter().map(|&id| addressing.address(id));
        members.filter(|member| member.node == at).for_each(consider);
    } else {
        own.filter(|own| own.subnet == address.subnet).for_each(consider);
    }
    found
}

/// Returns every connection of node `at` to address `to`: the length of the prefix, the port, and
/// the owner's port if it is on that segment.
pub(super) fn all(
    fabric: &Fabric,
    addressing: &Addressing,
    at: NodeId,
    to: AddressId,
) -> impl Iterator<Item = (u8, PortId, Option<PortId>)> {
    let address = addressing.address(to);
    let own = addressing.of_node(at).iter().map(|&id| addressing.address(id));
    own.filter_map(move |own| {
        let port = live_port(fabric, own.owner)?;
        let length = own.prefix_length;
        address
            .ip
            .is_in(own.ip.network(length), length)
            .then(|| (length, port, on_segment(fabric, port, address.owner)))
    })
}

/// Returns the segment on which a node expects the addresses of a subnet: that of its first port in
/// the subnet with a cable.
pub(super) fn segment(
    fabric: &Fabric,
    addressing: &Addressing,
    at: NodeId,
    subnet: &Subnet,
) -> Option<SegmentId> {
    let members = subnet.members.iter().map(|&id| addressing.address(id));
    let mut own = members.filter(|member| member.node == at);
    own.find_map(|own| live_port(fabric, own.owner)).map(|port| fabric.port(port).segment)
}

/// Returns a hop from `at` straight to some port of `owner`, if they share a segment.
pub(super) fn shared_segment(fabric: &Fabric, at: NodeId, owner: NodeId) -> Option<Hop> {
    fabric.ports_of(at).find_map(|port| {
        let segment = fabric.port(port).segment;
        let via = fabric.ports_of(owner).find(|&via| fabric.port(via).segment == segment)?;
        Some(Hop { port, via })
    })
}

fn live_port(fabric: &Fabric, owner: Owner) -> Option<PortId> {
    match owner {
        Owner::Port(port) if fabric.is_plugged(port) => Some(port),
        _ => None,
    }
}

fn on_segment(fabric: &Fabric, port: PortId, owner: Owner) -> Option<PortId> {
    match owner {
        Owner::Port(via) if fabric.port(via).segment == fabric.port(port).segment => Some(via),
        _ => None,
    }
}

/// A longer prefix wins; among equal ones the first that leads to the owner.
fn is_better(found: Connected, prefix_length: u8, hop: Option<Hop>) -> bool {
    match found {
        Connected::On { prefix_length: best, hop: None } => {
            prefix_length > best || (prefix_length == best && hop.is_some())
        }
        Connected::On { prefix_length: best, hop: Some(_) } => prefix_length > best,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_prefix_decides_and_among_equal_ones_the_first_that_leads_to_the_owner() {
        let hop = Some(Hop { port: PortId::new(1), via: PortId::new(2) });
        let on = |hop| Connected::On { prefix_length: 24, hop };
        assert!(is_better(Connected::No, 0, None));
        for hop_of_longer in [None, hop] {
            assert!(
                is_better(on(None), 25, hop_of_longer) && is_better(on(hop), 25, hop_of_longer)
            );
            assert!(!is_better(on(None), 23, hop_of_longer));
        }
        assert!(is_better(on(None), 24, hop));
        assert!(!is_better(on(None), 24, None) && !is_better(on(hop), 24, hop));
    }
}
