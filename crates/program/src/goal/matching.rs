//! Matching of messages and receives on a network without delay: the rules of MPI, by source and
//! tag, at one rank.

use std::collections::{BTreeMap, VecDeque};

use super::TaskId;
use crate::operation::{ANY_TAG, Rank, Tag};

/// Tasks in order of their call, each with its place in that order.
type Queue = VecDeque<(u64, TaskId)>;

#[derive(Default)]
pub(super) struct Matching {
    n_calls: u64,
    messages: BTreeMap<(Rank, Tag), Queue>,
    receives: BTreeMap<(Rank, Tag), Queue>,
    /// Receives of any source or any tag.
    wild: Vec<(u64, TaskId, Option<Rank>, Tag)>,
}

impl Matching {
    /// Returns the receive that takes a message; without one, keeps the message.
    pub fn send(&mut self, message: TaskId, from: Rank, tag: Tag) -> Option<TaskId> {
        let call = self.next_call();
        let named = self.receives.get(&(from, tag)).and_then(Queue::front).copied();
        let wild =
            self.wild.iter().position(|&(_, _, source, wanted)| fits(source, wanted, from, tag));
        match (named, wild) {
            (named, Some(place)) if named.is_none_or(|(call, _)| self.wild[place].0 < call) => {
                Some(self.wild.remove(place).1)
            }
            (Some(_), _) => take(&mut self.receives, (from, tag)),
            _ => {
                self.messages.entry((from, tag)).or_default().push_back((call, message));
                None
            }
        }
    }

    /// Returns the message that a receive takes, with its sender; without one, keeps the receive.
    pub fn receive(
        &mut self,
        receive: TaskId,
        from: Option<Rank>,
        tag: Tag,
    ) -> Option<(Rank, TaskId)> {
        let call = self.next_call();
        if let (Some(from), true) = (from, tag != ANY_TAG) {
            let message = take(&mut self.messages, (from, tag));
            if message.is_none() {
                self.receives.entry((from, tag)).or_default().push_back((call, receive));
            }
            return message.map(|message| (from, message));
        }
        let fitting = |(key, queue): (&(Rank, Tag), &Queue)| {
            let first = queue.front().filter(|_| fits(from, tag, key.0, key.1));
            first.map(|&(call, _)| (call, *key))
        };
        match self.messages.iter().filter_map(fitting).min() {
            Some((_, key)) => take(&mut self.messages, key).map(|message| (key.0, message)),
            None => {
                self.wild.push((call, receive, from, tag));
                None
            }
        }
    }

    fn next_call(&mut self) -> u64 {
        self.n_calls += 1;
        self.n_calls
    }
}

fn fits(source: Option<Rank>, wanted: Tag, from: Rank, tag: Tag) -> bool {
    source.is_none_or(|source| source == from) && (wanted == ANY_TAG || wanted == tag)
}

fn take(queues: &mut BTreeMap<(Rank, Tag), Queue>, key: (Rank, Tag)) -> Option<TaskId> {
    let queue = queues.get_mut(&key)?;
    let first = queue.pop_front();
    if queue.is_empty() {
        queues.remove(&key);
    }
    first.map(|(_, task)| task)
}
