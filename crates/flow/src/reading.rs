//! The reading order of a process: one transfer at a time, to its end, in the order in which the
//! first data arrived [MPITCP, sec. 1]. Libraries that read connections in turn are in `turns`.
//!
//! So at most one of the connections to a process is read. On the others data flow until the
//! receive buffer is full, then the streams stall, and with them their writers, until their turn
//! comes; a process that neither listens nor reads while blocked reads none. When the process reads
//! again, a window update travels to the sender before the stream continues.

use program::Rank;
use quantity::Time;
use simulation::Notice;

use crate::connection::{Connection, ConnectionId, OPEN, back};
use crate::model::{Event, FlowModel};
use crate::profile::ProfileId;
use crate::rank::State;
use crate::units::busy;

impl FlowModel<'_> {
    /// Handles the arrival of a transfer's first data.
    pub(crate) fn head_reached(&mut self, id: ConnectionId) {
        let state = &mut self.connections[id];
        state.n_begun += 1;
        let (rank, n_begun) = (state.to, state.n_begun);
        let reading = self.processes[rank].order.reading();
        if n_begun > 1 || reading == Some(id) {
            return;
        }
        if self.takes_turns() {
            return self.join_turns(rank, id);
        }
        let process = &mut self.processes[rank];
        process.order.arrived(id, 0);
        if process.order.reading().is_some() || !process.reads() {
            self.close(id);
        }
        self.read_next(rank);
    }

    /// Handles a transfer whose last byte the receiving kernel has.
    pub(crate) fn arrival(&mut self, id: ConnectionId) {
        let state = &mut self.connections[id];
        state.last_active = self.clock.now;
        let rank = state.to;
        let Some(&transfer) = state.arriving.get(state.n_arrived as usize) else { return };
        let tail = self.tail(id, transfer.profile);
        let profile = self.profiles.get(transfer.profile);
        let read = self.clock.now + profile.tail;
        let state = &mut self.connections[id];
        state.arriving[state.n_arrived as usize].tail = tail;
        state.n_arrived += 1;
        state.acks = profile.acks.map(|span| read.saturating_sub(span));
        match profile.has_head {
            has_head if self.takes_turns() => self.whole_arrival(id, has_head),
            true => self.read_next(rank),
            false => self.head_reached(id),
        }
    }

    /// Returns the time to read what is left of a transfer whose last byte is there.
    fn tail(&mut self, id: ConnectionId, profile: ProfileId) -> Time {
        let profile = self.profiles.get(profile);
        let (tail, late_tail, has_head) = (profile.tail, profile.late_tail, profile.has_head);
        let in_turn = has_head && self.takes_turns() && self.connections[id].n_arrived == 0;
        let process = &self.processes[self.connections[id].to];
        let is_first = in_turn || process.order.reading().is_none_or(|reading| reading == id);
        match process.reads() && is_first {
            true => tail.max(process.caught_up.saturating_sub(self.clock.now)),
            false if in_turn => tail.max(self.reading_of_waiting(id)),
            false => late_tail,
        }
    }

    /// Lets a reading process take waiting data: the rest of a transfer that it has begun, or the
    /// next one.
    pub(crate) fn read_next(&mut self, rank: Rank) {
        loop {
            let process = &mut self.processes[rank];
            if process.is_finishing || !process.reads() {
                return;
            }
            let Some((id, begins)) = process.order.take_up() else { return };
            if begins && !self.takes_turns() {
                self.take_up(rank, id);
            }
            self.make_room(id, OPEN);
            let state = &self.connections[id];
            let Some(transfer) = state.arriving.front().filter(|_| state.n_arrived > 0) else {
                return;
            };
            if transfer.tail > Time::ZERO {
                let (backlog, lost) = self.taken_by_kernel(rank);
                let process = &mut self.processes[rank];
                (process.is_finishing, process.lost) = (true, lost);
                let end = self.clock.now + backlog + transfer.tail;
                self.clock.events.push(end, Event::Read { rank });
                return;
            }
            self.has_read(rank);
        }
    }

    /// Begins to read a connection: first the data waiting there.
    fn take_up(&mut self, rank: Rank, id: ConnectionId) {
        self.processes[rank].caught_up = self.clock.now;
        let state = &self.connections[id];
        if state.room == OPEN || state.n_arrived > 0 {
            return;
        }
        self.processes[rank].caught_up = self.clock.now + self.reading_of_waiting(id);
    }

    /// Handles the end of reading.
    pub(crate) fn read_due(&mut self, rank: Rank) {
        let lost = self.newly_lost(rank);
        if lost > Time::ZERO {
            return self.clock.events.push(self.clock.now + lost, Event::Read { rank });
        }
        self.processes[rank].is_finishing = false;
        self.has_read(rank);
        self.read_next(rank);
    }

    fn has_read(&mut self, rank: Rank) {
        let process = &mut self.processes[rank];
        let Some(id) = process.order.finish(false) else { return };
        if process.state == State::Listening {
            process.state = State::Idle;
        }
        let state = &mut self.connections[id];
        let Some(transfer) = state.arriving.pop_front() else { return };
        state.read_to += self.profiles.get(transfer.profile).bytes;
        state.n_arrived -= 1;
        state.n_begun -= 1;
        let (n_begun, n_arrived) = (state.n_begun, state.n_arrived);
        if n_begun > 0 && n_arrived == 0 && self.takes_turns() {
            self.join_turns(rank, id);
        } else if n_begun > 0 {
            self.processes[rank].order.arrived(id, 0);
            self.close(id);
        }
        self.note_turned(rank);
        let (from, head) = (self.connections[id].from, transfer.head);
        self.clock.notify(Notice::Arrived { rank, from, head });
    }

    /// Stops reading in the middle of a transfer.
    pub(crate) fn look_away(&mut self, id: ConnectionId) {
        let drained = self.drained_bytes(id);
        let state = &self.connections[id];
        let transfer = state.arriving.front().map(|transfer| transfer.profile);
        let transfer = transfer.or(state.pending.front().map(|head| head.profile));
        let bytes = transfer.map_or(0, |profile| self.profiles.get(profile).bytes);
        let read = drained.clamp(state.read_to, state.read_to + bytes);
        self.make_room(id, read + self.profiles.most_unread(state.class));
    }

    /// Limits a stream that is not being read to the room of the receive buffer.
    pub(crate) fn close(&mut self, id: ConnectionId) {
        let state = &self.connections[id];
        self.make_room(id, state.read_to + self.profiles.most_unread(state.class));
    }

    /// Continues a stalled stream when the window update has arrived.
    fn go_on(&mut self, id: ConnectionId) {
        let class = self.connections[back(id)].class;
        let way = self.profiles.time_back(class);
        let word = self.clock.now + self.standing(back(id)) + way;
        self.clock.events.push(word, Event::Start { connection: id });
    }

    /// Returns the time that the outgoing interface of a connection needs for its queue: one window
    /// of each stream for which this interface is the bottleneck.
    fn standing(&mut self, id: ConnectionId) -> Time {
        let Connection { from, outlet: (port, weight), .. } = self.connections[id];
        let mut standing = 0;
        for place in 0..self.processes[from].outgoing.len() {
            let (_, other) = self.processes[from].outgoing[place];
            let state = &self.connections[other];
            let waits = self.solver.bottleneck(other) == Some(self.resources.wire(port));
            if !state.is_running || state.outlet.0 != port || !waits {
                continue;
            }
            self.catch_up(other);
            let state = &self.connections[other];
            let left = state.end.saturating_sub(state.drained);
            standing += left.min(self.profiles.window(state.class, state.profile));
        }
        busy(standing, weight)
    }

    /// Sets the receive limit of a stream, and lets it continue up to there.
    pub(crate) fn make_room(&mut self, id: ConnectionId, room: u64) {
        let state = &mut self.connections[id];
        state.room = room;
        let before = state.stalls_at;
        self.find_stall(id);
        let state = &self.connections[id];
        if state.stalls_at == before {
            return;
        }
        if state.is_running {
            self.catch_up(id);
            self.schedule(id);
        } else if state.drained >= before {
            self.go_on(id);
        }
    }
}
