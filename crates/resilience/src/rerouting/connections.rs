//! Connections: every destination opens one to every destination of another node, and it lasts
//! while the packets of both directions arrive. A failure changes directions one by one; here are
//! the marks of each, from which those of the opposite direction are found.

use quantity::Id;

use super::DestinationId;

/// An effect of a failure on the packets of one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Mark {
    /// They arrive on another route.
    Rerouted = 1,
    /// They do not arrive.
    Lost = 2,
    /// They do not arrive, because they loop.
    Looping = 4,
    /// Strict reverse-path filters drop them.
    Strict = 8,
    /// Loose reverse-path filters drop them too.
    Loose = 16,
}

/// The marks of all directions: a byte for each ordered pair of destinations.
#[derive(Debug)]
pub(super) struct Directions {
    n_destinations: usize,
    marks: Vec<u8>,
    /// The directions with a mark.
    marked: Vec<usize>,
}

impl Directions {
    /// Returns directions without marks.
    pub fn new(n_destinations: u32) -> Directions {
        let n_destinations = n_destinations as usize;
        let marks = vec![0; n_destinations * n_destinations];
        Directions { n_destinations, marks, marked: Vec::new() }
    }

    /// Marks the packets to a destination from another.
    pub fn mark(&mut self, to: DestinationId, from: DestinationId, mark: Mark) {
        let at = self.at(to, from);
        if self.marks[at] == 0 {
            self.marked.push(at);
        }
        self.marks[at] |= mark as u8;
    }

    /// Removes all marks.
    pub fn clear(&mut self) {
        for at in self.marked.drain(..) {
            self.marks[at] = 0;
        }
    }

    /// Returns whether the packets to a destination from another have a mark.
    pub fn has(&self, to: DestinationId, from: DestinationId, mark: Mark) -> bool {
        self.marks[self.at(to, from)] & mark as u8 != 0
    }

    /// Returns the connections, each as the server and the client, that a marked direction affects
    /// and its opposite does not answer for: its own, and the opposite one unless that has the mark
    /// too. Over all directions with the mark, each affected connection is returned once.
    pub fn connections(
        &self,
        (to, from): (DestinationId, DestinationId),
        mark: Mark,
    ) -> impl Iterator<Item = (DestinationId, DestinationId)> {
        let opposite = (!self.has(from, to, mark)).then_some((from, to));
        [(to, from)].into_iter().chain(opposite)
    }

    fn at(&self, to: DestinationId, from: DestinationId) -> usize {
        to.index() * self.n_destinations + from.index()
    }
}
