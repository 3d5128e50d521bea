//! What nodes and channels carry under uniform traffic: each node sends one packet to each other.
//!
//! Counted per destination by letting packets run down the tree of its ways, the farthest nodes
//! first. All sums are integers until the end, so the order of threads does not matter.

use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

use crate::Network;
use crate::address::AddressId;
use crate::bridging::{Bridging, Crossing};
use crate::fabric::{Fabric, LinkId, NodeId, PortId};
use crate::routing::Decision;

use super::towards::Towards;
use super::{MetricError, expect_wanted};

/// Packets carried when each node sends one packet to each other node.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// Packets that each node relays for others.
    pub forwarded: Vec<u64>,
    /// Packets on each link from its end `a` to `b`, and from `b` to `a`. The links of a bundle
    /// share evenly. At a hub, which repeats a frame on all its links, only the links on the way
    /// count.
    pub channels: Vec<[f64; 2]>,
}

/// Counts the load of uniform traffic between the owners of some addresses.
///
/// # Errors
/// When an address does not exist, or `stop` is set on the way.
pub fn load(
    network: &Network,
    identities: &[AddressId],
    stop: &AtomicBool,
) -> Result<Load, MetricError> {
    expect_addresses(network, identities)?;
    let fabric = &network.fabric;
    let mut is_source = vec![false; fabric.n_nodes() as usize];
    for &id in identities {
        is_source[network.addressing.address(id).node as usize] = true;
    }
    let counter = Counter { network, is_source, bridging: Bridging::new(fabric) };
    let sum = identities
        .par_iter()
        .try_fold(
            || Counts::new(fabric),
            |counts, &to| expect_wanted(stop).map(|()| counter.add(counts, to)),
        )
        .try_reduce(|| Counts::new(fabric), |a, b| Ok(a.plus(b)))?;
    Ok(Load { channels: share_bundles(fabric, &sum.leaving), forwarded: sum.forwarded })
}

/// Checks that all addresses exist.
pub(super) fn expect_addresses(network: &Network, ids: &[AddressId]) -> Result<(), MetricError> {
    let n_addresses = network.addressing.addresses().len();
    match ids.iter().find(|&&id| id as usize >= n_addresses) {
        Some(&id) => Err(MetricError::UnknownAddress(id)),
        None => Ok(()),
    }
}

struct Counter<'a> {
    network: &'a Network,
    is_source: Vec<bool>,
    bridging: Bridging,
}

impl Counter<'_> {
    /// Adds the packets of all sources to one address.
    fn add(&self, mut counts: Counts, to: AddressId) -> Counts {
        let ways = Towards::new(self.network, to);
        let mut carried = vec![0u64; self.is_source.len()];
        let mut crossed = Vec::new();
        for node in ways.farthest_first() {
            let relayed = carried[node as usize];
            let sent = relayed + u64::from(self.is_source[node as usize]);
            counts.forwarded[node as usize] += relayed;
            let Decision::Forward(hop) = ways.decisions[node as usize] else { continue };
            let next: NodeId = self.network.fabric.port(hop.via).device;
            carried[next as usize] += sent;
            crossed.clear();
            self.bridging.extend_path(&self.network.fabric, hop.port, hop.via, &mut crossed);
            counts.leaving[hop.port as usize] += sent;
            for port in crossed.iter().filter_map(|&Crossing { outlet, .. }| outlet) {
                counts.leaving[port as usize] += sent;
            }
        }
        counts
    }
}

struct Counts {
    forwarded: Vec<u64>,
    /// Packets that leave by each port.
    leaving: Vec<u64>,
}

impl Counts {
    fn new(fabric: &Fabric) -> Counts {
        Counts {
            forwarded: vec![0; fabric.n_nodes() as usize],
            leaving: vec![0; fabric.ports().len()],
        }
    }

    fn plus(mut self, other: Counts) -> Counts {
        let add = |sum: &mut [u64], more: &[u64]| {
            sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        };
        add(&mut self.forwarded, &other.forwarded);
        add(&mut self.leaving, &other.leaving);
        self
    }
}

/// Spreads what leaves by the leader of a bundle over its links.
fn share_bundles(fabric: &Fabric, leaving: &[u64]) -> Vec<[f64; 2]> {
    let mut members = vec![0u32; leaving.len()];
    for port in 0..leaving.len() as PortId {
        members[fabric.bundle(port) as usize] += 1;
    }
    let share = |port: PortId| {
        let leader = fabric.bundle(port) as usize;
        leaving[leader] as f64 / f64::from(members[leader])
    };
    (0..fabric.links().len() as LinkId)
        .map(|link| fabric.links()[link as usize])
        .map(|link| [share(link.a), share(link.b)])
        .collect()
}
