//! The load of nodes and channels: under uniform traffic, in which each node sends one packet to
//! each other, under a pattern of pairs, and under the permutation that loads a channel most.
//!
//! Uniform traffic is counted by sums in one dimension where the routing scheme allows them,
//! otherwise packet by packet (followed or hashed), and by a sample where the packets are too many.
//! The method is chosen here and reported in the result.

mod counts;
mod derived;
mod hashed;
mod pattern;
mod segment;
mod walked;
mod worst;

use std::sync::atomic::AtomicBool;

use quantity::IdVec;

use crate::Network;
use crate::fabric::Fabric;
use crate::ids::{AddressId, LinkId, NodeId, PortId};

use super::MetricError;
use super::sample::sample;
use counts::Counts;
use derived::{derived, in_one_multipath, relayed};
use hashed::hashed;
use walked::walked;

pub use worst::{MOST_EXACT, WorstCase, worst_case};

/// The most pairs of node and address for which every packet is followed: some seconds of
/// computation, and the limit of a table of shortest paths.
const MOST_WALKED: usize = 1 << 26;
/// The most pairs for which every packet is hashed through switches, one step per packet.
const MOST_HASHED: usize = 1 << 27;
/// The most pairs that are followed in a sample.
const MOST_SAMPLED: usize = 1 << 24;

/// The method by which a load was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadMethod {
    /// As sums over lines or segments.
    Derived,
    /// By following every packet.
    Walked,
    /// By following the packets to a sample of destinations, drawn with a fixed seed, and scaling
    /// up.
    Sampled {
        /// Number of destinations; on multipath switches, per node.
        n_destinations: usize,
    },
}

/// Load when each node sends one packet to each other node.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// Packets that each node relays for others.
    pub forwarded: IdVec<NodeId, u64>,
    /// Packets on each link from its end `a` to `b`, and from `b` to `a`. The links of a bundle
    /// share evenly, and so do the wires of a bond. At a hub, which repeats a frame on all its
    /// links, only the links on the path count.
    pub channels: IdVec<LinkId, [f64; 2]>,
    /// The method of the count; only a sample is not exact.
    pub method: LoadMethod,
}

/// Relayed packets when each node sends one packet to each other node.
#[derive(Clone, Debug, PartialEq)]
pub struct Forwarding {
    /// Packets that each node relays for others.
    pub forwarded: IdVec<NodeId, u64>,
    /// The method of the count; only a sample is not exact.
    pub method: LoadMethod,
}

/// Counts the packets that each node relays under uniform traffic between the owners of some
/// addresses. The count is exact in more cases than that of link loads, and costs less.
///
/// # Errors
/// When an address does not exist, or `stop` is set during the count.
pub fn forwarding(
    network: &Network,
    identities: &[AddressId],
    stop: &AtomicBool,
) -> Result<Forwarding, MetricError> {
    expect_addresses(network, identities)?;
    if let Some(forwarded) = relayed(network, identities) {
        return Ok(Forwarding { forwarded, method: LoadMethod::Derived });
    }
    let Load { forwarded, method, .. } = load(network, identities, stop)?;
    Ok(Forwarding { forwarded, method })
}

/// Counts the load of uniform traffic between the owners of some addresses.
///
/// # Errors
/// When an address does not exist, or `stop` is set during the count.
pub fn load(
    network: &Network,
    identities: &[AddressId],
    stop: &AtomicBool,
) -> Result<Load, MetricError> {
    expect_addresses(network, identities)?;
    let fabric = &network.fabric;
    let finish = |counts: Counts, method, factor| finished(fabric, &counts, method, factor);
    if let Some(counts) = derived(network, identities) {
        return Ok(finish(counts, LoadMethod::Derived, 1.0));
    }
    if let Some(stations) = in_one_multipath(network, identities) {
        return hashed_load(network, &stations, stop);
    }
    let n_nodes = fabric.n_nodes().max(1) as usize;
    if identities.len() <= MOST_WALKED / n_nodes {
        let counts = walked(network, identities, identities, stop)?;
        return Ok(finish(counts, LoadMethod::Walked, 1.0));
    }
    let destinations = sample(identities, (MOST_SAMPLED / n_nodes).clamp(1, identities.len()));
    let counts = walked(network, identities, &destinations, stop)?;
    let method = LoadMethod::Sampled { n_destinations: destinations.len() };
    Ok(finish(counts, method, identities.len() as f64 / destinations.len() as f64))
}

/// Counts the load of uniform traffic between the stations of a multipath segment.
fn hashed_load(
    network: &Network,
    stations: &[PortId],
    stop: &AtomicBool,
) -> Result<Load, MetricError> {
    let n = stations.len();
    let others: Vec<u32> = (1..n as u32).collect();
    if n <= MOST_HASHED / n {
        let counts = hashed(network, stations, &others, stop)?;
        return Ok(finished(&network.fabric, &counts, LoadMethod::Walked, 1.0));
    }
    let n_destinations = (MOST_HASHED / n).clamp(1, others.len());
    let behind = sample(&others, n_destinations);
    let counts = hashed(network, stations, &behind, stop)?;
    let factor = others.len() as f64 / n_destinations as f64;
    Ok(finished(&network.fabric, &counts, LoadMethod::Sampled { n_destinations }, factor))
}

/// Counts the load when each node of some (node, address) pairs sends one packet to the address.
///
/// # Errors
/// When a node or address does not exist, a packet does not arrive, or `stop` is set during the
/// count.
pub fn pattern_load(
    network: &Network,
    pairs: &[(NodeId, AddressId)],
    stop: &AtomicBool,
) -> Result<Load, MetricError> {
    let addresses: Vec<AddressId> = pairs.iter().map(|&(_, to)| to).collect();
    expect_addresses(network, &addresses)?;
    if let Some(&(node, _)) = pairs.iter().find(|&&(node, _)| !network.fabric.is_node(node)) {
        return Err(MetricError::UnknownNode { node });
    }
    let counts = pattern::followed(network, pairs, stop)?;
    Ok(finished(&network.fabric, &counts, LoadMethod::Walked, 1.0))
}

/// Returns the counts times `factor`; below 2^53 a factor of one is exact.
fn finished(fabric: &Fabric, counts: &Counts, method: LoadMethod, factor: f64) -> Load {
    Load {
        channels: share_bundles(fabric, &counts.leaving, factor / counts.parts as f64),
        forwarded: counts.forwarded.iter().map(|&n| (n as f64 * factor).round() as u64).collect(),
        method,
    }
}

/// Checks that all addresses exist.
pub(super) fn expect_addresses(network: &Network, ids: &[AddressId]) -> Result<(), MetricError> {
    let n_addresses = network.addressing.addresses().n();
    match ids.iter().find(|&&id| id.get() >= n_addresses) {
        Some(&address) => Err(MetricError::UnknownAddress { address }),
        None => Ok(()),
    }
}

/// Spreads the packets counted at the leader of a bundle over its links.
fn share_bundles(
    fabric: &Fabric,
    leaving: &IdVec<PortId, u64>,
    factor: f64,
) -> IdVec<LinkId, [f64; 2]> {
    let mut members = IdVec::filled(0u32, leaving.n());
    for port in leaving.ids() {
        members[fabric.bundle(port)] += 1;
    }
    let share = |port: PortId| {
        let leader = fabric.bundle(port);
        leaving[leader] as f64 * factor / f64::from(members[leader])
    };
    fabric.links().iter().map(|link| [share(link.a), share(link.b)]).collect()
}
