//! The recording of a run: an observer keeps a row for each frame on each wire, each collision,
//! each piece of work and each change of a window, and makes columns of them at the end.
//!
//! `frames` follows frames from wire to wire, `queues` counts the bytes that wait at ports, and
//! `work` fits the pieces of processes between those of kernels. When a table is full, the run goes
//! on and the recording says that it is not whole.

mod frames;
mod queues;
mod tables;
mod work;

use host::transport::EndpointId;
use network::{NodeId, PortId};
use quantity::{IdVec, NamedColumn, Time};

use crate::arena::FrameId;
use crate::frame::Frame;
use crate::observer::{Collision, Fate, Flight, Observer, Windows, Work};
use crate::outcome::Direction;

use frames::Frames;
use tables::{
    CollisionRow, Collisions, ConnectionRow, Connections, TimeoutRow, Timeouts, WindowRow,
    WindowsOverTime,
};
use work::Processors;

pub use frames::{FrameColumns, NONE};
pub use queues::Queues;
pub use work::WorkColumns;

/// Rows that each table of a recording may have, so that it fits in the memory of a page.
pub const MOST_ROWS: usize = 2_000_000;

/// An [`Observer`] that records a run.
#[derive(Debug)]
pub struct Recorder {
    frames: Frames,
    processors: Processors,
    collisions: Vec<Collision>,
    windows: Vec<(Time, EndpointId, Windows)>,
    last_windows: IdVec<EndpointId, Option<Windows>>,
    timeouts: Vec<(Time, EndpointId)>,
    /// Rows that each table may have.
    most: usize,
    is_whole: bool,
}

/// A recorded run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// False if more happened than was kept.
    pub is_whole: bool,
    /// The frames on wires.
    pub frames: FrameColumns,
    /// The bytes that wait at ports.
    pub queues: Queues,
    /// The work of processors.
    pub work: WorkColumns,
    collisions: Collisions,
    connections: Connections,
    windows: WindowsOverTime,
    timeouts: Timeouts,
}

impl Recorder {
    /// Returns a recorder that keeps at most `most` rows of each table.
    pub fn new(most: usize) -> Recorder {
        Recorder {
            frames: Frames::new(most),
            processors: Processors::new(most),
            collisions: Vec::new(),
            windows: Vec::new(),
            last_windows: IdVec::new(),
            timeouts: Vec::new(),
            most,
            is_whole: true,
        }
    }

    /// Returns the recording of a run that ended at `end`; `directions` are those of connections,
    /// by their sending end.
    pub fn finish(self, end: Time, directions: &[Direction]) -> Recording {
        let is_whole = self.is_whole && self.frames.is_whole() && self.processors.is_whole();
        let (frames, waits) = self.frames.finish(directions);
        let connection = |&Direction { from, to, .. }: &Direction| ConnectionRow {
            from: from.get(),
            to: to.get(),
        };
        Recording {
            is_whole,
            frames,
            queues: queues::queues(waits),
            work: self.processors.finish(end),
            collisions: self.collisions.iter().map(CollisionRow::from).collect(),
            connections: directions.iter().map(connection).collect(),
            windows: self.windows.iter().map(WindowRow::from).collect(),
            timeouts: self.timeouts.iter().map(TimeoutRow::from).collect(),
        }
    }

    /// Returns whether a table with `n_rows` takes one more.
    fn has_room(&mut self, n_rows: usize) -> bool {
        self.is_whole &= n_rows < self.most;
        n_rows < self.most
    }
}

impl Recording {
    /// Returns all columns.
    pub fn named(&self) -> Vec<NamedColumn<'_>> {
        [
            self.frames.named(),
            self.collisions.named(),
            self.queues.named(),
            self.work.named(),
            self.connections.named(),
            self.windows.named(),
            self.timeouts.named(),
        ]
        .concat()
    }
}

impl Observer for Recorder {
    fn made(&mut self, id: FrameId, frame: &Frame, copied_from: Option<FrameId>) {
        self.frames.made(id, frame, copied_from);
    }

    fn queued(&mut self, time: Time, port: PortId, id: FrameId) {
        self.frames.queued(time, port, id);
    }

    fn flies(&mut self, id: FrameId, frame: &Frame, flight: Flight) {
        self.frames.flies(id, frame, flight);
    }

    fn dropped(&mut self, time: Time, id: FrameId, frame: &Frame, fate: Fate) {
        self.frames.dropped(time, id, frame, fate);
    }

    fn collided(&mut self, collision: Collision) {
        if self.has_room(self.collisions.len()) {
            self.collisions.push(collision);
        }
    }

    fn worked(&mut self, node: NodeId, cpu: u32, span: (Time, Time), work: Work) {
        self.processors.worked(node, cpu, span, work);
    }

    fn began(&mut self, time: Time, node: NodeId, work: Work) {
        self.processors.began(time, node, work);
    }

    fn finished(&mut self, time: Time, node: NodeId) {
        self.processors.finished(time, node);
    }

    fn windows(&mut self, time: Time, end: EndpointId, windows: Windows) {
        let last = self.last_windows.reach(end, None);
        if *last == Some(windows) {
            return;
        }
        *last = Some(windows);
        if self.has_room(self.windows.len()) {
            self.windows.push((time, end, windows));
        }
    }

    fn timed_out(&mut self, time: Time, end: EndpointId) {
        if self.has_room(self.timeouts.len()) {
            self.timeouts.push((time, end));
        }
    }
}
