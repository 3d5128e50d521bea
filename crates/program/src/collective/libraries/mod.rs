//! Message-passing libraries: which algorithm each takes for a collective, by the number of ranks
//! and by bytes. One file per library.

mod mpich_1_1;
mod mpich_4;
mod openmpi_4;

use super::algorithm::Algorithm;
use super::vector::Vector;
use super::{Collective, Manner};

/// The algorithms of a message-passing library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlgorithmSet {
    /// MPICH 1.1.
    Mpich1_1,
    /// MPICH 4.
    Mpich4,
    /// Open MPI 4.1.
    OpenMpi4,
}

impl AlgorithmSet {
    /// All algorithm sets.
    pub const ALL: [AlgorithmSet; 3] =
        [AlgorithmSet::Mpich1_1, AlgorithmSet::Mpich4, AlgorithmSet::OpenMpi4];

    /// Returns the name of the set in the user's input.
    pub const fn name(self) -> &'static str {
        match self {
            AlgorithmSet::Mpich1_1 => "mpich-1.1",
            AlgorithmSet::Mpich4 => "mpich-4",
            AlgorithmSet::OpenMpi4 => "openmpi-4",
        }
    }

    /// Returns the set of that name.
    pub fn from_name(name: &str) -> Option<AlgorithmSet> {
        AlgorithmSet::ALL.into_iter().find(|set| set.name() == name)
    }

    /// Returns the algorithm of a collective: the one that its manner names, or else the library's.
    ///
    /// An algorithm that needs a power of two or an even number of ranks, or an element for each of
    /// them, gives way to another as it does in the libraries.
    pub fn algorithm(self, collective: Collective, manner: Manner, n_ranks: u32) -> Algorithm {
        let chosen = manner.algorithm.unwrap_or_else(|| match self {
            AlgorithmSet::Mpich1_1 => mpich_1_1::choose(collective),
            AlgorithmSet::Mpich4 => mpich_4::choose(collective, n_ranks),
            AlgorithmSet::OpenMpi4 => openmpi_4::choose(collective, n_ranks),
        });
        self.possible(chosen, collective, n_ranks)
    }

    fn possible(self, chosen: Algorithm, collective: Collective, n_ranks: u32) -> Algorithm {
        use Algorithm::*;
        let elements = self.vector(collective).elements;
        let for_each = elements >= n_ranks.into();
        let for_each_of_cube = elements >= 1 << n_ranks.ilog2() && n_ranks > 1;
        match (collective, chosen) {
            (Collective::Broadcast { .. }, ScatterRing | ScatterDoubling) if !for_each => Linear,
            (Collective::Broadcast { .. }, SplitBinary) if elements < 2 => Chain,
            (Collective::Reduce { .. }, Rabenseifner | RabenseifnerHalves) if !for_each_of_cube => {
                Linear
            }
            (Collective::AllReduce { .. }, Ring | SegmentedRing) if !for_each => RecursiveDoubling,
            (Collective::AllReduce { .. }, RabenseifnerHalves) if !for_each_of_cube => {
                LinearTwoSteps
            }
            (Collective::AllReduce { .. }, Rabenseifner) if !for_each_of_cube => RecursiveDoubling,
            (Collective::AllGather { .. }, RecursiveDoubling) if !n_ranks.is_power_of_two() => {
                Bruck
            }
            (Collective::AllGather { .. }, NeighbourExchange) if n_ranks % 2 == 1 => Ring,
            _ => chosen,
        }
    }

    /// Returns the vector of a collective; MPICH divides a broadcast between any two bytes.
    pub(super) fn vector(self, collective: Collective) -> Vector {
        match (self, collective) {
            (AlgorithmSet::Mpich4, Collective::Broadcast { bytes, .. }) => Vector::of_bytes(bytes),
            _ => Vector::of_numbers(collective.bytes()),
        }
    }

    /// Returns whether a collective without data sends no message.
    pub(crate) fn skips(self, collective: Collective) -> bool {
        self != AlgorithmSet::Mpich1_1
            && collective != Collective::Barrier
            && collective.bytes() == 0
    }
}
