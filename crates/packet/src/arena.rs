//! Frames in flight or queued, kept in an arena; nothing is allocated per frame once it has grown.
//! A frame in flight knows the one behind it on its cable.

use host::prefetch;
use host::tcp::{Flags, SegmentOptions};
use network::PortId;
use quantity::Time;
use simulation::SequenceNumber;

use crate::frame::Frame;

/// Index of a frame in its arena.
pub type FrameId = u32;

/// The arrival of a frame at the other end of a cable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub time: Time,
    pub number: SequenceNumber,
    pub frame: FrameId,
}

/// The flight of a frame over a cable. Frames of one cable arrive in order, so the arrival of the
/// first is an event and each frame knows the next. The record is small because every hop looks it
/// up: no port and no frame are [`NONE`].
#[derive(Clone, Copy, Debug)]
struct InFlight {
    /// The port that sent the frame, until the frame arrives.
    from: PortId,
    /// The frame behind on the same cable, and its arrival.
    next: FrameId,
    next_arrives: Time,
    next_number: SequenceNumber,
}

const NONE: u32 = u32::MAX;
const ARRIVED: InFlight =
    InFlight { from: PortId::new(NONE), next: NONE, next_arrives: Time::MAX, next_number: 0 };

/// A frame and its flight: two lines of a processor's cache, of which a switch reads the first
/// half.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug)]
struct Slot {
    in_flight: InFlight,
    frame: Frame,
}

const _: () = assert!(size_of::<Slot>() == 96);

/// Frames in flight or queued.
#[derive(Debug, Default)]
pub struct FrameArena {
    slots: Vec<Slot>,
    free: Vec<FrameId>,
    /// Options of the segments that have any, by frame; no longer than the last of them needs.
    options: Vec<SegmentOptions>,
}

impl FrameArena {
    /// Keeps a frame and returns its id.
    #[inline]
    pub fn insert(&mut self, frame: Frame) -> FrameId {
        match self.free.pop() {
            Some(id) => {
                self.slots[id as usize].frame = frame;
                id
            }
            None => {
                self.slots.push(Slot { in_flight: ARRIVED, frame });
                self.slots.len() as FrameId - 1
            }
        }
    }

    /// Keeps a frame that differs from another in its id only.
    pub fn copy(&mut self, id: FrameId) -> FrameId {
        let copy = self.insert(self.slots[id as usize].frame);
        if let Some(&options) = self.options(id) {
            self.set_options(copy, options);
        }
        copy
    }

    /// Keeps the options of a segment.
    pub fn set_options(&mut self, id: FrameId, options: SegmentOptions) {
        let least = id as usize + 1;
        if self.options.len() < least {
            self.options.resize(least, SegmentOptions::default());
        }
        self.options[id as usize] = options;
    }

    /// Returns the options of a segment that has any; they outlast the frame until the next one is
    /// kept.
    #[inline]
    pub fn options(&self, id: FrameId) -> Option<&SegmentOptions> {
        let segment = self.slots.get(id as usize)?.frame.segment()?;
        if segment.flags.has(Flags::OPTIONS) { self.options.get(id as usize) } else { None }
    }

    /// Forgets a frame; its id may be given to another.
    #[inline]
    pub fn remove(&mut self, id: FrameId) {
        self.free.push(id);
    }

    /// Returns a frame.
    #[inline]
    pub fn get(&self, id: FrameId) -> &Frame {
        &self.slots[id as usize].frame
    }

    /// Returns a frame for modification.
    #[inline]
    pub fn get_mut(&mut self, id: FrameId) -> &mut Frame {
        &mut self.slots[id as usize].frame
    }

    /// Prefetches a frame.
    #[inline]
    pub(crate) fn prefetch(&self, id: FrameId) {
        prefetch(&self.slots[id as usize].frame);
        self.prefetch_in_flight(id);
    }

    /// Prefetches the flight of a frame.
    #[inline]
    pub(crate) fn prefetch_in_flight(&self, id: FrameId) {
        if let Some(slot) = self.slots.get(id as usize) {
            prefetch(&slot.in_flight);
        }
    }

    /// Notes that a frame departs from a port.
    #[inline]
    pub(crate) fn departs(&mut self, id: FrameId, from: PortId) {
        self.slots[id as usize].in_flight = InFlight { from, ..ARRIVED };
    }

    /// Queues a frame behind `ahead`, if that is still in flight from the same port; returns
    /// whether it is.
    #[inline]
    pub(crate) fn queue_behind(&mut self, ahead: FrameId, from: PortId, arrival: Arrival) -> bool {
        let in_flight = &mut self.slots[ahead as usize].in_flight;
        if in_flight.from == from {
            let Arrival { time, number, frame } = arrival;
            (in_flight.next, in_flight.next_arrives, in_flight.next_number) = (frame, time, number);
        }
        in_flight.from == from
    }

    /// Notes that a frame has arrived; returns the arrival of the one behind it.
    #[inline]
    pub(crate) fn arrives(&mut self, id: FrameId) -> Option<Arrival> {
        let state = std::mem::replace(&mut self.slots[id as usize].in_flight, ARRIVED);
        let InFlight { next: frame, next_arrives: time, next_number: number, .. } = state;
        (frame != NONE).then_some(Arrival { time, number, frame })
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
