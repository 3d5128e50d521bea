//! The interface between the executors of ranks and an engine: an executor decides the actions of
//! its rank, the engine their durations.

use host::{Head, Transfer, WhileBlocked};
use network::NodeId;
use program::{DatagramProtocol, Rank, StreamId};
use quantity::Time;

use crate::error::RunError;

/// A datagram that a rank sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Datagram {
    /// Destination.
    pub to: Rank,
    /// User data.
    pub bytes: u32,
    /// User data of the reply that the destination sends after reading it; 0 for no reply.
    pub answer: u32,
    /// The protocol of the datagram.
    pub protocol: DatagramProtocol,
    /// Shortest time between the starts of two datagrams of the rank.
    pub spacing: Time,
}

/// The end of simulated time, 138 days. No run continues beyond, so that an event scheduled before
/// it, with a duration of at most half of that, remains in the range of [`Time`].
pub const END: Time = Time::from_ms(12_000_000_000);

/// Returns the end of an action that begins at `begin` and lasts for `span`, or the end of time.
#[inline]
pub fn over_at(begin: Time, span: Time) -> Time {
    begin + span.min(END.saturating_sub(begin))
}

/// A notice of an engine to the executor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The write of this rank has returned, or its datagram is sent: its buffer may be reused.
    Written(Rank),
    /// The rest of the write of this rank waits for room, and the rank goes on.
    Postponed(Rank),
    /// The postponed write of a rank to another is over.
    Flushed {
        /// The rank that has written.
        rank: Rank,
        /// The rank written to.
        to: Rank,
    },
    /// The process of a rank has read the last byte of a transfer.
    Arrived {
        /// The rank that has read it.
        rank: Rank,
        /// The rank that wrote it.
        from: Rank,
        /// The head of the transfer.
        head: Head,
    },
    /// The computation of this rank is done.
    Computed(Rank),
    /// The sleep of this rank has ended.
    SleepEnded(Rank),
    /// The timer of a stream of this rank has run down.
    TimerEnded(Rank, StreamId),
}

impl Notice {
    /// Returns the rank that gets the notice.
    #[inline]
    pub fn rank(self) -> Rank {
        match self {
            Notice::Written(rank)
            | Notice::Postponed(rank)
            | Notice::Flushed { rank, .. }
            | Notice::Arrived { rank, .. }
            | Notice::Computed(rank)
            | Notice::SleepEnded(rank)
            | Notice::TimerEnded(rank, _) => rank,
        }
    }
}

/// A network of hosts in simulated time. A rank does one thing at a time: it writes, computes, or
/// listens. Only a rank with several streams or a postponed write writes or computes while it
/// listens.
pub trait NetworkModel {
    /// Returns the current simulated time.
    fn now(&self) -> Time;

    /// Starts the write of `transfer` by `rank` to `to`; answered by [`Notice::Written`]. If the
    /// process goes on while it is blocked, [`Notice::Postponed`] answers when the rest has no
    /// room, and [`Notice::Flushed`] follows later. Never called while one to `to` is postponed.
    fn write(&mut self, rank: Rank, to: Rank, transfer: Transfer, while_blocked: WhileBlocked);

    /// Starts a computation of `rank` that needs `work` of processor time; answered by
    /// [`Notice::Computed`]. Never called with zero work.
    fn compute(&mut self, rank: Rank, work: Time);

    /// Puts `rank` to sleep until `end`, in the future, with its processor free for the kernel;
    /// answered by [`Notice::SleepEnded`].
    fn sleep(&mut self, rank: Rank, end: Time);

    /// Starts a timer of a stream, which runs whatever its rank does until `end`, in the future;
    /// answered by [`Notice::TimerEnded`].
    fn set_timer(&mut self, rank: Rank, stream: StreamId, end: Time);

    /// Starts to read arriving data at `rank` until one transfer is complete; answered by
    /// [`Notice::Arrived`].
    fn listen(&mut self, rank: Rank);

    /// Returns the node of a rank; `None` where each has one of its own.
    #[inline]
    fn node_of(&self, _rank: Rank) -> Option<NodeId> {
        None
    }

    /// Hands `transfer` of a rank over to another of its node at `at`; answered by
    /// [`Notice::Arrived`] then, whatever the rank does.
    fn hand_over(&mut self, _from: Rank, _to: Rank, _transfer: Transfer, _at: Time) {
        unreachable!("no ranks of this engine share a node");
    }

    /// Returns whether this engine supports datagrams. Programs with datagrams run only on an
    /// engine that does.
    fn moves_datagrams(&self) -> bool {
        false
    }

    /// Sends a datagram of `rank`; answered by [`Notice::Written`]. The engine itself counts the
    /// datagrams that arrive.
    fn send_datagram(&mut self, _rank: Rank, _datagram: Datagram) {
        unreachable!("no program with datagrams is given to this engine");
    }

    /// Advances to the next notice; `None` when no event is left.
    ///
    /// # Errors
    /// When the network gives up, for example on a connection whose every retransmission is lost.
    fn advance(&mut self) -> Result<Option<Notice>, RunError>;
}
