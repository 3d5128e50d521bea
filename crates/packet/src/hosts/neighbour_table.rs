//! The hardware addresses that a node knows, and the packets that wait for one. How they are asked
//! for is in `resolution`.
//!
//! An address is never forgotten: Linux uses a stale entry while it is confirmed, so that no packet
//! ever waits again.

use std::collections::VecDeque;

use host::{LinkOptions, Neighbours};
use network::{Fabric, PortId};

use crate::arena::FrameId;

/// The neighbours that a node knows or asks for, ascending by the port that stands for their
/// interface.
#[derive(Debug, Default)]
pub(crate) struct NeighbourTable {
    entries: Vec<(PortId, State)>,
}

#[derive(Debug)]
enum State {
    Known,
    Asked { waiting: VecDeque<FrameId>, tries: u32 },
}

/// What becomes of a packet to a neighbour.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Lookup {
    Known,
    /// The packet waits, and somebody has to ask.
    Ask,
    /// The packet waits for an answer; the oldest one made room for it.
    Waits {
        dropped: Option<FrameId>,
    },
}

/// What becomes of a question that has waited for its answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Patience {
    Answered,
    AskAgain,
    GiveUp(VecDeque<FrameId>),
}

impl NeighbourTable {
    /// Looks a neighbour up for a packet, which is kept unless the neighbour is known.
    pub fn look_up(&mut self, neighbour: PortId, packet: FrameId, most: u32) -> Lookup {
        match self.place(neighbour) {
            Err(place) => {
                let state = State::Asked { waiting: VecDeque::from([packet]), tries: 1 };
                self.entries.insert(place, (neighbour, state));
                Lookup::Ask
            }
            Ok(place) => match &mut self.entries[place].1 {
                State::Known => Lookup::Known,
                State::Asked { waiting, .. } => {
                    waiting.push_back(packet);
                    let is_full = waiting.len() > most.max(1) as usize;
                    Lookup::Waits { dropped: if is_full { waiting.pop_front() } else { None } }
                }
            },
        }
    }

    /// Notes that a neighbour is known; returns the packets that waited for that.
    pub fn learn(&mut self, neighbour: PortId) -> VecDeque<FrameId> {
        match self.place(neighbour) {
            Err(place) => {
                self.entries.insert(place, (neighbour, State::Known));
                VecDeque::new()
            }
            Ok(place) => match std::mem::replace(&mut self.entries[place].1, State::Known) {
                State::Known => VecDeque::new(),
                State::Asked { waiting, .. } => waiting,
            },
        }
    }

    /// Returns whether a neighbour is asked for.
    pub fn asks_for(&self, neighbour: PortId) -> bool {
        let asked = |place: usize| matches!(self.entries[place].1, State::Asked { .. });
        self.place(neighbour).is_ok_and(asked)
    }

    /// Decides on a question whose answer has been waited for.
    pub fn lose_patience(&mut self, neighbour: PortId, most_tries: u32) -> Patience {
        let Ok(place) = self.place(neighbour) else { return Patience::Answered };
        match &mut self.entries[place].1 {
            State::Known => Patience::Answered,
            State::Asked { tries, .. } if *tries < most_tries => {
                *tries += 1;
                Patience::AskAgain
            }
            State::Asked { waiting, .. } => {
                let waiting = std::mem::take(waiting);
                self.entries.remove(place);
                Patience::GiveUp(waiting)
            }
        }
    }

    /// Returns the newest packet that waits for a neighbour.
    pub fn newest(&self, neighbour: PortId) -> Option<FrameId> {
        match &self.entries[self.place(neighbour).ok()?].1 {
            State::Known => None,
            State::Asked { waiting, .. } => waiting.back().copied(),
        }
    }

    fn place(&self, neighbour: PortId) -> Result<usize, usize> {
        self.entries.binary_search_by_key(&neighbour, |entry| entry.0)
    }
}

/// Returns a table per node that knows nobody, or none at all where everybody is known.
pub(crate) fn tables(fabric: &Fabric, links: &LinkOptions) -> Vec<NeighbourTable> {
    match links.neighbours {
        Neighbours::Warm => Vec::new(),
        Neighbours::Cold { .. } => (0..fabric.n_nodes()).map(|_| Default::default()).collect(),
    }
}
