//! A program with the messages of its collectives in place of them: what its ranks do as they enter
//! them, as one table from the start.

use quantity::{Id, IdVec};

use crate::operation::{Operation, Rank};
use crate::program::{Program, Stream};

impl Program {
    /// Returns the program in which every collective is written out on every rank. It runs as this
    /// one does, but needs memory for all of its messages.
    #[must_use]
    pub fn written_out(&self) -> Program {
        let mut whole =
            Program { operations: Vec::new(), starts: IdVec::new(), n_entered: 0, ..self.clone() };
        for rank in Rank::first(self.n_ranks()) {
            whole.starts.push(whole.operations.len());
            let (operations, places) = self.written_out_of(rank);
            whole.operations.extend(operations);
            let moved = |index: u32| places[index as usize];
            for stream in whole.streams.get_mut(rank).into_iter().flatten() {
                *stream = Stream { start: moved(stream.start), end: moved(stream.end), ..*stream };
            }
        }
        whole.starts.push(whole.operations.len());
        whole
    }

    /// Returns the operations of a rank, and where each of its present ones begins among them.
    fn written_out_of(&self, rank: Rank) -> (Vec<Operation>, Vec<u32>) {
        let (mut operations, mut places) = (Vec::new(), Vec::new());
        for &operation in self.operations(rank) {
            places.push(operations.len() as u32);
            match operation {
                Operation::Enter { entry, tag } => {
                    let mut actions = Vec::new();
                    self.write_entry((entry, tag), rank, &mut actions);
                    operations.extend(actions.into_iter().map(Operation::Do));
                }
                Operation::EndRepeat { start } => {
                    operations.push(Operation::EndRepeat { start: places[start as usize] });
                }
                other => operations.push(other),
            }
        }
        places.push(operations.len() as u32);
        (operations, places)
    }
}
