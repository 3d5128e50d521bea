//! Segments as the two ends of a connection hand them over: numbers only, data are counted and not
//! carried. How a segment becomes a frame is in `frame`.

/// What a segment is, beside its numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// Last segment of a write.
    pub push: bool,
    /// Asks for an acknowledgement although it carries nothing new.
    pub probe: bool,
}

/// A segment to be sent; the acknowledgement it carries is filled in when it leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// Sequence number of its first byte.
    pub sequence: u64,
    /// Payload.
    pub payload: u32,
    /// What it is.
    pub flags: Flags,
}

/// A segment that has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Incoming {
    /// Sequence number of its first byte.
    pub sequence: u64,
    /// Payload.
    pub payload: u32,
    /// What it is.
    pub flags: Flags,
    /// Everything before this has arrived at the peer.
    pub acknowledged: u64,
    /// Bytes beyond `acknowledged` that the peer allows.
    pub window: u32,
}
