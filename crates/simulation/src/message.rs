//! Messages in progress, in an arena, and the transfers that carry them. The transfers of a message
//! are chosen in `messaging`.

use host::{MessageKind, TransferId};
use program::{Rank, RequestNumber, StreamId, Tag};
use quantity::IdVec;

quantity::id! {
    /// A message in its arena.
    pub(crate) MessageId;
}

/// A message between the start of its send and the end of its receive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Message {
    pub from: Rank,
    pub to: Rank,
    pub tag: Tag,
    pub bytes: u64,
    pub kind: MessageKind,
    /// The call of its sender.
    pub sent_by: Call,
    /// The call of its receiver; known once matched.
    pub received_by: Call,
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
    /// The call of a rank that another executor drives.
    pub const ELSEWHERE: Call = Call { stream: StreamId::new(0), request: None };
}

impl Message {
    /// Returns an unmatched message; its protocol is chosen when it is sent.
    pub fn new(from: Rank, to: Rank, bytes: u64, tag: Tag, sent_by: Call) -> Message {
        let kind = MessageKind::Short;
        Message { from, to, tag, bytes, kind, sent_by, received_by: Call::ELSEWHERE }
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

    /// Removes a message; its id may be reused.
    pub fn remove(&mut self, id: MessageId) {
        self.free.push(id);
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

/// The part of a transfer in its message, in the low bits of the transfer's id; the high bits are
/// the message's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A whole short message.
    Short,
    /// The envelope of a long message, followed at once by its data.
    Envelope,
    /// The data of a long message or of a rendezvous.
    Data,
    /// The request to send of a rendezvous.
    Request,
    /// The clear-to-send of a rendezvous.
    Clear,
}

pub(crate) const ROLES: [Role; 5] =
    [Role::Short, Role::Envelope, Role::Data, Role::Request, Role::Clear];
const ROLE_BITS: u32 = 3;

/// Returns the id of a message's transfer.
pub(crate) fn transfer_id(message: MessageId, role: Role) -> TransferId {
    TransferId::new(u64::from(message.get()) << ROLE_BITS | role as u64)
}

/// Returns the arguments of [`transfer_id`].
pub(crate) fn read_transfer_id(id: TransferId) -> (MessageId, Role) {
    let (message, role) = (id.get() >> ROLE_BITS, id.get() & ((1 << ROLE_BITS) - 1));
    (MessageId::new(message as u32), ROLES[role as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transfer_id_tells_its_message_and_role() {
        for message in [0, 1, u32::MAX].map(MessageId::new) {
            for role in ROLES {
                assert_eq!(read_transfer_id(transfer_id(message, role)), (message, role));
            }
        }
    }
}
