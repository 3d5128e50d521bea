//! Collectives and their algorithms in the modelled libraries: one file per algorithm.
//!
//! An algorithm writes the operations of one rank from its rank and the number of ranks alone, so
//! that every rank can be expanded by itself. Only messages are written: the arithmetic of
//! reductions and the copy of a rank's own block are left out, because no calibration has their
//! speed.
//!
//! Source of `mpich-1.1`: the collective layer of MPICH 1.1.0 [MPICH-1.1], which is built on
//! point-to-point messages and does not choose algorithms by size.

mod binomial_broadcast;
mod binomial_reduce;
mod hypercube_barrier;
mod linear_gather;
mod linear_scatter;
mod posted_all_to_all;
mod ring_all_gather;

use crate::operation::{Action, COLLECTIVE_NUMBER, Operation, Rank, Tag};

/// An operation of all ranks together. Sizes are bytes of user data per rank or block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collective {
    /// Every rank gets the root's data.
    Broadcast {
        /// The rank that has the data.
        root: Rank,
        /// User data.
        bytes: u64,
    },
    /// The root gets the combination of the data of all ranks.
    Reduce {
        /// The rank that gets the result.
        root: Rank,
        /// User data of each rank.
        bytes: u64,
    },
    /// Every rank gets the combination of the data of all ranks.
    AllReduce {
        /// User data of each rank.
        bytes: u64,
    },
    /// No rank leaves before every rank has entered.
    Barrier,
    /// Every rank gets the data of all ranks, side by side.
    AllGather {
        /// User data of each rank.
        bytes: u64,
    },
    /// Every rank gets a block of its own from every rank.
    AllToAll {
        /// User data of each block, of which every rank sends one to each rank.
        bytes: u64,
    },
    /// The root gets the data of all ranks, side by side.
    Gather {
        /// The rank that gets the result.
        root: Rank,
        /// User data of each rank.
        bytes: u64,
    },
    /// Every rank gets a block of its own from the root.
    Scatter {
        /// The rank that has the data.
        root: Rank,
        /// User data of each block.
        bytes: u64,
    },
}

impl Collective {
    /// Returns the user data per rank or block.
    pub fn bytes(self) -> u64 {
        match self {
            Collective::Barrier => 0,
            Collective::Broadcast { bytes, .. }
            | Collective::Reduce { bytes, .. }
            | Collective::Gather { bytes, .. }
            | Collective::Scatter { bytes, .. }
            | Collective::AllReduce { bytes }
            | Collective::AllGather { bytes }
            | Collective::AllToAll { bytes } => bytes,
        }
    }

    /// Returns the root; `None` for a collective without one.
    pub fn root(self) -> Option<Rank> {
        match self {
            Collective::Broadcast { root, .. }
            | Collective::Reduce { root, .. }
            | Collective::Gather { root, .. }
            | Collective::Scatter { root, .. } => Some(root),
            Collective::AllReduce { .. }
            | Collective::Barrier
            | Collective::AllGather { .. }
            | Collective::AllToAll { .. } => None,
        }
    }
}

/// The algorithm set of a message-passing library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlgorithmSet {
    /// MPICH 1.1.
    Mpich1_1,
}

impl AlgorithmSet {
    /// All algorithm sets.
    pub const ALL: [AlgorithmSet; 1] = [AlgorithmSet::Mpich1_1];

