//! Frames in flight or queued, kept in an arena; nothing is allocated per frame once it has grown.
//! A frame in flight knows the one behind it on its cable.

use std::sync::Arc;

use host::prefetch;
use host::tcp::{Flags, SegmentOptions};
use network::PortId;
use quantity::{IdVec, OptionalId, Time};
use simulation::SequenceNumber;

use crate::frame::Frame;

quantity::id! {
    /// A frame in its arena.
    pub FrameId;
}

/// The arrival of a frame at the other end of a cable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub time: Time,
    pub number: SequenceNumber,
    pub frame: FrameId,
}

/// The flight of a frame over a cable. Frames of one cable arrive in order, so the arrival of the
/// first is an event and each frame knows the next. Every hop reads the record, so it is small.
#[derive(Clone, Copy, Debug, Default)]
struct InFlight {
    /// The port that sent the frame, until the frame arrives.
    from: OptionalId<PortId>,
    /// The frame behind on the same cable, and its arrival.
    next: OptionalId<FrameId>,
    next_arrives: Time,
    next_number: SequenceNumber,
}

/// A frame and its flight: two lines of a processor's cache, of which a switch reads the first
/// half.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug)]
struct Slot {
    in_flight: InFlight,
    frame: Frame,
}

const _: () = assert!(size_of::<Slot>() == 96);

/// The bytes of a real frame from its header on, without the frame check sequence.
pub type Contents = Arc<[u8]>;

/// The parts of a frame that are kept beside it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attached<'f> {
    /// Options of its segment, if it has any.
    pub options: Option<&'f SegmentOptions>,
    /// Bytes of a real frame.
    pub contents: Option<&'f Contents>,
}

/// Frames in flight or queued.
#[derive(Debug, Default)]
pub struct FrameArena {
    slots: IdVec<FrameId, Slot>,
    free: Vec<FrameId>,
    /// Options of the segments that have any, by frame; no longer than the last of them needs.
    options: IdVec<FrameId, SegmentOptions>,
    /// Bytes of real frames; empty where there are none.
    contents: IdVec<FrameId, Option<Contents>>,
}

impl FrameArena {
    /// Keeps a frame and returns its id.
    #[inline]
    pub fn insert(&mut self, frame: Frame) -> FrameId {
        match self.free.pop() {
            Some(id) => {
                self.slots[id].frame = frame;
                id
            }
            None => self.slots.push(Slot { in_flight: InFlight::default(), frame }),
        }
    }

    /// Keeps a frame that differs from another in its id only.
    pub fn copy(&mut self, id: FrameId) -> FrameId {
        let copy = self.insert(self.slots[id].frame);
        if let Some(&options) = self.options(id) {
            self.set_options(copy, options);
        }
        if let Some(contents) = self.contents(id).cloned() {
            self.set_contents(copy, contents);
        }
        copy
    }

    /// Keeps the options of a segment.
    pub fn set_options(&mut self, id: FrameId, options: SegmentOptions) {
        *self.options.reach(id, SegmentOptions::default()) = options;
    }

    /// Returns the options of a segment that has any; they outlast the frame until the next one is
    /// kept.
    #[inline]
    pub fn options(&self, id: FrameId) -> Option<&SegmentOptions> {
        let segment = self.slots.get(id)?.frame.segment()?;
        if segment.flags.has(Flags::OPTIONS) { self.options.get(id) } else { None }
    }

    /// Keeps the bytes of a real frame.
    pub fn set_contents(&mut self, id: FrameId, contents: Contents) {
        while self.contents.n() <= id.get() {
            self.contents.push(None);
        }
        self.contents[id] = Some(contents);
    }

    /// Returns the bytes of a real frame; they outlast it until others are kept in their place.
    #[inline]
    pub fn contents(&self, id: FrameId) -> Option<&Contents> {
        self.contents.get(id)?.as_ref()
    }

    /// Returns everything that is kept beside a frame.
    #[inline]
    pub fn attached(&self, id: FrameId) -> Attached<'_> {
        Attached { options: self.options(id), contents: self.contents(id) }
    }

    /// Forgets a frame; its id may be given to another.
    #[inline]
    pub fn remove(&mut self, id: FrameId) {
        self.free.push(id);
    }

    /// Returns a frame.
    #[inline]
    pub fn get(&self, id: FrameId) -> &Frame {
        &self.slots[id].frame
    }

    /// Returns a frame, if there is or was one of this id.
    #[inline]
    pub fn find(&self, id: FrameId) -> Option<&Frame> {
        self.slots.get(id).map(|slot| &slot.frame)
    }

    /// Returns a frame for modification.
    #[inline]
    pub fn get_mut(&mut self, id: FrameId) -> &mut Frame {
        &mut self.slots[id].frame
    }

    /// Prefetches a frame.
    #[inline]
    pub(crate) fn prefetch(&self, id: FrameId) {
        prefetch(&self.slots[id].frame);
        self.prefetch_in_flight(id);
    }

    /// Prefetches the flight of a frame.
    #[inline]
    pub(crate) fn prefetch_in_flight(&self, id: FrameId) {
        if let Some(slot) = self.slots.get(id) {
            prefetch(&slot.in_flight);
        }
    }

    /// Notes that a frame departs from a port.
    #[inline]
    pub(crate) fn departs(&mut self, id: FrameId, from: PortId) {
        self.slots[id].in_flight = InFlight { from: from.into(), ..InFlight::default() };
    }

    /// Queues a frame behind `ahead`, if that is still in flight from the same port; returns
    /// whether it is.
    #[inline]
    pub(crate) fn queue_behind(&mut self, ahead: FrameId, from: PortId, arrival: Arrival) -> bool {
        let in_flight = &mut self.slots[ahead].in_flight;
        let is_in_flight = in_flight.from == from.into();
        if is_in_flight {
            let Arrival { time, number, frame } = arrival;
            in_flight.next = frame.into();
            (in_flight.next_arrives, in_flight.next_number) = (time, number);
        }
        is_in_flight
    }

    /// Notes that a frame has arrived; returns the arrival of the one behind it.
    #[inline]
    pub(crate) fn arrives(&mut self, id: FrameId) -> Option<Arrival> {
        let state = std::mem::take(&mut self.slots[id].in_flight);
        let InFlight { next, next_arrives: time, next_number: number, .. } = state;
        next.get().map(|frame| Arrival { time, number, frame })
    }

    /// Returns how many frames are in flight or queued.
    pub fn n_live(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Returns the bytes of memory held.
    pub fn memory_bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>()
            + self.free.capacity() * size_of::<FrameId>()
            + self.options.capacity() * size_of::<SegmentOptions>()
    }
}
