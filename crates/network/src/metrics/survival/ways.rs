//! The ways of all nodes to one address in the network as a whole, arranged so that a failure finds
//! at once who comes through it, with the routes that take over where a port loses its carrier.

use crate::Network;
use crate::address::{AddressId, Subnet, SubnetId};
use crate::fabric::NodeId;
use crate::metrics::towards::Towards;
use crate::routing::{Decision, Routing, Standby, alternate, groups, standby};

use super::remains::Remains;

/// A fallback route and the addresses it serves, in order.
type Fallback = (Vec<AddressId>, Standby);

/// The ways to one address.
#[derive(Debug)]
pub(super) struct Ways {
    /// What each node does while all is whole, and how that ends.
    pub whole: Towards,
    /// The nodes whose packets arrive, the owner first, each followed by all who come through it.
    pub order: Vec<NodeId>,
    /// For each node the range of `order` of itself and all who come through it.
    through: Vec<(u32, u32)>,
    /// The nodes whose packets do not arrive even so.
    pub strays: Vec<NodeId>,
    /// The standby routes of node n are `standby[start[n]..start[n + 1]]`, the best first.
    start: Vec<u32>,
    standby: Vec<Standby>,
}

impl Ways {
    /// Returns the ways to each of some addresses of one subnet, given in order.
    pub fn to_subnet(
        network: &Network,
        subnet: SubnetId,
        wanted: &[AddressId],
        with_fallback: bool,
    ) -> Vec<(AddressId, Ways)> {
        let subnet = &network.addressing.subnets()[subnet as usize];
        let derives = with_fallback && !matches!(network.routing, Routing::Explicit(_));
        // A fallback route serves what its route serves: all addresses of the subnet.
        let needed = if derives { &subnet.members } else { wanted };
        let mut ways: Vec<(AddressId, Ways)> =
            needed.iter().map(|&to| (to, Ways::new(network, to))).collect();
        let fallbacks: Vec<Vec<Fallback>> = if derives {
            let nodes = 0..network.fabric.n_nodes();
            nodes.map(|node| fallbacks(network, subnet, &ways, node)).collect()
        } else {
            Vec::new()
        };
        ways.retain(|(to, _)| wanted.binary_search(to).is_ok());
        for (to, ways) in &mut ways {
            let fallback = |node: NodeId| {
                let mut groups = fallbacks.get(node as usize)?.iter();
                Some(groups.find(|(members, _)| members.binary_search(to).is_ok())?.1)
            };
            ways.stand_by(network, *to, fallback);
        }
        ways
    }

    fn new(network: &Network, to: AddressId) -> Ways {
        let whole = Towards::new(network, to);
        let n = whole.outcomes.len();
        let next = |node: NodeId| match whole.decisions[node as usize] {
            Decision::Forward(hop) => Some(network.fabric.port(hop.via).device),
            _ => None,
        };
        let farthest_first = whole.farthest_first();
        let mut size = vec![1u32; n];
        for &node in &farthest_first {
            next(node).into_iter().for_each(|next| size[next as usize] += size[node as usize]);
        }
        // Each node's range begins where the one before it under the same next node ends.
        let owner = network.addressing.address(to).node;
        let (mut through, mut free) = (vec![(0, 0); n], vec![1u32; n]);
        through[owner as usize] = (0, size[owner as usize]);
        let mut order = vec![owner; farthest_first.len() + 1];
        for &node in farthest_first.iter().rev() {
            let Some(next) = next(node) else { continue };
            let first = free[next as usize];
            free[next as usize] += size[node as usize];
            free[node as usize] = first + 1;
            through[node as usize] = (first, first + size[node as usize]);
            order[first as usize] = node;
        }
        let is_stray = |&node: &NodeId| whole.outcomes[node as usize].is_err();
        let strays = (0..n as NodeId).filter(is_stray).collect();
        Ways { whole, order, through, strays, start: Vec::new(), standby: Vec::new() }
    }

    /// Enters the routes behind the best one of each node, a fallback route in front.
    fn stand_by(
        &mut self,
        network: &Network,
        to: AddressId,
        fallback: impl Fn(NodeId) -> Option<Standby>,
    ) {
        self.start.push(0);
        for (node, decision) in (0..).zip(&self.whole.decisions) {
            if *decision != Decision::Own {
                let best = best(decision).map(|best| best.port);
                let others = standby(network, node, to).into_iter();
                let others = others.filter(|other| Some(other.port) != best);
                self.standby.extend(fallback(node).into_iter().chain(others));
            }
            self.start.push(self.standby.len() as u32);
        }
    }

    /// Returns the routes of a node behind its best one, the best first.
    pub fn standby(&self, node: NodeId) -> &[Standby] {
        let [first, end] = [node as usize, node as usize + 1].map(|at| self.start[at] as usize);
        &self.standby[first..end]
    }

    /// Returns the node that a node hands on to while all is whole; itself where it does not.
    pub fn next(&self, network: &Network, node: NodeId) -> NodeId {
        match self.whole.decisions[node as usize] {
            Decision::Forward(hop) => network.fabric.port(hop.via).device,
            _ => node,
        }
    }

    /// Returns the range of `order` of a node and all who come through it; `None` where its own
    /// packets do not arrive.
    pub fn through(&self, node: NodeId) -> Option<(u32, u32)> {
        self.whole.outcomes[node as usize].is_ok().then_some(self.through[node as usize])
    }
}

/// Returns the route that a node uses after a failure: the best one whose port has carrier.
pub(super) fn current(ways: &Ways, remains: &Remains, node: NodeId) -> Option<Standby> {
    let best = best(&ways.whole.decisions[node as usize]);
    let mut routes = best.into_iter().chain(ways.standby(node).iter().copied());
    routes.find(|route| remains.has_carrier(route.port))
}

fn best(decision: &Decision) -> Option<Standby> {
    match decision {
        Decision::Forward(hop) => Some(Standby { port: hop.port, via: Some(hop.via) }),
        _ => None,
    }
}

/// Returns the fallback routes of a node for a subnet, given the ways to all its addresses.
fn fallbacks(
    network: &Network,
    subnet: &Subnet,
    ways: &[(AddressId, Ways)],
    node: NodeId,
) -> Vec<Fallback> {
    let to = |to: AddressId| {
        let place = ways.binary_search_by_key(&to, |&(id, _)| id).expect("an address of it");
        &ways[place].1
    };
    let decide = |node: NodeId, id| to(id).whole.decisions[node as usize];
    let groups = groups(network, node, subnet, |id| decide(node, id));
    let found = groups.into_iter().filter_map(|group| {
        let hop = alternate(network, node, &group, decide)?.hop;
        Some((group.members, Standby { port: hop.port, via: Some(hop.via) }))
    });
    found.collect()
}
