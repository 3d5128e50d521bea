//! Messages in progress at one of their two ranks, which each number them by themselves. The parts
//! that transfers carry are in `head`.

use host::MessageKind;
use program::{Rank, RequestNumber, StreamId, Tag};
use quantity::IdVec;

quantity::id! {
    /// A message in the arena of a rank.
    pub(crate) MessageId;
}

/// A message at its sender, until its last part is written, or at its receiver, from its first part
/// that can be matched to the end of its receive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Message {
    /// The other rank.
    pub peer: Rank,
    pub tag: Tag,
    pub bytes: u64,
    pub kind: MessageKind,
    /// The call of this rank; that of a receiver is known once matched.
    pub call: Call,
    /// The number of a rendezvous at the other rank, once it is known.
    pub there: MessageId,
}

/// A call to send or receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    /// The stream that makes it.
    pub stream: StreamId,
    /// The number by which the stream waits later; `None` if it waits inside the call.
    pub request: Option<RequestNumber>,
}

impl Call {
    /// The call of a receiver that is not known yet.
    pub const UNKNOWN: Call = Call { stream: StreamId::new(0), request: None };
}

impl Message {
    /// Returns a message whose protocol is chosen when it is sent.
    pub fn new(peer: Rank, bytes: u64, tag: Tag, call: Call) -> Message {
        Message { peer, tag, bytes, kind: MessageKind::Short, call, there: MessageId::new(0) }
    }

    /// Returns an unmatched message from another rank.
    pub fn arrived(from: Rank, bytes: u64, tag: Tag, kind: MessageKind) -> Message {
        Message { kind, ..Message::new(from, bytes, tag, Call::UNKNOWN) }
    }
}

/// Messages in progress; once the arena has grown, messages are not allocated one by one.
#[derive(Debug, Default)]
pub(crate) struct MessageArena {
    messages: IdVec<MessageId, Message>,
    free: Vec<MessageId>,
}

impl MessageArena {
    /// Keeps a message and returns its id.
    pub fn insert(&mut self, message: Message) -> MessageId {
        match self.free.pop() {
            Some(id) => {
                self.messages[id] = message;
                id
            }
            None => self.messages.push(message),
        }
    }

    /// Removes a message and returns it; its id may be reused.
    pub fn remove(&mut self, id: MessageId) -> Message {
        self.free.push(id);
        self.messages[id]
    }

    /// Returns a message.
    pub fn get(&self, id: MessageId) -> &Message {
        &self.messages[id]
    }

    /// Returns a message for modification.
    pub fn get_mut(&mut self, id: MessageId) -> &mut Message {
        &mut self.messages[id]
    }
}
