//! Subnets and addresses as numbers: the owner and the subnet of each address. The address schemes
//! of the package choose the numbers.

use quantity::{Groups, Id, IdVec};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::fabric::Fabric;
use crate::ids::{AddressId, NodeId, PortId, SegmentId, SubnetId};

/// An IP address as a number; an IPv4 address occupies the low 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Ip {
    /// True for an IPv6 address.
    pub is_v6: bool,
    /// The bits, right-aligned.
    pub bits: u128,
}

/// The interface that carries an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Owner {
    /// A port of a node.
    Port(PortId),
    /// The loopback interface of a node, which carries its identity and is on no segment.
    Loopback(NodeId),
}

/// An address of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// The address.
    pub ip: Ip,
    /// Length of its subnet's prefix.
    pub prefix_length: u8,
    /// The interface that carries the address.
    pub owner: Owner,
    /// The node that owns it.
    pub node: NodeId,
    /// The subnet that contains the address.
    pub subnet: SubnetId,
}

/// An address prefix and its members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subnet {
    /// The first address of the prefix.
    pub first: Ip,
    /// Length of the prefix.
    pub prefix_length: u8,
    /// The addresses in the prefix, in order of id.
    pub members: Vec<AddressId>,
    /// The segment of all its addresses; `None` if they are on different ones.
    pub segment: Option<SegmentId>,
}

/// A broken rule that keeps addresses from being compiled. Duplicates and overlaps are findings,
/// not errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, Serialize)]
#[error("{self:?}")]
pub enum AddressError {
    /// The prefix is longer than the address.
    PrefixTooLong {
        /// Index of the address in the input.
        address: AddressId,
        /// The prefix length given.
        prefix_length: u8,
        /// The longest possible prefix.
        most: u8,
    },
    /// The owner is not a node or a port of a node.
    NotANode {
        /// Index of the address in the input.
        address: AddressId,
    },
    /// The memory for the addresses cannot be allocated.
    NoRoom {
        /// Number of addresses.
        n_addresses: usize,
    },
}

/// All addresses and subnets of a network.
#[derive(Clone, Debug)]
pub struct Addressing {
    addresses: IdVec<AddressId, Address>,
    subnets: IdVec<SubnetId, Subnet>,
    of_node: Groups<NodeId, AddressId>,
    is_disjoint: bool,
}

impl Addressing {
    /// Groups addresses into subnets by their prefixes; ids follow the input order.
    ///
    /// Subnets are numbered in order of (family, first address, prefix length).
    ///
    /// # Errors
    /// When a prefix is too long or an owner is not a node.
    pub fn new(fabric: &Fabric, given: &[(Ip, u8, Owner)]) -> Result<Addressing, AddressError> {
        let mut addresses = Vec::new();
        let no_room = |_| AddressError::NoRoom { n_addresses: given.len() };
        addresses.try_reserve_exact(given.len()).map_err(no_room)?;
        for (id, &(ip, prefix_length, owner)) in given.iter().enumerate() {
            let id = AddressId::from_index(id);
            let most = ip.host_length();
            if prefix_length > most {
                return Err(AddressError::PrefixTooLong { address: id, prefix_length, most });
            }
            let node = match owner {
                Owner::Loopback(node) => Some(node).filter(|&node| fabric.is_node(node)),
                Owner::Port(port) => {
                    fabric.ports().get(port).and_then(|port| fabric.as_node(port.device))
                }
            };
            let node = node.ok_or(AddressError::NotANode { address: id })?;
            let subnet = SubnetId::new(0);
            addresses.push(Address { ip, prefix_length, owner, node, subnet });
        }
        let mut addresses = IdVec::from(addresses);
        let mut subnets = group_into_subnets(&mut addresses);
        for subnet in &mut subnets {
            subnet.segment = common_segment(fabric, &addresses, &subnet.members);
        }
        let of_node = Groups::new(fabric.n_nodes(), || {
            addresses.with_ids().map(|(id, address)| (address.node, id))
        });
        let is_disjoint = are_disjoint(&subnets);
        Ok(Addressing { addresses, subnets, of_node, is_disjoint })
    }

    /// Returns all addresses.
    pub fn addresses(&self) -> &IdVec<AddressId, Address> {
        &self.addresses
    }

    /// Returns one address.
    pub fn address(&self, id: AddressId) -> &Address {
        &self.addresses[id]
    }

    /// Returns all subnets.
    pub fn subnets(&self) -> &IdVec<SubnetId, Subnet> {
        &self.subnets
    }

    /// Returns whether no subnet is nested in another, as in every sound plan.
    pub fn is_disjoint(&self) -> bool {
        self.is_disjoint
    }

    /// Returns the addresses of a node.
    pub fn of_node(&self, node: NodeId) -> &[AddressId] {
        self.of_node.of(node)
    }
}

impl Ip {
    /// Returns the length of the prefix that holds only this address.
    pub fn host_length(self) -> u8 {
        if self.is_v6 { 128 } else { 32 }
    }

    /// Returns the first address of the prefix of `prefix_length` bits that holds this address.
    pub fn network(self, prefix_length: u8) -> Ip {
        let host_bits = u32::from(self.host_length() - prefix_length);
        let bits = if host_bits == 128 { 0 } else { self.bits >> host_bits << host_bits };
        Ip { bits, ..self }
    }

    /// Returns whether the address lies in the prefix of `length` bits that starts at `first`.
    pub(crate) fn is_in(self, first: Ip, length: u8) -> bool {
        first.is_v6 == self.is_v6 && self.network(length) == first
    }
}

fn group_into_subnets(addresses: &mut IdVec<AddressId, Address>) -> IdVec<SubnetId, Subnet> {
    let prefix_of = |a: &Address| (a.ip.network(a.prefix_length), a.prefix_length);
    let mut order: Vec<AddressId> = addresses.ids().collect();
    order.sort_by_key(|&id| (prefix_of(&addresses[id]), id));
    let mut subnets: IdVec<SubnetId, Subnet> = IdVec::new();
    for id in order {
        let (first, prefix_length) = prefix_of(&addresses[id]);
        match subnets.last_mut() {
            Some(last) if (last.first, last.prefix_length) == (first, prefix_length) => {
                last.members.push(id)
            }
            _ => {
                subnets.push(Subnet { first, prefix_length, members: vec![id], segment: None });
            }
        }
        addresses[id].subnet = SubnetId::from_index(subnets.len() - 1);
    }
    subnets
}

fn common_segment(
    fabric: &Fabric,
    addresses: &IdVec<AddressId, Address>,
    members: &[AddressId],
) -> Option<SegmentId> {
    let segment = |&id: &AddressId| match addresses[id].owner {
        Owner::Port(port) => Some(fabric.port(port).segment),
        Owner::Loopback(_) => None,
    };
    let first = segment(members.first()?)?;
    members.iter().all(|id| segment(id) == Some(first)).then_some(first)
}

/// Subnets are in order of their first address, the wider first: a nested subnet follows the one
/// that contains it, directly or behind others nested in the same one.
fn are_disjoint(subnets: &[Subnet]) -> bool {
    subnets.windows(2).all(|pair| {
        let (wide, next) = (&pair[0], &pair[1]);
        next.first.is_v6 != wide.first.is_v6 || next.first.network(wide.prefix_length) != wide.first
    })
}
