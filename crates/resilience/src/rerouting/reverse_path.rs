//! Packets dropped by reverse-path filters after a failure: strict filters drop a packet that
//! enters by another port than the one of the node's own route to its sender, loose filters a
//! packet to whose sender the node has no route.
//!
//! Every pair is traced, so that the effective tables are kept: one step per (destination, node),
//! of which a failure changes those it breaks.

use quantity::{Id, OptionalId};

use crate::{Loss, NodeId, PortId, ResidualFabric};

use super::{Baseline, DestinationId, current_route};

/// Out of a port, into a port.
type Crossing = (OptionalId<PortId>, OptionalId<PortId>);

/// The effective tables.
#[derive(Debug)]
pub(super) struct ActingTables<'a> {
    baseline: &'a Baseline,
    /// The step of each node for a packet to each destination: entry `to * n_nodes + node`.
    steps: Vec<Crossing>,
    /// The entries that the present failure changed, with their former values.
    changed: Vec<(usize, Crossing)>,
}

impl<'a> ActingTables<'a> {
    /// Returns the tables of the whole network.
    pub fn new(baseline: &'a Baseline) -> ActingTables<'a> {
        let residual = ResidualFabric::new(&baseline.wiring);
        let mut tables = ActingTables { baseline, steps: Vec::new(), changed: Vec::new() };
        let n_nodes = baseline.wiring.n_nodes();
        let pairs = { baseline.destinations.ids() }
            .flat_map(|to| NodeId::first(n_nodes).map(move |node| (to, node)));
        tables.steps = pairs.map(|(to, node)| tables.step(&residual, to, node)).collect();
        tables
    }

    fn step(&self, residual: &ResidualFabric, to: DestinationId, node: NodeId) -> Crossing {
        let route = current_route(self.baseline.to(to), residual, node);
        route.map_or_else(Default::default, |route| (route.port.into(), route.via.into()))
    }

    /// Updates the steps of (destination, node) pairs.
    pub fn change(
        &mut self,
        residual: &ResidualFabric,
        pairs: impl Iterator<Item = (DestinationId, NodeId)>,
    ) {
        for (to, node) in pairs {
            let entry = self.entry(to, node);
            let step = self.step(residual, to, node);
            self.changed.push((entry, std::mem::replace(&mut self.steps[entry], step)));
        }
    }

    /// Undoes the present failure.
    pub fn restore(&mut self) {
        for (entry, step) in self.changed.drain(..).rev() {
            self.steps[entry] = step;
        }
    }

    /// Returns the number of packets to a destination that strict and that loose filters drop,
    /// without those of the senders for which `is_lost` returns true.
    pub fn count(
        &self,
        to: DestinationId,
        loss: &Loss,
        is_lost: impl Fn(DestinationId) -> bool,
    ) -> (u64, u64) {
        let owner = self.baseline.to(to).owner;
        let (mut n_strict, mut n_loose) = (0, 0);
        for from in self.baseline.destinations.ids() {
            let sender = self.baseline.to(from).owner;
            if sender != owner && !loss.holds(sender) && !is_lost(from) {
                let (strict, loose) = self.walk(from, sender, to, owner);
                n_strict += u64::from(strict);
                n_loose += u64::from(loose);
            }
        }
        (n_strict, n_loose)
    }

    /// Traces a packet that arrives; returns whether a strict and whether a loose filter drops it.
    fn walk(
        &self,
        from: DestinationId,
        sender: NodeId,
        to: DestinationId,
        owner: NodeId,
    ) -> (bool, bool) {
        let (mut node, mut is_strict) = (sender, false);
        while node != owner {
            let (_, via) = self.steps[self.entry(to, node)];
            let via = via.get().expect("its packets arrive");
            node = self.baseline.wiring.node_of(via);
            let (back, _) = self.steps[self.entry(from, node)];
            let Some(back) = back.get() else { return (true, true) };
            is_strict |= back != via;
        }
        (is_strict, false)
    }

    fn entry(&self, to: DestinationId, node: NodeId) -> usize {
        to.index() * self.baseline.wiring.n_nodes() as usize + node.index()
    }
}
