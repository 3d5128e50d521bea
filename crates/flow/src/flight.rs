//! Small transfers (bursts) visit their resources in order, and queue at each first in, first out,
//! as their frames would.
//!
//! A burst costs an event per resource and changes no rate, so its cost does not depend on the
//! number of transfers in flight. It takes exactly the time of `simulation::path` and its waits.
//! Bursts and flows see each other: a burst passes a resource at the rate that the flows leave it,
//! or at an equal share, and the flows that the resource limits stand still for its work.

use host::Head;
use quantity::Time;

use crate::burst::{Burst, BurstId};
use crate::connection::{Arriving, ConnectionId};
use crate::model::{Event, FlowModel};
use crate::profile::ProfileId;
use crate::solver::ResourceId;
use crate::units::CAPACITY;

/// Binary places of shares that are left out, so that products with times have room.
const SHARE_SHIFT: u32 = 32;

impl FlowModel<'_> {
    /// Returns whether a transfer may pass as a burst now: it is small enough, its receiver has
    /// room for it, and its window is open.
    pub(crate) fn may_burst(&self, id: ConnectionId, profile: ProfileId) -> bool {
        let (state, own) = (&self.connections[id], self.profiles.get(profile));
        !own.passage.stages.is_empty()
            && state.head_start + own.bytes <= state.room
            && !self.waits_to_join(id, profile)
    }

    /// Counts a transfer among those that leave in a burst.
    pub(crate) fn board(&mut self, id: ConnectionId, head: Head, profile: ProfileId) {
        let own = self.profiles.get(profile);
        let state = &mut self.connections[id];
        state.drained += own.volume;
        state.head_start += own.bytes;
        state.arriving.push_back(Arriving { head, profile, tail: Time::ZERO });
    }

    /// Sends the next transfers of a stream as a burst.
    pub(crate) fn send_burst(&mut self, id: ConnectionId, profile: ProfileId, n_transfers: u32) {
        self.count_in_flight(id, profile);
        let own = self.profiles.get(profile);
        let begin = self.clock.now + own.opening;
        let (frame_bytes, first) = (own.frame_bytes, begin + own.passage.stages[0].head);
        let state = &mut self.connections[id];
        state.last_active = self.clock.now;
        state.n_leaving += 1;
        let (way, has_hubs) = (state.way, !state.hubs.is_empty());
        let next = self.ways.at(way, own.passage.stages[0].place);
        let burst = Burst { connection: id, profile, n_transfers, way, place: 0, next, begin };
        let burst = self.bursts.insert(burst);
        if has_hubs {
            self.count_contender(id, frame_bytes, true);
        }
        if first == self.clock.now {
            self.burst_due(burst);
        } else {
            self.clock.events.push(first, Event::Burst { burst });
        }
    }

    /// Handles a burst that comes to its next stage, or is all there.
    pub(crate) fn burst_due(&mut self, id: BurstId) {
        let Burst { connection, profile, way, place, next: resource, .. } = self.bursts.get(id);
        let stages = &self.profiles.get(profile).passage.stages;
        let Some(&stage) = stages.get(place as usize) else { return self.burst_arrived(id) };
        let next = stages.get(place as usize + 1).copied();
        let span = self.span(resource, stage.work);
        let wait = self.queues[resource].pass(self.clock.now, &stage, span);
        let burst = self.bursts.get_mut(id);
        burst.begin += wait;
        burst.place += 1;
        let begin = burst.begin;
        let due = match next {
            Some(stage) => {
                burst.next = self.ways.at(way, stage.place);
                begin + stage.head
            }
            None => {
                let state = &mut self.connections[connection];
                let arrival = begin + self.profiles.get(profile).open();
                state.last_arrival = state.last_arrival.max(arrival);
                state.last_arrival
            }
        };
        if place == 1 {
            self.burst_has_left(connection, profile);
        }
        self.clock.events.push(due, Event::Burst { burst: id });
    }

    /// Returns how long bursts stalled the stream since its last update: the burst work on its
    /// bottleneck, minus the capacity that the flows left unused.
    pub(crate) fn stall(&mut self, id: ConnectionId) -> Time {
        let state = &mut self.connections[id];
        let interval = self.clock.now.saturating_sub(state.since);
        let n_data = self.solver.n_data(id);
        let is_first = state.burst_work.len() != n_data;
        state.burst_work.resize(n_data, Time::ZERO);
        let mut longest = Time::ZERO;
        for (place, counted) in (0..).zip(&mut state.burst_work) {
            let resource = self.ways.at(state.way, place);
            let work = self.queues[resource].work;
            let new = work.saturating_sub(std::mem::replace(counted, work));
            if is_first || new == Time::ZERO {
                continue;
            }
            let (capacity, used) = self.solver.load(resource);
            let unused = capacity.saturating_sub(used) >> SHARE_SHIFT;
            let idle = u128::from(interval.ps()) * unused / (capacity >> SHARE_SHIFT).max(1);
            let stall = new.saturating_sub(Time::from_ps(idle as u64));
            // Carry over the stall that does not fit into this interval.
            *counted = work.saturating_sub(stall.saturating_sub(interval));
            longest = longest.max(stall);
        }
        longest
    }

    /// Returns the time that a burst with this work occupies a resource.
    #[inline]
    fn span(&self, resource: ResourceId, work: Time) -> Time {
        if self.solver.n_running() == 0 && self.contenders.is_empty() {
            return work;
        }
        match self.solver.left_to_one_more(resource) {
            CAPACITY => work,
            left => {
                let (left, whole) = (left >> SHARE_SHIFT, CAPACITY >> SHARE_SHIFT);
                let span = u128::from(work.ps()) * whole / left.max(1);
                Time::from_ps(span as u64)
            }
        }
    }

    /// Frees the room of a burst in the send buffer, and lets later data of its connection follow.
    fn burst_has_left(&mut self, id: ConnectionId, profile: ProfileId) {
        let own = self.profiles.get(profile);
        let state = &mut self.connections[id];
        state.n_segments -= own.n_segments;
        state.bytes -= own.bytes;
        state.n_leaving -= 1;
        let is_next = state.n_leaving == 0 && !state.pending.is_empty();
        let has_room = self.profiles.hold(state.n_segments, state.bytes);
        if has_room && std::mem::take(&mut state.waits_for_bursts) {
            self.write_has_room(id);
        }
        if is_next {
            self.open_window(id);
            self.start_stream(id);
        }
    }

    fn burst_arrived(&mut self, id: BurstId) {
        let Burst { connection, profile, n_transfers, way, place, .. } = self.bursts.remove(id);
        let own = self.profiles.get(profile);
        let frame_bytes = own.frame_bytes;
        for &(place, work) in &own.passage.acks {
            let resource = self.ways.at(way, place);
            self.queues[resource].squeeze_in(self.clock.now, work);
        }
        if place == 1 {
            self.burst_has_left(connection, profile);
        }
        if !self.connections[connection].hubs.is_empty() {
            self.count_contender(connection, frame_bytes, false);
        }
        self.await_acknowledgement(connection, profile);
        (0..n_transfers).for_each(|_| self.arrival(connection));
    }
}
