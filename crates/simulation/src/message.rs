//! Messages under way, in an arena, and the transfers that carry them. Which transfers a
//! message takes is decided in `messaging`.

use host::{MessageKind, TransferId};
use program::{Rank, RequestNumber, Tag};

/// Index of a message in its arena.
pub(crate) type MessageId = u32;

/// A message between its send and the end of its receive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Message {
    pub from: Rank,
    pub to: Rank,
    pub tag: Tag,
    pub bytes: u64,
    pub kind: MessageKind,
    /// How its sender called.
    pub sent_by: Call,
    /// How its receiver called; known once matched.
    pub received_by: Call,
}

/// How a rank calls a send or a receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    /// It waits inside the call.
    Blocking,
    /// It waits later, by this number.
    Started(RequestNumber),
}

impl Message {
    /// Returns a message that nobody has matched; how it travels is decided when it is sent.
    pub fn new(from: Rank, to: Rank, bytes: u64, tag: Tag, sent_by: Call) -> Message {
        let kind = MessageKind::Short;
        Message { from, to, tag, bytes, kind, sent_by, received_by: Call::Blocking }
    }
}

/// Messages under way; nothing is allocated per message once the arena has grown.
#[derive(Debug, Default)]
pub(crate) struct MessageArena {
    messages: Vec<Message>,
    free: Vec<MessageId>,
}

impl MessageArena {
    /// Keeps a message and returns its id.
    pub fn insert(&mut self, message: Message) -> MessageId {
        match self.free.pop() {
            Some(id) => {
                self.messages[id as usize] = message;
                id
            }
            None => {
                self.messages.push(message);
                self.messages.len() as MessageId - 1
            }
        }
    }

    /// Forgets a message; its id may be given to another.
    pub fn remove(&mut self, id: MessageId) {
        self.free.push(id);
    }

    /// Returns a message.
    pub fn get(&self, id: MessageId) -> &Message {
        &self.messages[id as usize]
    }

    /// Returns a message to be changed.
    pub fn get_mut(&mut self, id: MessageId) -> &mut Message {
        &mut self.messages[id as usize]
    }
}

/// What a transfer is of its message; stands in the low bits of its id, the message in the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// All of a short message.
    Short,
    /// What announces the data of a long message, which follow at once.
    Envelope,
    /// The data of a long message or of a rendezvous.
    Data,
    /// What asks the receiver of a rendezvous for leave to send.
    Request,
    /// What gives that leave.
    Clear,
}

const ROLES: [Role; 5] = [Role::Short, Role::Envelope, Role::Data, Role::Request, Role::Clear];
const ROLE_BITS: u32 = 3;

/// Returns the id of a message's transfer.
pub(crate) fn transfer_id(message: MessageId, role: Role) -> TransferId {
    u64::from(message) << ROLE_BITS | role as u64
}

/// Returns what [`transfer_id`] was given.
pub(crate) fn read_transfer_id(id: TransferId) -> (MessageId, Role) {
    ((id >> ROLE_BITS) as MessageId, ROLES[(id & ((1 << ROLE_BITS) - 1)) as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transfer_id_tells_its_message_and_role() {
        for message in [0, 1, MessageId::MAX] {
            for role in ROLES {
                assert_eq!(read_transfer_id(transfer_id(message, role)), (message, role));
            }
        }
    }
}
