//! What all failures are held against: the ways of the whole network, prepared once and shared by
//! all threads.

use crate::Network;
use crate::address::AddressId;
use crate::fabric::NodeId;
use crate::metrics::{MetricError, Watch};
use crate::routing::{Decision, Routing};

use super::failure::Loss;
use super::relays::Relays;
use super::table::{all_ways, without_repeats};
use super::ways::Ways;
use super::{Need, SurvivalOptions};

/// Index of an identity among those given.
pub(super) type Index = u32;

/// The whole network and its ways.
#[derive(Debug)]
pub(super) struct Proof<'a> {
    pub network: &'a Network,
    pub identities: Vec<AddressId>,
    pub options: SurvivalOptions,
    pub watch: Watch<'a>,
    /// The ways to each identity.
    pub ways: Vec<Ways>,
    /// The identities of each node.
    pub of_node: Vec<Vec<Index>>,
    /// The (destination, node) pairs whose next hop crosses each segment, in order.
    pub users: Vec<Vec<(Index, NodeId)>>,
    /// Packets that each node relays while all is whole.
    pub relayed: Vec<i64>,
}

impl<'a> Proof<'a> {
    /// Prepares the ways to all identities.
    pub fn new(
        network: &'a Network,
        given: &[AddressId],
        options: SurvivalOptions,
        watch: Watch<'a>,
    ) -> Result<Proof<'a>, MetricError> {
        let fabric = &network.fabric;
        let identities = without_repeats(given);
        let ways = all_ways(network, &identities, options.with_fallback, watch.stop)?;
        let mut of_node = vec![Vec::new(); fabric.n_nodes() as usize];
        let mut users = vec![Vec::new(); fabric.n_segments() as usize];
        for ((to, &identity), ways) in (0..).zip(&identities).zip(&ways) {
            of_node[network.addressing.address(identity).node as usize].push(to);
            for (node, decision) in (0..).zip(&ways.whole.decisions) {
                if let Decision::Forward(hop) = decision {
                    users[fabric.port(hop.port).segment as usize].push((to, node));
                }
            }
        }
        let relayed = Relays::of_whole(&ways, &of_node);
        Ok(Proof { network, identities, options, watch, ways, of_node, users, relayed })
    }

    /// Returns the node that owns an identity.
    pub fn owner(&self, identity: Index) -> NodeId {
        self.network.addressing.address(self.identities[identity as usize]).node
    }

    /// Returns the number of ordered pairs of identities of different living nodes.
    pub fn n_pairs(&self, loss: &Loss) -> u64 {
        let alive = (0..).zip(&self.of_node).filter(|&(node, _)| !loss.holds(node));
        let (sum, squares) = alive.fold((0, 0), |(sum, squares), (_, own)| {
            let n = own.len() as u64;
            (sum + n, squares + n * n)
        });
        sum * sum - squares
    }

    /// Returns an identity of the node that hands out new tables after a failure.
    pub fn planner(&self, loss: &Loss) -> Option<Index> {
        let identity = |node: NodeId| {
            let own = self.of_node.get(node as usize).filter(|_| !loss.holds(node));
            own.and_then(|own| own.first().copied())
        };
        identity(self.options.planner)
            .or_else(|| (0..self.of_node.len() as NodeId).find_map(identity))
    }

    /// Returns what a pair needs that is joined by some path, or not.
    pub fn need(&self, is_joined: bool) -> Need {
        match &self.network.routing {
            _ if !is_joined => Need::NewParts,
            Routing::Explicit(_) => Need::Daemon,
            _ => Need::NewTables,
        }
    }
}
