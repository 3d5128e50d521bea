//! Packet counts per node and port, common to all methods; all sums are integers.

use quantity::IdVec;

use crate::fabric::Fabric;
use crate::ids::{NodeId, PortId};

/// Parts of a packet: a bond of up to ten ports splits it evenly without leaving the integers.
const PARTS: u64 = 2520;

/// Packets per node and port.
pub(super) struct Counts {
    pub forwarded: IdVec<NodeId, u64>,
    /// Packets that leave by each port, counted in `parts`; a bundle is counted at its leader.
    pub leaving: IdVec<PortId, u64>,
    /// The parts of a packet: more than one where bonds split it.
    pub parts: u64,
}

impl Counts {
    pub fn new(fabric: &Fabric) -> Counts {
        Counts {
            forwarded: IdVec::filled(0, fabric.n_nodes()),
            leaving: IdVec::filled(0, fabric.ports().n()),
            parts: if fabric.has_bonds() { PARTS } else { 1 },
        }
    }

    pub fn plus(mut self, other: Counts) -> Counts {
        let add = |sum: &mut [u64], more: &[u64]| {
            sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        };
        add(&mut self.forwarded, &other.forwarded);
        add(&mut self.leaving, &other.leaving);
        self
    }
}
