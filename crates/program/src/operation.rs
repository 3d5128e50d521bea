//! The operations of a rank: the rank executor runs them one after the other.
//!
//! Collectives do not appear here; they have been expanded.

use quantity::{Time, id};
use serde::Serialize;

id! {
    /// A process of the parallel program.
    pub Rank;
}

/// Message tag; a receive takes the first message of its source with its tag.
pub type Tag = u32;

/// Tag of a receive that takes a message of any tag, those of collectives excepted.
pub const ANY_TAG: Tag = Tag::MAX;

/// First tag of the messages of collectives; the tags of a user's messages are smaller.
pub const COLLECTIVE_TAGS: Tag = 1 << 31;

/// The ranks of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranks {
    /// How many a run waits for: the first ones, which enter collectives and pass marks.
    pub awaited: u32,
    /// How many come after them, and run for as long as those do.
    pub background: u32,
}

impl Ranks {
    /// Returns how many there are.
    pub fn total(self) -> u32 {
        self.awaited.saturating_add(self.background)
    }

    /// Returns whether nobody waits for a rank.
    pub fn is_background(self, rank: Rank) -> bool {
        rank.get() >= self.awaited
    }
}

impl From<u32> for Ranks {
    fn from(awaited: u32) -> Ranks {
        Ranks { awaited, background: 0 }
    }
}

/// Number by which a rank waits for what it has started; several starts may share it.
pub type RequestNumber = u32;

/// Number of the requests that collectives start; a user's are smaller.
pub const COLLECTIVE_NUMBER: RequestNumber = RequestNumber::MAX;

/// What carries a datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum DatagramProtocol {
    /// UDP, with a header of 8 bytes.
    Udp,
    /// IP alone.
    Raw,
}

impl DatagramProtocol {
    /// Returns the bytes of its header.
    pub fn header_bytes(self) -> u32 {
        match self {
            DatagramProtocol::Udp => 8,
            DatagramProtocol::Raw => 0,
        }
    }

    /// Returns the most user data of a datagram: what an IPv4 packet of 65,535 bytes leaves.
    pub fn most_bytes(self) -> u32 {
        65_535 - 20 - self.header_bytes()
    }
}

/// What a disk is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum DiskRequest {
    /// Read what is in no cache.
    Read {
        /// How much.
        bytes: u64,
    },
    /// Write to the cache, which writes to the disk behind the process.
    Write {
        /// How much.
        bytes: u64,
    },
    /// Wait until everything that was written is on the disk.
    Flush,
}

/// What one rank does by itself. Sizes are bytes of user data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Action {
    /// Send and return when the buffer may be reused.
    Send {
        /// Destination.
        to: Rank,
        /// User data.
        bytes: u64,
        /// Tag.
        tag: Tag,
    },
    /// Wait for a message; `None` takes it from any rank.
    Receive {
        /// Source, `None` for any.
        from: Option<Rank>,
        /// Tag, or [`ANY_TAG`].
        tag: Tag,
    },
    /// Start a send; it is completed by the next wait for its number or for all.
    StartSend {
        /// Destination.
        to: Rank,
        /// User data.
        bytes: u64,
        /// Tag.
        tag: Tag,
        /// Number to wait for.
        number: RequestNumber,
    },
    /// Post a receive; it is completed by the next wait for its number or for all.
    StartReceive {
        /// Source, `None` for any.
        from: Option<Rank>,
        /// Tag, or [`ANY_TAG`].
        tag: Tag,
        /// Number to wait for.
        number: RequestNumber,
    },
    /// Complete every started send and receive of this rank.
    WaitAll,
    /// Complete every started send and receive of this rank that has the number.
    Wait {
        /// The number.
        number: RequestNumber,
    },
    /// Use the processor for this long, forwarding and interrupts not counted.
    Compute {
        /// Length on an otherwise idle processor.
        work: Time,
    },
    /// Send a datagram and go on; nobody receives it by an operation of his own, and nobody sends
    /// it again.
    Datagram {
        /// Destination.
        to: Rank,
        /// User data.
        bytes: u32,
        /// User data of the datagram that the destination sends back when it has read this one;
        /// 0 for none.
        answer: u32,
        /// What carries it.
        protocol: DatagramProtocol,
        /// Begins no sooner than this after the rank's last one began; the processor is free
        /// meanwhile.
        spacing: Time,
    },
    /// Use the disk of the node; the processor is free meanwhile.
    Disk(DiskRequest),
    /// Go on no sooner than this after the rank's last sleep ended; the processor is free
    /// meanwhile.
    Sleep {
        /// From the end of one sleep to the end of the next.
        spacing: Time,
    },
    /// Note the time under a number.
    Mark {
        /// The number.
        mark: u32,
    },
}

/// One operation of one rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Do something once.
    Do(Action),
    /// Repeat the operations up to the matching [`Operation::EndRepeat`].
    Repeat {
        /// How often, at least once.
        count: u32,
    },
    /// End of a repeated block; `start` is the index of its [`Operation::Repeat`].
    EndRepeat {
        /// Index of the matching `Repeat` in the rank's operations.
        start: u32,
    },
}
