//! Reachability of every address from every node, the hops it takes, and the reasons for losses.
//! The network is taken as intact; the caller compiles the rest after a failure.

use std::sync::atomic::AtomicBool;

use quantity::{Id, IdVec};
use rayon::prelude::*;

use crate::Network;
use crate::ids::{AddressId, NodeId};
use crate::routing::{Hop, shared_hop};

use super::sample::sample;
use super::towards::{Lost, Towards};
use super::{MetricError, expect_wanted};

/// Most lost pairs that are listed; the others are only counted.
const MOST_LISTED: usize = 65_536;

/// The most pairs of node and address for which every packet is followed: less than a minute of
/// computation.
const MOST_FOLLOWED: usize = 1 << 28;
/// The most pairs that are followed in a sample.
const MOST_SAMPLED: usize = 1 << 25;
/// The most addresses of a subnet per unit of work of a thread.
const CHUNK: usize = 64;

/// A pair that does not communicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreachable {
    /// The sending node.
    pub node: NodeId,
    /// The destination address.
    pub address: AddressId,
    /// The reason why the packet does not arrive.
    pub reason: Lost,
}

/// The fate of the packets from every node to every address of every other node.
#[derive(Clone, Debug, PartialEq)]
pub struct Reachability {
    /// Number of (node, address) pairs that are lost.
    pub n_unreachable: u64,
    /// The first lost pairs, in order of address and node.
    pub unreachable: Vec<Unreachable>,
    /// Counted (node, address) pairs by number of hops; entry 0 is zero.
    pub hops_histogram: Vec<u64>,
    /// The destinations of the followed packets, in order of id: all addresses, or a seeded sample.
    pub addresses: Vec<AddressId>,
    /// The most hops from any counted node to each of `addresses`; 0 if none reaches it.
    pub worst_hops: Vec<u32>,
}

impl Reachability {
    /// Returns the mean number of forwards (hops less one) over the pairs that communicate.
    pub fn forwards_mean(&self) -> f64 {
        let pairs: u64 = self.hops_histogram.iter().sum();
        let hops: u64 = (0..).zip(&self.hops_histogram).map(|(hops, n)| hops * n).sum();
        if pairs == 0 { 0.0 } else { (hops - pairs) as f64 / pairs as f64 }
    }

    /// Returns the most forwards of any pair that communicates.
    pub fn forwards_worst(&self) -> u32 {
        self.worst_hops.iter().max().map_or(0, |hops| hops.saturating_sub(1))
    }
}

/// Follows a packet from every node to every address.
///
/// Losses are counted between all nodes, hops only among the first `n_counted`, so that a front end
/// does not distort the figures of the compute nodes. With too many pairs, packets are followed to
/// a seeded sample of the addresses.
///
/// # Errors
/// When `stop` is set during the count.
pub fn reachability(
    network: &Network,
    n_counted: u32,
    stop: &AtomicBool,
) -> Result<Reachability, MetricError> {
    let addressing = &network.addressing;
    let mut wanted = wanted(network);
    wanted.sort_unstable_by_key(|&id| (addressing.address(id).subnet, id));
    let same_subnet = |&a: &AddressId, &b: &AddressId| {
        addressing.address(a).subnet == addressing.address(b).subnet
    };
    let subnets: Vec<&[AddressId]> =
        wanted.chunk_by(same_subnet).flat_map(|members| members.chunks(CHUNK)).collect();
    let parts = subnets
        .par_iter()
        .map(|members| follow_all(network, members, n_counted, stop))
        .collect::<Result<Vec<Vec<Reachability>>, MetricError>>()?;
    let mut parts: Vec<Reachability> = parts.into_iter().flatten().collect();
    parts.sort_unstable_by_key(|part| part.addresses[0]);
    Ok(parts.into_iter().fold(empty(), |mut all, part| {
        all.n_unreachable += part.n_unreachable;
        let room = MOST_LISTED - all.unreachable.len();
        all.unreachable.extend(part.unreachable.into_iter().take(room));
        let longer = all.hops_histogram.len().max(part.hops_histogram.len());
        all.hops_histogram.resize(longer, 0);
        all.hops_histogram.iter_mut().zip(part.hops_histogram).for_each(|(sum, n)| *sum += n);
        all.addresses.extend(part.addresses);
        all.worst_hops.extend(part.worst_hops);
        all
    }))
}

fn empty() -> Reachability {
    Reachability {
        n_unreachable: 0,
        unreachable: Vec::new(),
        hops_histogram: Vec::new(),
        addresses: Vec::new(),
        worst_hops: Vec::new(),
    }
}

/// Returns the destinations of the followed packets.
fn wanted(network: &Network) -> Vec<AddressId> {
    let all: Vec<AddressId> = network.addressing.addresses().ids().collect();
    let n_nodes = network.fabric.n_nodes().max(1) as usize;
    if all.len() <= MOST_FOLLOWED / n_nodes {
        return all;
    }
    sample(&all, (MOST_SAMPLED / n_nodes).clamp(1, all.len()))
}

/// Follows packets to some addresses of one subnet, which share the hops known to the scheme.
fn follow_all(
    network: &Network,
    members: &[AddressId],
    n_counted: u32,
    stop: &AtomicBool,
) -> Result<Vec<Reachability>, MetricError> {
    let subnet = network.addressing.address(members[0]).subnet;
    let subnet = &network.addressing.subnets()[subnet];
    let nodes = NodeId::first(if members.len() > 1 { network.fabric.n_nodes() } else { 0 });
    let hops: IdVec<NodeId, Option<Hop>> =
        nodes.map(|node| shared_hop(network, node, subnet)).collect();
    members
        .iter()
        .map(|&to| expect_wanted(stop).map(|()| follow(network, to, &hops, n_counted)))
        .collect()
}

fn follow(
    network: &Network,
    to: AddressId,
    hops: &IdVec<NodeId, Option<Hop>>,
    n_counted: u32,
) -> Reachability {
    let mut part = empty();
    let is_counted_owner = network.addressing.address(to).node.get() < n_counted;
    let mut worst = 0;
    for (node, outcome) in Towards::given(network, to, hops).outcomes.with_ids() {
        match *outcome {
            Ok(0) => {}
            Ok(hops) if is_counted_owner && node.get() < n_counted => {
                worst = worst.max(hops);
                let longer = part.hops_histogram.len().max(hops as usize + 1);
                part.hops_histogram.resize(longer, 0);
                part.hops_histogram[hops as usize] += 1;
            }
            Ok(_) => {}
            Err(reason) => {
                part.n_unreachable += 1;
                part.unreachable.push(Unreachable { node, address: to, reason });
            }
        }
    }
    part.addresses.push(to);
    part.worst_hops.push(worst);
    part
}
