//! Segments as the two ends of a connection hand them over: numbers only, data are counted and not
//! carried. How a segment becomes a frame is the engine's.

use quantity::Time;

/// SACK blocks that fit beside time stamps (RFC 2018, sec. 3).
pub const MOST_BLOCKS: usize = 3;

/// What a segment is, beside its numbers: a set of flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(u8);

impl Flags {
    /// Last segment of a write.
    pub const PUSH: Flags = Flags(1);
    /// Asks for an acknowledgement although it carries nothing new.
    pub const PROBE: Flags = Flags(2);
    /// Tells the peer that marked data have arrived (ECE of RFC 3168).
    pub const ECHO: Flags = Flags(4);
    /// Answers an echo: the window has been reduced (CWR of RFC 3168).
    pub const REDUCED: Flags = Flags(8);
    /// May be marked instead of dropped (ECT of RFC 3168, in the IP header).
    pub const CAPABLE: Flags = Flags(16);
    /// Has been marked by a queue (CE of RFC 3168, in the IP header).
    pub const MARKED: Flags = Flags(32);
    /// Has time stamps or SACK blocks, which are kept beside the frame.
    pub const OPTIONS: Flags = Flags(64);

    /// Returns whether all flags of `other` are set.
    #[inline]
    pub const fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns the flags of both.
    #[inline]
    pub const fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    /// Returns its own flags but those of `other`.
    #[inline]
    pub const fn without(self, other: Flags) -> Flags {
        Flags(self.0 & !other.0)
    }

    /// Returns the flags of both where `condition` holds, else its own.
    #[inline]
    pub const fn with_if(self, condition: bool, other: Flags) -> Flags {
        if condition { self.with(other) } else { self }
    }
}

/// The options in the header of a segment that has any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SegmentOptions {
    /// When it was made, by the sender's clock; zero without time stamps.
    pub timestamp: Time,
    /// The time stamp that it answers; zero for none.
    pub echo: Time,
    /// What has arrived beyond what is acknowledged, from and to, the latest first.
    pub blocks: [(u64, u64); MOST_BLOCKS],
    /// How many of these are in use.
    pub n_blocks: u8,
}

impl SegmentOptions {
    /// Returns the blocks in use.
    pub fn blocks(&self) -> &[(u64, u64)] {
        &self.blocks[..usize::from(self.n_blocks)]
    }

    /// Returns the bytes they take in the header, padding included: 10 for time stamps, 2 and 8 per
    /// block for SACK, each behind two bytes that fill up the word.
    pub fn header_bytes(&self) -> u32 {
        let timestamps = if self.timestamp > Time::ZERO { 12 } else { 0 };
        let blocks = if self.n_blocks > 0 { 4 + 8 * u32::from(self.n_blocks) } else { 0 };
        timestamps + blocks
    }
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
