//! Frames on the wire, kept in an arena; nothing is allocated per frame once the arena has grown.
//! A frame has sizes and addresses, never contents; its bytes are made by captures only.

use host::prefetch;
use host::tcp::{EndpointId, Flags, Incoming, SegmentOptions};
use network::{AddressId, PortId};
use quantity::Time;
use simulation::Turn;

/// Index of a frame in its arena.
pub type FrameId = u32;

/// The target of a frame that is for no one station: a broadcast, or what is for the port at the
/// other end of the cable alone.
pub const NO_STATION: PortId = PortId::MAX;

/// What a frame is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrameKind {
    /// A TCP segment.
    #[default]
    Segment,
    /// Asks who has an IPv4 address (ARP), of everybody on the segment.
    ArpRequest,
    /// Answers that.
    ArpReply,
    /// Asks who has an IPv6 address (neighbour discovery), of everybody on the segment.
    Solicitation,
    /// Answers that.
    Advertisement,
    /// A UDP datagram or a fragment of one: `sequence` is its number in the run, `acknowledged` the
    /// offset of its payload, `window` the payload of all fragments, `endpoint` the sender's
    /// address.
    Udp,
    /// The same without UDP.
    Raw,
    /// Stops the port at the other end of the cable, or lets it go on: `window` is the time, in
    /// quanta of 512 bit times.
    Pause,
}

impl FrameKind {
    /// Returns whether it asks for a hardware address or answers that, and so stays on its segment.
    pub(crate) fn is_resolution(self) -> bool {
        use FrameKind::{Advertisement, ArpReply, ArpRequest, Solicitation};
        matches!(self, ArpRequest | ArpReply | Solicitation | Advertisement)
    }
}

/// One Ethernet frame. The fields of TCP are those of a segment; other kinds say what they use.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Node port that put it on this segment.
    pub source: PortId,
    /// Node port it is for on this segment, or [`NO_STATION`].
    pub target: PortId,
    /// IP destination.
    pub address: AddressId,
    /// The connection end it is for; of a question for a hardware address and its answer, the port
    /// that is asked for.
    pub endpoint: EndpointId,
    /// What keeps it apart from other flows between the same stations, where paths are chosen.
    pub connection: u32,
    /// Header to frame check sequence, in bytes.
    pub bytes: u32,
    /// IP packet, in bytes.
    pub ip_bytes: u32,
    /// TCP payload, in bytes.
    pub payload: u32,
    /// Bytes the receiver of this frame may still send beyond `acknowledged`.
    pub window: u32,
    /// Sequence number of the first byte of payload.
    pub sequence: u64,
    /// Everything before this sequence number has arrived.
    pub acknowledged: u64,
    /// Time to live, over IPv6 the hop limit: one more than the remaining forwards.
    pub ttl: u8,
    /// What the segment is.
    pub flags: Flags,
    /// What the frame is.
    pub kind: FrameKind,
    /// Whether its check sequence is wrong.
    pub is_damaged: bool,
}

impl Frame {
    /// Marks a frame that may be marked, as a queue does that is longer than it should be.
    pub fn mark(&mut self) {
        self.flags = self.flags.with_if(self.flags.has(Flags::CAPABLE), Flags::MARKED);
    }

    /// Returns the segment inside.
    pub fn segment(&self) -> Incoming {
        Incoming {
            sequence: self.sequence,
            payload: self.payload,
            flags: self.flags,
            acknowledged: self.acknowledged,
            window: self.window,
        }
    }
}

/// The arrival of a frame that is behind another on its cable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub time: Time,
    pub turn: Turn,
    pub frame: FrameId,
}

/// Where a frame stands on a cable. Frames of one cable arrive in order, so that the arrival of the
/// first is an event and each knows the next. Small, as it is looked up at every hop: no port and
/// no frame are [`NONE`].
#[derive(Clone, Copy, Debug)]
struct Flight {
    /// The port that sends it, until it arrives.
    from: PortId,
    next: Arrival,
}

const NONE: u32 = u32::MAX;
const LANDED: Flight =
    Flight { from: NONE, next: Arrival { frame: NONE, time: Time::MAX, turn: 0 } };

/// A frame and its flight: neighbours, in two lines of a processor's cache or a line and a half.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug)]
struct Slot {
    frame: Frame,
    flight: Flight,
}

const _: () = assert!(size_of::<Slot>() == 96);

/// Frames in flight or queued.
#[derive(Debug, Default)]
pub struct FrameArena {
    slots: Vec<Slot>,
    free: Vec<FrameId>,
    /// Options of the segments that have any, by frame; no longer than it has to be.
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
                self.slots.push(Slot { frame, flight: LANDED });
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
        let has_options = self.slots.get(id as usize)?.frame.flags.has(Flags::OPTIONS);
        if has_options { self.options.get(id as usize) } else { None }
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

    /// Returns a frame to be changed.
    #[inline]
    pub fn get_mut(&mut self, id: FrameId) -> &mut Frame {
        &mut self.slots[id as usize].frame
    }

    /// Asks for the memory of a frame.
    #[inline]
    pub(crate) fn fetch(&self, id: FrameId) {
        prefetch(&self.slots[id as usize].frame);
        self.fetch_flight(id);
    }

    /// Asks for the memory of what a frame knows of its flight.
    #[inline]
    pub(crate) fn fetch_flight(&self, id: FrameId) {
        if let Some(slot) = self.slots.get(id as usize) {
            prefetch(&slot.flight);
        }
    }

    /// Notes that a frame leaves a port.
    #[inline]
    pub(crate) fn take_off(&mut self, id: FrameId, from: PortId) {
        self.slots[id as usize].flight = Flight { from, ..LANDED };
    }

    /// Puts a frame behind `ahead`, if that is still on its way from the same port; returns whether
    /// it is.
    #[inline]
    pub(crate) fn line_up(&mut self, ahead: FrameId, from: PortId, arrival: Arrival) -> bool {
        let flight = &mut self.slots[ahead as usize].flight;
        if flight.from == from {
            flight.next = arrival;
        }
        flight.from == from
    }

    /// Ends the flight of a frame; returns the arrival of the one behind it.
    #[inline]
    pub(crate) fn land(&mut self, id: FrameId) -> Option<Arrival> {
        let flight = std::mem::replace(&mut self.slots[id as usize].flight, LANDED);
        (flight.next.frame != NONE).then_some(flight.next)
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
