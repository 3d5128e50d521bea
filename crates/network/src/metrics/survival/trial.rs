//! One failure: who is touched, how their packets end, and what that costs.
//!
//! What all failures are held against is prepared once and shared by all threads; the room to try a
//! failure in belongs to one thread.

use crate::Network;
use crate::address::AddressId;
use crate::fabric::{NodeId, SegmentId};
use crate::metrics::towards::{Follower, Next};
use crate::routing::{Decision, Standby};

use super::failure::Failure;
use super::remains::Remains;
use super::table::{all_ways, without_repeats};
use super::ways::Ways;
use super::{Casualty, Cause, SurvivalOptions, Toll, owner};

/// Index of an identity among those given.
type Index = u32;

/// What all failures are held against.
#[derive(Debug)]
pub(super) struct Proof<'a> {
    network: &'a Network,
    identities: Vec<AddressId>,
    most_examples: usize,
    /// The ways to each identity.
    ways: Vec<Ways>,
    /// The identities of each node.
    of_node: Vec<Vec<Index>>,
    /// The (destination, node) pairs whose next hop crosses each segment, in order.
    users: Vec<Vec<(Index, NodeId)>>,
}

impl<'a> Proof<'a> {
    /// Prepares the ways to all identities.
    pub fn new(network: &'a Network, given: &[AddressId], options: SurvivalOptions) -> Proof<'a> {
        let fabric = &network.fabric;
        let identities = without_repeats(given);
        let ways = all_ways(network, &identities, options.with_fallback);
        let mut of_node = vec![Vec::new(); fabric.n_nodes() as usize];
        let mut users = vec![Vec::new(); fabric.n_segments() as usize];
        for ((to, &identity), ways) in (0..).zip(&identities).zip(&ways) {
            of_node[owner(network, identity) as usize].push(to);
            for (node, decision) in (0..).zip(&ways.whole.decisions) {
                if let Decision::Forward(hop) = decision {
                    users[fabric.port(hop.port).segment as usize].push((to, node));
                }
            }
        }
        let most_examples = options.most_examples;
        Proof { network, identities, most_examples, ways, of_node, users }
    }

    fn owner(&self, identity: Index) -> NodeId {
        owner(self.network, self.identities[identity as usize])
    }

    /// Returns the number of ordered pairs of identities of different nodes but `dead`.
    fn n_pairs(&self, dead: Option<NodeId>) -> u64 {
        let alive = (0..).zip(&self.of_node).filter(|&(node, _)| Some(node) != dead);
        let (sum, squares) = alive.fold((0, 0), |(sum, squares), (_, own)| {
            let n = own.len() as u64;
            (sum + n, squares + n * n)
        });
        sum * sum - squares
    }
}

/// The room that trying one failure after the other takes.
#[derive(Debug)]
pub(super) struct Trial<'a> {
    proof: &'a Proof<'a>,
    remains: Remains<'a>,
    follower: Follower<Cause>,
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
            broken: Vec::new(),
            touched: Vec::new(),
            lost: Vec::new(),
        }
    }

    /// Returns what a failure costs.
    pub fn run(&mut self, failure: Failure) -> Toll {
        let proof = self.proof;
        let dead = failure.device().filter(|&device| proof.network.fabric.is_node(device));
        self.remains.fail(failure);
        self.find_broken();
        self.lost.clear();
        let mut toll = empty(failure);
        let mut first = 0;
        for (to, ways) in (0..).zip(&proof.ways) {
            let n_broken = self.broken[first..].partition_point(|&(index, _)| index == to);
            let broken = first..first + n_broken;
            first = broken.end;
            if Some(proof.owner(to)) != dead && !(broken.is_empty() && ways.strays.is_empty()) {
                self.touch(ways, broken);
                self.follow(to, dead, &mut toll);
            }
        }
        self.count_lost(&mut toll);
        let lost = toll.n_replanned + toll.n_cut_off;
        toll.n_untouched = proof.n_pairs(dead) - toll.n_rerouted - lost;
        toll
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

    /// Follows the packets of all touched nodes to one identity.
    fn follow(&mut self, to: Index, dead: Option<NodeId>, toll: &mut Toll) {
        let Trial { proof, remains, follower, touched, lost, .. } = self;
        let ways = &proof.ways[to as usize];
        let successor = |node| successor(proof.network, ways, touched, remains, node);
        let in_order = touched.iter().flat_map(|&(first, end)| first..end);
        let nodes = in_order.map(|place| ways.order[place as usize]);
        let owner = proof.owner(to);
        for node in nodes.chain(ways.strays.iter().copied()) {
            let senders = &proof.of_node[node as usize];
            if Some(node) == dead || node == owner || senders.is_empty() {
                continue;
            }
            match follower.follow(node, Cause::Loop, successor) {
                Ok(hops) => {
                    let before = ways.whole.outcomes[node as usize].unwrap_or(hops);
                    let extra_hops = hops.saturating_sub(before);
                    toll.n_rerouted += senders.len() as u64;
                    toll.extra_hops += u64::from(extra_hops) * senders.len() as u64;
                    toll.worst_extra_hops = toll.worst_extra_hops.max(extra_hops);
                }
                Err(cause) => lost.extend(senders.iter().map(|&from| (to, from, cause))),
            }
        }
        follower.clear();
    }

    /// Counts the packets that do not arrive, and the answers that do not.
    fn count_lost(&mut self, toll: &mut Toll) {
        let Trial { proof, remains, lost, .. } = self;
        if lost.is_empty() {
            return;
        }
        lost.sort_unstable();
        let component = remains.components();
        let is_lost = |to: Index, from: Index| {
            lost.binary_search_by_key(&(to, from), |&(to, from, _)| (to, from)).is_ok()
        };
        for &(to, from, cause) in lost.iter() {
            let [a, b] = [to, from].map(|index| component[proof.owner(index) as usize]);
            let is_cut_off = a != b;
            *(if is_cut_off { &mut toll.n_cut_off } else { &mut toll.n_replanned }) += 1;
            toll.n_looping += u64::from(cause == Cause::Loop);
            toll.n_unanswered += u64::from(!is_lost(from, to));
            if toll.examples.len() < proof.most_examples {
                let [to, from] = [to, from].map(|index| proof.identities[index as usize]);
                toll.examples.push(Casualty { from, to, cause, is_cut_off });
            }
        }
    }
}

