//! MPI's matching at one rank: a receive takes the first message of its source and tag, a message
//! the first receive that fits it. Unmatched receives and messages are kept in order.

use program::{ANY_TAG, COLLECTIVE_TAGS, Rank, Tag};

use crate::message::{Call, Message, MessageArena, MessageId};

/// A posted receive of the rank.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Receive {
    /// Source, `None` for any.
    pub from: Option<Rank>,
    /// Tag, or `ANY_TAG`.
    pub tag: Tag,
    pub call: Call,
}

impl Receive {
    fn fits(&self, message: &Message) -> bool {
        let fits_tag = match self.tag {
            ANY_TAG => message.tag < COLLECTIVE_TAGS,
            tag => tag == message.tag,
        };
        fits_tag && self.from.is_none_or(|from| from == message.from)
    }
}

/// The unmatched receives and messages of one rank. No receive here fits a message here.
#[derive(Debug, Default)]
pub(crate) struct Matching {
    /// Receives in the order of their calls.
    posted: Vec<Receive>,
    /// Messages that arrived before their receive, in order of arrival.
    unexpected: Vec<MessageId>,
}

impl Matching {
    /// Returns the message that a receive takes; without one, keeps the receive.
    pub fn post(&mut self, receive: Receive, messages: &MessageArena) -> Option<MessageId> {
        match self.unexpected.iter().position(|&id| receive.fits(messages.get(id))) {
            Some(position) => Some(self.unexpected.remove(position)),
            None => {
                self.posted.push(receive);
                None
            }
        }
    }

    /// Returns the receive that takes a message; without one, keeps the message.
    pub fn offer(&mut self, id: MessageId, messages: &MessageArena) -> Option<Receive> {
        let message = messages.get(id);
        match self.posted.iter().position(|receive| receive.fits(message)) {
            Some(position) => Some(self.posted.remove(position)),
            None => {
                self.unexpected.push(id);
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Rank = Rank::new(9);

    fn receive(from: Option<u32>, tag: Tag) -> Receive {
        Receive { from: from.map(Rank::new), tag, call: Call::Blocking }
    }

    fn arena(messages: &[(u32, Tag)]) -> MessageArena {
        let mut arena = MessageArena::default();
        for &(from, tag) in messages {
            arena.insert(Message::new(Rank::new(from), HERE, 0, tag, Call::Blocking));
        }
        arena
    }

    fn post(matching: &mut Matching, receive: Receive, messages: &MessageArena) -> Option<u32> {
        matching.post(receive, messages).map(MessageId::get)
    }

    fn offer(matching: &mut Matching, id: u32, messages: &MessageArena) -> Option<Receive> {
        matching.offer(MessageId::new(id), messages)
    }

    #[test]
    fn a_receive_takes_the_first_message_that_fits() {
        let messages = arena(&[(1, 0), (2, 5), (2, 0), (2, 0)]);
        let mut matching = Matching::default();
        assert!((0..4).all(|id| offer(&mut matching, id, &messages).is_none()));
        assert_eq!(post(&mut matching, receive(Some(2), 0), &messages), Some(2));
        assert_eq!(post(&mut matching, receive(None, 0), &messages), Some(0));
        assert_eq!(post(&mut matching, receive(Some(1), 0), &messages), None);
        assert_eq!(post(&mut matching, receive(None, 5), &messages), Some(1));
    }

    #[test]
    fn a_receive_of_any_tag_leaves_messages_of_collectives() {
        let messages = arena(&[(1, COLLECTIVE_TAGS), (2, 5), (1, 6)]);
        let mut matching = Matching::default();
        assert!((0..3).all(|id| offer(&mut matching, id, &messages).is_none()));
        assert_eq!(post(&mut matching, receive(Some(1), ANY_TAG), &messages), Some(2));
        assert_eq!(post(&mut matching, receive(None, ANY_TAG), &messages), Some(1));
        assert_eq!(post(&mut matching, receive(None, ANY_TAG), &messages), None);
        assert_eq!(post(&mut matching, receive(None, COLLECTIVE_TAGS), &messages), Some(0));
    }

    #[test]
    fn a_message_takes_the_first_receive_that_fits() {
        let messages = arena(&[(1, 0), (2, 0), (2, 0)]);
        let mut matching = Matching::default();
        for from in [Some(2), None] {
            assert_eq!(post(&mut matching, receive(from, 0), &messages), None);
        }
        let from = |taken: Option<Receive>| taken.map(|receive| receive.from);
        assert_eq!(from(offer(&mut matching, 0, &messages)), Some(None));
        assert_eq!(from(offer(&mut matching, 1, &messages)), Some(Some(Rank::new(2))));
        assert_eq!(from(offer(&mut matching, 2, &messages)), None);
    }
}
