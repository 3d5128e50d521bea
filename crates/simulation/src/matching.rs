//! MPI's matching at one rank: a receive takes the first message of its source and tag, a message
//! the first receive that fits it. Unmatched receives and messages are kept in order.

use std::collections::BTreeMap;

use program::{ANY_TAG, COLLECTIVE_TAGS, Rank, Tag};

use crate::message::{Call, Message, MessageArena, MessageId};

/// A posted receive of the rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
        fits_tag && self.from.is_none_or(|from| from == message.peer)
    }
}

/// The unmatched receives and messages of one rank. No receive here fits a message here.
///
/// Both are found by source and tag, so that a rank with thousands of them pays the same for each.
#[derive(Debug, Default)]
pub(crate) struct Matching {
    /// Calls by what they take, then in their order.
    posted: BTreeMap<(Option<Rank>, Tag, u64), Call>,
    /// Number of posted receives from any source or with any tag.
    n_wild: usize,
    /// Messages that arrived before their receive, by source and tag, then in order of arrival.
    unexpected: BTreeMap<(Rank, Tag, u64), MessageId>,
    /// The same in order of arrival, for receives from any source or with any tag.
    arrived: BTreeMap<u64, (Rank, Tag)>,
    /// Number of receives and messages kept so far.
    n_kept: u64,
}

impl Matching {
    /// Returns the message that a receive takes; without one, keeps the receive.
    pub fn post(&mut self, receive: Receive, messages: &MessageArena) -> Option<MessageId> {
        let found = match receive.from {
            Some(from) if receive.tag != ANY_TAG => self.first_message(from, receive.tag),
            _ => self.first_arrived(&receive, messages),
        };
        if let Some(key) = found {
            self.arrived.remove(&key.2);
            return self.unexpected.remove(&key);
        }
        let Receive { from, tag, call } = receive;
        self.n_wild += usize::from(is_wild(from, tag));
        self.posted.insert((from, tag, self.n_kept), call);
        self.n_kept += 1;
        None
    }

    /// Returns the receive that takes a message; without one, keeps the message.
    pub fn offer(&mut self, id: MessageId, messages: &MessageArena) -> Option<Receive> {
        let Message { peer: from, tag, .. } = *messages.get(id);
        if let Some(key) = self.first_receive(from, tag) {
            let (from, tag, _) = key;
            self.n_wild -= usize::from(is_wild(from, tag));
            return self.posted.remove(&key).map(|call| Receive { from, tag, call });
        }
        self.unexpected.insert((from, tag, self.n_kept), id);
        self.arrived.insert(self.n_kept, (from, tag));
        self.n_kept += 1;
        None
    }

    fn first_message(&self, from: Rank, tag: Tag) -> Option<(Rank, Tag, u64)> {
        let mut same = self.unexpected.range((from, tag, 0)..=(from, tag, u64::MAX));
        same.next().map(|(&key, _)| key)
    }

    /// Returns the first message that a receive of any source or tag fits.
    fn first_arrived(
        &self,
        receive: &Receive,
        messages: &MessageArena,
    ) -> Option<(Rank, Tag, u64)> {
        let mut keys = self.arrived.iter().map(|(&number, &(from, tag))| (from, tag, number));
        keys.find(|key| self.unexpected.get(key).is_some_and(|&id| receive.fits(messages.get(id))))
    }

    /// Returns the first receive that fits a message of this source and tag.
    fn first_receive(&self, from: Rank, tag: Tag) -> Option<(Option<Rank>, Tag, u64)> {
        let first = |from: Option<Rank>, tag: Tag| {
            let mut same = self.posted.range((from, tag, 0)..=(from, tag, u64::MAX));
            same.next().map(|(&key, _)| key)
        };
        let exact = first(Some(from), tag);
        if self.n_wild == 0 {
            return exact;
        }
        let any_tag = (tag < COLLECTIVE_TAGS).then_some(ANY_TAG);
        let any_tags = any_tag.map(|tag| [first(Some(from), tag), first(None, tag)]);
        let wild = [first(None, tag)].into_iter().chain(any_tags.into_iter().flatten());
        wild.chain([exact]).flatten().min_by_key(|key| key.2)
    }
}

fn is_wild(from: Option<Rank>, tag: Tag) -> bool {
    from.is_none() || tag == ANY_TAG
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn receive(from: Option<u32>, tag: Tag) -> Receive {
        Receive { from: from.map(Rank::new), tag, call: Call::UNKNOWN }
    }

    fn arena(messages: &[(u32, Tag)]) -> MessageArena {
        let mut arena = MessageArena::default();
        for &(from, tag) in messages {
            arena.insert(Message::new(Rank::new(from), 0, tag, Call::UNKNOWN));
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

    /// Two lists searched from their beginnings.
    #[derive(Default)]
    struct Lists {
        posted: Vec<Receive>,
        unexpected: Vec<MessageId>,
    }

    impl Lists {
        fn post(&mut self, receive: Receive, messages: &MessageArena) -> Option<MessageId> {
            let mut ids = self.unexpected.iter();
            match ids.position(|&id| receive.fits(messages.get(id))) {
                Some(place) => Some(self.unexpected.remove(place)),
                None => {
                    self.posted.push(receive);
                    None
                }
            }
        }

        fn offer(&mut self, id: MessageId, messages: &MessageArena) -> Option<Receive> {
            match self.posted.iter().position(|receive| receive.fits(messages.get(id))) {
                Some(place) => Some(self.posted.remove(place)),
                None => {
                    self.unexpected.push(id);
                    None
                }
            }
        }
    }

    fn tag() -> impl Strategy<Value = Tag> {
        prop_oneof![0u32..3, Just(COLLECTIVE_TAGS)]
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            rng_seed: proptest::test_runner::RngSeed::Fixed(0),
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        /// Whatever is posted and whatever arrives, each takes the first that fits.
        #[test]
        fn matches_are_those_of_lists_searched_in_order(
            steps in prop::collection::vec(
                prop_oneof![
                    (0u32..4, tag()).prop_map(Ok),
                    (
                        prop::option::of(0u32..4),
                        prop_oneof![tag(), Just(ANY_TAG)],
                        any::<u8>()
                    )
                        .prop_map(Err),
                ],
                1..200,
            )
        ) {
            let mut messages = MessageArena::default();
            let (mut matching, mut lists) = (Matching::default(), Lists::default());
            for step in steps {
                match step {
                    Ok((from, tag)) => {
                        let message = Message::new(Rank::new(from), 0, tag, Call::UNKNOWN);
                        let id = messages.insert(message);
                        let taken = matching.offer(id, &messages);
                        prop_assert_eq!(taken, lists.offer(id, &messages));
                    }
                    Err((from, tag, number)) => {
                        let call = Call { request: Some(number.into()), ..Call::UNKNOWN };
                        let from = from.map(Rank::new);
                        let receive = Receive { from, tag, call };
                        let taken = matching.post(receive, &messages);
                        prop_assert_eq!(taken, lists.post(receive, &messages));
                    }
                }
            }
        }
    }
}
