//! One failure: who is touched, how their packets end, and what that costs. The room to try a
//! failure in belongs to one thread.

use crate::fabric::{NodeId, SegmentId};
use crate::metrics::MetricError;
use crate::metrics::towards::{Follower, Next};
use crate::routing::Decision;

use super::failure::Loss;
use super::proof::{Index, Proof};
use super::relays::Relays;
use super::remains::Remains;
use super::returns::Tables;
use super::ways::{Ways, current};
use super::{Casualty, Cause, Need, Toll};

/// The room that trying one failure after the other takes.
#[derive(Debug)]
pub(super) struct Trial<'a> {
    proof: &'a Proof<'a>,
    remains: Remains<'a>,
    follower: Follower<Cause>,
    relays: Relays,
    /// The tables as they act, where return paths are asked for.
    tables: Option<Tables<'a>>,
    /// The (destination, node) pairs whose next hop is broken.
    broken: Vec<(Index, NodeId)>,
    /// Of the present destination, the ranges of its order that come through a broken hop.
    touched: Vec<(u32, u32)>,
    /// Destination, sender and cause of the packets that do not arrive.
    lost: Vec<(Index, Index, Cause)>,
}

impl<'a> Trial<'a> {
    /// Returns room to try failures in.
    pub fn new(proof: &'a Proof<'a>) -> Trial<'a> {
        let fabric = &proof.network.fabric;
        Trial {
            proof,
            remains: Remains::new(fabric),
            follower: Follower::new(fabric.n_nodes()),
            relays: Relays::new(proof.of_node.len()),
            tables: proof.options.with_return_paths.then(|| Tables::new(proof)),
            broken: Vec::new(),
            touched: Vec::new(),
            lost: Vec::new(),
        }
    }

    /// Returns what a failure costs.
    pub fn run(&mut self, loss: &Loss) -> Result<Toll, MetricError> {
        let proof = self.proof;
        self.remains.fail(&loss.links);
        self.find_broken();
        self.lost.clear();
        let mut toll = Toll::default();
        let mut first = 0;
        for (to, ways) in (0..).zip(&proof.ways) {
            let n_broken = self.broken[first..].partition_point(|&(index, _)| index == to);
            let broken = first..first + n_broken;
            first = broken.end;
            if loss.holds(proof.owner(to)) {
                self.relays.remove_all(ways, &proof.of_node);
            } else if !(broken.is_empty() && ways.strays.is_empty()) {
                self.touch(ways, broken);
                self.follow(to, loss, &mut toll);
            }
        }
        toll.most_forwarded = self.relays.most(proof, loss);
        self.count_lost(loss, &mut toll);
        self.count_returns(loss, &mut toll)?;
        toll.n_untouched = proof.n_pairs(loss) - toll.n_rerouted - toll.n_lost();
        proof.watch.advance();
        proof.watch.go_on().map(|()| toll)
    }

    /// Finds the nodes whose next hop does not work as before, in order of destination.
    fn find_broken(&mut self) {
        let Trial { proof, remains, broken, .. } = self;
        broken.clear();
        let users = |&segment: &SegmentId| &proof.users[segment as usize];
        let is_broken = |&&(to, node): &&(Index, NodeId)| {
            let decision = proof.ways[to as usize].whole.decisions[node as usize];
            matches!(decision, Decision::Forward(hop) if !remains.joins(hop.port, hop.via))
        };
        broken.extend(remains.segments().iter().flat_map(users).filter(is_broken));
        broken.sort_unstable();
    }

    /// Joins the ranges of all who come through the broken hops.
    fn touch(&mut self, ways: &Ways, broken: std::ops::Range<usize>) {
        self.touched.clear();
        let nodes = self.broken[broken].iter();
        self.touched.extend(nodes.filter_map(|&(_, node)| ways.through(node)));
        self.touched.sort_unstable();
        // Two ranges are apart, or one holds the other: the wider one begins first.
        self.touched.dedup_by(|next, kept| next.0 < kept.1);
    }

    /// Follows the packets of all touched nodes to one identity, and of those that miss them.
    fn follow(&mut self, to: Index, loss: &Loss, toll: &mut Toll) {
        let Trial { proof, remains, follower, relays, touched, lost, .. } = self;
        let ways = &proof.ways[to as usize];
        let successor = |node| successor(proof, ways, remains, node);
        let in_order = touched.iter().flat_map(|&(first, end)| first..end);
        let nodes = in_order.map(|place| ways.order[place as usize]);
        for node in nodes.chain(ways.strays.iter().copied()).filter(|&node| !loss.holds(node)) {
            let senders = &proof.of_node[node as usize];
            relays.send(node, senders.len());
            match follower.follow(node, Cause::Loop, successor) {
                Ok(hops) => {
                    let before = ways.whole.outcomes[node as usize].unwrap_or(hops);
                    toll.reroute(senders.len() as u64, hops.saturating_sub(before));
                }
                Err(cause) => lost.extend(senders.iter().map(|&from| (to, from, cause))),
            }
        }
        for &range in touched.iter() {
            let next = ways.next(proof.network, ways.order[range.0 as usize]);
            follower.follow(next, Cause::Loop, successor).ok();
            relays.remove_range(ways, range, next, &proof.of_node);
        }
        relays.run(follower.farthest_first());
        follower.clear();
    }

    /// Counts the packets that do not arrive, and the answers that do not.
    fn count_lost(&mut self, loss: &Loss, toll: &mut Toll) {
        let Trial { proof, remains, lost, .. } = self;
        if lost.is_empty() {
            return;
        }
        lost.sort_unstable();
        let component = remains.components();
        let need = |to: Index, from: Index| {
            let [a, b] = [to, from].map(|index| component[proof.owner(index) as usize]);
            proof.need(a == b)
        };
        let planner = proof.planner(loss);
        for &(to, from, cause) in lost.iter() {
            let need = need(to, from);
            *toll.count(need) += 1;
            toll.n_looping += u64::from(cause == Cause::Loop);
            toll.n_unanswered += u64::from(find(lost, from, to).is_err());
            let is_first_of_node = proof.of_node[proof.owner(from) as usize][0] == from;
            let is_out_of_reach = Some(to) == planner && need != Need::NewParts;
            toll.n_out_of_reach += u64::from(is_first_of_node && is_out_of_reach);
        }
        let is_cut_off = |&&(to, from, _): &&_| need(to, from) == Need::NewParts;
        let cut_off = lost.iter().filter(is_cut_off);
        let listed = cut_off.chain(lost.iter().filter(|pair| !is_cut_off(pair)));
        let casualty = |&(to, from, cause): &(Index, Index, Cause)| {
            let need = need(to, from);
            let [to, from] = [to, from].map(|index| proof.identities[index as usize]);
            Casualty { from, to, cause, need }
        };
        toll.examples = listed.take(proof.options.most_examples).map(casualty).collect();
    }

    /// Counts the packets that arrive by themselves but not past reverse-path filters.
    fn count_returns(&mut self, loss: &Loss, toll: &mut Toll) -> Result<(), MetricError> {
        let Trial { proof, remains, tables: Some(tables), broken, lost, .. } = self else {
            return Ok(());
        };
        let strays = (0..).zip(&proof.ways);
        let strays = strays.flat_map(|(to, ways)| ways.strays.iter().map(move |&node| (to, node)));
        tables.change(remains, broken.iter().copied().chain(strays));
        for to in (0..proof.ways.len() as Index).filter(|&to| !loss.holds(proof.owner(to))) {
            proof.watch.go_on()?;
            let (n_strict, n_loose) = tables.count(to, loss, |from| find(lost, to, from).is_ok());
            toll.n_strict += n_strict;
            toll.n_loose += n_loose;
        }
        tables.restore();
        Ok(())
    }
}

