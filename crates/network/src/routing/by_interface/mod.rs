//! Routes by incoming interface: static tables with which no single cut cable loses a pair, in any
//! network of cables that stays connected without it.
//!
//! A packet that enters a node by the very port of the node's own route to the destination has been
//! sent back by the next node: some cable further on is cut. So the port tells the node of a
//! failure that it cannot see, and a table for packets of that port leads them round it. Such a
//! table is consulted before the main one, with which all other packets are routed (`ip rule iif`).
//! The idea is that of failure-insensitive routing (Nelakuditi, Lee, Yu, Zhang, Chuah: Fast local
//! rerouting for handling transient link failures, 2007); the construction here keeps the given
//! routes whatever they are, and its proof takes a paragraph: see `detours`.
//!
//! The tables serve the identities on loopback interfaces. Addresses on cables keep the routes of
//! the main table and their alternates.

mod branches;
mod detours;

use quantity::IdTable;

use crate::address::{Addressing, Owner};
use crate::fabric::Fabric;
use crate::ids::{AddressId, NodeId, PortId};

use super::error::RoutingError;
use super::hop::Decision;

use branches::Branches;
use detours::Detours;

pub(crate) use detours::Detour;

/// The most pairs of nodes (12 bytes each).
const MOST_ENTRIES: u64 = 1 << 24;

/// The detours of all nodes for all identities.
#[derive(Debug)]
pub struct ByInterface {
    /// The detour for packets to a node, at each other node.
    detours: IdTable<NodeId, NodeId, Detour>,
}

impl ByInterface {
    /// Computes the detours beside the routes that `decide` returns for a node and an address.
    ///
    /// # Errors
    /// When something other than cables joins nodes, or the tables would be too large.
    pub(crate) fn new(
        fabric: &Fabric,
        addressing: &Addressing,
        decide: impl Fn(NodeId, AddressId) -> Decision,
    ) -> Result<ByInterface, RoutingError> {
        let n_nodes = fabric.n_nodes();
        let entries = u64::from(n_nodes) * u64::from(n_nodes);
        if entries > MOST_ENTRIES {
            return Err(RoutingError::TooManyDetours { entries, most: MOST_ENTRIES });
        }
        expect_cables(fabric)?;
        let mut tables =
            ByInterface { detours: IdTable::filled(Detour::default(), n_nodes, n_nodes) };
        for to in fabric.nodes() {
            let own = addressing.of_node(to).iter().copied();
            // The identities of a node have the same routes in both families.
            let Some(identity) = own.into_iter().find(|&id| is_identity(addressing, id)) else {
                continue;
            };
            let route = |node| match decide(node, identity) {
                Decision::Forward(hop) => Some(hop.port),
                _ => None,
            };
            let branches = Branches::new(fabric, to, route);
            Detours::new(fabric, &branches).write(tables.detours.row_mut(to));
        }
        Ok(tables)
    }

    /// Returns the detour of a node for an address; `None` for addresses on cables.
    pub(crate) fn detour(
        &self,
        addressing: &Addressing,
        at: NodeId,
        to: AddressId,
    ) -> Option<Detour> {
        let owner = addressing.address(to).node;
        is_identity(addressing, to).then(|| self.detours[(owner, at)])
    }
}

fn is_identity(addressing: &Addressing, id: AddressId) -> bool {
    matches!(addressing.address(id).owner, Owner::Loopback(_))
}

/// Checks that every link joins two nodes: behind a hub or a switch, a port keeps its carrier when
/// the link of the next node is cut, and does not tell which node a packet comes from.
fn expect_cables(fabric: &Fabric) -> Result<(), RoutingError> {
    let joins_nodes = |port: PortId| fabric.is_node(fabric.port(port).device);
    match fabric.links().with_ids().find(|(_, link)| !(joins_nodes(link.a) && joins_nodes(link.b)))
    {
        Some((link, _)) => Err(RoutingError::NotACable { link }),
        None if fabric.has_bonds() => Err(RoutingError::BondedDetours),
        None => Ok(()),
    }
}
