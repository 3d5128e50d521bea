//! The operations of a rank, which its executor carries out one after the other.
//!
//! A collective is one operation; its messages are written when a rank enters it.

use quantity::{Time, id};
use serde::Serialize;

id! {
    /// A process of the parallel program.
    pub Rank;
    /// A stream of operations, among those of its rank.
    pub StreamId;
    /// A collective of a group, among those of its program.
    pub EntryId;
}

/// A processor of a rank on which a stream of its operations runs.
pub type Cpu = u32;

/// An event between streams, among those of their rank.
pub type EventNumber = u32;

/// Message tag; a receive takes the first message of its source with its tag.
pub type Tag = u32;

/// Tag of a receive that takes a message of any tag, those of collectives excepted.
pub const ANY_TAG: Tag = Tag::MAX;

/// First tag of the messages of collectives; the tags of a user's messages are smaller.
pub const COLLECTIVE_TAGS: Tag = 1 << 31;

/// The ranks of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranks {
    /// Number of awaited ranks, which come first, enter collectives and pass marks.
    pub awaited: u32,
    /// Number of background ranks, which follow the others and run as long as those do.
    pub background: u32,
}

impl Ranks {
    /// Returns the number of all ranks.
    pub fn total(self) -> u32 {
        self.awaited.saturating_add(self.background)
    }

    /// Returns whether a rank is in the background.
    pub fn is_background(self, rank: Rank) -> bool {
        rank.get() >= self.awaited
    }
}

impl From<u32> for Ranks {
    fn from(awaited: u32) -> Ranks {
        Ranks { awaited, background: 0 }
    }
}

/// Number by which a rank waits for requests; several requests may share it.
pub type RequestNumber = u32;

/// Number of the requests of collectives that are completed together.
pub const COLLECTIVE_NUMBER: RequestNumber = RequestNumber::MAX;

/// First number of the requests of collectives; the numbers of a user's requests are smaller.
pub const COLLECTIVE_NUMBERS: RequestNumber = RequestNumber::MAX - 2;

/// The protocol of a datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum DatagramProtocol {
    /// UDP, with a header of 8 bytes.
    Udp,
    /// Raw IP, without a transport header.
    Raw,
}

impl DatagramProtocol {
    /// Returns the bytes of the protocol's header.
    pub fn header_bytes(self) -> u32 {
        match self {
            DatagramProtocol::Udp => 8,
            DatagramProtocol::Raw => 0,
        }
    }

    /// Returns the most user data of a datagram: an IPv4 packet of 65,535 bytes without its
    /// headers.
    pub fn most_bytes(self) -> u32 {
        65_535 - 20 - self.header_bytes()
    }
}

/// A request to a disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum DiskRequest {
    /// Read uncached data.
    Read {
        /// Number of bytes.
        bytes: u64,
    },
    /// Write to the cache, which writes to the disk behind the process.
    Write {
        /// Number of bytes.
        bytes: u64,
    },
    /// Wait until all written data are on the disk.
    Flush,
}

/// An action of one rank. Sizes are bytes of user data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Action {
    /// Send and return when the buffer may be reused.
    Send {
        /// Destination rank.
        to: Rank,
        /// Bytes of user data.
        bytes: u64,
        /// Tag of the message.
        tag: Tag,
    },
    /// Send as by `Send`, and return only when the receive has begun too.
    SyncSend {
        /// Destination rank.
        to: Rank,
        /// Bytes of user data.
        bytes: u64,
        /// Tag of the message.
        tag: Tag,
    },
    /// Start a send as by `SyncSend`, which a wait completes as one by `StartSend`.
    StartSyncSend {
        /// Destination rank.
        to: Rank,
        /// Bytes of user data.
        bytes: u64,
        /// Tag of the message.
        tag: Tag,
        /// Number of the request.
        number: RequestNumber,
    },
    /// Wait for a message; `None` takes it from any rank.
    Receive {
        /// Source rank, `None` for any.
        from: Option<Rank>,
        /// Tag of the message, or [`ANY_TAG`].
        tag: Tag,
    },
    /// Start a send; it is completed by the next wait for its number or for all.
    StartSend {
        /// Destination rank.
        to: Rank,
        /// Bytes of user data.
        bytes: u64,
        /// Tag of the message.
        tag: Tag,
        /// Number of the request.
        number: RequestNumber,
    },
    /// Post a receive; it is completed by the next wait for its number or for all.
    StartReceive {
        /// Source rank, `None` for any.
        from: Option<Rank>,
        /// Tag of the message, or [`ANY_TAG`].
        tag: Tag,
        /// Number of the request.
        number: RequestNumber,
    },
    /// Complete all requests of this rank.
    WaitAll,
    /// Complete all requests of this rank that have the number.
    Wait {
        /// Number of the requests.
        number: RequestNumber,
    },
    /// Use the processor for this long, without forwarding and interrupts.
    Compute {
        /// Duration on an otherwise idle processor.
        work: Time,
    },
    /// Send a datagram and continue; no rank receives it by an operation, and it is never
    /// retransmitted.
    Datagram {
        /// Destination rank.
        to: Rank,
        /// Bytes of user data.
        bytes: u32,
        /// User data of the reply that the destination sends after reading the datagram; 0 for
        /// none.
        answer: u32,
        /// Protocol of the datagram.
        protocol: DatagramProtocol,
        /// Shortest time since the start of the rank's last datagram; the processor is free
        /// meanwhile.
        spacing: Time,
    },
    /// Use the disk of the node; the processor is free meanwhile.
    Disk(DiskRequest),
    /// Sleep until this long after the end of the rank's last sleep; the processor is free
    /// meanwhile.
    Sleep {
        /// Time from the end of one sleep to the end of the next.
        spacing: Time,
    },
    /// Record the time under a number.
    Mark {
        /// Number of the mark.
        mark: u32,
    },
    /// Signal an event of this rank once.
    Signal {
        /// Number of the event.
        event: EventNumber,
    },
    /// Continue when an event of this rank has been signalled; uses one signal up.
    Await {
        /// Number of the event.
        event: EventNumber,
    },
}

impl Action {
    /// Returns the message that the action sends: its destination, its bytes and its tag.
    pub fn sent(self) -> Option<(Rank, u64, Tag)> {
        match self {
            Action::Send { to, bytes, tag }
            | Action::SyncSend { to, bytes, tag }
            | Action::StartSend { to, bytes, tag, .. }
            | Action::StartSyncSend { to, bytes, tag, .. } => Some((to, bytes, tag)),
            _ => None,
        }
    }

    /// Returns the number of the request that the action starts.
    pub fn started(self) -> Option<RequestNumber> {
        match self {
            Action::StartSend { number, .. }
            | Action::StartSyncSend { number, .. }
            | Action::StartReceive { number, .. } => Some(number),
            _ => None,
        }
    }
}

/// One operation of one rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// A single action.
    Do(Action),
    /// Repeat the operations up to the matching [`Operation::EndRepeat`].
    Repeat {
        /// Number of passes, at least one.
        count: u32,
    },
    /// Take part in a collective.
    Enter {
        /// The collective and its group.
        entry: EntryId,
        /// Tag of its messages.
        tag: Tag,
    },
    /// End of a repeated block; `start` is the index of its [`Operation::Repeat`].
    EndRepeat {
        /// Index of the matching `Repeat` in the rank's operations.
        start: u32,
    },
}
