//! Loads by following the packets: per destination they flow down the tree of its paths, from the
//! farthest nodes first. All sums are integers, so the order of threads does not matter.

use std::sync::atomic::AtomicBool;

use quantity::IdVec;
use rayon::prelude::*;

use crate::Network;
use crate::bridging::Crossing;
use crate::ids::{AddressId, NodeId};
use crate::metrics::towards::Towards;
use crate::metrics::{MetricError, expect_wanted};
use crate::routing::Decision;

use super::counts::Counts;

/// Counts the packets from all owners of some addresses to each of `destinations`.
pub(super) fn walked(
    network: &Network,
    identities: &[AddressId],
    destinations: &[AddressId],
    stop: &AtomicBool,
) -> Result<Counts, MetricError> {
    let fabric = &network.fabric;
    let mut is_source = IdVec::filled(false, fabric.n_nodes());
    for &id in identities {
        is_source[network.addressing.address(id).node] = true;
    }
    let counter = Counter { network, is_source };
    destinations
        .par_iter()
        .try_fold(
            || Counts::new(fabric),
            |counts, &to| expect_wanted(stop).map(|()| counter.add(counts, to)),
        )
        .try_reduce(|| Counts::new(fabric), |a, b| Ok(a.plus(b)))
}

struct Counter<'a> {
    network: &'a Network,
    is_source: IdVec<NodeId, bool>,
}

impl Counter<'_> {
    /// Adds the packets of all sources to one address.
    fn add(&self, mut counts: Counts, to: AddressId) -> Counts {
        let towards = Towards::new(self.network, to);
        let mut carried = IdVec::filled(0u64, self.is_source.n());
        let mut crossed = Vec::new();
        for node in towards.farthest_first() {
            let relayed = carried[node];
            let sent = relayed + u64::from(self.is_source[node]);
            counts.forwarded[node] += relayed;
            let Decision::Forward(hop) = towards.decisions[node] else { continue };
            let next = self.network.fabric.node_of(hop.via);
            carried[next] += sent;
            let fabric = &self.network.fabric;
            let n_wires = fabric.common_wires(hop.port, hop.via).count() as u64;
            for (place, (from, to)) in (0..).zip(fabric.common_wires(hop.port, hop.via)) {
                let share = (sent * counts.parts + place) / n_wires;
                crossed.clear();
                self.network.bridging().extend_on_wire(fabric, from, to, &mut crossed);
                counts.leaving[from] += share;
                for port in crossed.iter().filter_map(|&Crossing { outlet, .. }| outlet) {
                    counts.leaving[port] += share;
                }
            }
        }
        counts
    }
}
