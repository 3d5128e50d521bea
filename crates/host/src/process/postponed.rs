//! The writes of a process that wait for room while it does other work. At most one of them is to
//! each connection, whose order later transfers keep; the connections take turns in the order in
//! which they got room, as the events of `epoll` do.

use std::collections::{BTreeMap, VecDeque};

use super::WriteCall;

/// The writes of a process that wait for room in their send buffers.
#[derive(Clone, Debug)]
pub struct Postponed<C> {
    calls: BTreeMap<C, WriteCall<C>>,
    /// The connections that may have room, in order.
    turns: VecDeque<C>,
}

impl<C> Default for Postponed<C> {
    fn default() -> Postponed<C> {
        Postponed { calls: BTreeMap::new(), turns: VecDeque::new() }
    }
}

impl<C: Copy + Ord> Postponed<C> {
    /// Returns whether no write waits.
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Keeps a write that has no room.
    pub fn add(&mut self, call: WriteCall<C>) {
        self.calls.insert(call.connection, call);
    }

    /// Returns the write to a connection.
    pub fn call(&mut self, connection: C) -> Option<&mut WriteCall<C>> {
        self.calls.get_mut(&connection)
    }

    /// Gives a turn to a connection whose send buffer may have got room.
    pub fn may_have_room(&mut self, connection: C) {
        if self.calls.contains_key(&connection) && !self.turns.contains(&connection) {
            self.turns.push_back(connection);
        }
    }

    /// Returns the write whose turn it is.
    pub fn first(&mut self) -> Option<&mut WriteCall<C>> {
        let first = self.turns.front()?;
        self.calls.get_mut(first)
    }

    /// Ends the turn of the first connection, which has no room any more.
    pub fn pass(&mut self) {
        self.turns.pop_front();
    }

    /// Removes the write whose turn it is, because all of it is written.
    pub fn end_first(&mut self) {
        if let Some(first) = self.turns.pop_front() {
            self.calls.remove(&first);
        }
    }

    /// Returns the bytes of heap memory held.
    pub fn heap_bytes(&self) -> usize {
        self.calls.len() * size_of::<(C, WriteCall<C>)>() + self.turns.capacity() * size_of::<C>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Head, Transfer, WhileBlocked};

    fn call(connection: char) -> WriteCall<char> {
        let transfer = Transfer { head: Head::default(), header: 0, body: 9 };
        WriteCall::new(connection, transfer, WhileBlocked::GoesOn)
    }

    fn first(postponed: &mut Postponed<char>) -> Option<char> {
        postponed.first().map(|call| call.connection)
    }

    #[test]
    fn connections_take_turns_in_the_order_in_which_they_got_room() {
        let mut postponed = Postponed::default();
        ['a', 'b', 'c'].into_iter().for_each(|connection| postponed.add(call(connection)));
        assert_eq!(first(&mut postponed), None, "none has room");
        ['c', 'a', 'c', 'x'].into_iter().for_each(|one| postponed.may_have_room(one));
        assert_eq!(first(&mut postponed), Some('c'));
        postponed.pass();
        assert_eq!(first(&mut postponed), Some('a'));
        postponed.may_have_room('c');
        postponed.end_first();
        assert_eq!(first(&mut postponed), Some('c'));
        postponed.end_first();
        assert!(first(&mut postponed).is_none() && !postponed.is_empty(), "'b' has no room");
    }
}
