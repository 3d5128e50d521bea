//! Routes by incoming interface: static tables with which no single cut cable loses a pair, in any
//! network of cables that stays connected without it; or, where trees for them are found, no two or
//! three cuts.
//!
//! A packet that enters a node by the very port of the node's own route to the destination has been
//! sent back by the next node: some cable further on is cut. So the port tells the node of a
//! failure that it cannot see, and a table for packets of that port leads them round it. Such a
//! table is consulted before the main one, with which all other packets are routed (`ip rule iif`).
//! The idea is that of failure-insensitive routing (Nelakuditi, Lee, Yu, Zhang, Chuah: Fast local
//! rerouting for handling transient link failures, 2007); the construction here keeps the given
//! routes whatever they are, and its proof takes a paragraph: see `detours`. For several cuts, see
//! `trees`.
//!
//! The tables serve the identities on loopback interfaces. Addresses on cables keep the routes of
//! the main table and their alternates.

mod branches;
mod detours;
mod trees;

use quantity::{IdTable, IdVec};

use crate::address::{Addressing, Owner};
use crate::fabric::Fabric;
use crate::ids::{AddressId, NodeId, PortId};

use super::error::RoutingError;
use super::hop::{Decision, Hop};

use branches::Branches;
use detours::{Detour, Detours};
use trees::Trees;

/// The most pairs of nodes (12 bytes each).
const MOST_ENTRIES: u64 = 1 << 24;
/// The most packets followed to try all sets of cuts.
const MOST_TRIED: u64 = 1 << 28;

/// The backup routes of all nodes for all identities.
#[derive(Debug)]
pub(crate) enum ByInterface {
    /// For one cut: the detour for packets to a node, at each other node.
    Detours(IdTable<NodeId, NodeId, Detour>),
    /// For several cuts: the trees to each node.
    Trees(IdVec<NodeId, Trees>),
}

/// A backup route: the next hop, and what its metric is above that of the route.
pub(crate) type Backup = (Hop, u32);

impl ByInterface {
    /// Computes the backup routes beside the routes that `decide` returns for a node and an
    /// address.
    ///
    /// # Errors
    /// When something other than cables joins nodes, the tables would be too large, or no tables
    /// that survive the cuts are found.
    pub(crate) fn new(
        fabric: &Fabric,
        addressing: &Addressing,
        n_cuts: u32,
        decide: impl Fn(NodeId, AddressId) -> Decision,
    ) -> Result<ByInterface, RoutingError> {
        let n_nodes = fabric.n_nodes();
        let entries = u64::from(n_nodes) * u64::from(n_nodes);
        if entries > MOST_ENTRIES {
            return Err(RoutingError::TooManyDetours { entries, most: MOST_ENTRIES });
        }
        expect_cables(fabric)?;
        let branches = |to: NodeId| {
            // The identities of a node have the same routes in both families.
            let mut own = addressing.of_node(to).iter().copied();
            let identity = own.find(|&id| is_identity(addressing, id))?;
            let route = |node| match decide(node, identity) {
                Decision::Forward(hop) => Some(hop.port),
                _ => None,
            };
            Some(Branches::new(fabric, to, route))
        };
        if n_cuts > 1 {
            return trees(fabric, n_cuts, branches).map(ByInterface::Trees);
        }
        let mut detours = IdTable::filled(Detour::default(), n_nodes, n_nodes);
        for to in fabric.nodes() {
            if let Some(branches) = branches(to) {
                Detours::new(fabric, &branches).write(detours.row_mut(to));
            }
        }
        Ok(ByInterface::Detours(detours))
    }

