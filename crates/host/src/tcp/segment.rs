//! Segments between the two ends of a connection: numbers only, because data are counted and not
//! carried. The engine turns segments into frames.

use quantity::Time;

/// SACK blocks that fit beside time stamps (RFC 2018, sec. 3).
pub const MOST_BLOCKS: usize = 3;

/// The flags of a segment: a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(u8);

impl Flags {
    /// Last segment of a write.
    pub const PUSH: Flags = Flags(1);
    /// Window probe: requests an acknowledgement without new data.
    pub const PROBE: Flags = Flags(2);
    /// Reports to the peer that marked data have arrived (ECE of RFC 3168).
    pub const ECHO: Flags = Flags(4);
    /// Reports to the peer that the window has been reduced (CWR of RFC 3168).
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

    /// Returns the union of two sets of flags.
    #[inline]
    pub const fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    /// Returns the flags without those of `other`.
    #[inline]
    pub const fn without(self, other: Flags) -> Flags {
        Flags(self.0 & !other.0)
    }

    /// Returns the flags with those of `other` added if `condition` holds.
    #[inline]
    pub const fn with_if(self, condition: bool, other: Flags) -> Flags {
        if condition { self.with(other) } else { self }
    }
}

/// The TCP options of a segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SegmentOptions {
    /// Time stamp by the sender's clock; zero without time stamps.
    pub timestamp: Time,
    /// The echoed time stamp; zero for none.
    pub echo: Time,
    /// SACK blocks, as begin and end of each range, the latest first.
    pub blocks: [(u64, u64); MOST_BLOCKS],
    /// Number of SACK blocks in use.
    pub n_blocks: u8,
}

impl SegmentOptions {
    /// Returns the SACK blocks in use.
    pub fn blocks(&self) -> &[(u64, u64)] {
        &self.blocks[..usize::from(self.n_blocks)]
    }

    /// Returns the range of data that arrived twice: the first block, if it lies before
    /// `acknowledged` or inside the next block (RFC 2883).
    pub fn repeated(&self, acknowledged: u64) -> Option<(u64, u64)> {
        let (&first, others) = self.blocks().split_first()?;
        let is_inside = |&(start, end): &(u64, u64)| start <= first.0 && first.1 <= end;
        (first.1 <= acknowledged || others.first().is_some_and(is_inside)).then_some(first)
    }

    /// Returns the length of the options in the header, padding included: 10 bytes for time stamps,
    /// 2 plus 8 per block for SACK, each with two bytes of padding.
    pub fn header_bytes(&self) -> u32 {
        let timestamps = if self.timestamp > Time::ZERO { 12 } else { 0 };
        let blocks = if self.n_blocks > 0 { 4 + 8 * u32::from(self.n_blocks) } else { 0 };
        timestamps + blocks
    }
}

/// A segment to be sent; its acknowledgement is filled in when it leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// Sequence number of the first byte.
    pub sequence: u64,
    /// Payload, in bytes.
    pub payload: u32,
    /// Flags.
    pub flags: Flags,
}

/// A segment that has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Incoming {
    /// Sequence number of the first byte.
    pub sequence: u64,
    /// Payload, in bytes.
    pub payload: u32,
    /// Flags.
    pub flags: Flags,
    /// Acknowledgement number: everything before it has arrived at the peer.
    pub acknowledged: u64,
    /// Window: bytes beyond `acknowledged` that the peer allows.
    pub window: u32,
}
