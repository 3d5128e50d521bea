//! Messages whose senders are driven by other executors. Each executor numbers messages by itself;
//! here the numbers of a message at its sender and at its receiver are joined.

use std::collections::BTreeMap;

use host::TransferId;
use program::Rank;

use crate::head::Head;
use crate::message::{MessageArena, MessageId, Role, transfer_id};

/// The numbers of messages in the executors of their senders, from the first transfer that tells of
/// them to the last that needs them.
#[derive(Debug, Default)]
pub(crate) struct Adopted {
    here: BTreeMap<(Rank, MessageId), MessageId>,
    there: BTreeMap<MessageId, MessageId>,
}

impl Adopted {
    /// Returns the head of a transfer that this executor writes.
    pub fn head(&self, messages: &MessageArena, message: MessageId, role: Role) -> Head {
        let number = match role {
            Role::Clear => self.there.get(&message).copied().unwrap_or(message),
            Role::Short | Role::Envelope | Role::Data | Role::Request => message,
        };
        Head::new(messages.get(message), role, number)
    }

    /// Returns the transfer of a head from another executor, as this one numbers it.
    pub fn adopt(&mut self, messages: &mut MessageArena, head: Head) -> TransferId {
        let known = (head.from, head.message);
        let message = match head.role {
            Role::Clear => head.message,
            Role::Short => messages.insert(head.message()),
            Role::Data => {
                let message =
                    self.here.remove(&known).expect("an envelope or request comes before");
                self.there.remove(&message);
                message
            }
            Role::Envelope | Role::Request => {
                let message = messages.insert(head.message());
                self.here.insert(known, message);
                self.there.insert(message, head.message);
                message
            }
        };
        transfer_id(message, head.role)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Call, Message, read_transfer_id};
    use host::MessageKind;

    /// A rendezvous between two executors that number the message differently.
    #[test]
    fn a_rendezvous_finds_its_message_at_both_ends() {
        let (mut at_sender, mut at_receiver) = (MessageArena::default(), MessageArena::default());
        let (mut sender, mut receiver) = (Adopted::default(), Adopted::default());
        let new = |bytes| Message {
            kind: MessageKind::Rendezvous,
            ..Message::new(Rank::new(0), Rank::new(1), bytes, 5, Call::ELSEWHERE)
        };
        at_receiver.insert(new(1));
        let sent = at_sender.insert(new(1 << 20));
        let request = sender.head(&at_sender, sent, Role::Request);
        let (arrived, role) = read_transfer_id(receiver.adopt(&mut at_receiver, request));
        assert_eq!((role, at_receiver.get(arrived).bytes), (Role::Request, 1 << 20));
        assert_ne!(arrived, sent);
        let clear = receiver.head(&at_receiver, arrived, Role::Clear);
        assert_eq!(read_transfer_id(sender.adopt(&mut at_sender, clear)), (sent, Role::Clear));
        let data = sender.head(&at_sender, sent, Role::Data);
        assert_eq!(read_transfer_id(receiver.adopt(&mut at_receiver, data)), (arrived, Role::Data));
        assert!(receiver.here.is_empty() && receiver.there.is_empty());
    }
}
