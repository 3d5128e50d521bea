//! Reactions of nodes to links that fail and return, and to their own death.

use host::tcp::EndpointId;
use network::NodeId;
use program::Rank;
use simulation::RunError;

use super::stack::Stack;
use crate::medium::Medium;

impl<'a, M: Medium<'a>> Stack<'a, M> {
    /// Clears the cached routes of a node and reroutes its connections over the links that are
    /// left. A connection without any route keeps its dead one.
    pub(crate) fn reroute(&mut self, node: NodeId) {
        self.hosts.nodes[node].forget_routes();
        let ends: Vec<EndpointId> =
            self.hosts.nodes[node].connections.iter().map(|&(_, endpoint)| endpoint).collect();
        for endpoint in ends {
            if let Some(hop) = self.hop(node, self.hosts.paths[endpoint].address) {
                self.take_route(endpoint, hop);
            }
        }
    }

    /// Ends the run if the process of a dying node still has something to do: its computation is
    /// lost, and no node sends its data again.
    pub(crate) fn kill_processes(&mut self, node: NodeId) {
        let Some(rank) = self.hosts.rank_of_node[node].get() else { return };
        if self.clock.has_failed() {
            return;
        }
        let connections = &self.hosts.nodes[node].connections;
        let unsent = |&(_, endpoint): &(Rank, EndpointId)| {
            let (written, acknowledged, ..) = self.hosts.endpoints[endpoint].totals();
            written - acknowledged
        };
        let bytes: u64 = connections.iter().map(unsent).sum();
        let is_working = self.hosts.nodes[node].is_working() || self.is_sending(node);
        if is_working || bytes > 0 {
            let at = self.clock.now;
            self.clock.fail(RunError::NodeDied { rank, at, bytes });
        }
    }
}
