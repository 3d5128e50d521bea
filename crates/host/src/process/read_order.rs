//! The order in which a process reads its connections: a transfer once begun is read to its end
//! before any other connection is served [MPITCP, sec. 1].

use std::collections::VecDeque;

/// The connections of a process with unread data.
#[derive(Clone, Debug)]
pub struct ReadOrder<C> {
    /// The connection whose transfer is being read.
    reading: Option<C>,
    /// The other connections with unread data, in order of arrival.
    ready: VecDeque<C>,
}

impl<C> Default for ReadOrder<C> {
    fn default() -> ReadOrder<C> {
        ReadOrder { reading: None, ready: VecDeque::new() }
    }
}

impl<C: Copy + PartialEq> ReadOrder<C> {
    /// Returns the connection whose transfer is being read.
    #[inline]
    pub fn reading(&self) -> Option<C> {
        self.reading
    }

    /// Notes that data have arrived on a connection without unread data.
    #[inline]
    pub fn arrived(&mut self, connection: C) {
        if self.reading != Some(connection) {
            self.ready.push_back(connection);
        }
    }

    /// Returns the connection to read, and true if its transfer begins now.
    #[inline]
    pub fn take_up(&mut self) -> Option<(C, bool)> {
        if let Some(connection) = self.reading {
            return Some((connection, false));
        }
        self.reading = self.ready.pop_front();
        self.reading.map(|connection| (connection, true))
    }

    /// Ends the transfer that is being read; its connection joins the end of the order if it
    /// `has_more`.
    pub fn finish(&mut self, has_more: bool) -> Option<C> {
        let read = self.reading.take();
        if has_more {
            self.ready.extend(read);
        }
        read
    }

    /// Returns the bytes of heap memory held.
    pub fn heap_bytes(&self) -> usize {
        self.ready.capacity() * size_of::<C>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transfer_is_read_to_its_end_before_any_other() {
        let mut order = ReadOrder::default();
        assert_eq!(order.take_up(), None);
        order.arrived('a');
        order.arrived('b');
        assert_eq!(order.take_up(), Some(('a', true)));
        order.arrived('a');
        assert_eq!(order.take_up(), Some(('a', false)), "more of what is being read");
        assert_eq!(order.finish(true), Some('a'));
        assert_eq!(order.take_up(), Some(('b', true)), "the rest of it comes last");
        order.finish(false);
        assert_eq!(order.take_up(), Some(('a', true)));
    }
}
