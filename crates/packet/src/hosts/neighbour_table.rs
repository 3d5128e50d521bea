//! The hardware addresses that a node knows, and the packets that wait for one. `resolution` sends
//! the requests.
//!
//! An address is never forgotten: Linux uses a stale entry while it is confirmed, so that no packet
//! ever waits again.

use quantity::IdVec;
use std::collections::VecDeque;

use host::{LinkOptions, Neighbours};
use network::{Fabric, NodeId, PortId};

use crate::arena::FrameId;

/// The neighbours that a node knows or requests, ascending by the port that identifies their
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

/// The outcome of the lookup of a neighbour for a packet.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Lookup {
    Known,
    /// The packet waits, and a request must be sent.
    Ask,
    /// The packet waits for a reply; it has displaced the oldest one.
    Waits {
        dropped: Option<FrameId>,
    },
}

/// The outcome of a request whose reply timer has expired.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Patience {
    Answered,
    AskAgain,
    GiveUp(VecDeque<FrameId>),
}

impl NeighbourTable {
    /// Looks up a neighbour for a packet, which is kept unless the neighbour is known.
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

    /// Notes the address of a neighbour; returns the packets that waited for it.
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

    /// Returns whether a request for a neighbour is pending.
    pub fn asks_for(&self, neighbour: PortId) -> bool {
        let asked = |place: usize| matches!(self.entries[place].1, State::Asked { .. });
        self.place(neighbour).is_ok_and(asked)
    }

    /// Decides on a request whose reply timer has expired.
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

/// Returns an empty table for each node, or none where all addresses are known.
pub(crate) fn tables(fabric: &Fabric, links: &LinkOptions) -> IdVec<NodeId, NeighbourTable> {
    match links.neighbours {
        Neighbours::Warm => IdVec::new(),
        Neighbours::Cold { .. } => fabric.nodes().map(|_| Default::default()).collect(),
    }
}