    /// Returns the name of the set in the user's input.
    pub const fn name(self) -> &'static str {
        match self {
            AlgorithmSet::Mpich1_1 => "mpich-1.1",
        }
    }

    /// Returns the set of that name.
    pub fn from_name(name: &str) -> Option<AlgorithmSet> {
        AlgorithmSet::ALL.into_iter().find(|set| set.name() == name)
    }

    /// Returns a lower bound of the number of operations of a collective, on all ranks together.
    ///
    /// It is exact if every rank has operations for every other, so that a program too large for
    /// memory is refused before it is written.
    pub(crate) fn least_operations(self, collective: Collective, n_ranks: u32) -> usize {
        let n_ranks = n_ranks as usize;
        match (self, collective) {
            (AlgorithmSet::Mpich1_1, Collective::AllGather { .. }) => {
                n_ranks * ring_all_gather::n_operations(n_ranks)
            }
            (AlgorithmSet::Mpich1_1, Collective::AllToAll { .. }) => {
                n_ranks * posted_all_to_all::n_operations(n_ranks)
            }
            _ => 0,
        }
    }

    /// Appends one rank's operations of a collective.
    pub(crate) fn expand(self, collective: Collective, script: &mut Script) {
        match self {
            AlgorithmSet::Mpich1_1 => expand_mpich_1_1(collective, script),
        }
    }
}

fn expand_mpich_1_1(collective: Collective, script: &mut Script) {
    match collective {
        Collective::Broadcast { root, bytes } => binomial_broadcast::write(script, root, bytes),
        Collective::Reduce { root, bytes } => binomial_reduce::write(script, root, bytes),
        Collective::AllReduce { bytes } => {
            binomial_reduce::write(script, Rank::new(0), bytes);
            binomial_broadcast::write(script, Rank::new(0), bytes);
        }
        Collective::Barrier => hypercube_barrier::write(script),
        Collective::AllGather { bytes } => ring_all_gather::write(script, bytes),
        Collective::AllToAll { bytes } => posted_all_to_all::write(script, bytes),
        Collective::Gather { root, bytes } => linear_gather::write(script, root, bytes),
        Collective::Scatter { root, bytes } => linear_scatter::write(script, root, bytes),
    }
}

/// The operations of one rank, as an algorithm writes them.
pub(crate) struct Script<'a> {
    /// The rank of the operations.
    pub rank: Rank,
    /// Number of ranks.
    pub n_ranks: u32,
    /// Tag of every message of this collective.
    pub tag: Tag,
    /// The list to which the operations are appended.
    pub operations: &'a mut Vec<Operation>,
}

impl Script<'_> {
    /// Returns this rank counted from `root`.
    fn relative(&self, root: Rank) -> u32 {
        (self.rank.get() + self.n_ranks - root.get()) % self.n_ranks
    }

    /// Returns the rank that is `relative` counted from `root`.
    fn absolute(&self, root: Rank, relative: u32) -> Rank {
        Rank::new((root.get() + relative) % self.n_ranks)
    }

    /// Returns the largest power of two that is at most the number of ranks.
    fn power_of_two(&self) -> u32 {
        1 << self.n_ranks.ilog2()
    }

    fn add(&mut self, action: Action) {
        self.operations.push(Operation::Do(action));
    }

    fn send(&mut self, to: Rank, bytes: u64) {
        self.add(Action::Send { to, bytes, tag: self.tag });
    }

    fn receive(&mut self, from: Rank) {
        self.add(Action::Receive { from: Some(from), tag: self.tag });
    }

    fn start_send(&mut self, to: Rank, bytes: u64) {
        let (tag, number) = (self.tag, COLLECTIVE_NUMBER);
        self.add(Action::StartSend { to, bytes, tag, number });
    }

    fn start_receive(&mut self, from: Rank) {
        let (tag, number) = (self.tag, COLLECTIVE_NUMBER);
        self.add(Action::StartReceive { from: Some(from), tag, number });
    }

    /// Waits for the requests of this collective, but not for others of its rank.
    fn wait(&mut self) {
        self.add(Action::Wait { number: COLLECTIVE_NUMBER });
    }

    /// Sends and receives together, as `MPI_Sendrecv` does: posts the receive, sends, and waits for
    /// both.
    fn exchange(&mut self, to: Rank, bytes: u64, from: Rank) {
        self.start_receive(from);
        self.start_send(to, bytes);
        self.wait();
    }
}
