//! The holders of processors: the pieces of kernels as they are charged, and between them those of
//! processes, which kernels delay.

use network::NodeId;
use quantity::{IdVec, Time, columns};

use crate::observer::Work;

columns! {
    /// Pieces of work; those of one processor do not overlap, and are in order of node, processor
    /// and time.
    "work": WorkColumns of WorkRow {
        /// The node.
        node: u32,
        /// The processor on it; 0 has the process.
        cpu: u32,
        /// The begin, in seconds.
        start: f64,
        /// The end.
        end: f64,
        /// 0 compute, 1 send, 2 receive, 3 forward, 4 acknowledge, 5 other work of the kernel.
        kind: u8,
    }
}

/// A piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Piece {
    node: NodeId,
    cpu: u32,
    start: Time,
    end: Time,
    kind: u8,
}

/// All work of a run.
#[derive(Debug)]
pub(super) struct Processors {
    kernel: Vec<Piece>,
    /// Pieces of processes, with the kernel's work inside them.
    process: Vec<Piece>,
    /// The piece that each process is at.
    present: IdVec<NodeId, Option<(Time, Work)>>,
    most: usize,
    is_whole: bool,
}

impl Processors {
    pub fn new(most: usize) -> Processors {
        let (kernel, process) = (Vec::new(), Vec::new());
        Processors { kernel, process, present: IdVec::new(), most, is_whole: true }
    }

    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    pub fn worked(&mut self, node: NodeId, cpu: u32, (start, end): (Time, Time), work: Work) {
        if self.has_room() && start < end {
            self.kernel.push(Piece { node, cpu, start, end, kind: work as u8 });
        }
    }

    pub fn began(&mut self, time: Time, node: NodeId, work: Work) {
        *self.present.reach(node, None) = Some((time, work));
    }

    pub fn finished(&mut self, end: Time, node: NodeId) {
        let Some((start, work)) = self.present.get_mut(node).and_then(Option::take) else { return };
        if self.has_room() {
            self.process.push(Piece { node, cpu: 0, start, end, kind: work as u8 });
        }
    }

    fn has_room(&mut self) -> bool {
        let has_room = self.kernel.len() + self.process.len() < self.most;
        self.is_whole &= has_room;
        has_room
    }

    /// Returns the pieces of a run that ended at `end`.
    pub fn finish(mut self, end: Time) -> WorkColumns {
        for node in self.present.ids() {
            if self.present[node].is_some_and(|(start, _)| start < end) {
                self.finished(end, node);
            }
        }
        self.kernel.sort_unstable();
        self.process.sort_unstable();
        let mut pieces = between(&self.process, &self.kernel);
        pieces.append(&mut self.kernel);
        pieces.sort_unstable();
        let row = |piece: &Piece| WorkRow {
            node: piece.node.get(),
            cpu: piece.cpu,
            start: piece.start.seconds(),
            end: piece.end.seconds(),
            kind: piece.kind,
        };
        pieces.iter().map(row).collect()
    }
}

/// Returns the parts of the pieces of processes in which the kernel does not work.
fn between(process: &[Piece], kernel: &[Piece]) -> Vec<Piece> {
    let mut parts = Vec::new();
    let mut kernel = kernel.iter().filter(|piece| piece.cpu == 0).peekable();
    for piece in process {
        let mut start = piece.start;
        let is_over = |other: &&&Piece| (other.node, other.end) <= (piece.node, start);
        while kernel.next_if(|other| is_over(&other)).is_some() {}
        let mut inside = kernel.clone();
        while let Some(other) =
            inside.next_if(|other| other.node == piece.node && other.start < piece.end)
        {
            if start < other.start {
                parts.push(Piece { start, end: other.start, ..*piece });
            }
            start = start.max(other.end);
        }
        if start < piece.end {
            parts.push(Piece { start, ..*piece });
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_takes_the_processor_from_the_process() {
        let us = Time::from_us;
        let node = NodeId::new(0);
        let mut processors = Processors::new(100);
        processors.began(us(1), node, Work::Compute);
        processors.worked(node, 0, (us(2), us(4)), Work::Receive);
        processors.worked(node, 1, (us(3), us(5)), Work::Receive);
        processors.worked(node, 0, (us(6), us(7)), Work::Forward);
        processors.finished(us(9), node);
        processors.began(us(9), node, Work::Send);
        let work = processors.finish(us(10));
        let spans: Vec<(u32, u64, u64, u8)> = (0..work.node.len())
            .map(|row| {
                let us = |time: f64| (time * 1e6).round() as u64;
                (work.cpu[row], us(work.start[row]), us(work.end[row]), work.kind[row])
            })
            .collect();
        let of_process = [(0, 1, 2, 0), (0, 4, 6, 0), (0, 7, 9, 0), (0, 9, 10, 1)];
        let of_kernel = [(0, 2, 4, 2), (0, 6, 7, 3), (1, 3, 5, 2)];
        let mut expected = [&of_process[..], &of_kernel[..]].concat();
        expected.sort_unstable();
        assert_eq!(spans, expected);
    }
}
