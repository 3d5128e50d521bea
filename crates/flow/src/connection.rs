//! One direction of a connection: a stream of transfers that drains at the rate of a flow.
//!
//! Positions in the stream are volumes from its beginning. Events at positions are handled in
//! `stream`; the rate comes from the solver.

use std::collections::VecDeque;

use host::Head;
use network::PortId;
use program::Rank;
use quantity::Time;
use simulation::path::LastAcks;

use crate::profile::{ClassId, ProfileId};
use crate::resources::WayId;
use crate::solver::{FlowId, ResourceId};
use crate::units::{FlowRate, Volume, Weight, carried, duration};

/// Index of a connection, which is also the index of its flow.
pub(crate) type ConnectionId = FlowId;

/// Returns the connection in the opposite direction; the two are made together.
pub(crate) fn back(id: ConnectionId) -> ConnectionId {
    FlowId::new(id.get() ^ 1)
}

/// A position that is never reached.
pub(crate) const NEVER: Volume = Volume::MAX;

/// Unlimited room.
pub(crate) const OPEN: u64 = u64::MAX;

/// A transfer that has not drained.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pending {
    pub head: Head,
    /// Position of its end.
    pub end: Volume,
    pub profile: ProfileId,
    /// Earliest start of its draining.
    pub turn: Time,
    /// Whether it has begun to drain.
    pub has_begun: bool,
}

impl Pending {
    /// Returns a transfer that has no position in a stream yet.
    pub fn new(head: Head, profile: ProfileId) -> Pending {
        Pending { head, end: 0, profile, turn: Time::ZERO, has_begun: false }
    }
}

/// A transfer that has drained and not been read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arriving {
    pub head: Head,
    pub profile: ProfileId,
    /// Time to read its last bytes after its arrival.
    pub tail: Time,
}

/// A connection from one rank to another, and the stream on it.
#[derive(Debug)]
pub(crate) struct Connection {
    pub from: Rank,
    pub to: Rank,
    pub class: ClassId,
    /// The collision domains that the data are sent into, with the sending station.
    pub hubs: Vec<(ResourceId, PortId)>,
    /// The port by which the data leave their node, and the weight of a byte there.
    pub outlet: (PortId, Weight),
    pub congestion_window: u32,
    /// Time of the last draining or arrival.
    pub last_active: Time,
    /// Departure of the last acknowledgements.
    pub acks: LastAcks,
    /// The resources of its claims.
    pub way: WayId,
    /// Bursts that have not passed their first resource.
    pub n_leaving: u32,
    /// Where short messages join, the segments of bursts that are not acknowledged, and how many
    /// the congestion window allows.
    pub in_flight: u32,
    pub most_in_flight: u32,
    /// Whether a write waits until bursts have left room in the send buffer.
    pub waits_for_bursts: bool,
    /// Whether the process does other work while its write waits for room.
    pub is_postponed: bool,
    /// The work of bursts that it has made way for, per resource of its data; empty before its rate
    /// is first updated.
    pub burst_work: Vec<Time>,
    /// Whether the first pending transfer is draining as a flow.
    pub is_running: bool,
    pub profile: ProfileId,
    pub rate: FlowRate,
    pub since: Time,
    pub started: Time,
    pub drained: Volume,
    pub end: Volume,
    pub pending: VecDeque<Pending>,
    pub arriving: VecDeque<Arriving>,
    pub last_arrival: Time,
    /// Time of the next pending event; `Time::MAX` for none.
    pub due: Time,
    /// Position at which the draining transfer stops because the receiver is full; [`NEVER`] if it
    /// does not.
    pub stalls_at: Volume,
    /// Position at which the blocked write returns; [`NEVER`] for none.
    pub written_at: Volume,
    /// Segments that have not drained.
    pub n_segments: u32,
    /// Bytes that have not drained.
    pub bytes: u64,
    /// Bytes that have drained, without those of the first transfer of `pending`.
    pub head_start: u64,
    /// Bytes that have been read, in whole transfers.
    pub read_to: u64,
    /// Bytes from the beginning of the stream that the receiver can hold; [`OPEN`] while it reads
    /// them as they arrive.
    pub room: u64,
    /// Transfers with data waiting to be read.
    pub n_begun: u32,
    /// Completely arrived transfers, the first ones of `arriving`.
    pub n_arrived: u32,
}

impl Connection {
    /// Returns a connection before its first write.
    pub fn new(from: Rank, to: Rank, class: ClassId, congestion_window: u32) -> Connection {
        Connection {
            from,
            to,
            class,
            hubs: Vec::new(),
            outlet: (PortId::new(0), 0),
            congestion_window,
            last_active: Time::ZERO,
            acks: LastAcks::default(),
            way: WayId::new(0),
            n_leaving: 0,
            in_flight: 0,
            most_in_flight: congestion_window,
            waits_for_bursts: false,
            is_postponed: false,
            burst_work: Vec::new(),
            is_running: false,
            profile: ProfileId::new(0),
            rate: 0,
            since: Time::ZERO,
            started: Time::ZERO,
            drained: 0,
            end: 0,
            pending: VecDeque::new(),
            arriving: VecDeque::new(),
            last_arrival: Time::ZERO,
            due: Time::MAX,
            stalls_at: NEVER,
            written_at: NEVER,
            n_segments: 0,
            bytes: 0,
            head_start: 0,
            read_to: 0,
            room: OPEN,
            n_begun: 0,
            n_arrived: 0,
        }
    }

    /// Updates the drained volume to the present time, of which it has stood still for a part.
    #[inline]
    pub fn sync(&mut self, now: Time, still: Time) {
        let span = now.saturating_sub(self.since);
        self.drained += carried(self.rate, span.saturating_sub(still));
        self.since = now;
    }

    /// Returns whether all drained data have arrived.
    pub fn is_all_there(&self) -> bool {
        self.n_arrived as usize == self.arriving.len()
    }

    /// Returns the time at which the stream next reaches a position with an event.
    #[inline]
    pub fn next_due(&self) -> Option<Time> {
        let end = self.pending.front()?.end;
        let next = end.min(self.stalls_at).min(self.written_at);
        let wait = duration(next.saturating_sub(self.drained), self.rate)?;
        self.since.ps().checked_add(wait.ps()).map(Time::from_ps)
    }
}