impl Toll {
    /// Counts packets that arrive on another way.
    fn reroute(&mut self, n_packets: u64, extra_hops: u32) {
        self.n_rerouted += n_packets;
        self.extra_hops += u64::from(extra_hops) * n_packets;
        if n_packets > 0 {
            self.worst_extra_hops = self.worst_extra_hops.max(extra_hops);
        }
    }

    /// Returns the count of the pairs that need something.
    fn count(&mut self, need: Need) -> &mut u64 {
        match need {
            Need::NewTables => &mut self.n_replanned,
            Need::Daemon => &mut self.n_daemon,
            Need::NewParts => &mut self.n_cut_off,
        }
    }
}

/// Finds a packet among the lost ones.
fn find(lost: &[(Index, Index, Cause)], to: Index, from: Index) -> Result<usize, usize> {
    lost.binary_search_by_key(&(to, from), |&(to, from, _)| (to, from))
}

/// Returns what a node does with a packet for the address of `ways` after a failure.
fn successor(proof: &Proof, ways: &Ways, remains: &Remains, node: NodeId) -> Next<Cause> {
    if ways.whole.decisions[node as usize] == Decision::Own {
        return Err(Ok(0));
    }
    let route = current(ways, remains, node).ok_or(Err(Cause::NoRoute))?;
    match route.via.filter(|&via| remains.joins(route.port, via)) {
        Some(via) => Ok(proof.network.fabric.port(via).device),
        None => Err(Err(Cause::Unseen)),
    }
}
