//! Packets that the nodes of a line along an axis pass on in either direction when each node sends
//! one to each other: sums in one dimension, without following packets.

use super::grid::{Axis, Joint};
use super::ties::Ties;

/// Packets that leave each position of a line, `[backward, forward]`.
pub(crate) type Crossings = Vec<[u64; 2]>;

impl Axis {
    /// Counts a line of neighbours whose other coordinates have this sum, which selects the
    /// direction half-way round a ring if ties are spread; otherwise they go `one_way`.
    pub(crate) fn crossings(&self, ties: Ties, rest: i32, one_way: bool) -> Crossings {
        match self.joint() {
            Joint::Ring => self.round(ties, rest, one_way),
            // All nodes at or behind this position send to all nodes ahead.
            _ => {
                let side = self.side() as u64;
                (0..side).map(|at| [at * (side - at), (at + 1) * (side - 1 - at)]).collect()
            }
        }
    }

    /// Every node sends to the `near` next ones each way, and on an even ring to the one half-way
    /// round.
    fn round(&self, ties: Ties, rest: i32, one_way: bool) -> Crossings {
        let side = self.side();
        let near = (side as u64 - 1) / 2;
        let mut counts = vec![[near * (near + 1) / 2; 2]; side as usize];
        if side % 2 == 1 {
            return counts;
        }
        let half = side / 2;
        // Changes in the number of arcs over each position, per direction: one begins, one has
        // ended.
        let mut change = vec![[0i64; 2]; side as usize];
        let mut open = [0i64; 2];
        for from in 0..side {
            let tie = ties.is_forward(&[rest, from], one_way);
            let (way, _) = self.step(from, (from + half) % side, tie);
            let first = if way == 1 { from } else { (from - half + 1).rem_euclid(side) };
            change[first as usize][way] += 1;
            change[((first + half) % side) as usize][way] -= 1;
            open[way] += i64::from(first + half >= side);
        }
        for (count, change) in counts.iter_mut().zip(change) {
            for way in 0..2 {
                open[way] += change[way];
                count[way] += open[way] as u64;
            }
        }
        counts
    }
}
