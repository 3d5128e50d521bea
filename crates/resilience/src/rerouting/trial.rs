//! The trial of one failure: the nodes affected, the ends of their packets, and the cost. A trial's
//! buffers belong to one thread.

use std::sync::atomic::{AtomicBool, Ordering};

use quantity::Id;

use crate::connectivity::components;
use crate::{DeviceId, Loss, Next, NodeId, PlaceId, ResidualFabric, RouteTracer, WireId, Wiring};

use super::connections::{Directions, Mark};
use super::relays::Relays;
use super::reverse_path::ActingTables;
use super::{
    Baseline, Cause, Destination, DestinationId, FailureImpact, LostPair, Need, Stopped,
    current_route,
};

/// Buffers for trying one failure after another, with the outcome of the last.
#[derive(Debug)]
pub struct FailureTrial<'a> {
    baseline: &'a Baseline,
    residual: ResidualFabric<'a>,
    tracer: RouteTracer<PlaceId, Cause>,
    relays: Relays,
    /// The effective tables, where reverse-path filters are counted.
    tables: Option<ActingTables<'a>>,
    /// The (destination, node) pairs whose next hop is broken.
    broken: Vec<(DestinationId, NodeId)>,
    /// The ranges of the present destination's order that are routed through a broken hop.
    touched: Vec<(u32, u32)>,
    /// Destination, sending node and extra hops of the packets that arrive on another route.
    rerouted: Vec<(DestinationId, NodeId, u32)>,
    /// Destination, sender and cause of the packets that do not arrive.
    lost: Vec<(DestinationId, DestinationId, Cause)>,
    /// The marks of these packets, by which a connection knows both its directions.
    directions: Directions,
}

impl<'a> FailureTrial<'a> {
    /// Returns empty buffers.
    pub fn new(baseline: &'a Baseline) -> FailureTrial<'a> {
        let n_places = baseline.wiring.n_places();
        FailureTrial {
            baseline,
            residual: ResidualFabric::new(&baseline.wiring),
            tracer: RouteTracer::new(n_places),
            relays: Relays::new(&baseline.wiring),
            tables: baseline.options.with_return_paths.then(|| ActingTables::new(baseline)),
            broken: Vec::new(),
            touched: Vec::new(),
            rerouted: Vec::new(),
            lost: Vec::new(),
            directions: Directions::new(baseline.destinations.n()),
        }
    }

    /// Returns the cost of a failure.
    ///
    /// # Errors
    /// When `stop` returns true.
    pub fn run(&mut self, loss: &Loss, stop: &AtomicBool) -> Result<FailureImpact, Stopped> {
        let baseline = self.baseline;
        self.residual.fail(&loss.links);
        self.find_broken();
        self.relays.clear();
        self.rerouted.clear();
        self.lost.clear();
        self.directions.clear();
        let mut impact = FailureImpact::default();
        let mut first = 0;
        for (index, to) in baseline.destinations.with_ids() {
            let n_broken = self.broken[first..].partition_point(|&(other, _)| other == index);
            let broken = first..first + n_broken;
            first = broken.end;
            if loss.holds(to.owner) {
                self.relays.remove_all(to, &baseline.of_node);
            } else if !(broken.is_empty() && to.strays.is_empty()) {
                self.touch(to, broken);
                self.follow(index, loss);
            }
        }
        let alive = NodeId::first(baseline.wiring.n_nodes()).filter(|&node| !loss.holds(node));
        impact.most_forwarded = alive.map(|node| self.relayed(node)).max().unwrap_or(0);
        self.count_lost(loss, &mut impact);
        self.count_rerouted(&mut impact);
        self.count_returns(loss, stop, &mut impact)?;
        impact.n_untouched = baseline.n_connections(loss) - impact.n_rerouted - impact.n_lost();
        expect_wanted(stop).map(|()| impact)
    }

    /// Returns the residual fabric after the last failure.
    pub fn residual(&self) -> &ResidualFabric<'a> {
        &self.residual
    }

    /// Returns the packets that a node relays after the last failure when each pair sends one.
    pub fn relayed(&self, node: NodeId) -> u64 {
        self.baseline.relayed[node].saturating_add_signed(self.relays.change(node))
    }

    /// Returns server and client of the connections that the last failure rerouted.
    pub fn rerouted(&self) -> impl Iterator<Item = (DestinationId, DestinationId)> {
        let connections = |(way, _)| self.directions.connections(way, Mark::Rerouted);
        self.rerouted_ways().flat_map(connections)
    }

