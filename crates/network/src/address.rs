//! Subnets and addresses as numbers: who owns which address, on which subnet. Which numbers are
//! given out is the business of the address schemes, which are not here.

use serde::Serialize;
use thiserror::Error;

use crate::fabric::Fabric;
use crate::ids::{AddressId, NodeId, PortId, SegmentId, SubnetId};

/// An IP address as a number; an IPv4 address stands in the low 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ip {
    /// Whether it is an IPv6 address.
    pub is_v6: bool,
    /// The bits, right-aligned.
    pub bits: u128,
}

/// What carries an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A port of a node.
    Port(PortId),
    /// The loopback interface of a node: its identity, on no segment.
    Loopback(NodeId),
}

/// An address of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// The address.
    pub ip: Ip,
    /// Length of its subnet's prefix.
    pub prefix_length: u8,
    /// What carries it.
    pub owner: Owner,
    /// The node that owns it.
    pub node: NodeId,
    /// The subnet it lies in.
    pub subnet: SubnetId,
}

/// An address prefix and its members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subnet {
    /// The first address of the prefix.
    pub first: Ip,
    /// Length of the prefix.
    pub prefix_length: u8,
    /// The addresses in it, in order of id.
    pub members: Vec<AddressId>,
    /// The segment that all of them are on, if they are.
    pub segment: Option<SegmentId>,
}

/// Why a set of addresses cannot be compiled. Duplicates and overlaps are findings, not errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, Serialize)]
#[error("{self:?}")]
pub enum AddressError {
    /// The prefix is longer than the address.
    PrefixTooLong {
        /// Index of the address in the input.
        address: AddressId,
        /// The length given.
        prefix_length: u8,
        /// The longest possible.
        most: u8,
    },
    /// The owner is not a node or a port of a node.
    NotANode {
        /// Index of the address in the input.
        address: AddressId,
    },
    /// There is no memory for the addresses.
    NoRoom {
        /// How many they are.
        n_addresses: usize,
    },
}

/// All addresses and subnets of a network.
#[derive(Debug)]
pub struct Addressing {
    addresses: Vec<Address>,
    subnets: Vec<Subnet>,
    /// For each node, its addresses: `of_node_start[n]..of_node_start[n + 1]` into `of_node`.
    of_node_start: Vec<u32>,
    of_node: Vec<AddressId>,
    is_disjoint: bool,
}

impl Addressing {
    /// Groups addresses into subnets by their prefixes; ids follow the order given.
    ///
    /// Subnets are numbered in order of (family, first address, prefix length).
    ///
    /// # Errors
    /// When a prefix is too long or an owner is not a node.
    pub fn new(fabric: &Fabric, given: &[(Ip, u8, Owner)]) -> Result<Addressing, AddressError> {
        let mut addresses = Vec::new();
        let no_room = |_| AddressError::NoRoom { n_addresses: given.len() };
        addresses.try_reserve_exact(given.len()).map_err(no_room)?;
        for (id, &(ip, prefix_length, owner)) in (0..).zip(given) {
            let most = ip.host_length();
            if prefix_length > most {
                return Err(AddressError::PrefixTooLong { address: id, prefix_length, most });
            }
            let node = match owner {
                Owner::Loopback(node) => node,
                Owner::Port(port) => {
                    fabric
                        .ports()
                        .get(port as usize)
                        .ok_or(AddressError::NotANode { address: id })?
                        .device
                }
            };
            if !fabric.is_node(node) {
                return Err(AddressError::NotANode { address: id });
            }
            addresses.push(Address { ip, prefix_length, owner, node, subnet: 0 });
        }
        let mut subnets = group_into_subnets(&mut addresses);
        for subnet in &mut subnets {
            subnet.segment = common_segment(fabric, &addresses, &subnet.members);
        }
        let (of_node_start, of_node) = group_by_node(&addresses, fabric.n_nodes());
        let is_disjoint = are_disjoint(&subnets);
        Ok(Addressing { addresses, subnets, of_node_start, of_node, is_disjoint })
    }

    /// Returns all addresses.
    pub fn addresses(&self) -> &[Address] {
        &self.addresses
    }

    /// Returns one address.
    pub fn address(&self, id: AddressId) -> &Address {
        &self.addresses[id as usize]
    }

    /// Returns all subnets.
    pub fn subnets(&self) -> &[Subnet] {
        &self.subnets
    }

    /// Returns whether no subnet lies inside another, as in every sound plan.
    pub fn is_disjoint(&self) -> bool {
        self.is_disjoint
    }

    /// Returns the addresses of a node.
    pub fn of_node(&self, node: NodeId) -> &[AddressId] {
        let range = self.of_node_start[node as usize]..self.of_node_start[node as usize + 1];
        &self.of_node[range.start as usize..range.end as usize]
    }
}

impl Ip {
    /// Returns the length of the prefix that holds this address only.
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

fn group_into_subnets(addresses: &mut [Address]) -> Vec<Subnet> {
    let prefix_of = |a: &Address| (a.ip.network(a.prefix_length), a.prefix_length);
    let mut order: Vec<AddressId> = (0..addresses.len() as AddressId).collect();
    order.sort_by_key(|&id| (prefix_of(&addresses[id as usize]), id));
    let mut subnets: Vec<Subnet> = Vec::new();
    for id in order {
        let (first, prefix_length) = prefix_of(&addresses[id as usize]);
        match subnets.last_mut() {
            Some(last) if (last.first, last.prefix_length) == (first, prefix_length) => {
                last.members.push(id)
            }
            _ => subnets.push(Subnet { first, prefix_length, members: vec![id], segment: None }),
        }
        addresses[id as usize].subnet = subnets.len() as SubnetId - 1;
    }
    subnets
}

fn common_segment(
    fabric: &Fabric,
    addresses: &[Address],
    members: &[AddressId],
) -> Option<SegmentId> {
    let segment = |&id: &AddressId| match addresses[id as usize].owner {
        Owner::Port(port) => Some(fabric.port(port).segment),
        Owner::Loopback(_) => None,
    };
    let first = segment(members.first()?)?;
    members.iter().all(|id| segment(id) == Some(first)).then_some(first)
}

/// Subnets are in order of their first address, the wider first: one that lies inside another
/// follows it, or follows a third that lies inside it too.
fn are_disjoint(subnets: &[Subnet]) -> bool {
    subnets.windows(2).all(|pair| {
        let (wide, next) = (&pair[0], &pair[1]);
        next.first.is_v6 != wide.first.is_v6 || next.first.network(wide.prefix_length) != wide.first
    })
}

fn group_by_node(addresses: &[Address], n_nodes: u32) -> (Vec<u32>, Vec<AddressId>) {
    let mut start = vec![0u32; n_nodes as usize + 1];
    for address in addresses {
        start[address.node as usize + 1] += 1;
    }
    for node in 0..n_nodes as usize {
        start[node + 1] += start[node];
    }
    let mut order: Vec<AddressId> = (0..addresses.len() as AddressId).collect();
    order.sort_by_key(|&id| (addresses[id as usize].node, id));
    (start, order)
}
