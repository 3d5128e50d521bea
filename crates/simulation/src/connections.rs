//! The connections of a process, all of which it watches while it waits for a message.
//!
//! P4 connects two ranks when one first sends to the other, and waits in one `select` over all its
//! connections (`socket_recv` [MPICH-1.1]), each of which the kernel looks at in turn and removes
//! from a queue of waiting processes (`do_select`, `free_wait` [LINUX-2.0.30]).

use program::Rank;

/// The peers with which a rank has exchanged messages, in order.
#[derive(Debug, Default)]
pub(crate) struct Connections(Vec<Rank>);

impl Connections {
    /// Notes a peer, of which messages may have been noted before.
    pub fn note(&mut self, peer: Rank) {
        if let Err(place) = self.0.binary_search(&peer) {
            self.0.insert(place, peer);
        }
    }

    /// Returns the number of connections besides that of a message.
    pub fn besides_one(&self) -> u64 {
        (self.0.len() as u64).saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::Connections;
    use program::Rank;

    #[test]
    fn every_peer_counts_once_and_one_is_that_of_the_message() {
        let mut connections = Connections::default();
        assert_eq!(connections.besides_one(), 0, "nobody is connected");
        let counts = [2, 1, 2, 3, 1].map(|peer| {
            connections.note(Rank::new(peer));
            connections.besides_one()
        });
        assert_eq!(counts, [0, 1, 1, 2, 2]);
    }
}
