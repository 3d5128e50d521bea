//! A process that repeats a call that would block, without sleeping: P4 on its non-blocking sockets
//! (`net_send`, `net_recv` [MPICH-1.1]). A timer that finds the socket in use at that moment is put
//! off (`tcp_retransmit_timer` [LINUX-2.0.30]).

use quantity::Time;

/// The loop of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// Reads of a message that has begun.
    Read,
    /// Writes to a full buffer.
    Write {
        /// The time of one write.
        call: Time,
        /// The time of the looks at other connections before the next.
        looks: Time,
    },
}

impl Retry {
    /// Returns whether the socket is in use at a moment of the loop that a random number draws. The
    /// socket is in use for a share of each call, in per cent.
    pub fn is_in_use(self, share: u32, draw: u64) -> bool {
        let (call, whole) = match self {
            Retry::Read => (1, 1),
            Retry::Write { call, looks } => (call.ps(), (call + looks).ps()),
        };
        let in_use = u128::from(call) * u128::from(share);
        u128::from(draw) * u128::from(whole) * 100 < in_use << 64
    }
}

#[cfg(test)]
mod tests {
    use super::Retry;
    use quantity::Time;

    /// Returns the number of moments in use out of a thousand, evenly spread.
    fn in_use(retry: Retry, share: u32) -> usize {
        (0..1000).filter(|&n| retry.is_in_use(share, u64::MAX / 2000 * (2 * n + 1))).count()
    }

    #[test]
    fn a_socket_is_in_use_for_a_share_of_each_call() {
        let alone = Retry::Write { call: Time::from_us(9), looks: Time::ZERO };
        for (share, expected) in [(0, 0), (25, 250), (100, 1000)] {
            assert_eq!([in_use(Retry::Read, share), in_use(alone, share)], [expected; 2]);
        }
    }

    #[test]
    fn looks_at_other_connections_leave_little_time_for_the_write() {
        let lower = Retry::Write { call: Time::from_us(9), looks: Time::from_us(15 * 10) };
        assert_eq!(in_use(lower, 25), 14);
        assert_eq!(in_use(Retry::Write { call: Time::ZERO, looks: Time::from_us(10) }, 25), 0);
    }
}
