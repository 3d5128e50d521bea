//! Reading in turn, as libraries with non-blocking sockets do: all streams to a process flow while
//! it reads, and share its processor with everything else. A transfer that is there as a whole then
//! waits until those before it are read to their ends.
//!
//! While the process does something else, each of its streams has the room of its receive buffer.

use program::Rank;
use quantity::Time;

use crate::connection::{ConnectionId, OPEN};
use crate::model::FlowModel;

impl FlowModel<'_> {
    /// Returns whether processes read their connections in turn.
    pub(crate) fn takes_turns(&self) -> bool {
        self.host.protocol.progress.takes_turns()
    }

    /// Lets a connection of which the first unread transfer has come in part be read with others.
    pub(crate) fn join_turns(&mut self, rank: Rank, id: ConnectionId) {
        let process = &mut self.processes[rank];
        if process.in_turn.is_empty() {
            process.is_reading_in_turn = process.reads();
        }
        process.in_turn.push(id);
        if process.is_reading_in_turn {
            self.make_room(id, OPEN);
        } else {
            self.close(id);
        }
    }

    /// Handles a transfer that is there as a whole; one of a few frames comes at once.
    pub(crate) fn whole_arrival(&mut self, id: ConnectionId, has_head: bool) {
        let state = &mut self.connections[id];
        state.n_begun += u32::from(!has_head);
        let rank = state.to;
        if state.n_arrived == 1 {
            let process = &mut self.processes[rank];
            if has_head {
                process.in_turn.retain(|&other| other != id);
            }
            process.order.arrived(id, 0);
            self.close(id);
        }
        self.read_next(rank);
    }

    /// Notes that a process may have begun to read, or stopped. It often does both at one time.
    pub(crate) fn note_turned(&mut self, rank: Rank) {
        let process = &self.processes[rank];
        if !process.in_turn.is_empty() && process.is_reading_in_turn != process.reads() {
            self.turned.push(rank);
        }
    }

    /// Lets streams flow or stand, after all that their processes do at one time.
    pub(crate) fn follow_turned(&mut self) {
        for place in 0..self.turned.len() {
            self.follow(self.turned[place]);
        }
        self.turned.clear();
    }

    fn follow(&mut self, rank: Rank) {
        let process = &mut self.processes[rank];
        let reads = process.reads();
        if std::mem::replace(&mut process.is_reading_in_turn, reads) == reads {
            return;
        }
        process.caught_up = process.caught_up.max(self.clock.now);
        for place in 0..self.processes[rank].in_turn.len() {
            let id = self.processes[rank].in_turn[place];
            if reads {
                let behind = self.reading_of_waiting(id);
                self.processes[rank].caught_up += behind;
                self.make_room(id, OPEN);
            } else {
                self.look_away(id);
            }
        }
    }

    /// Returns the time to read what has come of the first unread transfer since its process looked
    /// away.
    pub(crate) fn reading_of_waiting(&mut self, id: ConnectionId) -> Time {
        let drained = self.drained_bytes(id);
        let state = &self.connections[id];
        let head = state.arriving.front().map(|transfer| transfer.profile);
        let head = head.or(state.pending.front().map(|head| head.profile));
        let (Some(profile), false) = (head, state.room == OPEN) else { return Time::ZERO };
        let profile = self.profiles.get(profile);
        let most_unread = self.profiles.most_unread(state.class);
        let whole = profile.bytes.min(most_unread).max(1);
        let waiting = drained.saturating_sub(state.room - most_unread).min(whole);
        let reading = u128::from(profile.late_tail.ps()) * u128::from(waiting) / u128::from(whole);
        Time::from_ps(reading as u64)
    }
}
