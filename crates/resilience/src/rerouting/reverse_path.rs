//! What reverse-path filters drop after a failure: packets that come in by another port than a
//! node's own route to their sender leaves by (strict), or whose sender it has no route to (loose).
//!
//! All pairs are walked, so the tables are kept as they act: one step per (destination, node), of
//! which a failure changes those it breaks.

use quantity::{Id, OptionalId};

use crate::{Loss, NodeId, PortId, ResidualFabric};

use super::{Baseline, DestinationId, current_route};

/// Out of a port, into a port.
type Crossing = (OptionalId<PortId>, OptionalId<PortId>);

/// The tables as they act.
#[derive(Debug)]
pub(super) struct ActingTables<'a> {
    baseline: &'a Baseline,
    /// What each node does with a packet for each destination: entry `to * n_nodes + node`.
    steps: Vec<Crossing>,
    /// The entries that the present failure changed, and what they were.
    changed: Vec<(usize, Crossing)>,
}

impl<'a> ActingTables<'a> {
    /// Returns the tables while all is whole.
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

    /// Brings up to date what nodes do with packets for destinations.
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

    /// Makes all whole again.
    pub fn restore(&mut self) {
        for (entry, step) in self.changed.drain(..).rev() {
            self.steps[entry] = step;
        }
    }

    /// Returns how many of the packets to a destination, those of the senders that `is_lost` names
    /// left out, strict and loose filters drop.
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

    /// Walks a packet that arrives; returns whether some strict or loose filter drops it.
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
