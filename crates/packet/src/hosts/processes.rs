//! The processes of the nodes, one per rank. The first of a node has the node's number; the others
//! are numbered behind all nodes, node by node.
//!
//! Each has a processor, in turn. The kernel's work there delays it, so that those that are not the
//! first of their node follow the kernel of their node (`telling`).

use host::Processors;
use network::NodeId;
use program::Rank;
use quantity::{IdVec, Ids, OptionalId};
use simulation::Setup;

use crate::ids::ProcessId;

/// Which process is which rank's, and where it runs.
#[derive(Debug)]
pub(crate) struct Processes {
    of_rank: IdVec<Rank, ProcessId>,
    rank_of: IdVec<ProcessId, OptionalId<Rank>>,
    n_nodes: u32,
    /// The node and the processor of each process behind those of all nodes.
    further: Vec<(NodeId, u32)>,
    /// The further processes of each node; empty if no node has any.
    further_on: IdVec<NodeId, Ids<ProcessId>>,
}

/// Returns the first process of a node, with whose state that of its kernel is.
#[inline(always)]
pub(crate) fn first_on(node: NodeId) -> ProcessId {
    ProcessId::new(node.get())
}

impl Processes {
    /// Returns the processes of a run.
    pub fn new(setup: &Setup<'_>) -> Processes {
        let (n_nodes, n_cpus) = (setup.network.fabric.n_nodes(), setup.host.processors.n_cpus);
        let mut ranks_on: IdVec<NodeId, Vec<Rank>> = IdVec::filled(Vec::new(), n_nodes);
        for (rank, &node) in setup.node_of_rank.with_ids() {
            ranks_on[node].push(rank);
        }
        let mut processes = Processes {
            of_rank: IdVec::filled(ProcessId::new(0), setup.node_of_rank.n()),
            rank_of: IdVec::filled(OptionalId::none(), n_nodes),
            n_nodes,
            further: Vec::new(),
            further_on: IdVec::new(),
        };
        for (node, ranks) in ranks_on.with_ids() {
            processes.add(node, ranks, n_cpus);
        }
        if processes.further.is_empty() {
            processes.further_on = IdVec::new();
        }
        processes
    }

    fn add(&mut self, node: NodeId, ranks: &[Rank], n_cpus: u32) {
        let first_further = self.rank_of.n();
        for (place, &rank) in (0..).zip(ranks) {
            let process = if place == 0 {
                self.rank_of[first_on(node)] = rank.into();
                first_on(node)
            } else {
                self.further.push((node, place % n_cpus));
                self.rank_of.push(rank.into())
            };
            self.of_rank[rank] = process;
        }
        let further = ProcessId::new(first_further);
        self.further_on.push(Ids::from(further, self.rank_of.n() - first_further));
    }

    /// Returns the number of processes, with one for every node.
    pub fn n(&self) -> u32 {
        self.rank_of.n()
    }

    /// Returns the process of a rank.
    #[inline]
    pub fn of_rank(&self, rank: Rank) -> ProcessId {
        self.of_rank[rank]
    }

    /// Returns the rank of a process, if it has one.
    #[inline]
    pub fn rank(&self, process: ProcessId) -> Option<Rank> {
        self.rank_of[process].get()
    }

    /// Returns the node of a process.
    #[inline]
    pub fn node(&self, process: ProcessId) -> NodeId {
        match process.get().checked_sub(self.n_nodes) {
            None => NodeId::new(process.get()),
            Some(place) => self.further[place as usize].0,
        }
    }

    /// Returns the processor of a process.
    pub fn cpu(&self, process: ProcessId) -> u32 {
        let place = process.get().checked_sub(self.n_nodes);
        place.map_or(0, |place| self.further[place as usize].1)
    }

    /// Returns whether any node has several.
    #[inline]
    pub fn share_nodes(&self) -> bool {
        !self.further_on.is_empty()
    }

    /// Returns the processes of a node behind its first.
    pub fn further_on(&self, node: NodeId) -> Ids<ProcessId> {
        self.further_on.get(node).cloned().unwrap_or(Ids::from(ProcessId::new(0), 0))
    }

    /// Returns the processor that does the kernel's work for a connection of a process, of those
    /// that a `hash` chooses among.
    pub fn kernel_cpu(&self, process: ProcessId, processors: &Processors, hash: u64) -> u32 {
        match processors.steers_to_process() {
            true => self.cpu(process),
            false => processors.cpu_of(hash, true),
        }
    }
}
