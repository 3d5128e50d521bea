//! Packets dropped by reverse-path filters after a failure: strict filters drop a packet that
//! enters by another port than the one of the node's own route to its sender, loose filters a
//! packet to whose sender the node has no route.
//!
//! Every pair is traced, so that the effective tables are kept: one step per (destination, node),
//! of which a failure changes those it breaks.

use quantity::{Id, OptionalId};

use crate::{Loss, NodeId, PlaceId, PortId, ResidualFabric};

use super::connections::Mark;
use super::{Baseline, Destination, DestinationId, Route, current_route};

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
        crossing(current_route(self.baseline.to(to), residual, (node, None)))
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

    /// Returns the packets to a destination that filters drop, each with the mark of the filters:
    /// destination, sender, mark. Senders for which `lasts` returns false send none.
    pub fn dropped(
        &self,
        residual: &ResidualFabric,
        to: DestinationId,
        loss: &Loss,
        lasts: impl Fn(DestinationId) -> bool,
    ) -> Vec<(DestinationId, DestinationId, Mark)> {
        let owner = self.baseline.to(to).owner;
        let mut dropped = Vec::new();
        for from in self.baseline.destinations.ids() {
            let sender = self.baseline.to(from).owner;
            if sender != owner && !loss.holds(sender) && lasts(from) {
                let (strict, loose) = self.walk(residual, (from, sender), (to, owner));
                dropped.extend(strict.then_some((to, from, Mark::Strict)));
                dropped.extend(loose.then_some((to, from, Mark::Loose)));
            }
        }
        dropped
    }

    /// Traces a packet that arrives; returns whether a strict and whether a loose filter drops it.
    ///
    /// A filter asks for the route to the source as if the packet came in by the port that it
    /// leaves by: that port chooses the table.
    fn walk(
        &self,
        residual: &ResidualFabric,
        (from, sender): (DestinationId, NodeId),
        (to, owner): (DestinationId, NodeId),
    ) -> (bool, bool) {
        let (wiring, [source, target]) =
            (&self.baseline.wiring, [from, to].map(|index| self.baseline.to(index)));
        let (mut came_by, mut is_strict) = (None, false);
        let mut place = PlaceId::from(sender);
        loop {
            let node = wiring.at(place).0;
            let (out, via) = match node == owner {
                true => Default::default(),
                false => self.step_from(residual, to, target, place),
            };
            if node == sender {
                // Back where it came from: no filter but the strict one minds an own source.
                is_strict |= came_by.is_some();
            } else if let Some(came_by) = came_by {
                let asks = out.get().map_or(node.into(), |port| source.place(wiring, port));
                let (back, _) = self.step_from(residual, from, source, asks);
                let Some(back) = back.get() else { return (true, true) };
                is_strict |= back != came_by;
            }
            if node == owner {
                return (is_strict, false);
            }
            let via = via.get().expect("its packets arrive");
            (place, came_by) = (target.place(wiring, via), Some(via));
        }
    }

    /// Returns the step of a packet to a destination from a place.
    fn step_from(
        &self,
        residual: &ResidualFabric,
        index: DestinationId,
        to: &Destination,
        place: PlaceId,
    ) -> Crossing {
        match self.baseline.wiring.at(place) {
            (node, None) => self.steps[self.entry(index, node)],
            at => crossing(current_route(to, residual, at)),
        }
    }

    fn entry(&self, to: DestinationId, node: NodeId) -> usize {
        to.index() * self.baseline.wiring.n_nodes() as usize + node.index()
    }
}

fn crossing(route: Option<Route>) -> Crossing {
    route.map_or_else(Default::default, |route| (route.port.into(), route.via.into()))
}
