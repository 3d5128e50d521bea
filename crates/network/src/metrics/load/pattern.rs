//! Loads of an arbitrary traffic pattern, packet by packet along its route: a permutation of n
//! nodes takes n routes, whatever the size of the network. No table of all pairs is built.

use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

use crate::Network;
use crate::bridging::Crossing;
use crate::ids::{AddressId, NodeId, PortId};
use crate::metrics::towards::Lost;
use crate::metrics::{MetricError, expect_wanted};
use crate::routing::Decision;

use super::counts::Counts;

/// Pairs per unit of work of a thread.
const CHUNK: usize = 1024;

/// Counts one packet of each (node, address) pair.
pub(super) fn followed(
    network: &Network,
    pairs: &[(NodeId, AddressId)],
    stop: &AtomicBool,
) -> Result<Counts, MetricError> {
    let fabric = &network.fabric;
    let follower = PacketWalker::new(network);
    pairs
        .par_chunks(CHUNK)
        .try_fold(
            || Counts::new(fabric),
            |mut counts, chunk| {
                expect_wanted(stop)?;
                for &(from, to) in chunk {
                    let parts = counts.parts;
                    let Counts { forwarded, leaving, .. } = &mut counts;
                    follower.walk(
                        from,
                        to,
                        |node| forwarded[node] += 1,
                        |port, share| {
                            let (place, n_wires) = share;
                            leaving[port] += (parts + place) / n_wires;
                        },
                    )?;
                }
                Ok(counts)
            },
        )
        .try_reduce(|| Counts::new(fabric), |a, b| Ok(a.plus(b)))
}

/// Walks single packets.
pub(super) struct PacketWalker<'a> {
    network: &'a Network,
}

impl<'a> PacketWalker<'a> {
    pub fn new(network: &'a Network) -> PacketWalker<'a> {
        PacketWalker { network }
    }

    /// Reports each node that relays a packet, and each port by which the packet leaves, with the
    /// place of the port among the wires of a bond and their number.
    pub fn walk(
        &self,
        from: NodeId,
        to: AddressId,
        mut relays: impl FnMut(NodeId),
        mut leaves: impl FnMut(PortId, (u64, u64)),
    ) -> Result<(), MetricError> {
        let fabric = &self.network.fabric;
        let lost = |reason| MetricError::Unreachable { node: from, address: to, reason };
        let mut crossed = Vec::new();
        let mut at = from;
        for _ in 0..=fabric.n_nodes() {
            let hop = match self.network.decide(at, to) {
                Decision::Own => return Ok(()),
                Decision::Forward(hop) => hop,
                Decision::NoRoute => return Err(lost(Lost::NoRoute)),
                Decision::WrongSegment => return Err(lost(Lost::WrongSegment)),
            };
            if at != from {
                relays(at);
            }
            let n_wires = fabric.common_wires(hop.port, hop.via).count() as u64;
            for (place, (port, via)) in (0..).zip(fabric.common_wires(hop.port, hop.via)) {
                crossed.clear();
                self.network.bridging().extend_on_wire(fabric, port, via, &mut crossed);
                leaves(port, (place, n_wires));
                for outlet in crossed.iter().filter_map(|&Crossing { outlet, .. }| outlet) {
                    leaves(outlet, (place, n_wires));
                }
            }
            at = fabric.node_of(hop.via);
        }
        Err(lost(Lost::Loop))
    }
}
