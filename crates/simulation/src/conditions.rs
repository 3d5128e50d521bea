//! The conditions of a run, which all ranks read and none changes: the program, the constants of
//! the message library, and the nodes of ranks that share one.

use host::{DiskModel, HostModel, LocalModel, MessageCosts, MessageProtocol};
use network::NodeId;
use program::{Program, Rank};
use quantity::IdVec;

use crate::error::RunError;

/// The program of a run, the constants of its hosts that ranks need, and the place of each rank.
#[derive(Debug)]
pub(crate) struct Conditions<'a> {
    pub program: &'a Program,
    pub protocol: MessageProtocol,
    pub costs: MessageCosts,
    pub disk: Option<DiskModel>,
    pub local: Option<LocalModel>,
    /// The nodes of the ranks, if any share one.
    pub shared: Option<IdVec<Rank, NodeId>>,
}

impl<'a> Conditions<'a> {
    /// Returns the conditions of a run with the nodes of its ranks, if any share one.
    pub fn new(
        program: &'a Program,
        host: &HostModel,
        shared: Option<IdVec<Rank, NodeId>>,
    ) -> Conditions<'a> {
        let HostModel { protocol, disk, local, .. } = *host;
        Conditions { program, protocol, costs: host.message_costs, disk, local, shared }
    }

    /// Returns the node of a rank.
    ///
    /// # Panics
    /// When no ranks share nodes.
    #[inline]
    pub fn node_of(&self, rank: Rank) -> NodeId {
        self.shared.as_ref().expect("ranks share nodes")[rank]
    }

    /// Returns the transport between two ranks of one node; `None` for others.
    #[inline]
    pub fn local_to(&self, rank: Rank, to: Rank) -> Option<LocalModel> {
        let node_of = self.shared.as_ref()?;
        self.local.filter(|_| to != rank && node_of[rank] == node_of[to])
    }

    /// Checks that ranks can do under these conditions what the program says.
    ///
    /// # Errors
    /// When a constant or an ability is missing.
    pub fn check(&self, moves_datagrams: bool) -> Result<(), RunError> {
        let (has_datagrams, has_disks) = (self.program.has_datagrams(), self.program.has_disks());
        match self.shared {
            _ if has_datagrams && !moves_datagrams => Err(RunError::NoDatagrams),
            _ if has_disks && self.disk.is_none() => Err(RunError::NoDisk),
            Some(_) if self.local.is_none() => Err(RunError::NoLocalTransport),
            Some(_) if has_datagrams || has_disks => Err(RunError::NotOnSharedNodes),
            _ => Ok(()),
        }
    }
}
