//! Nodes with several ranks: which of them has a processor.
//!
//! A node with as many processors as ranks gives each one of its own. On a node with fewer, a rank
//! that computes has a processor for a slice of time and then waits behind the others, as under a
//! fair scheduler. The kernel's work, and the copies of a process to and from its sockets, are the
//! engine's and do not wait.

use std::collections::VecDeque;

use network::NodeId;
use program::Rank;
use quantity::{IdVec, Time};

/// The processors of nodes that ranks share.
#[derive(Debug)]
pub(crate) struct SharedNodes {
    /// The processors of each node; none where every rank has one of its own.
    processors: IdVec<NodeId, Option<Processors>>,
    /// The work of each rank that is left, with the slice that it is in.
    left: IdVec<Rank, Work>,
    slice: Time,
}

/// Processors that the ranks of a node share.
#[derive(Clone, Debug)]
struct Processors {
    n_free: u32,
    waiting: VecDeque<Rank>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Work {
    left: Time,
    slice: Time,
}

/// The events at the end of a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SliceEnd {
    /// Whether the rank's work is over.
    pub is_over: bool,
    /// The rank that has the processor next, and its slice.
    pub next: Option<(Rank, Time)>,
}

impl SharedNodes {
    /// Returns the nodes of ranks; `None` if each has one of its own.
    pub fn new(
        node_of: &IdVec<Rank, NodeId>,
        n_cpus: u32,
        slice: Time,
    ) -> Option<Box<SharedNodes>> {
        let n_nodes = node_of.iter().map(|node| node.get() + 1).max().unwrap_or(0);
        let mut n_ranks: IdVec<NodeId, u32> = IdVec::filled(0, n_nodes);
        node_of.iter().for_each(|&node| n_ranks[node] += 1);
        if n_ranks.iter().all(|&n| n <= 1) {
            return None;
        }
        let of_node = |&n: &u32| {
            (n > n_cpus).then(|| Processors { n_free: n_cpus, waiting: VecDeque::new() })
        };
        let processors = n_ranks.iter().map(of_node).collect();
        let left = IdVec::filled(Work::default(), node_of.n());
        // A slice of no time would not end.
        let slice = slice.max(Time::from_us(1));
        Some(Box::new(SharedNodes { processors, left, slice }))
    }

    /// Begins work of a rank on a node; returns its first slice, `None` if it waits for a
    /// processor.
    pub fn begin(&mut self, node: NodeId, rank: Rank, work: Time) -> Option<Time> {
        let Some(processors) = &mut self.processors[node] else { return Some(work) };
        self.left[rank] = Work { left: work, slice: Time::ZERO };
        if processors.n_free == 0 {
            processors.waiting.push_back(rank);
            return None;
        }
        processors.n_free -= 1;
        Some(self.next_slice(rank))
    }

    fn next_slice(&mut self, rank: Rank) -> Time {
        let work = &mut self.left[rank];
        work.slice = work.left.min(self.slice);
        work.slice
    }

    /// Ends a slice of a rank on a node.
    pub fn slice_ended(&mut self, node: NodeId, rank: Rank) -> SliceEnd {
        let Some(processors) = &mut self.processors[node] else {
            return SliceEnd { is_over: true, next: None };
        };
        let work = &mut self.left[rank];
        work.left = work.left.saturating_sub(work.slice);
        let is_over = work.left == Time::ZERO;
        if !is_over {
            processors.waiting.push_back(rank);
        }
        let next = processors.waiting.pop_front();
        processors.n_free += u32::from(next.is_none());
        SliceEnd { is_over, next: next.map(|next| (next, self.next_slice(next))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The node of the ranks that take turns.
    const NODE: NodeId = NodeId::new(0);

    fn on(nodes: &[u32]) -> IdVec<Rank, NodeId> {
        nodes.iter().map(|&node| NodeId::new(node)).collect()
    }

    #[test]
    fn a_rank_on_each_node_shares_nothing() {
        assert!(SharedNodes::new(&on(&[2, 0, 1]), 1, Time::from_ms(3)).is_none());
    }

    #[test]
    fn ranks_with_processors_of_their_own_do_not_wait() {
        let mut shared = SharedNodes::new(&on(&[0, 0, 1]), 2, Time::from_ms(3)).unwrap();
        let [first, second] = [0, 1].map(Rank::new);
        for rank in [first, second] {
            assert_eq!(shared.begin(NODE, rank, Time::from_ms(9)), Some(Time::from_ms(9)));
        }
        let end = SliceEnd { is_over: true, next: None };
        assert_eq!([first, second].map(|rank| shared.slice_ended(NODE, rank)), [end; 2]);
    }

    #[test]
    fn ranks_take_turns_on_a_processor() {
        let ms = Time::from_ms;
        let mut shared = SharedNodes::new(&on(&[0, 0]), 1, ms(3)).unwrap();
        let [first, second] = [0, 1].map(Rank::new);
        assert_eq!(shared.begin(NODE, first, ms(4)), Some(ms(3)));
        assert_eq!(shared.begin(NODE, second, ms(5)), None);
        let go_on = |rank, slice| SliceEnd { is_over: false, next: Some((rank, slice)) };
        assert_eq!(shared.slice_ended(NODE, first), go_on(second, ms(3)));
        assert_eq!(shared.slice_ended(NODE, second), go_on(first, ms(1)));
        let over = |next| SliceEnd { is_over: true, next };
        assert_eq!(shared.slice_ended(NODE, first), over(Some((second, ms(2)))));
        assert_eq!(shared.slice_ended(NODE, second), over(None));
        assert_eq!(shared.begin(NODE, first, ms(1)), Some(ms(1)));
    }
}