/// Returns what a node does with a packet for the address of `ways` after a failure.
fn successor(
    network: &Network,
    ways: &Ways,
    touched: &[(u32, u32)],
    remains: &Remains,
    node: NodeId,
) -> Next<Cause> {
    if let (Ok(hops), Some((place, _))) = (ways.whole.outcomes[node as usize], ways.through(node)) {
        let before = touched.partition_point(|&(first, _)| first <= place);
        if before == 0 || touched[before - 1].1 <= place {
            return Err(Ok(hops));
        }
    }
    let Decision::Forward(hop) = ways.whole.decisions[node as usize] else {
        let is_own = ways.whole.decisions[node as usize] == Decision::Own;
        return Err(if is_own { Ok(0) } else { Err(Cause::NoRoute) });
    };
    let primary = Standby { port: hop.port, via: Some(hop.via) };
    let mut routes = std::iter::once(&primary).chain(ways.standby(node));
    let route = routes.find(|route| remains.has_carrier(route.port));
    let route = route.ok_or(Err(Cause::NoRoute))?;
    match route.via.filter(|&via| remains.joins(route.port, via)) {
        Some(via) => Ok(network.fabric.port(via).device),
        None => Err(Err(Cause::Unseen)),
    }
}

fn empty(failure: Failure) -> Toll {
    Toll {
        failure,
        n_untouched: 0,
        n_rerouted: 0,
        n_replanned: 0,
        n_cut_off: 0,
        n_looping: 0,
        n_unanswered: 0,
        extra_hops: 0,
        worst_extra_hops: 0,
        examples: Vec::new(),
    }
}