    /// Returns server and client of the connections that the last failure ends.
    pub fn lost(&self) -> impl Iterator<Item = (DestinationId, DestinationId)> {
        let connections = |&(to, from, _): &_| self.directions.connections((to, from), Mark::Lost);
        self.lost.iter().flat_map(connections)
    }

    /// Returns destination and sender of the rerouted packets of connections that last, with their
    /// extra hops.
    fn rerouted_ways(&self) -> impl Iterator<Item = ((DestinationId, DestinationId), u32)> {
        let of_node = &self.baseline.of_node;
        let ways = |&(to, node, extra): &(DestinationId, NodeId, u32)| {
            of_node[node].iter().map(move |&from| ((to, from), extra))
        };
        let lasts = |&((to, from), _): &_| !self.directions.has(from, to, Mark::Lost);
        self.rerouted.iter().flat_map(ways).filter(lasts)
    }

    /// Finds the nodes whose next hop is broken, in order of destination.
    fn find_broken(&mut self) {
        let FailureTrial { baseline, residual, broken, .. } = self;
        broken.clear();
        let users = |&wire: &WireId| &baseline.users[wire];
        let is_broken = |&&(to, node): &&(DestinationId, NodeId)| {
            baseline.to(to).best(node).is_some_and(|(port, via)| !residual.joins(port, via))
        };
        broken.extend(residual.wires().iter().flat_map(users).filter(is_broken));
        broken.sort_unstable();
        broken.dedup(); // a bond uses several wires
    }

    /// Merges the ranges of the nodes routed through the broken hops.
    fn touch(&mut self, to: &Destination, broken: std::ops::Range<usize>) {
        self.touched.clear();
        let nodes = self.broken[broken].iter();
        self.touched.extend(nodes.filter_map(|&(_, node)| to.through(node)));
        self.touched.sort_unstable();
        // Two ranges are disjoint or nested; of nested ranges the wider one comes first.
        self.touched.dedup_by(|next, kept| next.0 < kept.1);
    }

    /// Traces the packets to a destination of all affected nodes, and of the strays, which never
    /// reached it.
    fn follow(&mut self, index: DestinationId, loss: &Loss) {
        let FailureTrial { baseline, residual, tracer, relays, touched, rerouted, lost, .. } = self;
        let to = baseline.to(index);
        let successor = |place| successor(&baseline.wiring, to, residual, place);
        let in_order = touched.iter().flat_map(|&(first, end)| first..end);
        let nodes = in_order.map(|place| to.order[place as usize]);
        for node in nodes.chain(to.strays.iter().copied()).filter(|&node| !loss.holds(node)) {
            let senders = &baseline.of_node[node];
            relays.send(node, senders.len());
            match tracer.trace(node.into(), Cause::Loop, successor) {
                Ok(hops) => {
                    let before = to.hops(node).unwrap_or(hops);
                    rerouted.push((index, node, hops.saturating_sub(before)));
                }
                Err(cause) => lost.extend(senders.iter().map(|&from| (index, from, cause))),
            }
        }
        for &range in touched.iter() {
            let first = to.order[range.0 as usize];
            let next = to.next(&baseline.wiring, first).expect("its packets arrived");
            tracer.trace(next.into(), Cause::Loop, successor).ok();
            relays.remove_range(to, range, next, &baseline.of_node);
        }
        relays.run(&baseline.wiring, tracer.farthest_first());
        tracer.clear();
    }

