//! The rows of frames: one for each wire that a frame crosses, and one of no length for a frame
//! that is dropped before any.
//!
//! Ids of frames are used again, so that each is followed from the moment at which it is made.

use host::transport::EndpointId;
use network::PortId;
use quantity::{IdVec, Time, columns};

use super::queues::Stay;
use crate::arena::FrameId;
use crate::frame::{Frame, Payload};
use crate::observer::{Fate, Flight};
use crate::outcome::Direction;

/// In a column of ids: none.
pub const NONE: u32 = u32::MAX;

columns! {
    /// Frames on wires, in order of their starts.
    "frames": FrameColumns of FrameRow {
        /// The sending port.
        from: u32,
        /// The port at the other end; `NONE` where a hub repeats the frame to all, and for a frame
        /// that is dropped before it is sent.
        to: u32,
        /// The first bit leaves, in seconds.
        start: f64,
        /// The last bit has arrived; equal to `start` for a frame that is never sent.
        end: f64,
        /// Length from header to frame check sequence.
        bytes: u32,
        /// 0 data, 1 acknowledgement, 2 address resolution, 3 datagram, 4 PAUSE.
        kind: u8,
        /// The direction of a connection, `NONE` without one.
        connection: u32,
        /// 1 for data that were sent before.
        is_resent: u8,
        /// 0 if it arrived, otherwise the code of a [`Fate`].
        fate: u8,
    }
}

/// A frame in progress.
#[derive(Clone, Copy, Debug)]
struct Track {
    /// The row of the wire that it crossed last.
    row: Option<usize>,
    /// The port in whose queue it waits, or that sent it last.
    port: PortId,
    /// When it joined the queue in which it waits.
    joined: Option<Time>,
    is_resent: bool,
}

/// A row before its times are seconds.
#[derive(Clone, Copy, Debug)]
struct Row {
    from: PortId,
    to: Option<PortId>,
    start: Time,
    end: Time,
    bytes: u32,
    kind: u8,
    /// The end of the connection that receives the segment.
    to_end: Option<EndpointId>,
    is_resent: bool,
    fate: u8,
}

/// All frames of a run.
#[derive(Debug)]
pub(super) struct Frames {
    rows: Vec<Row>,
    stays: Vec<Stay>,
    tracks: IdVec<FrameId, Option<Track>>,
    /// The first sequence number that has not been sent to each end of a connection.
    unsent: IdVec<EndpointId, u64>,
    most: usize,
    is_whole: bool,
}

impl Frames {
    pub fn new(most: usize) -> Frames {
        Frames {
            rows: Vec::new(),
            stays: Vec::new(),
            tracks: IdVec::new(),
            unsent: IdVec::new(),
            most,
            is_whole: true,
        }
    }

    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    pub fn made(&mut self, id: FrameId, frame: &Frame, copied_from: Option<FrameId>) {
        let original = copied_from.and_then(|original| *self.tracks.get(original)?);
        let track = match original {
            Some(original) => Track { row: None, joined: None, ..original },
            None => {
                let is_resent = self.is_resent(frame);
                Track { row: None, port: frame.source, joined: None, is_resent }
            }
        };
        *self.tracks.reach(id, None) = Some(track);
    }

    /// Returns whether a new frame carries data that were sent before.
    fn is_resent(&mut self, frame: &Frame) -> bool {
        let Some(segment) = frame.segment().filter(|segment| segment.bytes > 0) else {
            return false;
        };
        let unsent = self.unsent.reach(segment.to, 0);
        let is_resent = segment.sequence < *unsent;
        *unsent = (*unsent).max(segment.sequence + u64::from(segment.bytes));
        is_resent
    }

    pub fn queued(&mut self, time: Time, port: PortId, id: FrameId) {
        if let Some(Some(track)) = self.tracks.get_mut(id) {
            (track.port, track.joined) = (port, Some(time));
        }
    }

    pub fn flies(&mut self, id: FrameId, frame: &Frame, flight: Flight) {
        let Flight { from, to, start, end, .. } = flight;
        self.leaves(id, frame, start);
        let row = self.push(id, frame, (from, to), (start, end));
        if let Some(Some(track)) = self.tracks.get_mut(id) {
            (track.row, track.port) = (row, from);
        }
    }

    /// Notes that a frame leaves the queue in which it waits.
    fn leaves(&mut self, id: FrameId, frame: &Frame, time: Time) {
        let Some(Some(track)) = self.tracks.get_mut(id) else { return };
        let Some(joined) = track.joined.take() else { return };
        let (port, bytes) = (track.port, frame.bytes);
        if joined < time && self.stays.len() < self.most {
            self.stays.push(Stay { port, joined, left: time, bytes });
        }
    }

    pub fn dropped(&mut self, time: Time, id: FrameId, frame: &Frame, fate: Fate) {
        let Some(Some(track)) = self.tracks.get(id) else { return };
        let (row, port, is_waiting) = (track.row, track.port, track.joined.is_some());
        self.leaves(id, frame, time);
        // A frame that has left its last port behind, and now waits at another, ends there.
        let row = row.filter(|_| !is_waiting);
        let row = row.or_else(|| self.push(id, frame, (port, None), (time, time)));
        let Some(row) = row.map(|row| &mut self.rows[row]) else { return };
        row.fate = fate as u8;
        if row.start < time {
            row.end = row.end.min(time);
        }
    }

    fn push(
        &mut self,
        id: FrameId,
        frame: &Frame,
        (from, to): (PortId, Option<PortId>),
        (start, end): (Time, Time),
    ) -> Option<usize> {
        if self.rows.len() == self.most {
            self.is_whole = false;
            return None;
        }
        let is_resent = self.tracks.get(id)?.is_some_and(|track| track.is_resent);
        let to_end = frame.segment().map(|segment| segment.to);
        let (bytes, kind) = (frame.bytes, kind(frame));
        self.rows.push(Row { from, to, start, end, bytes, kind, to_end, is_resent, fate: 0 });
        Some(self.rows.len() - 1)
    }

    /// Returns the rows in order of time, and the times for which frames waited.
    pub fn finish(mut self, directions: &[Direction]) -> (FrameColumns, Vec<Stay>) {
        self.rows.sort_by_key(|row| row.start);
        let connection = |to: EndpointId| {
            directions.get(to.get() as usize).map_or(NONE, |direction| direction.peer.get())
        };
        let row = |row: &Row| FrameRow {
            from: row.from.get(),
            to: row.to.map_or(NONE, PortId::get),
            start: row.start.seconds(),
            end: row.end.seconds(),
            bytes: row.bytes,
            kind: row.kind,
            connection: row.to_end.map_or(NONE, connection),
            is_resent: row.is_resent.into(),
            fate: row.fate,
        };
        (self.rows.iter().map(row).collect(), self.stays)
    }
}

/// Returns the code of what a frame carries.
fn kind(frame: &Frame) -> u8 {
    match &frame.payload {
        Payload::Segment(_, segment) if segment.bytes == 0 => 1,
        Payload::Segment(..) | Payload::Contents => 0,
        Payload::Resolution(_) => 2,
        Payload::Fragment(..) => 3,
        Payload::Pause(_) => 4,
    }
}
