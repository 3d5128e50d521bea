//! Whether every receive has a message and every message a receive, by their numbers per source,
//! destination and tag. A receive of any source or any tag takes what the others leave.

use std::collections::BTreeMap;

use super::{GoalError, Graph, Place, TaskKind};
use crate::operation::{ANY_TAG, Rank, Tag};

/// The ranks at both ends of messages, and their tag.
type Key = (Rank, Rank, Tag);

/// The messages that no named receive takes, and the receives of any source or tag, at one rank.
#[derive(Default)]
struct Rest {
    messages: Vec<(Rank, Tag, Place)>,
    wild: Vec<(Option<Rank>, Tag, Place)>,
}

/// Checks that sends and receives fit.
///
/// # Errors
/// When there are too few or too many of either.
pub(super) fn check(graph: &Graph) -> Result<(), GoalError> {
    let mut sends: Vec<(Key, Place)> = Vec::new();
    let mut receives: Vec<(Key, Place)> = Vec::new();
    let mut rests: BTreeMap<Rank, Rest> = BTreeMap::new();
    for (rank, tasks) in graph.ranks.with_ids() {
        for task in tasks.clone().map(|task| graph.tasks[task]) {
            match task.kind {
                TaskKind::Send { to, tag, .. } => sends.push(((to, rank, tag), task.at)),
                TaskKind::Receive { from: Some(from), tag } if tag != ANY_TAG => {
                    receives.push(((rank, from, tag), task.at));
                }
                TaskKind::Receive { from, tag } => {
                    rests.entry(rank).or_default().wild.push((from, tag, task.at));
                }
                TaskKind::Compute { .. } => {}
            }
        }
    }
    sends.sort_by_key(|&(key, _)| key);
    receives.sort_by_key(|&(key, _)| key);
    take_named(&sends, &receives, &mut rests)?;
    rests.iter().try_for_each(|(&rank, rest)| rest.check(rank))
}

/// Takes the messages of receives that name source and tag.
fn take_named(
    mut sends: &[(Key, Place)],
    mut receives: &[(Key, Place)],
    rests: &mut BTreeMap<Rank, Rest>,
) -> Result<(), GoalError> {
    let first = |of: &[(Key, Place)]| of.first().map(|&(key, _)| key);
    while let Some(key) = first(sends).into_iter().chain(first(receives)).min() {
        let sent = split(&mut sends, key);
        let received = split(&mut receives, key);
        if let Some(&((rank, ..), at)) = received.get(sent.len()) {
            return Err(GoalError::NeverReceived { at, rank });
        }
        let (to, from, tag) = key;
        let left = sent[received.len()..].iter().map(|&(_, at)| (from, tag, at));
        if sent.len() > received.len() {
            rests.entry(to).or_default().messages.extend(left);
        }
    }
    Ok(())
}

/// Splits the entries of a key off the front.
fn split<'a>(entries: &mut &'a [(Key, Place)], key: Key) -> &'a [(Key, Place)] {
    let n = entries.iter().take_while(|&&(found, _)| found == key).count();
    let (front, rest) = entries.split_at(n);
    *entries = rest;
    front
}

impl Rest {
    fn check(&self, rank: Rank) -> Result<(), GoalError> {
        let mut left = self.messages.clone();
        // The choosier a receive, the earlier it takes.
        let mut wild = self.wild.clone();
        wild.sort_by_key(|&(from, tag, _)| from.is_none() && tag == ANY_TAG);
        for (from, tag, at) in wild {
            let fits = |&(source, sent, _): &(Rank, Tag, Place)| {
                from.is_none_or(|from| from == source) && (tag == ANY_TAG || tag == sent)
            };
            let place = match (from, tag) {
                (None, ANY_TAG) => left.len().checked_sub(1),
                _ => left.iter().position(fits),
            };
            let Some(place) = place else {
                return Err(GoalError::NeverReceived { at, rank });
            };
            left.swap_remove(place);
        }
        match left.first() {
            Some(&(from, _, at)) => Err(GoalError::NeverSent { at, rank: from }),
            None => Ok(()),
        }
    }
}
