//! The trial of one failure: the nodes affected, the ends of their packets, and the cost. A trial's
//! buffers belong to one thread.

use std::sync::atomic::{AtomicBool, Ordering};

use quantity::Id;

use crate::connectivity::components;
use crate::{DeviceId, Loss, Next, NodeId, PlaceId, ResidualFabric, RouteTracer, WireId, Wiring};

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
    /// Destination and sending node of the packets that arrive on another route.
    rerouted: Vec<(DestinationId, NodeId)>,
    /// Destination, sender and cause of the packets that do not arrive.
    lost: Vec<(DestinationId, DestinationId, Cause)>,
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
                self.follow(index, loss, &mut impact);
            }
        }
        let alive = NodeId::first(baseline.wiring.n_nodes()).filter(|&node| !loss.holds(node));
        impact.most_forwarded = alive.map(|node| self.relayed(node)).max().unwrap_or(0);
        self.count_lost(loss, &mut impact);
        self.count_returns(loss, stop, &mut impact)?;
        impact.n_untouched = baseline.n_pairs(loss) - impact.n_rerouted - impact.n_lost();
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

    /// Returns destination and sender of the packets that the last failure rerouted, by
    /// destination.
    pub fn rerouted(&self) -> impl Iterator<Item = (DestinationId, DestinationId)> {
        let of_node = &self.baseline.of_node;
        let senders = |&(to, node): &(DestinationId, NodeId)| {
            of_node[node].iter().map(move |&from| (to, from))
        };
        self.rerouted.iter().flat_map(senders)
    }

    /// Returns destination and sender of the packets that do not arrive after the last failure, in
    /// order.
    pub fn lost(&self) -> impl Iterator<Item = (DestinationId, DestinationId)> {
        self.lost.iter().map(|&(to, from, _)| (to, from))
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
    fn follow(&mut self, index: DestinationId, loss: &Loss, impact: &mut FailureImpact) {
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
                    impact.reroute(senders.len() as u64, hops.saturating_sub(before));
                    rerouted.push((index, node));
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

    /// Counts the packets, and the replies, that do not arrive.
    fn count_lost(&mut self, loss: &Loss, impact: &mut FailureImpact) {
        let FailureTrial { baseline, residual, lost, .. } = self;
        if lost.is_empty() {
            return;
        }
        lost.sort_unstable();
        let component = components(&baseline.wiring, |link| residual.is_alive(link));
        let need = |to: DestinationId, from: DestinationId| {
            let owner = |index| DeviceId::from(baseline.to(index).owner);
            let [a, b] = [to, from].map(|index| component[owner(index)]);
            baseline.need(a == b)
        };
        let planner = baseline.planner(loss);
        for &(to, from, cause) in lost.iter() {
            let need = need(to, from);
            *impact.count(need) += 1;
            impact.n_looping += u64::from(cause == Cause::Loop);
            impact.n_unanswered += u64::from(find(lost, from, to).is_err());
            let is_first_of_node = baseline.of_node[baseline.to(from).owner][0] == from;
            let is_out_of_reach = Some(to) == planner && need != Need::NewParts;
            impact.n_out_of_reach += u64::from(is_first_of_node && is_out_of_reach);
        }
        let is_disconnected = |&&(to, from, _): &&_| need(to, from) == Need::NewParts;
        let disconnected = lost.iter().filter(is_disconnected);
        let listed = disconnected.chain(lost.iter().filter(|pair| !is_disconnected(pair)));
        let pair = |&(to, from, cause): &(DestinationId, DestinationId, Cause)| {
            let need = need(to, from);
            let [to, from] = [to, from].map(|index| baseline.to(index).id);
            LostPair { from, to, cause, need }
        };
        impact.examples = listed.take(baseline.options.most_examples).map(pair).collect();
    }

    /// Counts the packets that only reverse-path filters drop.
    fn count_returns(
        &mut self,
        loss: &Loss,
        stop: &AtomicBool,
        impact: &mut FailureImpact,
    ) -> Result<(), Stopped> {
        let FailureTrial { baseline, residual, tables: Some(tables), broken, lost, .. } = self
        else {
            return Ok(());
        };
        let strays = baseline.destinations.with_ids();
        let strays =
            strays.flat_map(|(index, to)| to.strays.iter().map(move |&node| (index, node)));
        tables.change(residual, broken.iter().copied().chain(strays));
        for (index, to) in baseline.destinations.with_ids() {
            if loss.holds(to.owner) {
                continue;
            }
            expect_wanted(stop)?;
            let is_lost = |from| find(lost, index, from).is_ok();
            let (n_strict, n_loose) = tables.count(residual, index, loss, is_lost);
            impact.n_strict += n_strict;
            impact.n_loose += n_loose;
        }
        tables.restore();
        Ok(())
    }
}

impl FailureImpact {
    /// Counts packets that arrive on another route.
    fn reroute(&mut self, n_packets: u64, extra_hops: u32) {
        self.n_rerouted += n_packets;
        self.extra_hops += u64::from(extra_hops) * n_packets;
        if n_packets > 0 {
            self.worst_extra_hops = self.worst_extra_hops.max(extra_hops);
        }
    }

    /// Returns the counter of the pairs with a remedy.
    fn count(&mut self, need: Need) -> &mut u64 {
        match need {
            Need::RecomputedTables => &mut self.n_recomputed,
            Need::Daemon => &mut self.n_daemon,
            Need::NewParts => &mut self.n_disconnected,
        }
    }
}

/// Finds a packet among the lost ones.
fn find(
    lost: &[(DestinationId, DestinationId, Cause)],
    to: DestinationId,
    from: DestinationId,
) -> Result<usize, usize> {
    lost.binary_search_by_key(&(to, from), |&(to, from, _)| (to, from))
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
