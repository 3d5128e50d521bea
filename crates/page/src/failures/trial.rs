//! A network in which failures are tried: the impact of each, with the outcome of every node and
//! link, and the routes of packets before and after it.

use std::sync::atomic::AtomicBool;

use quantity::{Id, IdVec, Ids, columns};
use resilience::rerouting::{Baseline, DestinationId, FailureImpact, FailureTrial, Need};
use resilience::{LinkId, Loss, NodeId, Part, ResidualFabric};

use super::routes::{PageRoute, Tables, by_tables, shortest};

/// The network, and its state after the last failure.
#[derive(Debug)]
pub struct Trial<'a> {
    baseline: &'a Baseline,
    whole: ResidualFabric<'a>,
    trial: FailureTrial<'a>,
}

/// The worst that befalls a pair of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Its packets take another route.
    Rerouted,
    /// Its packets are lost until tables are recomputed, or until a routing daemon finds the path
    /// that is left.
    Helped,
    /// No path is left.
    Disconnected,
}

columns! {
    /// The effect of a failure on each node.
    "nodes": Nodes of NodeRow {
        /// Connections of the node that are lost.
        lost: u32,
        /// Connections of the node that are rerouted.
        rerouted: u32,
        /// Packets that the node relays while every living node sends one to every other.
        relayed: u32,
    }
}

columns! {
    /// The state of each link.
    "links": Links of LinkRow {
        /// 1 if the link is dead.
        is_dead: u8,
    }
}

/// The impact of a failure.
#[derive(Clone, Debug)]
pub struct PageImpact {
    /// The counts of all connections.
    pub whole: FailureImpact,
    /// A pair that fares worst, as its destinations; `None` where all are untouched.
    pub worst: Option<(Outcome, DestinationId, DestinationId)>,
    /// By node.
    pub nodes: Nodes,
    /// By link.
    pub links: Links,
}

impl<'a> Trial<'a> {
    /// Returns a network in which nothing has failed.
    pub fn new(baseline: &'a Baseline) -> Trial<'a> {
        let whole = ResidualFabric::new(&baseline.wiring);
        Trial { baseline, whole, trial: FailureTrial::new(baseline) }
    }

    /// Fails all of some parts at once, and returns the impact.
    pub fn fail(&mut self, parts: &[Part]) -> PageImpact {
        let loss = Loss::of(&self.baseline.wiring, parts);
        let impact = self.trial.run(&loss, &AtomicBool::new(false)).expect("no caller stops it");
        let worst = self.worst(&impact);
        let (lost, rerouted) =
            (self.of_nodes(self.trial.lost()), self.of_nodes(self.trial.rerouted()));
        let row = |node| NodeRow {
            lost: lost[node],
            rerouted: rerouted[node],
            relayed: self.trial.relayed(node) as u32,
        };
        let links = LinkId::first(self.baseline.wiring.n_links());
        let is_dead = |link| u8::from(!self.trial.residual().is_alive(link));
        PageImpact {
            worst,
            nodes: self.nodes().map(row).collect(),
            links: links.map(|link| LinkRow { is_dead: is_dead(link) }).collect(),
            whole: impact,
        }
    }

    fn worst(&self, impact: &FailureImpact) -> Option<(Outcome, DestinationId, DestinationId)> {
        let lost = impact.examples.first().map(|pair| {
            let outcome = match pair.need {
                Need::NewParts => Outcome::Disconnected,
                Need::Daemon | Need::RecomputedTables => Outcome::Helped,
            };
            (outcome, DestinationId::new(pair.from), DestinationId::new(pair.to))
        });
        let rerouted =
            || self.trial.rerouted().min().map(|(to, from)| (Outcome::Rerouted, from, to));
        lost.or_else(rerouted)
    }

    fn nodes(&self) -> Ids<NodeId> {
        NodeId::first(self.baseline.wiring.n_nodes())
    }

    /// Returns for each node the number of connections that it belongs to.
    fn of_nodes(
        &self,
        connections: impl Iterator<Item = (DestinationId, DestinationId)>,
    ) -> IdVec<NodeId, u32> {
        let mut n_connections = IdVec::filled(0, self.baseline.wiring.n_nodes());
        for index in connections.flat_map(|(to, from)| [to, from]) {
            n_connections[self.baseline.to(index).owner] += 1;
        }
        n_connections
    }

    /// Returns the route of a packet from a node to a destination, by the tables of a moment.
    pub fn route(&self, from: NodeId, to: DestinationId, tables: Tables) -> PageRoute {
        let (wiring, to) = (&self.baseline.wiring, self.baseline.to(to));
        let left = self.trial.residual();
        match tables {
            Tables::Before => by_tables(wiring, to, &self.whole, from),
            Tables::After => by_tables(wiring, to, left, from),
            Tables::Recomputed => shortest(wiring, left, from, to.owner),
        }
    }
}
