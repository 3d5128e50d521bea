//! A network in which failures are tried, and the answers as the words that the script reads. The
//! meaning of each word is defined here and read in frontend/src/failures/core.ts.

use std::sync::atomic::AtomicBool;

use quantity::{Id, IdVec, Ids};
use resilience::rerouting::{Baseline, Cause, DestinationId, FailureTrial, Need};
use resilience::{DeviceId, LinkId, Loss, NodeId, Part, PortId, ResidualFabric};

use crate::routes::{End, PageRoute, Tables, by_tables, shortest};

/// The word for an absent value.
const NONE: u32 = u32::MAX;

/// A page: the network, and its state after the last failure.
#[derive(Debug)]
pub struct Page<'a> {
    baseline: &'a Baseline,
    whole: ResidualFabric<'a>,
    trial: FailureTrial<'a>,
}

impl<'a> Page<'a> {
    /// Returns the page of a network in which nothing has failed.
    pub fn new(baseline: &'a Baseline) -> Page<'a> {
        let whole = ResidualFabric::new(&baseline.wiring);
        Page { baseline, whole, trial: FailureTrial::new(baseline) }
    }

    /// Fails all of some parts at once, each a code and an id, and returns the impact: ten counts;
    /// the worst pair, as its outcome, its sender and its receiver; for each node the lost and the
    /// rerouted connections that it belongs to, and the packets it relays; for each link whether it
    /// is dead.
    pub fn fail(&mut self, parts: &[u32]) -> Vec<u32> {
        let part = |part: &[u32]| match part[0] {
            0 => Part::Cable(LinkId::new(part[1])),
            1 => Part::Port(PortId::new(part[1])),
            _ => Part::Device(DeviceId::new(part[1])),
        };
        let parts: Vec<Part> = parts.chunks_exact(2).map(part).collect();
        let loss = Loss::of(&self.baseline.wiring, &parts);
        let stop = AtomicBool::new(false);
        let impact = self.trial.run(&loss, &stop).expect("it is waited for");
        let counts = [
            impact.n_untouched,
            impact.n_rerouted,
            impact.n_recomputed,
            impact.n_daemon,
            impact.n_disconnected,
            impact.n_looping,
            impact.n_unanswered,
            impact.extra_hops,
            u64::from(impact.worst_extra_hops),
            impact.most_forwarded,
        ];
        let example = impact.examples.first().map(|pair| match pair.need {
            Need::NewParts => [3, pair.from, pair.to],
            Need::Daemon | Need::RecomputedTables => [2, pair.from, pair.to],
        });
        let rerouted = || self.trial.rerouted().min().map(|(to, from)| [1, from.get(), to.get()]);
        let mut answer: Vec<u32> = counts.map(|count| count as u32).to_vec();
        answer.extend(example.or_else(rerouted).unwrap_or([0; 3]));
        answer.extend(self.of_nodes(self.trial.lost()));
        answer.extend(self.of_nodes(self.trial.rerouted()));
        answer.extend(self.nodes().map(|node| self.trial.relayed(node) as u32));
        let links = LinkId::first(self.baseline.wiring.n_links());
        answer.extend(links.map(|link| u32::from(!self.trial.residual().is_alive(link))));
        answer
    }

    fn nodes(&self) -> Ids<NodeId> {
        NodeId::first(self.baseline.wiring.n_nodes())
    }

    /// Returns for each node the number of connections that it belongs to.
    fn of_nodes(
        &self,
        connections: impl Iterator<Item = (DestinationId, DestinationId)>,
    ) -> Vec<u32> {
        let mut n_connections = IdVec::filled(0, self.baseline.wiring.n_nodes());
        for index in connections.flat_map(|(to, from)| [to, from]) {
            n_connections[self.baseline.to(index).owner] += 1;
        }
        n_connections.into_vec()
    }

    /// Returns the route of a packet from a node to a destination: in the whole network, or after
    /// the last failure by the tables as they are or recomputed.
    pub fn route(
        &self,
        from: NodeId,
        to: DestinationId,
        is_whole: bool,
        tables: Tables,
    ) -> PageRoute {
        let left = if is_whole { &self.whole } else { self.trial.residual() };
        let to = self.baseline.to(to);
        match tables {
            Tables::Present => by_tables(&self.baseline.wiring, to, left, from),
            Tables::Recomputed => shortest(&self.baseline.wiring, left, from, to.owner),
        }
    }
}

impl PageRoute {
    /// Returns the route as words: its end, the node there, the two ports of a failed attempt; then
    /// for each hop the two ports, the number of links between them, and these links.
    pub fn words(&self) -> Vec<u32> {
        let end = match self.end {
            End::Arrived => 0,
            End::Lost(Cause::NoRoute) => 1,
            End::Lost(Cause::Unseen) => 2,
            End::Lost(Cause::Loop) => 3,
            End::Disconnected => 4,
        };
        let attempt =
            self.attempt.map_or([NONE; 2], |to| [to.port.get(), to.via.map_or(NONE, PortId::get)]);
        let mut words = vec![end, self.at.get(), attempt[0], attempt[1]];
        for (port, via, links) in &self.hops {
            words.extend([port.get(), via.get(), links.len() as u32]);
            words.extend(links.iter().map(|link| link.get()));
        }
        words
    }
}