    /// Counts the connections that end, by their remedy, and lists the first packets that are lost.
    fn count_lost(&mut self, loss: &Loss, impact: &mut FailureImpact) {
        if self.lost.is_empty() {
            return;
        }
        self.mark_lost();
        let FailureTrial { baseline, residual, lost, directions, .. } = self;
        let component = components(&baseline.wiring, |link| residual.is_alive(link));
        let owner = |index| DeviceId::from(baseline.to(index).owner);
        let need = |to, from| baseline.need(component[owner(to)] == component[owner(from)]);
        let planner = baseline.planner(loss);
        for &(to, from, cause) in lost.iter() {
            let need = need(to, from);
            let count = |mark| directions.connections((to, from), mark).count() as u64;
            *impact.count(need) += count(Mark::Lost);
            impact.n_unanswered += count(Mark::Lost) - 1;
            impact.n_looping += if cause == Cause::Loop { count(Mark::Looping) } else { 0 };
            let is_out_of_reach = |&(server, client): &(DestinationId, DestinationId)| {
                Some(server) == planner && baseline.is_first_of_node(client)
            };
            if need != Need::NewParts {
                let ended = directions.connections((to, from), Mark::Lost);
                impact.n_out_of_reach += ended.filter(is_out_of_reach).count() as u64;
            }
        }
        let is_disconnected = |&&(to, from, _): &&_| need(to, from) == Need::NewParts;
        let disconnected = lost.iter().filter(is_disconnected);
        let listed = disconnected.chain(lost.iter().filter(|packet| !is_disconnected(packet)));
        let packet = |&(to, from, cause): &(DestinationId, DestinationId, Cause)| {
            let need = need(to, from);
            let [to, from] = [to, from].map(|index| baseline.to(index).id);
            LostPair { from, to, cause, need }
        };
        impact.examples = listed.take(baseline.options.most_examples).map(packet).collect();
    }

    /// Sorts and marks the packets that do not arrive.
    fn mark_lost(&mut self) {
        self.lost.sort_unstable();
        for &(to, from, cause) in &self.lost {
            self.directions.mark(to, from, Mark::Lost);
            if cause == Cause::Loop {
                self.directions.mark(to, from, Mark::Looping);
            }
        }
    }

    /// Counts the connections that last on another route, in one direction or in both.
    fn count_rerouted(&mut self, impact: &mut FailureImpact) {
        for &(to, node, _) in &self.rerouted {
            for &from in &self.baseline.of_node[node] {
                self.directions.mark(to, from, Mark::Rerouted);
            }
        }
        impact.n_rerouted = self.rerouted().count() as u64;
        for (_, extra_hops) in self.rerouted_ways() {
            impact.extra_hops += u64::from(extra_hops);
            impact.worst_extra_hops = impact.worst_extra_hops.max(extra_hops);
        }
    }

    /// Counts the connections that only reverse-path filters end.
    fn count_returns(
        &mut self,
        loss: &Loss,
        stop: &AtomicBool,
        impact: &mut FailureImpact,
    ) -> Result<(), Stopped> {
        let FailureTrial { baseline, residual, tables: Some(tables), broken, directions, .. } =
            self
        else {
            return Ok(());
        };
        let strays = baseline.destinations.with_ids();
        let strays =
            strays.flat_map(|(index, to)| to.strays.iter().map(move |&node| (index, node)));
        tables.change(residual, broken.iter().copied().chain(strays));
        let mut dropped = Vec::new();
        for (to, destination) in baseline.destinations.with_ids() {
            if loss.holds(destination.owner) {
                continue;
            }
            expect_wanted(stop)?;
            let is_lost = |to, from| directions.has(to, from, Mark::Lost);
            let lasts = |from| !is_lost(to, from) && !is_lost(from, to);
            dropped.extend(tables.dropped(residual, to, loss, lasts));
        }
        tables.restore();
        for &(to, from, mark) in &dropped {
            directions.mark(to, from, mark);
        }
        for &(to, from, mark) in &dropped {
            let n_ended = directions.connections((to, from), mark).count() as u64;
            match mark {
                Mark::Loose => impact.n_loose += n_ended,
                _ => impact.n_strict += n_ended,
            }
        }
        Ok(())
    }
}

impl FailureImpact {
    /// Returns the counter of the connections with a remedy.
    fn count(&mut self, need: Need) -> &mut u64 {
        match need {
            Need::RecomputedTables => &mut self.n_recomputed,
            Need::Daemon => &mut self.n_daemon,
            Need::NewParts => &mut self.n_disconnected,
        }
    }
}

/// Returns the step of a packet to a destination from a place after a failure.
pub fn successor(
    wiring: &Wiring,
    to: &Destination,
    residual: &ResidualFabric,
    place: PlaceId,
) -> Next<PlaceId, Cause> {
    let at = wiring.at(place);
    if at.0 == to.owner {
        return Err(Ok(0));
    }
    let route = current_route(to, residual, at).ok_or(Err(Cause::NoRoute))?;
    match route.via.filter(|&via| residual.joins(route.port, via)) {
        Some(via) => Ok(to.place(wiring, via)),
        None => Err(Err(Cause::Unseen)),
    }
}

fn expect_wanted(stop: &AtomicBool) -> Result<(), Stopped> {
    if stop.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(()) }
}
