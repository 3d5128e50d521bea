//! Reactions of nodes to links that fail and return, and to their own death.

use host::transport::EndpointId;
use network::NodeId;
use program::Rank;
use simulation::RunError;

use super::processes::first_on;
use super::stack::Stack;
use crate::ids::ProcessId;
use crate::medium::Medium;

impl<'a, M: Medium<'a>> Stack<'a, M> {
    /// Clears the cached routes of a node and reroutes its connections over the links that are
    /// left. A connection without any route keeps its dead one.
    pub(crate) fn reroute(&mut self, node: NodeId) {
        self.hosts.nodes[first_on(node)].forget_routes();
        let connections = |process: ProcessId| self.hosts.nodes[process].connections.iter();
        let ends: Vec<EndpointId> =
            self.processes_of(node).flat_map(connections).map(|&(_, endpoint)| endpoint).collect();
        for endpoint in ends {
            if let Some(hop) = self.hop(node, self.hosts.paths[endpoint].address) {
                self.take_route(endpoint, hop);
            }
        }
    }

    /// Returns the processes of a node.
    fn processes_of(&self, node: NodeId) -> impl Iterator<Item = ProcessId> + use<'a, M> {
        std::iter::once(first_on(node)).chain(self.hosts.processes.further_on(node))
    }

    /// Ends the run if a process of a dying node still has something to do: its computation is
    /// lost, and no node sends its data again.
    pub(crate) fn kill_processes(&mut self, node: NodeId) {
        for process in self.processes_of(node) {
            if let Some(rank) = self.hosts.processes.rank(process)
                && !self.link.clock.has_failed()
            {
                self.kill_process(node, process, rank);
            }
        }
    }

    fn kill_process(&mut self, node: NodeId, process: ProcessId, rank: Rank) {
        let connections = &self.hosts.nodes[process].connections;
        let unsent = |&(_, endpoint): &(Rank, EndpointId)| {
            let (written, acknowledged, ..) = self.hosts.endpoints[endpoint].totals();
            written - acknowledged
        };
        let bytes: u64 = connections.iter().map(unsent).sum();
        let is_working = self.hosts.nodes[process].is_working() || self.is_sending(node);
        if is_working || bytes > 0 {
            let at = self.link.clock.now;
            self.link.clock.fail(RunError::NodeDied { rank, at, bytes });
        }
    }
}
