//! A process whose write is blocked and that looks for messages meanwhile, connection after
//! connection, before it tries to write again: P4 makes a `select` for each (`net_send`,
//! `socket_msgs_available` [MPICH-1.1]). A message or room in the buffer is noticed only when its
//! turn comes.
//!
//! The rounds are not played one by one: they follow from the time at which the write was blocked.
//! Work of the kernel meanwhile does not delay them here.

use quantity::Time;

/// The rounds of looking of one blocked write.
#[derive(Clone, Copy, Debug, Default)]
pub struct Looking {
    /// The time since which the process looks.
    since: Option<Time>,
    /// True once it has noticed something, on which it acts next.
    has_noticed: bool,
}

/// The next thing of which a process would take notice, as a place in the order of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The connection at this place has a message.
    Message(u32),
    /// After the last one, the write is tried again.
    Write,
}

impl Looking {
    /// Notes that there is nothing to do at `now`.
    pub fn waits(&mut self, now: Time) {
        self.since.get_or_insert(now);
        self.has_noticed = false;
    }

    /// Returns the time until the process notices something that is there at `now`, one of
    /// `n_connections`, each of which takes `each` to look at; `None` if it acts on it now.
    pub fn notices(
        &mut self,
        turn: Turn,
        is_blocked: bool,
        (n_connections, each): (u32, Time),
        now: Time,
    ) -> Option<Time> {
        let since = match self.since.take() {
            Some(since) => since,
            None if is_blocked && !self.has_noticed => now,
            None => {
                self.has_noticed = false;
                return None;
            }
        };
        let round = each * u64::from(n_connections.max(1));
        if round == Time::ZERO {
            return None;
        }
        let phase = Time::from_ps((now - since).ps() % round.ps());
        let place = match turn {
            Turn::Message(place) => each * u64::from(place + 1),
            Turn::Write => round,
        };
        self.has_noticed = true;
        Some(if place > phase { place - phase } else { place + round - phase })
    }
}

#[cfg(test)]
mod tests {
    use super::{Looking, Turn};
    use quantity::Time;

    const ROUND: (u32, Time) = (15, Time::from_us(10));

    fn us(us: u64) -> Time {
        Time::from_us(us)
    }

    #[test]
    fn a_write_that_is_not_blocked_looks_at_nothing() {
        assert_eq!(Looking::default().notices(Turn::Write, false, ROUND, us(7)), None);
    }

    #[test]
    fn room_is_noticed_at_the_end_of_a_round() {
        for (room_at, waits) in [(100, 150), (249, 1), (250, 150), (260, 140), (100 + 1500, 150)] {
            let mut looking = Looking::default();
            looking.waits(us(100));
            looking.waits(us(120));
            let found = looking.notices(Turn::Write, false, ROUND, us(room_at));
            assert_eq!(found, Some(us(waits)), "room at {room_at}");
            assert_eq!(looking.notices(Turn::Write, false, ROUND, us(room_at + waits)), None);
        }
    }

    #[test]
    fn a_message_is_noticed_when_its_connection_has_its_turn() {
        for (place, arrival, waits) in [(0, 100, 10), (3, 100, 40), (3, 145, 145), (14, 249, 1)] {
            let mut looking = Looking::default();
            looking.waits(us(100));
            let found = looking.notices(Turn::Message(place), true, ROUND, us(arrival));
            assert_eq!(found, Some(us(waits)), "{place} {arrival}");
            assert_eq!(looking.notices(Turn::Message(place), true, ROUND, us(300)), None);
        }
    }

    #[test]
    fn a_write_that_finds_a_message_at_once_looks_at_the_connections_before_it() {
        let mut looking = Looking::default();
        assert_eq!(looking.notices(Turn::Message(4), true, ROUND, us(9)), Some(us(50)));
        assert_eq!(looking.notices(Turn::Message(4), true, ROUND, us(59)), None);
        assert_eq!(
            looking.notices(Turn::Message(4), true, ROUND, us(90)),
            Some(us(50)),
            "the next"
        );
    }

    #[test]
    fn what_takes_no_time_is_noticed_at_once() {
        let mut looking = Looking::default();
        looking.waits(us(1));
        assert_eq!(looking.notices(Turn::Write, false, (15, Time::ZERO), us(3)), None);
    }
}
