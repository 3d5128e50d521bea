//! Short messages that wait for the congestion window and leave together, as Linux 6 fills the last
//! segment up that waits (`tcp_sendmsg_locked`). The packet engine moves the segments; here bursts
//! that wait become one.
//!
//! Only the segments of bursts count as in flight. A few of them limit nothing, so that their
//! acknowledgements cost no event.

use quantity::Time;
use simulation::path::{ConnectionState, Writes};

use crate::connection::{ConnectionId, Pending, back};
use crate::model::{Event, FlowModel};
use crate::profile::{MOST_OF_A_BURST, ProfileId};

/// Number of segments in flight whose acknowledgements need no event.
const FEW_SEGMENTS: u32 = 2;

impl FlowModel<'_> {
    /// Returns whether a transfer waits until the congestion window of its connection opens, and
    /// joins those that wait before it.
    pub(crate) fn waits_to_join(&self, id: ConnectionId, profile: ProfileId) -> bool {
        let state = &self.connections[id];
        self.host.tcp.fills_waiting
            && state.in_flight >= state.most_in_flight
            && !self.profiles.get(profile).passage.stages.is_empty()
    }

    /// Returns the time of a write that only copies its data behind others.
    pub(crate) fn copying(&self, writes: Writes) -> Time {
        let costs = &self.host.costs;
        let parts = [u64::from(writes.header), writes.body];
        let written = parts.into_iter().filter(|&bytes| bytes > 0);
        written.fold(Time::ZERO, |sum, bytes| sum + costs.write_call + costs.send_copy.of(bytes))
    }

    /// Returns the transfers at the head of a stream that leave as one burst, and its profile; the
    /// first of them has the given one.
    pub(crate) fn joined(&mut self, id: ConnectionId, first: ProfileId) -> (ProfileId, u32) {
        let (n_transfers, n_segments, bytes) = self.that_join(id);
        if n_transfers < 2 {
            return (first, 1);
        }
        let state = &self.connections[id];
        let acks = self.connections[back(id)].acks;
        let opening =
            ConnectionState::behind(state.congestion_window, self.clock.now, acks, &self.host);
        let profile = self.profiles.find(state.class, Writes { header: 0, body: bytes }, opening);
        let own = self.profiles.get(profile);
        if own.passage.stages.is_empty() {
            return (first, 1);
        }
        let state = &mut self.connections[id];
        state.n_segments = state.n_segments - n_segments + own.n_segments;
        (profile, n_transfers)
    }

    /// Returns the number of transfers at the head of a stream that the windows let leave
    /// together, with the segments that they would be alone, and their bytes.
    fn that_join(&self, id: ConnectionId) -> (u32, u32, u64) {
        let state = &self.connections[id];
        if !self.host.tcp.fills_waiting {
            return (1, 0, 0);
        }
        let free = u64::from(state.most_in_flight.saturating_sub(state.in_flight));
        let in_window = free * u64::from(self.profiles.segment_bytes(state.class));
        let most = in_window.min(MOST_OF_A_BURST).min(state.room.saturating_sub(state.head_start));
        let (mut n_transfers, mut n_segments, mut bytes) = (0, 0, 0);
        for &Pending { profile, has_begun, .. } in &state.pending {
            let own = self.profiles.get(profile);
            if has_begun || own.passage.stages.is_empty() || bytes + own.bytes > most {
                break;
            }
            n_transfers += 1;
            n_segments += own.n_segments;
            bytes += own.bytes;
        }
        (n_transfers, n_segments, bytes)
    }

    /// Counts the segments of a burst that leaves.
    pub(crate) fn count_in_flight(&mut self, id: ConnectionId, profile: ProfileId) {
        if self.host.tcp.fills_waiting {
            self.connections[id].in_flight += self.profiles.get(profile).n_segments;
        }
    }

    /// Expects the acknowledgement of a burst that is there.
    pub(crate) fn await_acknowledgement(&mut self, id: ConnectionId, profile: ProfileId) {
        if !self.host.tcp.fills_waiting {
            return;
        }
        let n_segments = self.profiles.get(profile).n_segments;
        if self.connections[id].in_flight <= FEW_SEGMENTS {
            return self.acknowledged(id, n_segments);
        }
        let class = self.connections[back(id)].class;
        let time = self.clock.now + self.profiles.time_back(class);
        self.clock.events.push(time, Event::Acknowledged { connection: id, n_segments });
    }

    /// Handles an acknowledgement: a window of which half was used opens by as much.
    pub(crate) fn acknowledged(&mut self, id: ConnectionId, n_segments: u32) {
        let first = self.connections[id].pending.front();
        let has_waited = first.is_some_and(|first| self.waits_to_join(id, first.profile));
        let state = &mut self.connections[id];
        if 2 * state.in_flight > state.most_in_flight {
            state.most_in_flight += n_segments;
        }
        state.in_flight = state.in_flight.saturating_sub(n_segments);
        if has_waited {
            self.start_stream(id);
        }
    }
}
