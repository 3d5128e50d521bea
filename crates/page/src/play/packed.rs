//! The packed run: the inputs from which network, hosts and programs are compiled, as bytes. They
//! are compiled again where the run is opened, by the same crates, so that no table is packed.

use host::Constants;
use network::{AddressError, AddressId, FabricError, NetworkSpec, NodeId, RoutingError};
use packet::{Fault, FaultOptions};
use program::{AlgorithmSet, OwnedColumns, Program, ProgramError, Ranks};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::Malformed;

/// Everything that a run needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PackedRun {
    /// The network.
    pub network: NetworkSpec,
    /// The constants of the hosts.
    pub host: Constants,
    /// Per node: the address that applications use.
    pub identities: Vec<AddressId>,
    /// The programs of which one is run, for example one per size of a message.
    pub programs: Vec<PackedProgram>,
    /// The seed.
    pub seed: u64,
    /// The faults.
    pub faults: Vec<Fault>,
    /// Reactions of nodes to faults.
    pub options: FaultOptions,
    /// Frames that a run may put on wires; a longer one is not played.
    pub most_hops: u64,
}

/// A program before it is compiled, and the nodes of its ranks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PackedProgram {
    /// Number of ranks.
    pub n_ranks: u32,
    /// Number of ranks that a run does not wait for; they come last.
    pub n_background: u32,
    /// Name of the set of algorithms for collectives.
    pub algorithms: String,
    /// The node of each rank.
    pub node_of_rank: Vec<NodeId>,
    /// The steps.
    pub steps: OwnedColumns,
}

/// The reason why bytes are no run.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{self:?}")]
pub enum PackError {
    /// They were not packed by this version.
    Malformed(Malformed),
    /// The fabric has a mistake.
    Fabric(FabricError),
    /// An address has a mistake.
    Address(AddressError),
    /// The routes do not fit.
    Routing(RoutingError),
    /// The constants of the hosts have a mistake.
    Constants,
    /// A program has a mistake.
    Program(ProgramError),
    /// There is no set of algorithms of this name.
    Algorithms(String),
}

impl PackedRun {
    /// Returns the run as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        crate::to_bytes(self)
    }

    /// Returns the run in some bytes.
    ///
    /// # Errors
    /// When they were not made by [`PackedRun::to_bytes`].
    pub fn from_bytes(bytes: &[u8]) -> Result<PackedRun, PackError> {
        crate::from_bytes(bytes).map_err(PackError::Malformed)
    }
}

impl PackedProgram {
    /// Returns the compiled program.
    ///
    /// # Errors
    /// When a step is invalid, or the algorithms are unknown.
    pub fn compiled(&self) -> Result<Program, PackError> {
        let unknown = || PackError::Algorithms(self.algorithms.clone());
        let algorithms = AlgorithmSet::from_name(&self.algorithms).ok_or_else(unknown)?;
        let awaited = self.n_ranks.saturating_sub(self.n_background);
        let ranks = Ranks { awaited, background: self.n_background };
        let steps = self.steps.columns().steps(self.n_ranks).map_err(PackError::Program)?;
        Program::compile(ranks, &steps, algorithms).map_err(PackError::Program)
    }
}
