//! The ways to many addresses, and as columns: what draws a network or tries failures in another
//! place needs of its tables.

use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

use crate::Network;
use crate::address::{AddressId, SubnetId};
use crate::fabric::{NodeId, PortId};
use crate::metrics::{MetricError, expect_wanted, load};
use crate::routing::{Decision, Standby};

use super::ways::Ways;

/// The best and the standby routes of all nodes to some addresses. Entry `i * n_nodes + n` is what
/// node `n` does with a packet for the address given as number `i`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WayTable {
    /// The step of the best route.
    pub best: Vec<Step>,
    /// The standby routes of entry `e` are `standby[standby_start[e]..standby_start[e + 1]]`.
    pub standby_start: Vec<u32>,
    /// The routes that serve when the ports of the better ones have no carrier, the best first: the
    /// port, and the port it is handed to, `None` where the packet would go where the address is
    /// not.
    pub standby: Vec<(PortId, Option<PortId>)>,
}

/// What a node does with a packet by its best route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The address is its own.
    Own,
    /// It has no route that leads anywhere.
    None,
    /// It sends it out of a port to a port.
    To(PortId, PortId),
}

/// Lists the routes of all nodes to some addresses; `with_fallback` as if the nodes had the
/// fallback routes that the routing scheme derives.
///
/// # Errors
/// When an address does not exist, there are too many nodes or addresses, or nobody waits for the
/// answer any more.
pub fn ways(
    network: &Network,
    identities: &[AddressId],
    with_fallback: bool,
    stop: &AtomicBool,
) -> Result<WayTable, MetricError> {
    super::expect_few(network, identities)?;
    load::expect_addresses(network, identities)?;
    let distinct = without_repeats(identities);
    let found = all_ways(network, &distinct, with_fallback, stop)?;
    let mut table = WayTable { standby_start: vec![0], ..WayTable::default() };
    for &identity in identities {
        let place = distinct.iter().position(|&other| other == identity).expect("one of them");
        table.extend(&found[place]);
    }
    Ok(table)
}

impl WayTable {
    fn extend(&mut self, ways: &Ways) {
        for (node, decision) in (0 as NodeId..).zip(&ways.whole.decisions) {
            self.best.push(match *decision {
                Decision::Own => Step::Own,
                Decision::Forward(hop) => Step::To(hop.port, hop.via),
                Decision::NoRoute | Decision::WrongSegment => Step::None,
            });
            let standby = ways.standby(node).iter();
            self.standby.extend(standby.map(|&Standby { port, via }| (port, via)));
            self.standby_start.push(self.standby.len() as u32);
        }
    }
}

/// Returns the identities in the order given, each once.
pub(super) fn without_repeats(given: &[AddressId]) -> Vec<AddressId> {
    let mut seen = std::collections::BTreeSet::new();
    given.iter().copied().filter(|&id| seen.insert(id)).collect()
}

/// Returns the ways to each identity, given once each; those of one subnet share the work.
pub(super) fn all_ways(
    network: &Network,
    identities: &[AddressId],
    with_fallback: bool,
    stop: &AtomicBool,
) -> Result<Vec<Ways>, MetricError> {
    let subnet = |id: AddressId| network.addressing.address(id).subnet;
    let mut order: Vec<(SubnetId, AddressId)> =
        identities.iter().map(|&id| (subnet(id), id)).collect();
    order.sort_unstable();
    let by_subnet: Vec<&[(SubnetId, AddressId)]> = order.chunk_by(|a, b| a.0 == b.0).collect();
    let to_subnet = |same: &&[(SubnetId, AddressId)]| {
        expect_wanted(stop)?;
        let wanted: Vec<AddressId> = same.iter().map(|&(_, id)| id).collect();
        Ok(Ways::to_subnet(network, same[0].0, &wanted, with_fallback))
    };
    let found: Vec<_> = by_subnet.par_iter().map(to_subnet).collect::<Result<_, _>>()?;
    let mut found: Vec<(AddressId, Ways)> = found.into_iter().flatten().collect();
    // The addresses of one subnet need not stand together among those given.
    let mut place: Vec<(AddressId, usize)> = identities.iter().copied().zip(0..).collect();
    place.sort_unstable();
    found.sort_by_key(|(id, _)| place[place.partition_point(|(other, _)| other < id)].1);
    Ok(found.into_iter().map(|(_, ways)| ways).collect())
}
