//! The reading order of a process: one transfer at a time, to its end, in the order in which the
//! first data arrived [MPITCP, sec. 1].
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
use crate::rank::State;
use crate::units::busy;

impl FlowModel<'_> {
    /// Handles the arrival of a transfer's first data.
    pub(crate) fn head_reached(&mut self, id: ConnectionId) {
        let state = &mut self.connections[id];
        state.n_begun += 1;
        let rank = state.to;
        let process = &mut self.processes[rank];
        if state.n_begun > 1 || process.order.reading() == Some(id) {
            return;
        }
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
        let process = &self.processes[rank];
        let is_read =
            process.reads() && process.order.reading().is_none_or(|reading| reading == id);
        let Some(transfer) = state.arriving.get_mut(state.n_arrived as usize) else { return };
        state.n_arrived += 1;
        let profile = self.profiles.get(transfer.profile);
        transfer.tail = match is_read {
            true => profile.tail.max(process.caught_up.saturating_sub(self.clock.now)),
            false => profile.late_tail,
        };
        let read = self.clock.now + profile.tail;
        state.acks = profile.acks.map(|span| read.saturating_sub(span));
        if profile.has_head {
            self.read_next(rank);
        } else {
            self.head_reached(id);
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
            if begins {
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
        let waiting = self.drained_bytes(id);
        let state = &self.connections[id];
        let head = state.arriving.front().map(|transfer| transfer.profile);
        let Some(profile) = head.or(state.pending.front().map(|head| head.profile)) else { return };
        let profile = self.profiles.get(profile);
        let whole = profile.bytes.min(self.profiles.most_unread(state.class)).max(1);
        let waiting = waiting.saturating_sub(state.read_to).min(whole);
        let reading = u128::from(profile.late_tail.ps()) * u128::from(waiting) / u128::from(whole);
        self.processes[rank].caught_up = self.clock.now + Time::from_ps(reading as u64);
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
        if state.n_begun > 0 {
            process.order.arrived(id, 0);
            self.close(id);
        }
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
    fn close(&mut self, id: ConnectionId) {
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
    fn make_room(&mut self, id: ConnectionId, room: u64) {
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
