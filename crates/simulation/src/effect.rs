//! The next step of a rank: the effects that its executor leaves to the run, and the activities
//! that it carries out by itself.

use host::{Transfer, WhileBlocked};
use program::{DiskRequest, Rank, StreamId};
use quantity::Time;

use crate::head::Part;
use crate::message::MessageId;
use crate::model::Datagram;

/// The next step of a rank that its executor does not take by itself: the run carries it out, by
/// the engine where that is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Compute for some processor time.
    Compute(Time),
    /// Sleep until a time.
    Sleep(Time),
    /// Wait for a transfer to arrive.
    Listen,
    /// Write a transfer.
    Write { to: Rank, transfer: Transfer, while_blocked: WhileBlocked },
    /// Hand a transfer over to a rank of the same node, where it arrives after a time. The rank
    /// goes on.
    HandOver { to: Rank, transfer: Transfer, latency: Time },
    /// Send a datagram.
    Send(Datagram),
    /// Set the timer of a stream. The rank goes on.
    SetTimer { stream: StreamId, span: Time },
    /// Record a mark. The rank goes on.
    Mark(u32),
    /// The rank has finished.
    Finish,
}

/// The action of a rank at the end of its present activity.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Then {
    Operation,
    /// The next part of a message is written.
    Write(MessageId, Writing),
    SendToSelf(MessageId),
    /// Its send is over.
    Sent,
    Requested(MessageId),
    DataWritten(MessageId),
    /// The write in whose call a stream waits is over.
    CallWritten(StreamId),
    /// The next transfer to a rank is written, behind the last.
    WriteBehind(Rank),
    /// Its data are copied; the disk request follows.
    Disk(DiskRequest),
    CheckWait,
    Listening,
    /// A transfer has arrived.
    Take(Rank, Part),
    /// It is received.
    Took(Rank, Part),
    Delivered(MessageId),
    Finished,
}

/// The part of a message that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writing {
    /// A whole short message.
    Short,
    /// The envelope of a long message.
    Envelope,
    /// The data of a long message or of a rendezvous.
    Data,
    /// The request to send of a rendezvous.
    Request,
    /// The clear-to-send of a rendezvous.
    Clear,
}

/// Whether a rank continues by itself, has an effect first, or waits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    Ready,
    Do(Effect),
    Wait,
}
