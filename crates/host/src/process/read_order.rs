//! The order in which a process reads its connections, one at a time until its turn ends: under P4
//! with the transfer, whose rest it waits for [MPITCP, sec. 1], under libraries with non-blocking
//! sockets with the data that are there. Those that wait are served by a key, the rank of the peer
//! under P4, which always begins with the lowest (`socket_recv` [MPICH-1.1]), and in order of
//! arrival with equal keys.

use std::collections::VecDeque;

/// The connections of a process with unread data.
#[derive(Clone, Debug)]
pub struct ReadOrder<C> {
    /// The connection that is being read, and its key.
    reading: Option<(u32, C)>,
    /// The other connections with unread data, by key and arrival.
    ready: VecDeque<(u32, C)>,
}

impl<C> Default for ReadOrder<C> {
    fn default() -> ReadOrder<C> {
        ReadOrder { reading: None, ready: VecDeque::new() }
    }
}

impl<C: Copy + PartialEq> ReadOrder<C> {
    /// Returns the connection that is being read.
    #[inline]
    pub fn reading(&self) -> Option<C> {
        self.reading.map(|(_, connection)| connection)
    }

    /// Returns the connection that is read next if none is being read.
    #[inline]
    pub fn first_ready(&self) -> Option<C> {
        self.ready.front().map(|&(_, connection)| connection)
    }

    /// Notes that data have arrived on a connection without unread data.
    #[inline]
    pub fn arrived(&mut self, connection: C, key: u32) {
        if self.reading() != Some(connection) {
            self.insert((key, connection));
        }
    }

    #[inline]
    fn insert(&mut self, (key, connection): (u32, C)) {
        let place = self.ready.partition_point(|&(other, _)| other <= key);
        self.ready.insert(place, (key, connection));
    }

    /// Returns the connection to read, and true if its turn begins now.
    #[inline]
    pub fn take_up(&mut self) -> Option<(C, bool)> {
        if let Some(connection) = self.reading() {
            return Some((connection, false));
        }
        self.reading = self.ready.pop_front();
        self.reading().map(|connection| (connection, true))
    }

    /// Ends the turn of the connection that is being read, which joins the order again if it
    /// `has_more`.
    pub fn finish(&mut self, has_more: bool) -> Option<C> {
        let read = self.reading.take()?;
        if has_more {
            self.insert(read);
        }
        Some(read.1)
    }

    /// Returns the bytes of heap memory held.
    pub fn heap_bytes(&self) -> usize {
        self.ready.capacity() * size_of::<(u32, C)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transfer_is_read_to_its_end_before_any_other() {
        let mut order = ReadOrder::default();
        assert_eq!(order.take_up(), None);
        order.arrived('a', 0);
        order.arrived('b', 0);
        assert_eq!(order.take_up(), Some(('a', true)));
        order.arrived('a', 0);
        assert_eq!(order.take_up(), Some(('a', false)), "more of what is being read");
        assert_eq!(order.finish(true), Some('a'));
        assert_eq!(order.take_up(), Some(('b', true)), "the rest of it comes last");
        order.finish(false);
        assert_eq!(order.take_up(), Some(('a', true)));
    }

    #[test]
    fn the_lowest_key_is_served_first() {
        let mut order = ReadOrder::default();
        for (connection, rank) in [('c', 3), ('a', 1), ('b', 2)] {
            order.arrived(connection, rank);
        }
        assert_eq!(order.take_up(), Some(('a', true)));
        assert_eq!(order.finish(true), Some('a'));
        assert_eq!(order.take_up(), Some(('a', true)), "more of the lowest, before all others");
        order.finish(false);
        assert_eq!(order.first_ready(), Some('b'));
    }
}
