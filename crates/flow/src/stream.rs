//! Start, draining and stop of streams, and the events at their positions.
//!
//! A stream has one valid event, for the next position at which its state changes. When its rate
//! falls, the event comes too early and is renewed; when it rises, another is queued and the first
//! one becomes obsolete. Events are never searched for or moved.

use program::Rank;
use quantity::Time;

use crate::connection::{Arriving, ConnectionId, NEVER, Pending};
use crate::contention;
use crate::model::{Event, FlowModel};
use crate::profile::{Profile, ProfileId};
use crate::solver::ResourceId;
use crate::units::{Volume, busy};

/// Number of obsolete events below which none are removed.
const FEW_EVENTS: usize = 1 << 12;

impl FlowModel<'_> {
    /// Adds a transfer to a stream.
    pub(crate) fn append(&mut self, id: ConnectionId, mut transfer: Pending) {
        transfer.turn = self.turn(id, transfer.profile);
        let profile = self.profiles.get(transfer.profile);
        let state = &mut self.connections[id];
        state.n_segments += profile.n_segments;
        state.bytes += profile.bytes;
        state.congestion_window = profile.congestion_window;
        state.end += profile.volume;
        transfer.end = state.end;
        if state.pending.is_empty() && self.may_burst(id, transfer.profile) {
            self.board(id, transfer.head, transfer.profile);
            return self.send_burst(id, transfer.profile, 1);
        }
        let state = &mut self.connections[id];
        state.pending.push_back(transfer);
        if state.pending.len() == 1 {
            self.find_stall(id);
            if self.connections[id].n_leaving == 0 {
                self.open_window(id);
                self.start_stream(id);
            }
        }
    }

    /// Returns the earliest start of draining for a transfer written now: one that leaves at once
    /// waits in the queue of the interface, behind those written before.
    fn turn(&mut self, id: ConnectionId, profile: ProfileId) -> Time {
        let profile = self.profiles.get(profile);
        if !profile.leaves_at_once {
            return self.clock.now;
        }
        let (port, weight) = self.connections[id].outlet;
        let free = &mut self.outlet_free[port];
        let turn = self.clock.now.max(*free);
        *free = turn + busy(profile.volume, weight);
        turn
    }

    /// Starts to drain a stream with pending data, if its turn has come and its receiver has room.
    pub(crate) fn start_stream(&mut self, id: ConnectionId) {
        self.send_bursts(id);
        let state = &mut self.connections[id];
        let Some(&Pending { profile, turn, .. }) = state.pending.front() else { return };
        if state.is_running || state.n_leaving > 0 || state.drained >= state.stalls_at {
            return;
        }
        if self.waits_to_join(id, profile) {
            return;
        }
        let state = &mut self.connections[id];
        if turn > self.clock.now {
            self.clock.events.push(turn, Event::Start { connection: id });
            return;
        }
        (state.is_running, state.profile) = (true, profile);
        (state.since, state.started) = (self.clock.now, self.clock.now);
        state.burst_work.clear();
        let profile = self.profiles.get(profile);
        self.solver.start(id, profile.cap, |place| profile.weights[place]);
        let (volume, frame_bytes) = (profile.volume, profile.frame_bytes);
        if self.precision.is_bounded() {
            let rate = self.solver.likely_rate(id);
            self.precision.expect(volume, rate);
        }
        self.count_contender(id, frame_bytes, true);
        self.begin(id);
    }

    /// Sends the bursts at the head of a stream that does not drain.
    fn send_bursts(&mut self, id: ConnectionId) {
        while let Some(&Pending { profile, has_begun: false, .. }) =
            self.connections[id].pending.front()
            && !self.connections[id].is_running
            && self.may_burst(id, profile)
        {
            let (profile, n_transfers) = self.joined(id, profile);
            for _ in 0..n_transfers {
                if let Some(transfer) = self.connections[id].pending.pop_front() {
                    self.board(id, transfer.head, transfer.profile);
                }
            }
            self.send_burst(id, profile, n_transfers);
            self.find_stall(id);
            let state = &mut self.connections[id];
            if state.drained >= state.written_at {
                state.written_at = NEVER;
                self.write_has_room(id);
            }
        }
    }

    pub(crate) fn stop_stream(&mut self, id: ConnectionId) {
        self.sync(id);
        let state = &mut self.connections[id];
        (state.is_running, state.last_active) = (false, self.clock.now);
        self.change_rate(id, 0);
        self.solver.stop(id);
        let profile = self.connections[id].profile;
        self.count_contender(id, self.profiles.get(profile).frame_bytes, false);
    }

    /// Counts a stream in the collision domains that it sends into, or stops counting it.
    pub(crate) fn count_contender(&mut self, id: ConnectionId, frame_bytes: u32, is_there: bool) {
        for place in 0..self.connections[id].hubs.len() {
            let (resource, port) = self.connections[id].hubs[place];
            let contenders = self.contenders.entry(resource).or_default();
            contenders.count(port, frame_bytes, is_there);
            let capacity = contention::capacity(contenders.n_stations(), contenders.frame_bytes());
            self.solver.set_capacity(resource, capacity);
        }
    }

    /// Updates the rates: all changes of one time together, and deferred ones with all changes
    /// until they are due.
    pub(crate) fn settle_in_time(&mut self) {
        if !self.solver.is_stale() {
            return;
        }
        match self.precision.wait(self.solver.n_running()) {
            Time::ZERO => self.settle(),
            wait if self.clock.now + wait < self.precision.due => {
                self.precision.due = self.clock.now + wait;
                self.counters.deferrals += 1;
                self.clock.events.push(self.precision.due, Event::Settle);
            }
            _ => {}
        }
    }

    /// Handles the event of deferred changes, which may come too early.
    pub(crate) fn settle_due(&mut self) {
        if self.precision.due == self.clock.now {
            self.settle();
        }
    }

    /// Applies the new rate of every flow whose rate has changed.
    pub(crate) fn settle(&mut self) {
        self.counters.settlings += 1;
        self.precision.settled();
        let mut changed = std::mem::take(&mut self.changed);
        changed.extend_from_slice(self.solver.settle());
        for &id in &changed {
            self.sync(id);
            self.change_rate(id, self.solver.rate(id));
            self.schedule(id);
        }
        changed.clear();
        self.changed = changed;
    }

    fn change_rate(&mut self, id: ConnectionId, rate: u64) {
        let state = &mut self.connections[id];
        let (old, profile) = (std::mem::replace(&mut state.rate, rate), state.profile);
        if self.precision.is_bounded() {
            self.precision.change(self.profiles.get(profile).volume, (old, rate));
        }
        for place in 0..self.profiles.get(profile).kernel.len() {
            let (claim, weight) = self.profiles.get(profile).kernel[place];
            let processor = self.solver.used(id, claim);
            let busy = &mut self.kernel_busy[self.resources.processor_index(processor)];
            *busy += u128::from(weight) * u128::from(rate);
            *busy -= u128::from(weight) * u128::from(old);
            self.slow_down(processor);
        }
    }

    /// Schedules the next event of a stream.
    pub(crate) fn schedule(&mut self, id: ConnectionId) {
        let state = &mut self.connections[id];
        if let Some(due) = state.next_due()
            && due < state.due
        {
            let before = std::mem::replace(&mut state.due, due);
            self.clock.events.push(due, Event::Stream { connection: id });
            if before != Time::MAX {
                self.n_stale += 1;
                self.sweep();
            }
        }
    }

    /// Removes obsolete stream events once they are half of the queue, so that memory stays
    /// proportional to the valid ones, however often rates rise.
    fn sweep(&mut self) {
        if self.n_stale < FEW_EVENTS || self.n_stale * 2 < self.clock.events.len() {
            return;
        }
        let connections = &self.connections;
        self.clock.events.retain(|time, event| match event {
            Event::Stream { connection } => connections[connection].due == time,
            _ => true,
        });
        self.n_stale = 0;
    }

    /// Handles the event of a stream, which may come too early.
    pub(crate) fn stream_due(&mut self, id: ConnectionId) {
        let state = &mut self.connections[id];
        if state.due != self.clock.now {
            self.n_stale = self.n_stale.saturating_sub(1);
            return;
        }
        state.due = Time::MAX;
        if !state.is_running {
            return;
        }
        self.sync(id);
        let state = &mut self.connections[id];
        if state.drained >= state.written_at {
            state.written_at = NEVER;
            self.write_has_room(id);
        }
        let state = &self.connections[id];
        if state.pending.front().is_some_and(|head| state.drained >= head.end) {
            self.head_drained(id);
        }
        let state = &self.connections[id];
        if state.is_running && state.drained >= state.stalls_at {
            self.stop_stream(id);
        }
        if self.connections[id].is_running {
            self.schedule(id);
        }
    }

    /// Ends the draining of a stream's first transfer.
    fn head_drained(&mut self, id: ConnectionId) {
        let state = &mut self.connections[id];
        let Some(Pending { head, end, profile, .. }) = state.pending.pop_front() else {
            return;
        };
        let own = self.profiles.get(profile);
        state.n_segments -= own.n_segments;
        state.bytes -= own.bytes;
        state.head_start += own.bytes;
        state.most_in_flight = state.most_in_flight.max(own.congestion_window);
        // A later transfer does not overtake, although the rounding of times may let it.
        let arrival = (self.clock.now + own.latency).max(state.last_arrival);
        state.last_arrival = arrival;
        state.arriving.push_back(Arriving { head, profile, tail: Time::ZERO });
        self.clock.events.push(arrival, Event::Arrival { connection: id });
        self.find_stall(id);
        match self.connections[id].pending.front() {
            Some(next) if next.profile == profile && next.turn <= self.clock.now => self.begin(id),
            Some(_) => {
                self.stop_stream(id);
                self.open_window(id);
                self.start_stream(id);
            }
            None => {
                self.stop_stream(id);
                self.connections[id].drained = end;
            }
        }
    }

    /// Delays the first transfer of a stream until its congestion window has opened.
    pub(crate) fn open_window(&mut self, id: ConnectionId) {
        let Some(head) = self.connections[id].pending.front_mut() else { return };
        head.turn = head.turn.max(self.clock.now) + self.profiles.get(head.profile).opening;
    }

    /// Schedules the arrival of the first data of the transfer that now drains.
    fn begin(&mut self, id: ConnectionId) {
        let Some(head) = self.connections[id].pending.front_mut() else { return };
        let profile = self.profiles.get(head.profile);
        if std::mem::replace(&mut head.has_begun, true) {
            return;
        }
        if profile.has_head {
            let reached = profile.reached.saturating_sub(profile.opening);
            self.clock.events.push(self.clock.now + reached, Event::Head { connection: id });
        }
    }

    /// Finds the position at which the draining transfer stops because the receiver is full.
    pub(crate) fn find_stall(&mut self, id: ConnectionId) {
        let state = &mut self.connections[id];
        state.stalls_at = NEVER;
        let Some(head) = state.pending.front() else { return };
        let Profile { volume, bytes, .. } = *self.profiles.get(head.profile);
        let room = state.room.saturating_sub(state.head_start);
        if room < bytes {
            // Only whole segments are sent.
            let whole = room - room % u64::from(self.profiles.segment_bytes(state.class));
            state.stalls_at =
                head.end - volume + volume / Volume::from(bytes) * Volume::from(whole);
        }
    }

    /// Returns the bytes of a stream that have drained.
    pub(crate) fn drained_bytes(&mut self, id: ConnectionId) -> u64 {
        self.catch_up(id);
        let state = &self.connections[id];
        let Some(head) = state.pending.front() else { return state.head_start };
        let Profile { volume, bytes, .. } = *self.profiles.get(head.profile);
        let drained = (state.drained + volume).saturating_sub(head.end);
        state.head_start + (drained / (volume / Volume::from(bytes)).max(1)) as u64
    }

    /// Updates the drained volume of a stream to the present time.
    pub(crate) fn catch_up(&mut self, id: ConnectionId) {
        if self.connections[id].is_running {
            self.sync(id);
        }
    }

    /// Updates the drained volume of a running stream, without the time that bursts stalled it.
    fn sync(&mut self, id: ConnectionId) {
        let stall = self.stall(id);
        self.connections[id].sync(self.clock.now, stall);
    }

    /// Continues the computations on a processor at the speed that the kernel leaves.
    fn slow_down(&mut self, processor: ResourceId) {
        if let Some(node) = self.resources.node_of(processor)
            && let Some(rank) = self.first_rank_of_node[node].get()
        {
            self.slow_down_rank(rank);
        }
        for place in 0..self.further_ranks.len() {
            let rank = self.further_ranks[place];
            if self.processors[rank] == processor {
                self.slow_down_rank(rank);
            }
        }
    }

    fn slow_down_rank(&mut self, rank: Rank) {
        if self.processes[rank].cpu.is_busy() {
            self.renew_job(rank);
        }
    }
}
