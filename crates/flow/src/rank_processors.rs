//! The processor of each rank: ranks of one node take those of the node in turn. The first has the
//! processor that every node has among the resources, and further ones have resources of their own.

use std::collections::BTreeMap;

use network::NodeId;
use program::Rank;
use quantity::IdVec;

use crate::resources::Resources;
use crate::solver::ResourceId;

/// The processor of a rank: the first of its node, or another, numbered among those of all nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RankProcessor {
    First(NodeId),
    Further(u32),
}

/// Returns the processor of each rank on nodes of `n_cpus` processors, and the number of further
/// ones.
pub(crate) fn rank_processors(
    node_of_rank: &IdVec<Rank, NodeId>,
    n_cpus: u32,
) -> (IdVec<Rank, RankProcessor>, u32) {
    let mut n_ranks: BTreeMap<NodeId, u32> = BTreeMap::new();
    let mut further: BTreeMap<(NodeId, u32), u32> = BTreeMap::new();
    let of_rank = |&node: &NodeId| {
        let n_before = n_ranks.entry(node).or_default();
        let cpu = *n_before % n_cpus;
        *n_before += 1;
        if cpu == 0 {
            return RankProcessor::First(node);
        }
        let next = further.len() as u32;
        RankProcessor::Further(*further.entry((node, cpu)).or_insert(next))
    };
    let of_ranks = node_of_rank.iter().map(of_rank).collect();
    (of_ranks, further.len() as u32)
}

impl Resources {
    /// Returns the resource of a rank's processor.
    pub fn of_rank(self, processor: RankProcessor) -> ResourceId {
        match processor {
            RankProcessor::First(node) => self.processor(node),
            RankProcessor::Further(number) => self.further(number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use RankProcessor::{First, Further};

    #[test]
    fn ranks_take_the_processors_of_their_node_in_turn() {
        let [a, b] = [0, 1].map(NodeId::new);
        let nodes: IdVec<Rank, NodeId> = [a, a, b, a, b].into_iter().collect();
        let (of_ranks, n_further) = rank_processors(&nodes, 2);
        assert_eq!(*of_ranks, [First(a), Further(0), First(b), First(a), Further(1)]);
        assert_eq!(n_further, 2);
        assert_eq!(*rank_processors(&nodes, 1).0, [a, a, b, a, b].map(First));
    }
}
