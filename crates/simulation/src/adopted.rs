//! Messages whose senders are driven by other executors.

use std::collections::BTreeMap;

use program::Rank;

use crate::executor::Executor;
use crate::head::Head;
use crate::message::{Message, MessageId, Role, transfer_id};
use crate::model::NetworkModel;
use host::TransferId;

/// The numbers of messages in the executors of their senders, from the first transfer that tells of
/// them to the last that needs them.
#[derive(Debug, Default)]
pub(crate) struct Adopted {
    here: BTreeMap<(Rank, MessageId), MessageId>,
    there: BTreeMap<MessageId, MessageId>,
}

impl<M: NetworkModel> Executor<'_, M> {
    /// Returns whether another executor drives a rank.
    #[inline]
    pub(crate) fn is_elsewhere(&self, rank: Rank) -> bool {
        self.only.is_some_and(|only| only != rank)
    }

    /// Returns the head of a transfer.
    pub(crate) fn head(&self, message: MessageId, role: Role) -> Head {
        let number = match role {
            Role::Clear => self.adopted.there.get(&message).copied().unwrap_or(message),
            Role::Short | Role::Envelope | Role::Data | Role::Request => message,
        };
        Head::new(self.messages.get(message), role, number)
    }

    /// Returns the transfer of a head from another executor, as this one numbers it.
    pub(crate) fn adopt(&mut self, head: Head) -> TransferId {
        let known = (head.from, head.message);
        let message = match head.role {
            Role::Clear => head.message,
            Role::Data => self.adopted.here.remove(&known).expect("an envelope comes before"),
            Role::Short => self.messages.insert(Message::arrived(&head)),
            Role::Envelope | Role::Request => {
                let message = self.messages.insert(Message::arrived(&head));
                self.adopted.here.insert(known, message);
                self.adopted.there.insert(message, head.message);
                message
            }
        };
        if head.role == Role::Data {
            self.adopted.there.remove(&message);
        }
        transfer_id(message, head.role)
    }
}