    /// Returns the backup routes of a node's main table for an address, the best first; `None` for
    /// addresses on cables, which have other ones.
    pub(crate) fn instead(
        &self,
        fabric: &Fabric,
        addressing: &Addressing,
        at: NodeId,
        to: AddressId,
    ) -> Option<Vec<Backup>> {
        let owner = addressing.address(to).node;
        if !is_identity(addressing, to) || owner == at {
            return None;
        }
        Some(match self {
            ByInterface::Detours(detours) => {
                let detour = detours[(owner, at)];
                let hop = detour.instead.get().and_then(|port| hop(fabric, port));
                hop.map(|hop| (hop, detour.extra_hops)).into_iter().collect()
            }
            ByInterface::Trees(trees) => {
                let hops = trees[owner].ports(at).filter_map(|port| hop(fabric, port));
                hops.zip(0..).skip(1).collect()
            }
        })
    }

    /// Returns for each port of a node with a table for an address the routes of that table, the
    /// best first; in order of the ports. `route` is the port of the node's route.
    pub(crate) fn behind(
        &self,
        fabric: &Fabric,
        addressing: &Addressing,
        at: NodeId,
        to: AddressId,
        route: PortId,
    ) -> Vec<(PortId, Vec<Hop>)> {
        let owner = addressing.address(to).node;
        if !is_identity(addressing, to) || owner == at {
            return Vec::new();
        }
        match self {
            ByInterface::Detours(detours) => {
                let returned = detours[(owner, at)].returned.get();
                let hop = returned.and_then(|port| hop(fabric, port));
                hop.map(|hop| (route, vec![hop])).into_iter().collect()
            }
            ByInterface::Trees(trees) => {
                let trees = &trees[owner];
                let others = fabric.ports_of(at).filter(|&port| !trees.is_own(fabric, port));
                let table = |port: PortId| {
                    let ports = trees.ports_behind(fabric, port)?;
                    let hops = ports.into_iter().filter_map(|port| hop(fabric, port));
                    Some((port, hops.collect()))
                };
                others.filter_map(table).collect()
            }
        }
    }
}

/// Finds the trees to each node.
fn trees<'a>(
    fabric: &Fabric,
    n_cuts: u32,
    branches: impl Fn(NodeId) -> Option<Branches<'a>>,
) -> Result<IdVec<NodeId, Trees>, RoutingError> {
    let n_links = u64::from(fabric.links().n());
    let sets = (0..u64::from(n_cuts))
        .fold(1u64, |sets, cut| sets.saturating_mul(n_links.saturating_sub(cut)) / (cut + 1));
    let n_nodes = u64::from(fabric.n_nodes());
    let tried = sets.saturating_mul(n_nodes * n_nodes);
    if tried > MOST_TRIED {
        return Err(RoutingError::TooManyCuts { tried, most: MOST_TRIED });
    }
    let to_node = |to: NodeId| {
        let Some(branches) = branches(to) else { return Ok(Trees::default()) };
        let found = Trees::surviving(fabric, &branches, n_cuts);
        found.ok_or(RoutingError::NoTrees { node: to, cuts: n_cuts })
    };
    fabric.nodes().map(to_node).collect::<Result<Vec<Trees>, _>>().map(IdVec::from)
}

fn hop(fabric: &Fabric, port: PortId) -> Option<Hop> {
    Some(Hop { port, via: fabric.peer(port)? })
}

fn is_identity(addressing: &Addressing, id: AddressId) -> bool {
    matches!(addressing.address(id).owner, Owner::Loopback(_))
}

/// Checks that every link joins two nodes: behind a hub or a switch, a port keeps its carrier when
/// the link of the next node is cut, and does not tell which node a packet comes from.
fn expect_cables(fabric: &Fabric) -> Result<(), RoutingError> {
    let joins_nodes = |port: PortId| fabric.is_node(fabric.port(port).device);
    let mut links = fabric.links().with_ids();
    match links.find(|(_, link)| !(joins_nodes(link.a) && joins_nodes(link.b))) {
        Some((link, _)) => Err(RoutingError::NotACable { link }),
        None if fabric.has_bonds() => Err(RoutingError::BondedDetours),
        None => Ok(()),
    }
}
