//! What nodes do when links fail and return, and when they die themselves.

use host::tcp::EndpointId;
use network::NodeId;
use program::Rank;
use simulation::RunError;

use super::stack::Stack;
use crate::medium::Medium;

impl<'a, M: Medium<'a>> Stack<'a, M> {
    /// Lets a node forget its routes and its connections take those that are left. One without any
    /// keeps its route, which is dead.
    pub(crate) fn reroute(&mut self, node: NodeId) {
        self.hosts.nodes[node as usize].forget_routes();
        let ends: Vec<EndpointId> = self.hosts.nodes[node as usize]
            .connections
            .iter()
            .map(|&(_, endpoint)| endpoint)
            .collect();
        for endpoint in ends {
            if let Some(hop) = self.hop(node, self.hosts.paths[endpoint as usize].address) {
                self.take_route(endpoint, hop);
            }
        }
    }

    /// Ends the run where the process of a node that dies still has something to do: what it
    /// computed is gone, and nobody sends its data again.
    pub(crate) fn kill_processes(&mut self, node: NodeId) {
        let rank = self.hosts.rank_of_node[node as usize];
        if rank == Rank::MAX || self.clock.has_failed() {
            return;
        }
        let connections = &self.hosts.nodes[node as usize].connections;
        let unsent = |&(_, endpoint): &(Rank, EndpointId)| {
            let (written, acknowledged, ..) = self.hosts.endpoints[endpoint as usize].totals();
            written - acknowledged
        };
        let bytes: u64 = connections.iter().map(unsent).sum();
        let is_working = self.hosts.nodes[node as usize].is_working() || self.is_sending(node);
        if is_working || bytes > 0 {
            let at = self.clock.now;
            self.clock.fail(RunError::NodeDied { rank, at, bytes });
        }
    }
}
